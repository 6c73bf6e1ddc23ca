/** The page of a game: what it holds, how it is renewed, and its panel. What it does stands in parts, each with its subject. */
class Game extends Showing(Touching(Ordering(Weighing(Marking(Object))))) {
  constructor(root) {
    super();
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

  /** A piece that the list of the staff names: it is chosen, and the sheet comes to it. */
  find(name) {
    const piece = this.root.querySelector(`.maps [data-thing="${CSS.escape(name)}"]`);
    const board = piece && this.boards[piece.closest("svg.board").dataset.map];
    if (!board) return;
    this.showMap(board.name);
    board.visit(centre(piece));
    this.select(this.selected === name ? null : name);
  }
}

const game = document.getElementById("game");
if (game) new Game(game);
