/** The journal of the page, and the voice that reads it out. */
class Journal {
  constructor(root, words) {
    this.list = root.querySelector("#journal");
    this.spoken = root.querySelector("#spoken");
    this.words = words;
    // So many entries of the record it has told, and so many of them it keeps.
    this.told = Number(this.list.dataset.n);
    this.most = Number(this.list.dataset.most);
    this.saying = [];
    this.isPast = false;
    this.arrange();
  }

  /** The newest stands first: turn and step stand over the newest entry of each, and so over all of them; what
   * was taken back is folded with its taking back. */
  arrange() {
    const moment = (item) => item?.querySelector(".moment")?.textContent;
    const standing = [];
    let last;
    for (const item of this.list.children) {
      item.classList.toggle("goes-on", moment(item) === last);
      last = moment(item) ?? last;
    }
    for (const item of [...this.list.children].reverse()) {
      if (!("takesBack" in item.dataset)) standing.push(item);
      else for (const one of [item, standing.pop()]) one?.classList.add("taken-back");
    }
  }

  /** Speaks: what is said in the same moment is said together. */
  say(text) {
    if (!text) return;
    this.saying.push(text);
    clearTimeout(this.speaking);
    this.speaking = setTimeout(() => {
      this.spoken.append(made("p", { textContent: this.saying.join(". ") }));
      this.saying = [];
      while (this.spoken.childElementCount > 8) this.spoken.firstChild.remove();
    }, 40);
  }

  /** What happened since, as the page itself tells it, or the whole journal of a moment; what a page loaded now
   * would not tell goes. Gives back what is new. */
  news(page, whole, isPast) {
    const news = page.querySelector("#news");
    const heard = [];
    const fresh = [];
    const known = this.told;
    if (whole) this.list.replaceChildren();
    this.isPast = isPast;
    for (const item of [...news.children].reverse()) {
      const entry = document.importNode(item, true);
      this.list.prepend(entry);
      if (Number(item.dataset.n) <= known) continue;
      fresh.push(entry);
      const lines = [...item.querySelectorAll(".order, .event, summary")].map((line) => line.textContent);
      heard.push(lines.filter((line) => line !== this.words.why).join(": "));
    }
    if (!isPast) {
      this.told = Number(news.dataset.n);
      for (const item of [...this.list.children]) if (Number(item.dataset.n) <= this.told - this.most) item.remove();
    }
    this.arrange();
    if (heard.length) this.say(heard.slice(-6).join(". "));
    return fresh;
  }
}

/** What others did since the reader last decided: arrows for those who moved, rings for those who came, changed
 * or went, and a few lines. */
class Since {
  constructor(game) {
    this.game = game;
    this.box = game.root.querySelector("#since");
    this.stood = this.from = null;
  }

  /** Where every piece stands on the sheets. */
  pieces() {
    const all = new Map();
    for (const [map, board] of Object.entries(this.game.boards)) {
      for (const piece of board.svg.querySelectorAll(".piece")) {
        if (!piece.closest(".spread")) all.set(piece.dataset.thing, { map, at: centre(piece), look: piece.textContent, side: piece.dataset.side });
      }
    }
    return all;
  }

  /** The table is about to change: what stands there is remembered from the reader's last decision on; of
   * the past, from one look to the next. */
  before(isPast) {
    for (const stacks of Object.values(this.game.stacks)) stacks.close();
    this.step = this.pieces();
    if (isPast) return;
    // Whoever decides now gives the order that is coming: it is his own.
    this.side = this.game.deciding ?? this.side;
    // Whoever only watches is shown each step by itself.
    if ((this.game.busy && this.game.deciding) || !(this.side ?? this.game.deciding)) this.clear();
    this.stood ??= this.step;
    this.from ??= this.game.seen;
  }

  clear() {
    this.stood = this.from = null;
    this.box.querySelector("ul").replaceChildren();
    this.box.hidden = true;
    for (const board of Object.values(this.game.boards)) board.svg.querySelector(".since-marks")?.remove();
  }

  /** Plays what others did as a film. */
  play() {
    if (this.from !== null) this.game.replay.play(true, this.from);
  }

