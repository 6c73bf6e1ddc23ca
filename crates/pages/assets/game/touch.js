/** Of the page of a game: the hand on the sheets, clicks, touches and what is carried. */
const Touching = (Part) => class extends Part {
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
};
