class Game {
  constructor(root) {
    this.root = root;
    this.api = root.dataset.api;
    this.page = `/g/${root.dataset.game}`;
    this.lang = document.documentElement.lang;
    this.words = JSON.parse(root.dataset.words);
    const svgs = [...root.querySelectorAll("svg.board")].map((svg) => [svg.dataset.map, new Board(svg)]);
    this.boards = Object.fromEntries(svgs);
    this.stacks = Object.fromEntries(svgs.map(([name, board]) => [name, new Stacks(board)]));
    this.cards = Object.fromEntries(svgs.map(([name, board]) => [name, new Card(root, board)]));
    this.preview = root.querySelector("#preview");
    this.journal = new Journal(root, this.words);
    this.selected = null;
    // Who goes with the chosen counter, itself included; nobody else unless the whole stack is chosen.
    this.group = [];
    // The last way that took several orders: it is taken back as one.
    this.gone = null;
    this.reached = [];
    this.answers = new Map();
    this.busy = false;
    this.asked = 0;
    this.attempts = 0;
    this.placer = new Placer(this);
    this.keyboard = new Keyboard(this);
    for (const board of Object.values(this.boards)) this.listen(board);
    this.listenToPanel();
    this.tabs();
    this.since = new Since(this);
    this.guide = new Guide(this);
    this.passing = new Passing(this);
    this.renewed();
    this.replay = new Replay(root, this.words, (at) => this.refresh(at).then(() => this.news.catchUp()));
    this.news = new News(this);
    this.firstMap();
  }

  get deciding() { return this.root.querySelector(".turn")?.dataset.deciding; }
  get seen() { return Number(this.root.querySelector(".turn")?.dataset.n ?? 0); }
  get choices() { return (this.offered ??= [...this.root.querySelectorAll("#panel .choice")]); }
  /** The sheet that is shown; the first if all are. */
  get board() {
    const all = Object.values(this.boards);
    return all.find((board) => !board.svg.closest("[hidden]")) ?? all[0];
  }

  /** The first choice of this sense. */
  sensed(...senses) { return this.choices.find((choice) => senses.includes(choice.dataset.sense)); }

  thing(name) { return this.root.querySelector(`.maps [data-thing="${CSS.escape(name)}"], #panel .tray [data-thing="${CSS.escape(name)}"]`); }
  ordersOf(name) { return this.choices.filter((choice) => choice.dataset.subjects?.split(" ").includes(name)); }
  heading() { return [...this.root.querySelectorAll(".turn p, .turn h2")].map((line) => line.textContent.trim()).join(", "); }

  say(text) { this.journal.say(text); }

  /** So many orders, in words. */
  orders(count) { return `${count} ${new Intl.PluralRules(this.lang).select(count) === "one" ? this.words.order : this.words.orders}`; }

  hideCards() { for (const card of Object.values(this.cards)) card.hide(); }

  /** A new attempt: what was said of the last one goes, and an answer to it that still comes is not shown. */
  attempt() {
    this.preview.replaceChildren();
    this.hideCards();
    this.sketch();
    return ++this.attempts;
  }

  letGo() {
    this.passing.end();
    this.placer.tool && this.placer.take(this.placer.tool);
    this.select(null);
    for (const stacks of Object.values(this.stacks)) stacks.close();
    this.say(this.words.letGo);
  }

  // --- what may act is marked; the choice of a counter shows where it may go ---
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

  /** Of a long list the page holds only the kinds: the orders of a piece are asked for when it is chosen. */
  async fetchOrders(name) {
    const box = this.root.querySelector("#fetched");
    if (!box || !isPiece(name) || box.dataset.by === name) return;
    const told = await this.fetched("offers", { by: name });
    if (told === null || name !== this.selected || !box.isConnected) return;
    box.dataset.by = name;
    box.innerHTML = told;
    this.offered = null;
    this.marks();
    this.bringIntoSight();
    this.look();
    this.weigh();
  }

