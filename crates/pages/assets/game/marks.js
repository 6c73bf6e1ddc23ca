/** Of the page of a game: what may act is marked, and the choice of a counter shows where it may go. */
const Marking = (Part) => class extends Part {
  marks() {
    const can = new Set(this.choices.flatMap((choice) => choice.dataset.subjects?.split(" ") ?? []));
    for (const thing of this.root.querySelectorAll("[data-thing]")) {
      thing.classList.toggle("can", can.has(thing.dataset.thing));
      thing.classList.toggle("selected", thing.dataset.thing === this.selected || this.group.includes(thing.dataset.thing));
    }
    const targets = this.targets();
    for (const [name, board] of Object.entries(this.boards)) {
      for (const old of board.layer.querySelectorAll(".target, .reach")) old.remove();
      const places = new Map();
      for (const choice of targets) {
        if (choice.dataset.map !== name || !choice.dataset.at || choice.dataset.pose) continue;
        // A whole march is one of those in reach; proposed ones stand in the list.
        if (choice.dataset.sense === "march" || (choice.dataset.sense === "take" && this.reached.length)) continue;
        if (choice.dataset.sense === "step" && this.reached.length) continue;
        places.set(choice.dataset.at, [...(places.get(choice.dataset.at) ?? []), choice]);
      }
      for (const reached of this.reached) if (reached.map === name) board.layer.append(this.reachMark(reached));
      for (const [at, choices] of places) board.layer.append(this.target(board, at, choices));
      const cursor = board.layer.querySelector(".cursor");
      if (cursor) board.layer.append(cursor);
    }
    this.chosen(targets);
  }

  target(board, at, choices) {
    const [x, y] = at.split(" ").map(Number);
    const size = board.sizes.target;
    const mark = drawn("g", { class: "target", "data-at": at, transform: `translate(${x} ${y})`, tabindex: "-1", role: "button", "aria-label": choices.map((choice) => choice.textContent).join("; ") },
      drawn("circle", { r: size }), drawn("path", { d: `M${-size * 1.35} 0h${size * 0.6}M${size * 1.35} 0h${-size * 0.6}M0 ${-size * 1.35}v${size * 0.6}M0 ${size * 1.35}v${-size * 0.6}` }));
    const share = this.chance(choices);
    if (share >= 0) {
      mark.setAttribute("aria-label", `${mark.getAttribute("aria-label")}, ${share} %`);
      const text = drawn("text", { y: size * 1.95, "aria-hidden": "true" });
      text.textContent = `${share} %`;
      mark.append(text);
      mark.classList.toggle("vain", share === 0);
    }
    mark.choices = choices;
    mark.addEventListener("click", (event) => {
      if (board.dragged) return;
      event.stopPropagation();
      const own = choices.some((choice) => choice.dataset.sense === "step") && this.ownUnder(board, event);
      if (own) this.touch(board, own, [x, y]); else this.offer(choices);
    });
    mark.addEventListener("pointerenter", () => this.consider(board, [x, y], choices));
    mark.addEventListener("pointerleave", () => this.unconsider(board));
    return mark;
  }

  /** A place that can be reached, with its cost. */
  reachMark(reached) {
    const [x, y] = reached.at;
    const board = this.boards[reached.map];
    const r = board.sizes.reach;
    const corners = [0, 1, 2, 3, 4, 5].map((n) => `${(r * Math.sin(n * Math.PI / 3)).toFixed(1)} ${(-r * Math.cos(n * Math.PI / 3)).toFixed(1)}`);
    const extra = [reached.fire && "fire", reached.halts && "halts", !reached.stops && "no-stop"].filter(Boolean).join(" ");
    const cost = drawn("text", { y: r * 0.28, "aria-hidden": "true" });
    cost.textContent = reached.cost;
    const mark = drawn("g", { class: `reach ${extra}`, "data-to": reached.to, "data-at": reached.at.join(" "), transform: `translate(${x} ${y})`, tabindex: "-1", role: "button", "aria-label": reached.name },
      drawn("path", { d: `M${corners.join("L")}Z` }), cost);
    mark.reached = reached;
    mark.addEventListener("click", (event) => {
      if (board.dragged) return;
      event.stopPropagation();
      const own = this.ownUnder(board, event);
      if (own) this.touch(board, own, reached.at); else this.go(reached);
    });
    let told = null;
    mark.addEventListener("pointermove", (event) => {
      const own = this.ownUnder(board, event);
      const name = own ? this.thing(own).getAttribute("aria-label") : reached.name;
      if (board.fingers.size || name === told) return;
      told = name;
      this.cards[board.name].show(reached.at, made("p", { className: "card-name", textContent: name }));
    });
    mark.addEventListener("pointerleave", () => { told = null; this.cards[board.name].hide(); });
    return mark;
  }

  /** Whether a counter is of the side that decides here. */
  isOwn(name) { return Boolean(this.deciding) && this.thing(name)?.dataset.side === this.deciding; }

  /** The counter of one's own that lies under a mark where it was pointed at: it can be chosen through the mark. */
  ownUnder(board, event) {
    // No pointer, no place: a click made by keys or by a reader of the screen is meant for the mark.
    if (event.type === "click" && !event.detail) return null;
    const pieces = document.elementsFromPoint(event.clientX, event.clientY).map((element) => element.closest(".piece"));
    const name = pieces.find((piece) => piece && board.svg.contains(piece))?.dataset.thing;
    return name && this.isOwn(name) ? name : null;
  }

  /** What the chosen counter may do, in the panel. */
  chosen(targets) {
    const box = this.root.querySelector("#selected");
    if (!box) return;
    box.replaceChildren();
    if (!this.selected) return;
    box.append(made("h3", { textContent: this.thing(this.selected)?.getAttribute("aria-label") ?? this.selected }));
    const stack = this.stackOf(this.selected);
    if (stack.length > 1) {
      const whole = made("button", { type: "button", className: "choice-copy whole-stack", textContent: `${this.words.stack} (${stack.length})`, ariaPressed: String(this.group.length > 1) });
      whole.addEventListener("click", () => this.select(this.selected, false, this.group.length > 1 ? [] : stack));
      box.append(whole);
    }
    const list = made("ul");
    // Where a counter of one's own stands, a click chooses that one: the way onto it is in the list.
    const listed = (one) => !this.boards[one.map].near || one.stops && this.root.querySelector(`#standing-${one.map} [data-stack="${one.to}"]`);
    for (const reached of this.reached.filter(listed)) {
      const button = made("button", { type: "button", className: "choice-copy", textContent: reached.name });
      button.addEventListener("click", () => this.go(reached));
      list.append(made("li", {}, button));
    }
    // What promises most comes first, once the odds are known; what promises nothing is folded away.
    if (targets.length && targets.every((choice) => this.chance([choice]) === 0)) box.append(made("p", { className: "hint", textContent: this.words.vain }));
    const best = this.chances?.size ? targets.toSorted((a, b) => this.chance([b]) - this.chance([a])) : targets;
    const hopeless = made("ul");
    for (const choice of best.slice(0, 40)) {
      const copy = made("button", { type: "button", className: "choice-copy", textContent: choice.textContent });
      const share = this.chance([choice]);
      if (share >= 0) copy.append(made("span", { className: "share", textContent: `${share} %` }));
      copy.dataset.kind = choice.dataset.kind;
      copy.addEventListener("click", () => this.offer([choice]));
      (share === 0 ? hopeless : list).append(made("li", {}, copy));
    }
    box.append(list);
    const none = hopeless.childElementCount;
    if (none) box.append(made("details", { className: "hopeless" }, made("summary", { textContent: `${this.words.hopeless} (${none})` }), hopeless));
    if (targets.length > 40) box.append(made("p", { className: "quiet", textContent: this.words.more }));
  }

  targets() {
    if (!this.selected) {
      return this.choices.filter((choice) => ["step", "aim"].includes(choice.dataset.sense));
    }
    const orders = this.choices.filter((choice) => choice.dataset.subjects?.split(" ").includes(this.selected)
      || (!choice.dataset.subjects && choice.dataset.object === this.selected));
    // Several shots in a row are chosen where the one shot is offered.
    const shots = new Set(orders.filter((choice) => choice.dataset.sense === "shot").map((choice) => choice.dataset.object));
    return orders.filter((choice) => choice.dataset.sense || !choice.dataset.object || !shots.has(choice.dataset.object));
  }

  /** What the chosen counter may aim at is in sight, with the counter itself. */
  bringIntoSight() {
    const piece = this.selected && this.thing(this.selected);
    const board = this.boards[piece?.closest("svg.board")?.dataset.map];
    const aims = board ? this.targets().filter((choice) => choice.dataset.map === board.name && choice.dataset.at && !choice.dataset.pose && !["take", "march", "step"].includes(choice.dataset.sense)) : [];
    board?.include([centre(piece)], aims.map(centre));
  }

  /** All that may be taken in hand together with a counter. */
  stackOf(name) {
    const takes = this.ordersOf(name).filter((choice) => choice.dataset.sense === "take").map((choice) => choice.dataset.subjects.split(" "));
    return takes.reduce((most, some) => (some.length > most.length ? some : most), []);
  }

  /** Chooses a counter, or none, alone or with its stack; `quiet` where somebody else says so. */
  select(name, quiet, group = []) {
    this.selected = name;
    this.group = name ? group : [];
    this.attempt();
    this.reached = [];
    this.chances = new Map();
    this.marks();
    this.bringIntoSight();
    this.fetchOrders(name);
    this.look();
    this.weigh();
    const aim = name && this.targets().find((choice) => choice.dataset.map)?.dataset.map;
    if (aim && !this.thing(name)?.closest("svg.board")) this.showMap(aim);
    if (name && !quiet) this.say(`${this.thing(name)?.getAttribute("aria-label") ?? name}. ${this.orders(this.targets().length)}`);
  }
};
