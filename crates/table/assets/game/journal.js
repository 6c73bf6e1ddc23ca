/** The journal of the page, and the voice that reads it out. */
class Journal {
  constructor(root, words) {
    this.list = root.querySelector("#journal");
    this.spoken = root.querySelector("#spoken");
    this.words = words;
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

  knows(n) { return this.list.querySelector(`li[data-n="${n}"]`) !== null; }

  /** What happened goes to the top: the order, then each event with its reasons. */
  tell(told, label, kind) {
    if (!told.said || this.knows(told.n)) return;
    const item = made("li", { className: told.by ?? "" });
    item.dataset.n = told.n;
    if (label) item.append(made("span", { className: "order", textContent: label }));
    let reasons = [];
    const heard = [];
    for (const line of told.said) {
      if (line.rule) { reasons.push(line); continue; }
      heard.push(line.text);
      const text = line.text === label ? this.words.why : sentence(line.text);
      if (reasons.length) item.append(this.reasons(text, reasons));
      else if (text !== this.words.why) item.append(made("span", { className: "event", textContent: text }));
      reasons = [];
    }
    if (reasons.length && !heard.length) {
      const text = /fire|shot/.test(kind ?? "") ? this.words.nothing : this.words.why;
      item.append(this.reasons(sentence(text), reasons));
      if (text === this.words.nothing) heard.push(text);
    }
    if (item.childElementCount) this.list.prepend(item);
    this.say(heard.length ? heard.join(". ") : label);
  }

  /** A line that opens into its reasons. */
  reasons(text, reasons) {
    const list = made("ul", { className: "reasons" });
    for (const reason of reasons) {
      list.append(made("li", {}, made("span", { className: "effect", textContent: reason.effect.replace(/^-(?=\d)/, "−") }),
        made("span", { className: "reason" }, made("a", { className: "rule", href: `/rules/${reason.rule}`, textContent: reason.rule }))));
    }
    return made("details", {}, made("summary", { textContent: text }), list);
  }

  /** News of others, as the page itself tells them. */
  news(page) {
    const heard = [];
    for (const item of [...(page.querySelector("#news")?.children ?? [])].reverse()) {
      if (this.knows(item.dataset.n)) continue;
      this.list.prepend(document.importNode(item, true));
      heard.push([...item.querySelectorAll(".order, .event, summary")].map((line) => line.textContent).join(": "));
    }
    if (heard.length) this.say(heard.slice(-6).join(". "));
  }
}

/** A line that begins like a sentence. */
function sentence(text) {
  return text.charAt(0).toLocaleUpperCase(document.documentElement.lang) + text.slice(1);
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