  /** The orders of a kind are asked for when it is opened. */
  async openKind(kind) {
    const list = kind.querySelector("ul");
    if (!kind.open || list.childElementCount) return;
    const told = await this.fetched("offers", { kind: kind.dataset.kind });
    if (told === null || !list.isConnected) return;
    list.innerHTML = told;
    this.offered = null;
    this.marks();
  }

  /** Asks where the pieces in hand or the chosen one may go. */
  async look() {
    const mine = (this.looking = (this.looking ?? 0) + 1);
    const moving = this.sensed("step", "stop");
    const movers = this.selected && this.ordersOf(this.selected).some((choice) => choice.dataset.sense === "take");
    if (!this.deciding || (!moving && !movers)) return;
    const pieces = this.group.length ? this.group.join(" ") : this.selected;
    const told = await this.fetched("reach", { pieces: moving ? "" : pieces });
    if (mine !== this.looking || !told) return;
    this.reached = JSON.parse(told).places;
    this.marks();
    // Where it may go is in sight, or some of it is brought there.
    for (const [name, board] of Object.entries(this.boards)) {
      const places = this.reached.filter((one) => one.map === name).map((one) => one.at);
      if (places.length && !board.svg.closest("[hidden]")) board.approach(places);
    }
    const own = this.reached.filter((one) => this.boards[one.map].near).length;
    if (own) this.say(`${own} ${this.words.reach}`);
  }

  /** Asks how likely each shot of the chosen counter is to do anything, and writes it beside its target. */
  async weigh() {
    const name = this.selected;
    if (!isPiece(name) || !this.targets().some((choice) => choice.dataset.sense === "shot")) return;
    const told = await this.fetched("chances", { piece: name });
    if (name !== this.selected || !told) return;
    this.chances = new Map(JSON.parse(told).map(([action, share]) => [JSON.stringify(action), share]));
    this.marks();
  }

  /** Of the shots of several guns at one mark the one that promises most. */
  async best(shots) {
    const guns = [...new Set(shots.flatMap((choice) => choice.dataset.subjects?.split(" ") ?? []))].slice(0, 8);
    const told = await Promise.all(guns.map((piece) => this.fetched("chances", { piece })));
    this.chances = new Map(told.filter(Boolean).flatMap((text) => JSON.parse(text).map(([action, share]) => [JSON.stringify(action), share])));
    return shots.reduce((best, shot) => (this.chance([shot]) > this.chance([best]) ? shot : best));
  }

  chance(choices) {
    return Math.max(...choices.map((choice) => this.chances?.get(JSON.stringify(JSON.parse(choice.dataset.action))) ?? -1));
  }

  async fetched(what, query) {
    const address = `${this.page}/${what}?${new URLSearchParams({ ...query, lang: this.lang })}`;
    // What a busy server puts off is asked for again.
    for (let tries = 1; ; tries += 1) {
      const response = await fetch(address).catch(() => null);
      if (response?.ok) return response.text().catch(() => null);
      if (tries === 6 || ![429, 503].includes(response?.status)) return null;
      await new Promise((done) => setTimeout(done, 100 * tries));
    }
  }

  /** What may come of an order, as an element; asked once for each state of the table. */
  async odds(action) {
    if (!this.answers.has(action)) this.answers.set(action, this.fetched("odds", { action }));
    const box = made("div", { className: "odds-box" });
    box.innerHTML = (await this.answers.get(action)) ?? "";
    return box;
  }

  /** Lays what an order would come to over its sheet; the one before goes. */
  sketch(answer) {
    for (const old of this.root.querySelectorAll("svg.board .sketch")) old.remove();
    for (const drawing of answer?.querySelectorAll("[data-sketch]") ?? []) {
      this.boards[drawing.dataset.sketch]?.layer.prepend(drawn("g", { class: "sketch", "aria-hidden": "true" }, ...[...drawing.childNodes].map((part) => part.cloneNode(true))));
    }
  }

