/** Digging: a ghost that snaps to what is allowed, turns with a key, and says in red why it does not fit. */
class Digger {
  constructor(game, board) {
    this.game = game;
    this.board = board;
    this.tool = null;
    this.turn = 90;
    this.at = null;
  }

  take(kind) {
    this.tool = this.tool === kind ? null : kind;
    for (const tool of this.game.root.querySelectorAll(".tool")) {
      tool.setAttribute("aria-pressed", String(tool.dataset.tool === this.tool));
    }
    this.snapped = this.free = this.at = null;
    this.turned = false;
    this.game.showMap("siege");
    this.game.hideCards();
    this.draw();
    if (this.tool) this.game.say(`${this.game.root.querySelector(`.tool[data-tool="${kind}"]`)?.textContent}: ${this.poses().length}`);
  }

  /** The panel was renewed: the tool stays in hand as long as it can be used. */
  renewed() {
    const tool = this.tool && this.game.root.querySelector(`.tool[data-tool="${this.tool}"]`);
    if (!tool) this.tool = null;
    else tool.setAttribute("aria-pressed", "true");
    this.known = null;
    this.draw();
  }

  /** The places that are offered for what is in hand. */
  poses() {
    this.known ??= this.game.choices.filter((choice) => choice.dataset.pose).map((choice) => {
      const [kind, x, y, facing, length] = choice.dataset.pose.split(" ");
      return { choice, kind, x: Number(x), y: Number(y), facing: Number(facing), length: Number(length), name: choice.textContent };
    });
    return this.known.filter((pose) => pose.kind === this.tool);
  }

  outline({ kind, x, y, facing, length }, extra) {
    const [deep, wide] = kind === "sap" ? [length, 50] : [50, length];
    return drawn("g", { class: `ghost ${extra}`, transform: `translate(${x} ${this.board.high - y}) rotate(${90 - facing})` },
      drawn("rect", { x: -wide / 2, y: -deep / 2, width: wide, height: deep }),
      drawn("path", { d: `M0 ${-deep / 2 - 16}l-9 14h18Z` }));
  }

  draw() {
    const layer = this.board.layer;
    for (const ghost of layer.querySelectorAll(".ghost")) ghost.remove();
    if (!this.tool) return;
    const seen = new Set();
    for (const pose of this.poses()) {
      const key = `${Math.round(pose.x / 12)} ${Math.round(pose.y / 12)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      layer.append(this.outline(pose, "possible"));
    }
    if (this.at) this.hover(this.at);
  }

  /** Holds the ghost at a place of the sheet. */
  hover(at) {
    if (!this.tool) return;
    this.at = at;
    const [x, y] = [at[0], this.board.high - at[1]];
    const away = (pose) => Math.hypot(pose.x - x, pose.y - y);
    const askew = (pose) => Math.abs(((pose.facing - this.turn + 540) % 360) - 180);
    // Whoever has turned the ghost wants it that way round.
    const near = this.poses().filter((pose) => away(pose) < 75 && (!this.turned || askew(pose) < 8));
    near.sort((a, b) => away(a) + 0.9 * askew(a) - away(b) - 0.9 * askew(b));
    this.snapped = near[0] ?? null;
    this.free = { kind: this.tool, x: Math.round(x), y: Math.round(y), facing: this.turn, length: 100 };
    this.board.layer.querySelector(".ghost.held")?.remove();
    this.board.layer.append(this.outline(this.snapped ?? this.free, `held ${this.snapped ? "fits" : "free"}`));
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.explain(), 120);
  }

  /** Says beside the ghost what it costs, or why it does not fit. */
  async explain() {
    const { game, snapped, free, at } = this;
    if (!this.tool || !at) return;
    if (snapped) {
      const odds = await game.odds(snapped.choice.dataset.action);
      if (this.snapped === snapped && this.tool) game.cards.siege.show(at, made("p", { className: "card-name", textContent: snapped.name }), odds);
      return;
    }
    const answer = await game.why(this.wish(free));
    if (this.free !== free || !this.tool || this.snapped) return;
    const fits = answer.querySelector("[data-fits]");
    this.board.layer.querySelector(".ghost.held")?.classList.add(fits ? "fits" : "wrong-place");
    game.cards.siege.show(at, answer);
  }

  wish({ kind, x, y, facing }) {
    const worker = this.game.selected;
    return { build: kind, x, y, facing, ...(worker?.startsWith("u:") ? { subject: worker } : {}) };
  }

  rotate(by) {
    if (!this.tool) return;
    if (this.snapped && !this.turned) this.turn = this.snapped.facing;
    this.turned = true;
    const here = this.snapped && this.poses().filter((pose) => Math.hypot(pose.x - this.snapped.x, pose.y - this.snapped.y) < 75);
    const ways = here ? [...new Set(here.map((pose) => pose.facing))] : [];
    if (ways.length > 1) {
      // Among the ways that fit here, the next one round.
      const round = (facing) => ((facing - this.snapped.facing) * Math.sign(by) + 720) % 360;
      this.turn = ways.filter((facing) => facing !== this.snapped.facing).sort((a, b) => round(a) - round(b))[0];
    } else {
      this.turn = (this.turn + by + 360) % 360;
    }
    if (this.at) this.hover(this.at);
    this.game.say(`${this.snapped?.name ?? `${this.turn}°`}`);
  }

  async dig() {
    if (this.snapped) return this.game.offer([this.snapped.choice]);
    if (this.free) await this.game.ask(this.wish(this.free), this.at);
  }
}