  /** The table has changed: whatever others did is shown, of the past what the step did. */
  after(news, at) {
    const own = this.side;
    this.side = this.game.deciding ?? own;
    if (at !== undefined) return this.look(at);
    this.results(news);
    const list = this.box.querySelector("ul");
    for (const item of news) {
      const order = item.querySelector(".order");
      if (!order || item.classList.contains("taken-back") || (own && item.classList.contains(own))) continue;
      list.prepend(made("li", { textContent: [order.textContent.trim(), ...this.outcome(item)].join(" · ") }));
    }
    while (list.childElementCount > 12) list.lastChild.remove();
    this.box.hidden = !list.childElementCount;
    this.draw(this.stood, this.side);
  }

  /** What came of an order where dice fell, in the words of the journal. */
  outcome(item) {
    return item.querySelector(".dice") ? [...item.querySelectorAll(".event, summary")].map((line) => line.textContent.trim()) : [];
  }

  /** Of a moment of the past: where its order lies comes into sight, with what it did. */
  look(at) {
    const items = [...this.game.journal.list.children].filter((item) => item.dataset.n === String(at));
    for (const { dataset } of items.filter((item) => item.dataset.map)) {
      this.game.showMap(dataset.map);
      this.game.boards[dataset.map].reveal(dataset.at.split(" ").map(Number));
    }
    this.results(items);
    this.draw(this.step, null);
  }

  /** What came of the last orders is written where they were aimed: the dice, and what happened. */
  results(items) {
    const rolled = items.filter((item) => item.dataset.map && item.querySelector(".dice"));
    // They stand until there is something newer to read, or another order is given.
    if (!rolled.length && !this.game.busy) return;
    for (const old of this.game.root.querySelectorAll("svg.board .result")) old.remove();
    const told = new Set();
    for (const item of rolled.slice(-4).reverse()) {
      const board = this.game.boards[item.dataset.map];
      const happened = item.querySelector(".event, summary")?.textContent.trim();
      const dice = item.querySelector(".dice").textContent;
      if (!board || !happened || told.has(item.dataset.at)) continue;
      told.add(item.dataset.at);
      const [x, y] = item.dataset.at.split(" ").map(Number);
      const short = happened.length > 46 ? `${happened.slice(0, 45)}…` : happened;
      const text = drawn("text", { class: "result", x, y: y - board.sizes.target * 1.3, "font-size": board.sizes.target * 0.62, "aria-hidden": "true" });
      text.textContent = `${dice} ${short}`;
      board.layer.before(text);
    }
  }

  /** Arrows and rings for what stands otherwise than it stood; not for the reader's own. */
  draw(stood, side) {
    const now = this.pieces();
    for (const [map, board] of Object.entries(this.game.boards)) {
      board.svg.querySelector(".since-marks")?.remove();
      const layer = drawn("g", { class: "since-marks", "aria-hidden": "true" });
      const ring = ([cx, cy], kind) => drawn("circle", { class: `ring ${kind}`, cx, cy, r: board.sizes.target });
      for (const [name, old] of stood ?? []) {
        const fresh = now.get(name);
        if (old.side === side) continue;
        if (old.map === map && (!fresh || fresh.map !== map)) layer.append(ring(old.at, "gone"));
        else if (fresh?.map === map && old.map === map && Math.hypot(fresh.at[0] - old.at[0], fresh.at[1] - old.at[1]) > board.sizes.target / 2) layer.append(this.arrow(board, old.at, fresh.at));
        else if (fresh?.map === map && fresh.look !== old.look) layer.append(ring(fresh.at, "changed"));
      }
      for (const [name, fresh] of now) if (stood && fresh.side !== side && fresh.map === map && stood.get(name)?.map !== map) layer.append(ring(fresh.at, "came"));
      if (layer.childElementCount) board.layer.before(layer);
    }
  }

  arrow(board, [x, y], [toX, toY]) {
    const [far, size] = [Math.hypot(toX - x, toY - y), board.sizes.target * 0.6];
    const [ux, uy] = [(toX - x) / far, (toY - y) / far];
    const [hx, hy] = [toX - ux * size, toY - uy * size];
    const wing = (sign) => `${(hx - sign * uy * size * 0.6).toFixed(1)} ${(hy + sign * ux * size * 0.6).toFixed(1)}`;
    return drawn("path", { class: "arrow", d: `M${x} ${y}L${hx.toFixed(1)} ${hy.toFixed(1)}M${wing(1)}L${toX} ${toY}L${wing(-1)}` });
  }
}

