/** What a reader wants remembered on this device. */
function kept(name) {
  try { return localStorage.getItem(`glacis.${name}`); } catch { return null; }
}

function keep(name, value) {
  try { localStorage.setItem(`glacis.${name}`, value); } catch { /* not allowed here */ }
}

/** The guide of a first turn: what it speaks of is pointed at, unless the reader has skipped it. */
class Guide {
  constructor(game) {
    this.game = game;
  }

  show() {
    const { root, choices } = this.game;
    const box = root.querySelector("#guide");
    if (!box) return;
    box.hidden = kept("guide") === "skipped";
    if (box.hidden) return;
    const kinds = box.dataset.pointsAt.split(" ");
    for (const choice of choices.filter((one) => kinds.includes(one.dataset.kind))) {
      choice.classList.add("guided");
      choice.closest("details.kind")?.querySelector("summary").classList.add("guided");
    }
    // Of a long list only the kinds are known.
    for (const staged of root.querySelectorAll("#panel .kind.staged")) {
      if (kinds.includes(staged.dataset.kind)) staged.querySelector("summary").classList.add("guided");
    }
  }

  skip(skipped) {
    keep("guide", skipped ? "skipped" : "shown");
    for (const one of this.game.root.querySelectorAll(".guided")) one.classList.remove("guided");
    this.show();
  }
}

/** Passes until something happens to the reader's own, he is asked for more than a pass, or he wants to decide
 * again. */
class Passing {
  constructor(game) {
    this.game = game;
    this.since = null;
  }

  /** Where those of a side stand, and how they look. */
  own(side) {
    const own = [...this.game.since.pieces()].filter(([, piece]) => piece.side === side);
    return JSON.stringify(own.sort());
  }

  toggle() {
    const side = this.game.deciding;
    this.since = this.since ? null : { side, stood: this.own(side) };
    this.goOn();
  }

  /** The table was renewed: a moment later it is looked whether to go on. */
  look() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.goOn(), 200);
  }

  goOn() {
    const { game, since } = this;
    game.root.querySelector("#pass-on")?.setAttribute("aria-pressed", String(Boolean(since)));
    if (!since || game.replay.isPast) return;
    if (game.busy) return this.look();
    if (since.stood !== this.own(since.side)) return this.stop();
    if (game.deciding !== since.side) {
      game.preview.replaceChildren(made("p", { className: "hint", textContent: game.words.passing }));
      return;
    }
    const forgo = game.sensed("forgo");
    if (forgo) game.act(forgo); else this.stop();
  }

  end() {
    this.since = null;
    this.game.root.querySelector("#pass-on")?.setAttribute("aria-pressed", "false");
  }

  stop() {
    const { game } = this;
    this.end();
    game.preview.replaceChildren(made("p", { className: "hint", textContent: game.words.passedOn }));
    game.say(game.words.passedOn);
  }
}
