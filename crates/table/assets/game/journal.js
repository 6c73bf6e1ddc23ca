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
