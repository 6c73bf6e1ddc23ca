/** Of the page of a game: orders are offered, given, refused and taken back. */
const Ordering = (Part) => class extends Part {
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
};
