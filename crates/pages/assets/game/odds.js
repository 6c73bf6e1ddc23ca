/** Of the page of a game: what is asked of the server about orders that are not yet given. */
const Weighing = (Part) => class extends Part {
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
};
