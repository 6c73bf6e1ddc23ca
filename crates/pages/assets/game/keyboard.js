/** Every place, thing and piece by keyboard alone, each with a spoken name. */
class Keyboard {
  constructor(game) {
    this.game = game;
    this.cursor = null;
    document.addEventListener("keydown", (event) => this.press(event));
    this.onMap = game.root.querySelector("#letters-on-map");
    this.onMap.checked = kept("letters-on-map") === "true";
    this.onMap.addEventListener("change", () => keep("letters-on-map", String(this.onMap.checked)));
  }

  /** Letters act on the table, or only on its maps if the player wants it so; a link is no part of the table. */
  hears(target) {
    if (target.closest?.("svg.board")) return true;
    if (this.onMap.checked || target.closest?.("a")) return false;
    return target === document.body || this.game.root.contains(target);
  }

  press(event) {
    const { game } = this;
    if (event.target.matches?.("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const svg = event.target.closest?.("svg.board");
    const board = svg ? game.boards[svg.dataset.map] : game.board;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way && svg) { event.preventDefault(); return this.step(board, way); }
    if ((event.key === "Enter" || event.key === " ") && svg && this.cursor) {
      event.preventDefault();
      return this.choose(board);
    }
    if (event.key.length === 1 && !this.hears(event.target)) return;
    // A French keyboard gives figures only with Shift: their keys count, whatever they type.
    const key = /^Digit([0-3])$/.exec(event.code)?.[1] ?? (event.key.length === 1 ? event.key.toLowerCase() : event.key);
    const sheets = Object.keys(game.boards);
    const tool = game.root.querySelector(`.tool[data-key="${CSS.escape(key)}"]`);
    const act = {
      Escape: () => game.letGo(),
      "?": () => game.root.querySelector("#help").showModal(), l: () => game.root.querySelector("#legend").showModal(),
      "+": () => board.zoom(0.8), "=": () => board.zoom(0.8), "-": () => board.zoom(1.25), 0: () => board.all(),
      1: () => game.showMap(sheets[0], true), 2: () => game.showMap(sheets[1], true), 3: () => sheets.length > 1 && game.showMap("both"),
      q: () => game.placer.rotate(15), e: () => game.placer.rotate(-15),
      n: () => this.next(), t: () => this.target(), x: () => this.end(), u: () => game.root.querySelector("#undo")?.click(), h: () => game.root.querySelector("#suggest")?.click(),
      f: () => this.fan(board), i: () => game.say(this.cursor ? this.spoken(this.cursor) : game.heading()),
      g: () => this.ask(),
      PageDown: () => svg && this.each(board, 1), PageUp: () => svg && this.each(board, -1),
    }[key] ?? (tool && (() => this.tool(tool)));
    if (act) { event.preventDefault(); act(); }
  }

  choose(board) {
    const { game, cursor } = this;
    if (cursor.reached) return game.go(cursor.reached);
    if (cursor.choices) return game.offer(cursor.choices);
    if (game.placer.tool && board === game.placer.board) { game.placer.hover(cursor.at); return game.placer.place(); }
    if (cursor.thing && cursor.thing === game.selected) return this.act();
    return game.touch(board, cursor.thing, cursor.at);
  }

  /** Acts with the chosen counter: its only order is offered; of several, the first target is gone to, or the list. */
  act() {
    const { game } = this;
    const orders = game.targets();
    if (orders.length === 1 && !game.reached.length) return game.offer(orders);
    if (this.target()) return;
    const first = game.root.querySelector("#selected .choice-copy");
    first?.focus();
    if (first) game.say(first.textContent);
  }

  tool(button) {
    const { placer } = this.game;
    placer.take(button.dataset.tool);
    const board = this.game.boards[button.dataset.map];
    const first = this.places(board).find((place) => place.pose);
    if (first) this.rest(board, first, true);
  }

  end() {
    const button = this.game.root.querySelector(".choice.ends") ?? this.game.root.querySelector(".plain .choice");
    button?.focus();
    if (button) this.game.say(button.textContent);
  }

  /** Everything on a sheet that can be pointed at. A named place carries what stands in it. */
  places(board) {
    const { game } = this;
    const places = [];
    if (game.placer.tool && board === game.placer.board) {
      for (const pose of game.placer.poses()) places.push({ choices: [pose.choice], pose, at: [pose.x, board.high - pose.y], name: pose.name });
      return places;
    }
    for (const element of board.svg.querySelectorAll("[data-thing], .target")) {
      if (element.reached) continue;
      places.push({ thing: element.dataset.thing, choices: element.choices, at: centre(element), name: element.getAttribute("aria-label") });
    }
    for (const reached of game.reached.filter((one) => one.map === board.name)) {
      places.push({ thing: reached.to, reached, at: reached.at, name: reached.name });
    }
    if (!board.near || !board.places) return places;
    const rest = new Map();
    for (const place of places) {
      const name = place.thing in board.places ? place.thing : board.named(place.at);
      rest.set(name, [...(rest.get(name) ?? []), place]);
    }
    const spread = game.stacks[board.name].open?.dataset.stack;
    const named = Object.entries(board.places).map(([id, [x, y, name]]) => {
      const here = rest.get(id) ?? [];
      const pieces = here.filter((place) => isPiece(place.thing));
      return {
        thing: pieces[0]?.thing ?? id, id, reached: here.find((place) => place.reached)?.reached,
        choices: here.find((place) => place.choices)?.choices, at: [x, y],
        name: [here.find((place) => place.reached)?.name ?? name, ...pieces.map((place) => place.name)].join(". "),
      };
    });
    // The counters of a stack that is spread out are places of their own.
    return spread ? [...named, ...places.filter((place) => isPiece(place.thing) && game.thing(place.thing)?.closest(".spread"))] : named;
  }

  /** What is said of a place: its name, who stands there, what may be done. */
  spoken(place) {
    const { game } = this;
    const { words } = game;
    const parts = [place.name];
    if (place.choices) parts.push(`${words.target}: ${place.choices.map((choice) => choice.textContent).join("; ")}`);
    const able = isPiece(place.thing) ? game.ordersOf(place.thing).length : 0;
    if (able) parts.push(`${words.can}, ${game.orders(able)}`);
    return parts.join(". ");
  }

  /** One step: to the nearest place that way. */
  step(board, [dx, dy]) {
    const from = this.cursor?.board === board ? this.cursor.at : [board.view[0] + board.view[2] / 2, board.view[1] + board.view[3] / 2];
    const far = ({ at }) => {
      const along = (at[0] - from[0]) * dx + (at[1] - from[1]) * dy;
      const aside = Math.abs((at[0] - from[0]) * dy) + Math.abs((at[1] - from[1]) * dx);
      return along > 1.5 ? along + 2.2 * aside : Infinity;
    };
    let best = null;
    for (const place of this.places(board)) if (far(place) < (best ? far(best) : Infinity)) best = place;
    if (best) this.rest(board, best);
    else {
      board.move(dx * board.view[2] * 0.1, dy * board.view[3] * 0.1);
      this.game.say(this.game.words.edge);
    }
  }

  /** Every place in turn, so that none is out of reach. */
  each(board, by) {
    const places = this.places(board).sort((a, b) => a.at[1] - b.at[1] || a.at[0] - b.at[0]);
    if (!places.length) return;
    const same = (place) => this.cursor?.board === board && place.thing === this.cursor.thing && place.pose === this.cursor.pose && place.at[0] === this.cursor.at[0] && place.at[1] === this.cursor.at[1];
    const now = places.findIndex(same);
    this.rest(board, places[(now + by + places.length) % places.length]);
  }

  /** The cursor comes to rest: it is drawn, becomes the active descendant, and is spoken. */
  rest(board, place, quiet) {
    this.cursor = { ...place, board };
    board.reveal(place.at);
    if (document.activeElement !== board.svg) board.svg.focus({ preventScroll: true });
    board.layer.querySelector(".cursor")?.remove();
    const mark = drawn("circle", { class: "cursor", r: board.sizes.cursor, cx: place.at[0], cy: place.at[1], role: "img", "aria-label": this.spoken(place), id: `cursor-${board.name}` });
    board.layer.append(mark);
    board.svg.setAttribute("aria-activedescendant", mark.id);
    if (place.pose && !quiet) this.game.placer.hover(place.at);
    this.game.say(this.spoken(place));
  }

  /** The next counter that can act. */
  next() {
    const { game } = this;
    const all = [...game.root.querySelectorAll(".piece.can, .tray-unit")];
    if (!all.length) {
      // Nobody on the maps can act: the orders can be read in the panel.
      const first = game.root.querySelector("#panel .choice:not(details:not([open]) *), #panel summary");
      first?.focus();
      if (first) game.say(first.textContent);
      return;
    }
    const now = all.findIndex((one) => one.dataset.thing === game.selected);
    const one = all[(now + 1) % all.length];
    game.select(one.dataset.thing, true);
    const svg = one.closest("svg.board");
    if (!svg) { one.focus(); return game.say(this.spoken({ name: one.getAttribute("aria-label"), thing: one.dataset.thing })); }
    game.showMap(svg.dataset.map);
    this.rest(game.boards[svg.dataset.map], { thing: one.dataset.thing, at: centre(one), name: one.getAttribute("aria-label") });
  }

  /** Where orders lead from what is chosen: on its own sheet first, the nearest first. */
  aims() {
    const { game } = this;
    const chosen = game.selected && game.thing(game.selected);
    const own = chosen?.closest("svg.board")?.dataset.map;
    const [x, y] = own ? centre(chosen) : [0, 0];
    const aims = (board) => this.places(board).filter((place) => place.choices || place.reached).map((place) => [board, place]);
    const all = Object.values(game.boards).flatMap(aims);
    const near = all.filter(([board]) => board.name === own).sort(([, a], [, b]) => Math.hypot(a.at[0] - x, a.at[1] - y) - Math.hypot(b.at[0] - x, b.at[1] - y));
    return [...near, ...all.filter(([board]) => board.name !== own)];
  }

  /** The next target of what is chosen: true if there is one. */
  target() {
    const { game } = this;
    const all = this.aims();
    if (!all.length) return false;
    const now = all.findIndex(([board, place]) => board === this.cursor?.board && place.at[0] === this.cursor.at[0] && place.at[1] === this.cursor.at[1]);
    const [board, place] = all[(now + 1) % all.length];
    game.showMap(board.name);
    this.rest(board, place);
    return true;
  }

  fan(board) {
    const stack = this.cursor?.thing && this.game.thing(this.cursor.thing)?.closest(".stack");
    if (!stack) return;
    if (this.game.stacks[board.name].open === stack) return this.game.stacks[board.name].close();
    this.game.stacks[board.name].spread(stack);
    this.game.say([...stack.querySelectorAll(".piece")].map((piece) => piece.getAttribute("aria-label")).join(". "));
  }

  ask() {
    const dialog = this.game.root.querySelector("#go-to");
    dialog.querySelector("input").value = "";
    dialog.showModal();
  }

  /** Goes to a place, a thing or a piece by its name. */
  async goTo(name) {
    const wanted = name.trim().toLowerCase();
    if (!wanted) return;
    await Promise.all(Object.values(this.game.boards).map((board) => board.names()));
    for (const board of Object.values(this.game.boards)) {
      const named = (place) => [place.id, place.thing].some((name) => name?.toLowerCase().split(":").at(-1) === wanted);
      const places = this.places(board);
      const place = places.find(named) ?? places.find((one) => one.name.toLowerCase().includes(wanted));
      if (place) { this.game.showMap(board.name); return this.rest(board, place); }
    }
  }
}