  /** Why something cannot be done, as an element. */
  async why(what) {
    const box = made("div", { className: "why" });
    box.innerHTML = (await this.fetched("why", what)) ?? "";
    return box;
  }

  /** The odds of what is pointed at, on a card beside it. */
  async consider(board, at, choices) {
    if (board.fingers.size) return;
    const mine = (this.pointed = (this.pointed ?? 0) + 1);
    const name = () => made("p", { className: "card-name", textContent: choices[0].textContent });
    this.cards[board.name].show(at, name());
    const odds = await this.odds(choices[0].dataset.action);
    odds.querySelector(".variants")?.remove();
    if (mine !== this.pointed) return;
    this.sketch(odds);
    this.cards[board.name].show(at, name(), odds);
  }

  unconsider(board) {
    this.pointed = (this.pointed ?? 0) + 1;
    this.cards[board.name].hide();
    this.sketch(this.preview);
  }

  /** Shows what an order costs and may bring, with a button to give it. Asked for again it is given; what is
   * certain, costs nothing, needs no warning and can be done in one way only is given at once. */
  async offer(choices) {
    const again = this.offering === choices[0].dataset.action && this.preview.querySelector(".confirm");
    if (again) return again.click();
    const mine = this.attempt();
    if (choices.length === 1 && "once" in choices[0].dataset) return this.act(choices[0]);
    this.offering = choices[0].dataset.action;
    const odds = made("div");
    const buttons = choices.map((choice) => {
      const button = made("button", { type: "button", className: "primary confirm", textContent: `✓ ${choice.textContent}` });
      button.addEventListener("click", () => this.act(choice, this.preview.querySelector("#variant")?.value));
      return button;
    });
    this.preview.replaceChildren(made("h3", { textContent: choices[0].textContent }), odds, made("div", { className: "confirms" }, ...buttons));
    buttons[0].focus({ preventScroll: true });
    const known = await this.odds(choices[0].dataset.action);
    if (mine !== this.attempts) return;
    const plain = choices.length === 1 && choices[0].dataset.sense !== "forgo" && known.querySelector("p.outcomes:not(.quiet)");
    if (plain && !known.querySelector(".price, .warning, .variants, .refusal") && "certain" in plain.dataset) return this.act(choices[0]);
    odds.replaceWith(known);
    this.sketch(known);
    this.say([...known.querySelectorAll(".price, .outcomes")].map((line) => line.innerText).join(". "));
  }

  act(choice, action) {
    return this.order("act", { action: JSON.parse(action ?? choice.dataset.action) }, choice.dataset.sense);
  }

  /** Gives an order: true if it was carried out. */
  async order(what, more, sense) {
    if (this.busy) return false;
    this.begin();
    performance.mark("order-given");
    try {
      const told = await this.send(what, more);
      if (!told) return false;
      this.gone = null;
      // The gun that has fired is still chosen: it may fire again.
      if (!["step", "take", "shot"].includes(sense)) [this.selected, this.group] = [null, []];
      await this.refresh();
      performance.measure("order", "order-given");
      return true;
    } finally {
      this.done();
    }
  }

  /** An order begins: no refusal of an earlier one stays, and no news come between. */
  begin() {
    this.busy = true;
    this.asked += 1;
    this.attempts += 1;
    this.root.setAttribute("aria-busy", "true");
    this.hideCards();
    // The button that gave the order stays until the page is renewed: it has the focus.
    for (const refusal of this.preview.querySelectorAll(".refusal")) refusal.remove();
  }

  done() {
    this.busy = false;
    this.root.removeAttribute("aria-busy");
    this.news.catchUp();
  }

