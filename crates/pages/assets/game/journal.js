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

  /** What happened since, as the page itself tells it; what a page loaded now would not tell goes. */
  news(page) {
    const news = page.querySelector("#news");
    const heard = [];
    for (const item of [...news.children].reverse()) {
      this.list.prepend(document.importNode(item, true));
      const lines = [...item.querySelectorAll(".order, .event, summary")].map((line) => line.textContent);
      heard.push(lines.filter((line) => line !== this.words.why).join(": "));
    }
    this.told = Number(news.dataset.n);
    for (const item of [...this.list.children]) if (Number(item.dataset.n) <= this.told - this.most) item.remove();
    if (heard.length) this.say(heard.slice(-6).join(". "));
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
  constructor(root, look) {
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
        this.slider.value = Number(this.slider.value) + Number(button.dataset.step);
        slide();
      });
    }
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