/** After each look at what others did the page rests so long, in milliseconds; longer and longer where none can be had. */
const REST = 150;
const LONGEST_REST = 30_000;

/** The other side's moves come without asking. */
class News {
  constructor(game) {
    this.game = game;
    this.latest = 0;
    const source = new EventSource(`${game.api}/events?lang=${game.lang}`);
    source.addEventListener("state", () => pledge(game.root), { once: true });
    for (const kind of ["happened", "state", "refresh"]) {
      source.addEventListener(kind, (event) => {
        const { n, deed } = JSON.parse(event.data);
        // A seed put into the dice changes nothing on the table.
        if (deed === "pledge") return;
        this.latest = Math.max(this.latest, n);
        this.catchUp();
      });
    }
  }

  /** Looks at what happened, as long as there is something new: one request at a time, however fast the news come. */
  async catchUp(rest = REST) {
    const { game } = this;
    if (this.looking || game.busy || game.replay.isPast || this.latest <= game.seen) return;
    this.looking = true;
    const came = await game.refresh();
    await new Promise((go) => setTimeout(go, rest));
    this.looking = false;
    this.catchUp(came ? REST : Math.min(2 * rest, LONGEST_REST));
  }
}

/** The slider under the maps: looks back, and comes back to the present. */
class Replay {
  constructor(root, words, look) {
    const form = root.querySelector("#replay");
    this.slider = form.querySelector("#at");
    this.output = form.querySelector("output");
    form.addEventListener("submit", (event) => event.preventDefault());
    const slide = () => {
      this.tell();
      clearTimeout(this.sliding);
      this.sliding = setTimeout(() => look(this.isPast ? this.slider.value : undefined), 150);
    };
    this.slider.addEventListener("input", slide);
    for (const button of form.querySelectorAll("[data-step]")) {
      button.addEventListener("click", () => {
        this.play(false);
        this.slider.value = Number(this.slider.value) + Number(button.dataset.step);
        slide();
      });
    }
    this.look = look;
    this.words = words;
    this.form = form;
    // A day is looked at from its beginning.
    form.addEventListener("change", ({ target }) => {
      if (target.id !== "day") return;
      this.play(false);
      this.slider.value = target.value;
      slide();
    });
    this.film = form.querySelector("#film");
    this.pace = form.querySelector("#pace");
    this.film.addEventListener("click", () => this.play(this.film.getAttribute("aria-pressed") !== "true"));
  }

  /** Plays on entry by entry, at its pace, until the present or a pause; in the present, from the beginning or
   * from an entry. */
  async play(on, from) {
    this.film.setAttribute("aria-pressed", String(on));
    this.film.textContent = on ? "❚❚" : "▶";
    this.film.setAttribute("aria-label", on ? this.words.pause : this.words.play);
    const mine = (this.playing = (this.playing ?? 0) + 1);
    if (on && (from !== undefined || !this.isPast)) this.slider.value = from ?? this.slider.min;
    while (on && mine === this.playing && this.isPast) {
      this.slider.value = Number(this.slider.value) + 1;
      this.tell();
      const rest = new Promise((go) => setTimeout(go, Number(this.pace.value)));
      await this.look(this.isPast ? this.slider.value : undefined);
      await rest;
    }
    if (on && mine === this.playing) this.play(false);
  }

  /** The days of the record, as a page that is loaded now would list them. */
  days(page) {
    const [old, fresh] = [this.form.querySelector("#day"), page.getElementById("day")];
    if (!fresh) return;
    const label = page.querySelector("label[for='day']");
    if (old) old.replaceChildren(...document.importNode(fresh, true).childNodes);
    else this.form.append(document.importNode(label, true), document.importNode(fresh, true));
    this.form.querySelector("#day").value = fresh.value;
  }

  get isPast() { return Number(this.slider.value) < Number(this.slider.max); }

  /** The present has come to this entry. */
  now(entry) {
    this.slider.max = entry;
    this.slider.value = entry;
    this.tell();
  }

  tell() {
    const text = `${this.slider.value} / ${this.slider.max}`;
    this.output.textContent = text;
    this.slider.setAttribute("aria-valuetext", text);
  }
}