  /** Sends an order; a refusal is shown with its rule. */
  async send(what, more, seen = this.seen) {
    const side = this.deciding;
    performance.mark("order-sent");
    let response;
    try {
      response = await fetch(`${this.api}/${what}?lang=${this.lang}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ seen, ...more, ...(side ? { side } : {}) }),
      });
    } catch {
      this.refuse(this.words.lost);
      return null;
    }
    const told = await response.json().catch(() => ({}));
    performance.measure("order-trip", "order-sent");
    if (told.refused?.field === "dice" && what === "act") return this.rolled(what, more, seen, told.refused.message);
    if (told.refused || !response.ok) {
      this.refuse(told.refused?.message ?? told.message ?? response.statusText, told.refused?.rule);
      return null;
    }
    return told;
  }

  /** The dice of this game are rolled on a real table: asks for the next one. */
  rolled(what, more, seen, message) {
    return new Promise((give) => {
      const buttons = [1, 2, 3, 4, 5, 6].map((face) => {
        const button = made("button", { type: "button", className: "die-face", textContent: face });
        button.addEventListener("click", () => give(this.send(what, { ...more, dice: [...(more.dice ?? []), face] }, seen)));
        return button;
      });
      this.preview.replaceChildren(made("p", { textContent: `${this.words.dice} (${message})` }), made("p", { className: "die-faces" }, ...buttons));
      this.say(this.words.dice);
      buttons[0].focus();
    });
  }

  /** A way on which dice may fall is told with its odds first. */
  async propose(reached) {
    const action = JSON.stringify(reached.way.at(-1));
    const again = this.offering === action && this.preview.querySelector(".confirm");
    if (again) return again.click();
    const mine = this.attempt();
    this.offering = action;
    const odds = made("div");
    const button = made("button", { type: "button", className: "primary confirm", textContent: `✓ ${reached.name}` });
    button.addEventListener("click", () => this.go(reached, true));
    this.preview.replaceChildren(made("h3", { textContent: reached.name }), odds, made("div", { className: "confirms" }, button));
    button.focus({ preventScroll: true });
    const known = await this.odds(action);
    if (mine !== this.attempts) return;
    odds.replaceWith(known);
    this.sketch(known);
    this.say([...known.querySelectorAll(".price, .outcomes")].map((line) => line.innerText).join(". "));
  }

  /** Goes to a place: one order after the other, until somebody or something stops it. */
  async go(reached, sure) {
    if (this.busy) return;
    if (reached.asks && !sure) return this.propose(reached);
    this.begin();
    try {
      let seen = this.seen;
      const side = this.deciding;
      const first = seen;
      let count = 0;
      for (const [place, action] of reached.way.entries()) {
        const told = await this.send("act", { action }, seen);
        if (!told) break;
        seen = told.n;
        count += 1;
        if (!(told.deciders ?? [told.to_move]).includes(side) && place < reached.way.length - 1) { this.say(this.words.stopped); break; }
      }
      const refusal = this.preview.querySelector(".refusal");
      await this.refresh();
      this.gone = count > 1 && this.seen === first + count ? { seen: this.seen, count } : null;
      // Who has come to his place is let go: the next counter can be chosen.
      if (!refusal && !this.sensed("step", "stop")) this.select(null, true);
      if (refusal) this.preview.replaceChildren(refusal);
    } finally {
      this.done();
    }
    // Nothing more can be done with it: it is put down.
    const stop = this.sensed("stop");
    if (stop && !this.sensed("step")) await this.act(stop);
  }

  refuse(message, rule) {
    const line = made("p", { className: "refusal", textContent: `✕ ${message} ` });
    if (rule) line.append(made("a", { className: "rule", href: `/rules/${rule}`, textContent: rule }));
    this.attempt();
    this.preview.replaceChildren(line);
    this.say(message);
  }

  /** Takes back the last order, or all orders of the last way. */
  async undo() {
    const count = this.gone?.seen === this.seen ? this.gone.count : 1;
    for (let done = 0; done < count; done += 1) if (!await this.order("undo", {}, "undo")) return;
  }

  /** Asks for the table as it stands, or as it once stood, and what happened since: false if it cannot be had. */
  async refresh(at) {
    const mine = ++this.asked;
    // The journal goes with the table: back into the past, and whole again into the present.
    const whole = at !== undefined || this.journal.isPast;
    const told = await this.fetched("parts", { since: whole ? 0 : this.journal.told, ...(at === undefined ? {} : { at }) });
    if (mine !== this.asked || told === null) return told !== null;
    const page = parser.parseFromString(told, "text/html");
    const focus = this.focused();
    const before = this.heading();
    this.since.before(at !== undefined || this.journal.isPast);
    const panel = this.root.querySelector("#panel");
    const scrolled = panel.parentElement.scrollTop;
    const open = new Set([...panel.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent.replace(/\d+/g, "")));
    for (const id of ["panel", ...Object.keys(this.boards).map((name) => `standing-${name}`)]) {
      const [old, fresh] = [this.root.querySelector(`#${id}`), page.getElementById(id)];
      if (old && fresh) old.replaceChildren(...document.importNode(fresh, true).childNodes);
    }
    for (const summary of panel.querySelectorAll("details > summary")) {
      if (open.has(summary.textContent.replace(/\d+/g, ""))) summary.parentElement.open = true;
    }
    panel.parentElement.scrollTop = scrolled;
    document.title = `${page.querySelector("[data-title]")?.dataset.title ?? ""} · Glacis`;
    const news = this.journal.news(page, whole, at !== undefined);
    this.replay.days(page);
    if (at === undefined) this.replay.now(this.seen);
    if (this.selected && !this.thing(this.selected)) this.selected = null;
    this.group = this.group.filter((name) => this.thing(name));
    this.attempt();
    this.renewed();
    this.since.after(news, at);
    if (this.heading() !== before) {
      this.say(this.heading());
      // Another step to be decided is read from its beginning, on the map where it is decided.
      if (this.deciding) {
        panel.parentElement.scrollTop = 0;
        const turn = panel.querySelector(".turn");
        if (this.busy && turn.getBoundingClientRect().top < 0) turn.scrollIntoView();
      }
      this.firstMap();
    }
    focus();
    return true;
  }

  /** Where the focus is, so that it can be given back when the page has changed under it. */
  focused() {
    const active = document.activeElement;
    const inside = this.root.contains(active) && !active.closest("svg.board");
    const { kind, thing, tool } = active?.dataset ?? {};
    return () => {
      if (!inside || document.activeElement === active) return;
      const again = [
        thing && `#panel [data-thing="${CSS.escape(thing)}"]`, tool && `#panel .tool[data-tool="${tool}"]`,
        kind && `#panel .plain [data-kind="${kind}"]`, "#panel .turn h2",
      ].filter(Boolean).map((selector) => this.root.querySelector(selector)).find(Boolean);
      again?.focus({ preventScroll: true });
    };
  }

  renewed() {
    this.offered = null;
    this.answers.clear();
    this.reached = [];
    this.chances = new Map();
    this.marks();
    this.placer.renewed();
    this.guide.show();
    this.fetchOrders(this.selected);
    this.look();
    this.weigh();
    this.passing.look();
  }

  /** What is offered of a kind for a thing; a list that is on its way is waited for. */
  async offeredAs(kind, object) {
    const find = () => this.choices.find((one) => one.dataset.kind === kind && one.dataset.object === object);
    for (let tries = 0; tries < 100 && !find() && this.root.querySelector("#panel .kind.staged[open] ul:empty"); tries += 1) {
      await new Promise((done) => setTimeout(done, 50));
    }
    return find();
  }

  /** Orders those of a kind that are ticked, one after the other, each as it is offered then; they are taken
   * back as one. */
  async orderTicked(kind) {
    const wanted = [...kind.querySelectorAll(".tick:checked")].map((tick) => tick.parentElement.querySelector(".choice").dataset);
    const first = this.seen;
    let count = 0;
    for (const { kind: name, object } of wanted) {
      const choice = await this.offeredAs(name, object);
      // By whoever is proposed for it.
      const by = choice && (await this.odds(choice.dataset.action)).querySelector("#variant")?.value;
      if (!choice || !await this.act(choice, by)) break;
      count += 1;
    }
    if (count < wanted.length) this.say(this.words.stopped);
    this.gone = count > 1 && this.seen === first + count ? { seen: this.seen, count } : null;
  }

  /** One listener for the whole panel, whatever it shows. */
  listenToPanel() {
    // What opens does not bubble.
    this.root.querySelector(".panel").addEventListener("toggle", (event) => {
      if (event.target.matches(".kind.staged")) this.openKind(event.target);
    }, true);
    this.root.querySelector(".panel").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      if (button.id === "undo") return this.undo();
      if (button.id === "suggest") return this.suggest();
      if (button.matches(".advised")) return this.act(button, this.preview.querySelector("#variant")?.value);
      if (button.id === "take-back") return this.order("offer", { offer: "take-back" }, "offer");
      if (button.id === "guide-skip") return this.guide.skip(true);
      if (button.id === "pass-on") return this.passing.toggle();
      if (button.id === "since-play") return this.since.play();
      if (button.matches(".order-ticked")) return this.orderTicked(button.closest(".kind"));
      if (button.dataset.tool) return this.placer.take(button.dataset.tool);
      if (button.matches(".enrolled")) return this.find(button.dataset.thing);
      if (button.matches(".tray-unit")) {
        if (button.dataset.thing !== this.selected) return this.select(button.dataset.thing);
        // A second click lets it go; a key acts with what is chosen.
        return event.detail ? this.select(null) : this.keyboard.act();
      }
      if (!button.matches(".choice")) return;
      if (!button.dataset.subjects && !button.dataset.at && button.dataset.sense !== "forgo") return this.act(button);
      this.showMap(button.dataset.map);
      this.offer([button]);
    });
  }

  /** Asks the machine what it would order: its order with the odds, to be given with one click. It thinks for a while. */
  async suggest() {
    const mine = this.attempt();
    this.preview.replaceChildren(made("p", { className: "thinking", textContent: this.words.considering }));
    this.say(this.words.considering);
    const answer = made("div", { className: "odds-box" });
    answer.innerHTML = (await this.fetched("suggest", {})) ?? "";
    if (mine !== this.attempts) return;
    this.preview.replaceChildren(answer);
    this.sketch(answer);
    this.preview.querySelector(".advised")?.focus({ preventScroll: true });
    this.say(answer.innerText);
  }

  /** A piece that the list of the staff names: it is chosen, and the sheet comes to it. */
  find(name) {
    const piece = this.root.querySelector(`.maps [data-thing="${CSS.escape(name)}"]`);
    const board = piece && this.boards[piece.closest("svg.board").dataset.map];
    if (!board) return;
    this.showMap(board.name);
    board.visit(centre(piece));
    this.select(this.selected === name ? null : name);
  }

  /** Asks why something that is not offered cannot be done; what can be done after all is offered. */
  async ask(what, at) {
    const mine = this.attempt();
    const answer = await this.why(what);
    if (mine !== this.attempts) return;
    this.preview.replaceChildren(answer);
    this.sketch(answer);
    const fits = answer.querySelector("[data-fits]");
    if (fits) {
      const button = made("button", { type: "button", className: "primary confirm", textContent: `✓ ${fits.textContent}` });
      button.addEventListener("click", () => this.order("act", { action: JSON.parse(this.preview.querySelector("#variant")?.value ?? fits.dataset.fits) }, "tried"));
      this.preview.append(made("div", { className: "confirms" }, button));
    } else {
      this.root.querySelector(".ghost.held")?.classList.add("wrong-place");
      const board = this.board;
      if (at && !this.both) this.cards[board.name].show(at, answer.cloneNode(true));
    }
    this.say(answer.innerText);
  }

  listen(board) {
    const { svg } = board;
    svg.addEventListener("click", (event) => {
      if (board.dragged) return;
      const place = board.place(event);
      if (this.placer.tool && board === this.placer.board) { this.placer.hover(place); return this.placer.place(); }
      const piece = event.target.closest("[data-thing]");
      const stack = event.target.closest(".stack");
      const fan = this.stacks[board.name];
      if (stack && Number(stack.dataset.size) > 1 && fan.open !== stack && event.pointerType === "touch") return fan.spread(stack);
      this.touch(board, piece?.dataset.thing ?? stack?.querySelector(".piece:last-of-type")?.dataset.thing, place);
    });
    svg.addEventListener("pointermove", (event) => {
      if (this.held && event.buttons && board.dragged) this.carry(board, event);
      else if (this.placer.tool && board === this.placer.board && !event.buttons) this.placer.hover(board.place(event));
    });
    svg.addEventListener("pointerdown", (event) => {
      this.hideCards();
      this.held = this.portable(event.target.closest?.(".piece")?.dataset.thing);
    });
    svg.addEventListener("pointerup", () => {
      const carried = this.held && board.dragged && this.placer.tool;
      this.held = null;
      if (carried) this.placer.place();
    });
    // Whoever holds a piece moves it, and not the sheet under it.
    board.follows = () => !this.held;
  }

  /** A piece that may be laid down freely, if this is one: it is carried by the hand. */
  portable(name) {
    const laid = new Set(name ? this.ordersOf(name).map((choice) => choice.dataset.pose?.split(" ")[0]) : []);
    const tool = [...this.root.querySelectorAll("#panel .tool")].find((one) => laid.has(one.dataset.tool));
    return tool ? { name, tool: tool.dataset.tool } : null;
  }

  /** A piece is carried over its sheet: the ghost of its tool goes with the hand. */
  carry(board, event) {
    const { name, tool } = this.held;
    if (this.selected !== name) this.select(name, true);
    if (!this.placer.tool) this.placer.take(tool);
    if (this.placer.tool && board === this.placer.board) this.placer.hover(board.place(event));
  }

  /** Whoever can act in the stack of a counter that cannot; else the counter itself. */
  fellow(thing) {
    if (!isPiece(thing) || this.ordersOf(thing).length) return thing;
    const stack = this.thing(thing)?.closest(".stack")?.querySelectorAll(".piece") ?? [];
    return [...stack].map((piece) => piece.dataset.thing).find((other) => other !== this.selected && this.ordersOf(other).length) ?? thing;
  }

  /** A thing or a place was pointed at. */
  async touch(board, thing, place) {
    this.hideCards();
    if (thing && (thing === this.selected || this.group.includes(thing))) {
      // A second click on a counter takes its whole stack, a third lets go.
      const stack = this.group.length ? [] : this.stackOf(thing);
      return stack.length > 1 ? this.select(thing, false, stack) : this.select(null);
    }
    // A counter of one's own is chosen, whatever was chosen before; one goes onto it beside it.
    const own = this.isOwn(thing);
    if (!this.selected || own) thing = this.fellow(thing);
    const object = thing ?? board.named(place);
    const under = isPiece(thing) && board.near ? board.named(place) : object;
    const reached = this.reached.find((one) => one.to === under && one.map === board.name);
    const able = thing && this.ordersOf(thing).length;
    const whole = (choice) => reached && ["take", "march"].includes(choice.dataset.sense);
    const aimed = this.selected ? this.targets().filter((choice) => choice.dataset.object && !whole(choice) && (choice.dataset.object === object || (choice.dataset.object === under && !own))) : [];
    if (aimed.length) return this.offer(aimed);
    const shots = !this.selected && !own && thing ? this.choices.filter((choice) => choice.dataset.sense === "shot" && choice.dataset.object === thing) : [];
    if (shots.length) return this.offer([await this.best(shots)]);
    if (reached && !own) return this.go(reached);
    if (able) return this.select(thing);
    // Somebody else is in hand: he is put down first, unless he who is wanted has moved already.
    const stop = this.sensed("stop");
    const waits = isPiece(thing) && (!this.selected || (own && !this.thing(thing).querySelector(".moved")));
    if (stop && waits && await this.act(stop)) return this.touch(board, thing, place);
    if (this.deciding && (this.selected || thing || this.reached.length)) {
      const where = !board.near ? { x: Math.round(place[0]), y: Math.round(board.high - place[1]) } : {};
      const subject = own ? thing : this.selected ?? (isPiece(thing) ? thing : null);
      return this.ask({ ...(subject ? { subject } : {}), ...(object && object !== subject ? { object } : {}), ...(thing ? {} : where) }, place);
    }
    if (thing) this.say(this.thing(thing)?.getAttribute("aria-label"));
    this.select(null);
  }

  // --- tabs, news ---
  tabs() {
    for (const name of Object.keys(this.boards)) {
      this.root.querySelector(`#tab-${name}`)?.addEventListener("click", () => this.showMap(name, true));
    }
    this.root.querySelector("#both-maps")?.addEventListener("click", () => this.showMap("both"));
    for (const button of this.root.querySelectorAll("[data-zoom]")) {
      button.addEventListener("click", () => {
        for (const board of Object.values(this.boards)) {
          if (board.svg.closest("[hidden]")) continue;
          if (button.dataset.zoom === "0") board.all(); else board.zoom(Number(button.dataset.zoom));
        }
      });
    }
    const help = this.root.querySelector("#help");
    this.root.querySelector("#help-button").addEventListener("click", () => help.showModal());
    const legend = this.root.querySelector("#legend");
    this.root.querySelector("#legend-button").addEventListener("click", () => legend.showModal());
    this.root.querySelector("#guide-again").addEventListener("click", () => { legend.close(); this.guide.skip(false); });
    const goTo = this.root.querySelector("#go-to");
    goTo.addEventListener("close", () => { if (goTo.returnValue) this.keyboard.goTo(goTo.querySelector("input").value); });
  }

  /** The map on which something can be done now comes forward. */
  firstMap() {
    const first = this.root.querySelector(".turn")?.dataset.map;
    this.showMap(first);
    this.approach(this.boards[first] ?? this.board);
  }

  /** A whole map is a stamp: it opens on what can act, large enough to be read and touched. */
  approach(board) {
    const ordered = this.choices.filter((choice) => choice.dataset.map === board.name && choice.dataset.at).map(centre);
    const laid = this.choices.filter((choice) => choice.dataset.map === board.name && choice.dataset.pose).map(centre);
    const able = [...board.svg.querySelectorAll(".can")].map(centre);
    const all = [...board.svg.querySelectorAll(".piece")].map(centre);
    board.approach([laid, able, ordered, all].find((places) => places.length) ?? []);
  }

  showMap(name, alone) {
    if (!name || (!(name in this.boards) && name !== "both") || (!alone && this.both && name !== "both")) return;
    const otherwise = this.both !== (name === "both");
    this.both = name === "both";
    this.root.classList.toggle("both", this.both);
    for (const [one, board] of Object.entries(this.boards)) {
      const shown = this.both || one === name;
      const map = this.root.querySelector(`#map-${one}`);
      const opens = shown && (map.hidden || otherwise);
      map.hidden = !shown;
      this.root.querySelector(`#tab-${one}`)?.setAttribute("aria-pressed", String(!this.both && shown));
      if (opens) this.approach(board);
      // The ground of a sheet and the names of its places are fetched when it is first seen.
      if (shown) board.names();
      const ground = board.svg.querySelector("image[data-href]");
      if (shown && ground) {
        ground.setAttribute("href", ground.dataset.href);
        delete ground.dataset.href;
      }
    }
    this.root.querySelector("#both-maps")?.setAttribute("aria-pressed", String(this.both));
    this.hideCards();
  }
}

const game = document.getElementById("game");
if (game) new Game(game);
