/** Placing with a tool: a ghost that snaps to what is allowed, turns with a key, and says in red why it does not fit. */
class Placer {
  constructor(game) {
    this.game = game;
    this.tool = null;
    this.turn = 90;
    this.at = null;
  }

  /** The tool in hand or of this name, as the panel offers it. */
  offered(name = this.tool) { return name ? this.game.root.querySelector(`.tool[data-tool="${CSS.escape(name)}"]`) : null; }

  /** The sheet on which the tool in hand works. */
  get board() { return this.game.boards[this.offered()?.dataset.map]; }

  take(name) {
    this.clear();
    this.tool = this.tool === name ? null : name;
    for (const tool of this.game.root.querySelectorAll(".tool")) {
      tool.setAttribute("aria-pressed", String(tool.dataset.tool === this.tool));
    }
    this.snapped = this.free = this.at = null;
    this.turned = false;
    this.turn = Number(this.offered(name)?.dataset.turn ?? this.turn);
    this.game.showMap(this.offered(name)?.dataset.map);
    this.game.hideCards();
    this.draw();
    if (this.tool) this.game.say(`${this.offered()?.textContent}: ${this.poses().length}`);
  }

  /** The panel was renewed: the tool stays in hand as long as it can be used. */
  renewed() {
    const tool = this.offered();
    if (!tool) this.tool = null;
    else tool.setAttribute("aria-pressed", "true");
    this.known = null;
    // What was held is laid: the next one is held where it is pointed at.
    if (this.game.busy) this.snapped = this.free = this.at = null;
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

  outline({ x, y, facing, length }, extra) {
    const extent = (text) => (text === "length" ? length : Number(text));
    const { broad, deep: depth } = this.offered().dataset;
    const [deep, wide] = [extent(depth), extent(broad)];
    return drawn("g", { class: `ghost ${extra}`, transform: `translate(${x} ${this.board.high - y}) rotate(${90 - facing})` },
      drawn("rect", { x: -wide / 2, y: -deep / 2, width: wide, height: deep }),
      drawn("path", { d: `M0 ${-deep / 2 - 16}l-9 14h18Z` }));
  }

  clear() {
    for (const ghost of this.game.root.querySelectorAll(".ghost")) ghost.remove();
  }

  draw() {
    this.clear();
    if (!this.tool) return;
    const { layer } = this.board;
    const seen = new Set();
    for (const pose of this.poses()) {
      const key = `${Math.round(pose.x / 12)} ${Math.round(pose.y / 12)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      layer.append(this.outline(pose, "possible"));
    }
    if (this.at) this.hover(this.at);
  }

  get snap() { return Number(this.offered().dataset.snap); }

  /** Holds the ghost at a place of the sheet. */
  hover(at) {
    if (!this.tool) return;
    this.at = at;
    const [x, y] = [at[0], this.board.high - at[1]];
    const away = (pose) => Math.hypot(pose.x - x, pose.y - y);
    const askew = (pose) => Math.abs(((pose.facing - this.turn + 540) % 360) - 180);
    // Whoever has turned the ghost wants it that way round.
    const near = this.poses().filter((pose) => away(pose) < this.snap && (!this.turned || askew(pose) < 8));
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
      if (this.snapped === snapped && this.tool) game.sketch(odds);
      if (this.snapped === snapped && this.tool) game.cards[this.board.name].show(at, made("p", { className: "card-name", textContent: snapped.name }), odds);
      return;
    }
    const answer = await game.why(this.wish(free));
    if (this.free !== free || !this.tool || this.snapped) return;
    const fits = answer.querySelector("[data-fits]");
    this.board.layer.querySelector(".ghost.held")?.classList.add(fits ? "fits" : "wrong-place");
    game.sketch(answer);
    game.cards[this.board.name].show(at, answer);
  }

  wish({ kind, x, y, facing }) {
    const { selected } = this.game;
    return { tool: kind, x, y, facing, ...(isPiece(selected) ? { subject: selected } : {}) };
  }

  rotate(by) {
    if (!this.tool) return;
    if (this.snapped && !this.turned) this.turn = this.snapped.facing;
    this.turned = true;
    const here = this.snapped && this.poses().filter((pose) => Math.hypot(pose.x - this.snapped.x, pose.y - this.snapped.y) < this.snap);
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

  async place() {
    if (this.snapped) return this.game.offer([this.snapped.choice]);
    if (this.free) await this.game.ask(this.wish(this.free), this.at);
  }
}

