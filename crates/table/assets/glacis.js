// Glacis: makes pages quicker. Everything also works without it.

/** What the page itself says, from data attributes; the script has no words of its own. */
const sheet = document.getElementById("rule-sheet");
const parser = new DOMParser();

/** Fetches a page. */
async function whole(address) {
  const response = await fetch(address, { headers: { accept: "text/html" } });
  return parser.parseFromString(await response.text(), "text/html");
}

/** Fetches a page and gives back the element with this selector. */
async function part(address, selector) {
  return (await whole(address)).querySelector(selector);
}

// --- a rule's text on the spot -------------------------------------------------------------
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a.rule");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  try {
    const text = await part(link.href, ".rule-text");
    if (!text) throw new Error("no text");
    const bar = document.createElement("p");
    bar.className = "sheet-bar";
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = sheet.dataset.close;
    close.addEventListener("click", () => sheet.close());
    const permanent = document.createElement("a");
    permanent.href = link.href;
    permanent.textContent = sheet.dataset.permanent;
    bar.append(close, permanent);
    sheet.replaceChildren(text, bar);
    if (!sheet.open) sheet.showModal();
  } catch {
    location.href = link.href;
  }
});
sheet?.addEventListener("click", (event) => {
  if (event.target === sheet) sheet.close();
});

// --- forms that answer while one fills them in ---------------------------------------------
/** The question in a form as a short address: nothing that is left empty. */
function question(form) {
  const pairs = [...new FormData(form)].filter(([, value]) => String(value).trim() !== "");
  return new URLSearchParams(pairs);
}

function live(form) {
  const remember = form.dataset.remember;
  const key = `glacis.${location.pathname}.${remember}`;
  let turn = 0;
  let waiting = 0;

  async function ask(force) {
    if (!form.checkValidity()) {
      if (force) form.reportValidity();
      return;
    }
    const pairs = question(form);
    const address = `${form.getAttribute("action")}?${pairs}`;
    const mine = ++turn;
    const old = document.getElementById(form.dataset.live);
    old.setAttribute("aria-busy", "true");
    try {
      const page = await whole(address);
      const answer = page.getElementById(form.dataset.live);
      const [also, more] = [document.getElementById("also"), page.getElementById("also")];
      if (mine === turn && also && more) also.replaceChildren(...document.importNode(more, true).childNodes);
      if (mine !== turn || !answer) return;
      // The live region stays, its content changes: that is what a screen reader announces.
      old.replaceChildren(...answer.childNodes);
      const brief = document.getElementById("brief");
      if (brief) brief.textContent = answer.dataset.brief ?? "";
      history.replaceState(null, "", address);
    } finally {
      if (mine === turn) old.removeAttribute("aria-busy");
    }
    if (remember) {
      const kept = [...pairs].filter(([name]) => name.startsWith(`${remember}.`));
      try { localStorage.setItem(key, JSON.stringify(kept)); } catch { /* not allowed here */ }
    }
  }

  if (remember && !location.search) {
    let kept = [];
    try { kept = JSON.parse(localStorage.getItem(key) ?? "[]"); } catch { /* nothing kept */ }
    for (const [name, value] of kept) {
      for (const field of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
        if (field.type === "radio" || field.type === "checkbox") field.checked = field.value === value;
        else field.value = value;
      }
    }
  }
  form.addEventListener("submit", (event) => {
    if (event.submitter?.name) return;
    event.preventDefault();
    ask(true).then(() => {
      const answer = document.getElementById(form.dataset.live);
      if (answer.getBoundingClientRect().top > innerHeight * 0.8) answer.scrollIntoView({ block: "start" });
      answer.focus({ preventScroll: true });
    });
  });
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => ask(false), 120);
  });
  for (const button of form.querySelectorAll("button[data-step]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const field = document.getElementById(button.dataset.for);
      const by = Number(field.dataset.by);
      const from = field.value === "" ? Number(field.placeholder || 0) : Number(field.value);
      const least = field.min === "" ? -Infinity : Number(field.min);
      field.value = String(Math.max(least, from + Number(button.dataset.step) * by));
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }
  if (remember && !location.search) ask(false);
}
for (const form of document.querySelectorAll("form[data-live]")) live(form);

// --- a game ---------------------------------------------------------------------------------
const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes. */
function drawn(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A map that can be moved and brought closer by wheel, drag, pinch and keys. */
class Board {
  constructor(svg) {
    this.svg = svg;
    this.name = svg.dataset.map;
    this.whole = svg.viewBox.baseVal;
    this.whole = [this.whole.x, this.whole.y, this.whole.width, this.whole.height];
    this.view = [...this.whole];
    this.fingers = new Map();
    this.moved = 0;
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, this.place(event));
    }, { passive: false });
    svg.addEventListener("pointerdown", (event) => {
      this.fingers.set(event.pointerId, event);
      this.moved = 0;
    });
    svg.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      svg.addEventListener(end, (event) => this.fingers.delete(event.pointerId));
    }
  }

  show() {
    this.svg.setAttribute("viewBox", this.view.map((n) => n.toFixed(1)).join(" "));
  }

  /** The place on the sheet under a pointer. */
  place(event) {
    const matrix = this.svg.getScreenCTM();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [point.x, point.y];
  }

  zoom(by, at) {
    const [x, y, wide, high] = this.view;
    const factor = Math.min(Math.max(by, this.whole[2] / 14 / wide), this.whole[2] / wide);
    const [cx, cy] = at ?? [x + wide / 2, y + high / 2];
    this.view = [cx - (cx - x) * factor, cy - (cy - y) * factor, wide * factor, high * factor];
    this.keep();
  }

  all() {
    this.view = [...this.whole];
    this.show();
  }

  move(dx, dy) {
    this.view[0] += dx;
    this.view[1] += dy;
    this.keep();
  }

  keep() {
    for (const axis of [0, 1]) {
      const least = this.whole[axis];
      const most = this.whole[axis] + this.whole[axis + 2] - this.view[axis + 2];
      this.view[axis] = Math.min(Math.max(this.view[axis], Math.min(least, most)), Math.max(least, most));
    }
    this.show();
  }

  drag(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const scale = this.view[2] / this.svg.clientWidth;
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    if (this.fingers.size === 2) {
      const other = [...this.fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
      const far = (a, b) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      this.zoom(far(before, other) / Math.max(far(event, other), 1), this.place(other));
    } else {
      this.move(-dx * scale, -dy * scale);
    }
    this.moved += Math.abs(dx) + Math.abs(dy);
    this.fingers.set(event.pointerId, event);
  }

  /** Brings a place into sight. */
  reveal([x, y]) {
    const [left, top, wide, high] = this.view;
    if (x < left || x > left + wide || y < top || y > top + high) {
      this.view = [x - wide / 2, y - high / 2, wide, high];
      this.keep();
    }
  }
}

class Game {
  constructor(root) {
    this.root = root;
    this.api = root.dataset.api;
    this.page = `/g/${root.dataset.game}`;
    this.boards = Object.fromEntries([...root.querySelectorAll("svg.board")].map((svg) => [svg.dataset.map, new Board(svg)]));
    this.selected = null;
    this.tool = null;
    this.turn = 90;
    this.cursor = null;
    this.busy = false;
    this.preview = root.querySelector("#preview");
    this.spoken = root.querySelector("#spoken");
    for (const board of Object.values(this.boards)) this.listen(board);
    this.tabs();
    this.keys();
    this.panel();
    this.replay();
    this.follow();
  }

  get deciding() { return this.root.querySelector(".turn")?.dataset.deciding; }
  get seen() { return Number(this.root.querySelector(".turn")?.dataset.n ?? 0); }
  get choices() { return [...this.root.querySelectorAll("#panel .choice")]; }

  say(text) { this.spoken.textContent = text; }

  // What may act is marked; the choice of a counter shows where it may go.
  marks() {
    const can = new Set(this.choices.flatMap((choice) => choice.dataset.subjects?.split(" ") ?? []));
    for (const thing of this.root.querySelectorAll("[data-thing]")) {
      thing.classList.toggle("can", can.has(thing.dataset.thing));
      thing.classList.toggle("selected", thing.dataset.thing === this.selected);
    }
    const targets = this.targets();
    const tally = new Map();
    for (const [name] of Object.entries(this.boards)) {
      const layer = this.root.querySelector(`#marks-${name}`);
      layer.replaceChildren();
      for (const choice of targets.filter((choice) => choice.dataset.map === name && choice.dataset.at)) {
        if (choice.dataset.pose) continue;
        const key = `${name} ${choice.dataset.at}`;
        if (tally.has(key)) { tally.get(key).push(choice); continue; }
        tally.set(key, [choice]);
        const [x, y] = choice.dataset.at.split(" ").map(Number);
        const size = name === "ops" ? 11 : 34;
        const mark = drawn("g", { class: "target", transform: `translate(${x} ${y})`, tabindex: "-1", role: "button", "aria-label": choice.textContent },
          drawn("circle", { r: size }), drawn("path", { d: `M${-size * 0.5} 0H${size * 0.5}M0 ${-size * 0.5}V${size * 0.5}` }));
        mark.addEventListener("click", (event) => {
          if (this.boards[name].moved > 6) return;
          event.stopPropagation();
          this.offer(tally.get(key));
        });
        mark.addEventListener("pointerenter", () => this.consider(tally.get(key)[0], false));
        mark.choices = tally.get(key);
        layer.append(mark);
      }
    }
    this.ghosts();
    const box = this.root.querySelector("#selected");
    if (box) {
      box.replaceChildren();
      if (this.selected) {
        const name = document.createElement("h3");
        name.textContent = this.thing(this.selected)?.getAttribute("aria-label") ?? this.selected;
        box.append(name);
        const list = document.createElement("ul");
        for (const choice of targets.slice(0, 60)) {
          const copy = choice.cloneNode(true);
          copy.className = "choice-copy";
          copy.addEventListener("click", () => this.offer([choice]));
          copy.addEventListener("pointerenter", () => this.consider(choice, false));
          list.append(Object.assign(document.createElement("li"), {}));
          list.lastChild.append(copy);
        }
        box.append(list);
      }
    }
  }

  targets() {
    if (!this.selected) {
      return this.choices.filter((choice) => choice.dataset.kind === "march" || choice.dataset.kind === "repair-wall" || choice.dataset.kind === "enfilade-fire");
    }
    return this.choices.filter((choice) => choice.dataset.subjects?.split(" ").includes(this.selected)
      || (!choice.dataset.subjects && choice.dataset.object === this.selected));
  }

  thing(name) { return this.root.querySelector(`[data-thing="${CSS.escape(name)}"]`); }

  select(name) {
    this.selected = name;
    this.preview.replaceChildren();
    this.marks();
    if (name) this.say(`${this.thing(name)?.getAttribute("aria-label") ?? name}. ${this.targets().length}`);
  }

  /** One choice is shown before it is made; a step of a march is made at once. */
  offer(choices) {
    if (choices.length === 1 && choices[0].dataset.kind === "march") return this.act(choices[0]);
    if (choices.length === 1 && choices[0].dataset.kind === "take-up") return this.act(choices[0]);
    this.consider(choices[0], true, choices);
  }

  async consider(choice, keep, all = [choice]) {
    if (!choice || (this.kept && !keep && this.preview.childElementCount)) return;
    this.kept = keep;
    const mine = (this.thought = (this.thought ?? 0) + 1);
    const head = document.createElement("h3");
    head.textContent = choice.textContent;
    const odds = document.createElement("div");
    this.preview.replaceChildren(head, odds);
    if (keep) {
      for (const one of all) {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "primary confirm";
        button.textContent = all.length > 1 ? one.textContent : `✓ ${choice.textContent}`;
        button.addEventListener("click", () => this.act(one));
        this.preview.append(button);
      }
      this.preview.querySelector(".confirm").focus();
    }
    const response = await fetch(`${this.page}/odds?${new URLSearchParams({ action: choice.dataset.action })}`);
    if (mine === this.thought && response.ok) odds.innerHTML = await response.text();
  }

  async act(choice) {
    return this.order("act", { action: JSON.parse(choice.dataset.action) }, choice.dataset.kind, choice.textContent);
  }

  async order(what, more, kind, label) {
    if (this.busy) return;
    this.busy = true;
    this.root.setAttribute("aria-busy", "true");
    try {
      const side = this.deciding;
      const response = await fetch(`${this.api}/${what}?lang=${document.documentElement.lang}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ seen: this.seen, ...more, ...(side ? { side } : {}) }),
      });
      const told = await response.json();
      if (told.refused || !response.ok) return this.refuse(told.refused?.message ?? told.message ?? response.statusText, told.refused?.rule);
      if (!["march", "take-up"].includes(kind)) this.selected = null;
      this.tell(told, label);
      await this.refresh();
    } finally {
      this.busy = false;
      this.root.removeAttribute("aria-busy");
    }
  }

  refuse(message, rule) {
    const line = document.createElement("p");
    line.className = "refusal";
    line.textContent = `✕ ${message} `;
    if (rule) line.append(Object.assign(document.createElement("a"), { className: "rule", href: `/rules/${rule}`, textContent: rule }));
    this.preview.replaceChildren(line);
    this.say(message);
  }

  /** What happened goes to the top of the journal, each event with its reasons. */
  tell(told, label) {
    if (!told.said || told.n <= (this.told ?? 0)) return;
    this.told = told.n;
    const journal = this.root.querySelector("#journal");
    let reasons = [];
    const heard = [];
    const none = !told.said.some((line) => line.text) && told.said.length && label;
    for (const line of none ? [...told.said, { text: label }] : told.said) {
      if (line.rule) { reasons.push(line); continue; }
      heard.push(line.text);
      const item = document.createElement("li");
      item.className = told.by ?? "";
      item.dataset.n = told.n;
      if (reasons.length) {
        const list = document.createElement("ul");
        list.className = "reasons";
        for (const reason of reasons) {
          const entry = document.createElement("li");
          entry.append(Object.assign(document.createElement("span"), { className: "effect", textContent: reason.effect }),
            Object.assign(document.createElement("a"), { className: "rule", href: `/rules/${reason.rule}`, textContent: reason.rule }));
          list.append(entry);
        }
        const details = document.createElement("details");
        details.append(Object.assign(document.createElement("summary"), { textContent: line.text }), list);
        item.append(details);
        reasons = [];
      } else {
        item.append(Object.assign(document.createElement("span"), { className: "event", textContent: line.text }));
      }
      journal.prepend(item);
    }
    if (heard.length) this.say(heard.join(". "));
  }

  async refresh(at) {
    const mine = (this.asked = (this.asked ?? 0) + 1);
    const response = await fetch(`${this.page}/parts${at === undefined ? "" : `?at=${at}`}`);
    const page = parser.parseFromString(await response.text(), "text/html");
    if (mine !== this.asked) return;
    for (const id of ["panel", "standing-siege", "standing-ops"]) {
      const [old, fresh] = [this.root.querySelector(`#${id}`), page.getElementById(id)];
      if (old && fresh) old.replaceChildren(...document.importNode(fresh, true).childNodes);
    }
    document.title = `${page.querySelector("[data-title]")?.dataset.title ?? ""} · Glacis`;
    const slider = this.root.querySelector("#at");
    if (at === undefined && slider) {
      slider.max = this.seen;
      slider.value = this.seen;
      slider.nextElementSibling.textContent = `${this.seen} / ${this.seen}`;
    }
    if (this.selected && !this.thing(this.selected)) this.selected = null;
    this.preview.replaceChildren();
    this.kept = false;
    this.panel();
  }

  panel() {
    for (const choice of this.choices) {
      choice.addEventListener("click", () => {
        const plain = !choice.dataset.subjects && !choice.dataset.at;
        if (plain) this.act(choice);
        else { this.showMap(choice.dataset.map); this.offer([choice]); }
      });
    }
    this.root.querySelector("#undo")?.addEventListener("click", () => this.order("undo", {}));
    for (const tool of this.root.querySelectorAll(".tool")) {
      tool.addEventListener("click", () => this.take(tool.dataset.tool));
    }
    this.marks();
  }

  // --- digging: a ghost that snaps to what is allowed ---
  take(kind) {
    this.tool = this.tool === kind ? null : kind;
    for (const tool of this.root.querySelectorAll(".tool")) tool.setAttribute("aria-pressed", String(tool.dataset.tool === this.tool));
    this.showMap("siege");
    this.ghosts();
  }

  poses() {
    return this.choices.filter((choice) => choice.dataset.pose?.startsWith(`${this.tool} `)).map((choice) => {
      const [kind, x, y, facing, length] = choice.dataset.pose.split(" ");
      return { choice, kind, x: Number(x), y: Number(y), facing: Number(facing), length: Number(length) };
    });
  }

  outline({ kind, x, y, facing, length }, extra) {
    const [long, short] = [length, 50];
    const [deep, wide] = kind === "sap" ? [long, short] : [short, long];
    return drawn("g", { class: `ghost ${extra}`, transform: `translate(${x} ${2000 - y}) rotate(${90 - facing})` },
      drawn("rect", { x: -wide / 2, y: -deep / 2, width: wide, height: deep }),
      drawn("path", { d: `M0 ${-deep / 2}l-9 -14h18Z` }));
  }

  ghosts() {
    const layer = this.root.querySelector("#marks-siege");
    for (const ghost of layer.querySelectorAll(".ghost")) ghost.remove();
    if (!this.tool) return;
    const seen = new Set();
    for (const pose of this.poses()) {
      const key = `${Math.round(pose.x / 12)} ${Math.round(pose.y / 12)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      layer.append(this.outline(pose, "possible"));
    }
  }

  hover([x, y]) {
    if (!this.tool) return;
    const near = (pose) => Math.hypot(pose.x - x, pose.y - (2000 - y)) + Math.abs(((pose.facing - this.turn + 540) % 360) - 180) * 0.4;
    const best = this.poses().filter((pose) => !this.selected || pose.choice.dataset.subjects.split(" ").includes(this.selected) || true)
      .sort((a, b) => near(a) - near(b))[0];
    this.snapped = best && Math.hypot(best.x - x, best.y - (2000 - y)) < 70 ? best : null;
    this.free = { kind: this.tool, x: Math.round(x), y: Math.round(2000 - y), facing: this.turn, length: 100 };
    const layer = this.root.querySelector("#marks-siege");
    layer.querySelector(".ghost.held")?.remove();
    layer.append(this.outline(this.snapped ?? this.free, `held ${this.snapped ? "fits" : "free"}`));
  }

  async dig() {
    if (this.snapped) return this.offer([this.snapped.choice]);
    if (!this.free) return;
    const { kind, x, y, facing } = this.free;
    await this.ask({ build: kind, x, y, facing, ...(this.selected ? { subject: this.selected } : {}) });
  }

  /** Asks why something that is not offered cannot be done. */
  async ask(what) {
    const response = await fetch(`${this.page}/why?${new URLSearchParams(what)}`);
    if (!response.ok) return;
    this.preview.innerHTML = await response.text();
    this.kept = true;
    const fits = this.preview.querySelector("[data-fits]");
    if (fits) {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "primary confirm", textContent: `✓ ${fits.textContent}` });
      button.addEventListener("click", () => this.order("act", { action: JSON.parse(fits.dataset.fits) }));
      this.preview.append(button);
    } else {
      this.root.querySelector(".ghost.held")?.classList.add("wrong-place");
    }
    this.say(this.preview.textContent);
  }

  listen(board) {
    board.svg.addEventListener("click", (event) => {
      if (board.moved > 6) return;
      const place = board.place(event);
      if (this.tool && board.name === "siege") { this.hover(place); this.dig(); return; }
      const thing = event.target.closest("[data-thing]")?.dataset.thing;
      this.touch(board, thing, place);
    });
    board.svg.addEventListener("pointermove", (event) => {
      if (this.tool && board.name === "siege" && !event.buttons) this.hover(board.place(event));
    });
  }

  /** A thing or a place was pointed at. */
  touch(board, thing, place) {
    if (thing && thing === this.selected) return this.select(null);
    const aimed = thing && this.targets().filter((choice) => choice.dataset.object === thing);
    if (aimed?.length) return this.offer(aimed);
    if (thing?.startsWith("u:") && this.choices.some((choice) => choice.dataset.subjects?.split(" ").includes(thing))) {
      const only = this.choices.filter((choice) => choice.dataset.subjects === thing);
      this.select(thing);
      if (only.length === 1 && only[0].dataset.kind === "take-up") this.act(only[0]);
      return;
    }
    const object = thing ?? (board.name === "ops" ? this.hexAt(place) : null);
    const marching = this.choices.some((choice) => choice.dataset.kind === "march");
    if (this.deciding && (this.selected || marching) && object) return this.ask({ ...(this.selected ? { subject: this.selected } : {}), object });
    if (this.deciding && thing?.startsWith("u:")) return this.ask({ subject: thing, object: "" });
    if (thing) this.say(this.thing(thing).getAttribute("aria-label"));
    this.select(null);
  }

  hexAt([x, y]) {
    if (!this.hexes) return null;
    let best = null;
    for (const [hex, [hx, hy]] of Object.entries(this.hexes)) {
      const far = Math.hypot(hx - x, hy - y);
      if (!best || far < best[1]) best = [hex, far];
    }
    return best && best[1] < 16 ? `h:${best[0]}` : null;
  }

  // --- tabs, keys, replay, news ---
  tabs() {
    for (const name of Object.keys(this.boards)) {
      this.root.querySelector(`#tab-${name}`).addEventListener("click", () => this.showMap(name, true));
    }
    const both = this.root.querySelector("#both-maps");
    both.addEventListener("click", () => this.showMap("both"));
    for (const button of this.root.querySelectorAll("[data-zoom]")) {
      button.addEventListener("click", () => {
        for (const board of Object.values(this.boards)) {
          if (board.svg.closest("[hidden]")) continue;
          if (button.dataset.zoom === "0") board.all(); else board.zoom(Number(button.dataset.zoom));
        }
      });
    }
    const help = this.root.querySelector("#help");
    this.root.querySelector("#help-button").addEventListener("click", () => help.showModal());
    fetch("/maps/danzig-hexes.json").then((response) => response.json()).then((hexes) => { this.hexes = hexes; }).catch(() => {});
    const first = this.choices.find((choice) => choice.dataset.map);
    if (first) this.showMap(first.dataset.map);
  }

  showMap(name, alone) {
    if (!name || (!alone && this.both && name !== "both")) return;
    this.both = name === "both";
    for (const one of Object.keys(this.boards)) {
      const shown = this.both || one === name;
      this.root.querySelector(`#map-${one}`).hidden = !shown;
      this.root.querySelector(`#tab-${one}`).setAttribute("aria-selected", String(shown));
    }
    this.root.querySelector("#both-maps").setAttribute("aria-pressed", String(this.both));
    this.root.classList.toggle("both", this.both);
  }

  keys() {
    this.root.addEventListener("keydown", (event) => {
      if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
      const board = event.target.closest("svg.board") && this.boards[event.target.closest("svg.board").dataset.map];
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (way && board) { event.preventDefault(); return this.step(board, way); }
      if ((event.key === "Enter" || event.key === " ") && board && this.cursor) {
        event.preventDefault();
        if (this.cursor.choices) return this.offer(this.cursor.choices);
        return this.touch(board, this.cursor.thing, this.cursor.at);
      }
      const act = {
        Escape: () => { this.tool = null; this.select(null); },
        "?": () => this.root.querySelector("#help").showModal(),
        "+": () => board?.zoom(0.8), "-": () => board?.zoom(1.25), 0: () => board?.all(),
        1: () => this.showMap("siege", true), 2: () => this.showMap("ops", true), 3: () => this.showMap("both"),
        q: () => this.rotate(15), e: () => this.rotate(-15),
        n: () => this.next(), x: () => this.root.querySelector(".choice.ends")?.focus(), u: () => this.root.querySelector("#undo")?.click(),
      }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (act) { event.preventDefault(); act(); }
    });
  }

  rotate(by) {
    this.turn = (this.turn + by + 360) % 360;
    if (this.free) this.hover([this.free.x, 2000 - this.free.y]);
  }

  /** The next counter that can act. */
  next() {
    const all = [...this.root.querySelectorAll(".counter.can")];
    if (!all.length) {
      // Nobody on the maps can act: the orders can be read in the panel.
      const first = this.root.querySelector("#panel summary, #panel .choice");
      first?.focus();
      if (first) this.say(first.textContent);
      return;
    }
    const at = all.findIndex((one) => one.dataset.thing === this.selected);
    const one = all[(at + 1) % all.length];
    const svg = one.closest("svg.board");
    this.showMap(svg.dataset.map);
    this.select(one.dataset.thing);
    this.rest(this.boards[svg.dataset.map], { thing: one.dataset.thing, at: this.centre(one), name: one.getAttribute("aria-label") });
  }

  centre(element) {
    const [, x, y] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(element.getAttribute("transform") ?? "") ?? [];
    if (x) return [Number(x), Number(y)];
    const box = element.getBBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  /** One step of the keyboard: to the nearest thing, mark or hex that way. */
  step(board, [dx, dy]) {
    const from = this.cursor?.board === board ? this.cursor.at : [board.view[0] + board.view[2] / 2, board.view[1] + board.view[3] / 2];
    const places = [...board.svg.querySelectorAll("[data-thing], .target")].map((element) => ({
      thing: element.dataset.thing, choices: element.choices, at: this.centre(element), name: element.getAttribute("aria-label"),
    }));
    if (board.name === "ops" && this.hexes) {
      for (const [hex, [x, y, name]] of Object.entries(this.hexes)) {
        const here = places.filter((place) => Math.hypot(place.at[0] - x, place.at[1] - y) < 12);
        places.push({ thing: here[0]?.thing, choices: here.find((place) => place.choices)?.choices, at: [x, y], name: [name, ...here.map((place) => place.name)].join(". ") });
      }
    }
    const ahead = places.filter(({ at }) => (at[0] - from[0]) * dx + (at[1] - from[1]) * dy > 2);
    const far = ({ at }) => {
      const along = (at[0] - from[0]) * dx + (at[1] - from[1]) * dy;
      const aside = Math.abs((at[0] - from[0]) * dy) + Math.abs((at[1] - from[1]) * dx);
      return along + 2.2 * aside;
    };
    ahead.sort((a, b) => far(a) - far(b));
    if (ahead[0]) this.rest(board, ahead[0]);
    else board.move(dx * board.view[2] * 0.1, dy * board.view[3] * 0.1);
  }

  rest(board, place) {
    this.cursor = { ...place, board };
    board.reveal(place.at);
    const layer = this.root.querySelector(`#marks-${board.name}`);
    layer.querySelector(".cursor")?.remove();
    const size = board.name === "ops" ? 14 : 40;
    const mark = drawn("circle", { class: "cursor", r: size, cx: place.at[0], cy: place.at[1], role: "img", "aria-label": place.name, id: `cursor-${board.name}` });
    layer.append(mark);
    board.svg.setAttribute("aria-activedescendant", mark.id);
    this.say(place.name);
  }

  replay() {
    const form = this.root.querySelector("#replay");
    const slider = form.querySelector("#at");
    form.addEventListener("submit", (event) => event.preventDefault());
    slider.addEventListener("input", () => {
      slider.nextElementSibling.textContent = `${slider.value} / ${slider.max}`;
      slider.setAttribute("aria-valuetext", slider.nextElementSibling.textContent);
      clearTimeout(this.sliding);
      this.sliding = setTimeout(() => this.refresh(slider.value === slider.max ? undefined : slider.value), 150);
    });
  }

  /** The other side's moves come without asking. */
  follow() {
    const news = new EventSource(`${this.api}/events?lang=${document.documentElement.lang}`);
    news.addEventListener("happened", (event) => {
      const told = JSON.parse(event.data);
      if (told.n <= this.seen) return;
      this.tell(told);
      this.refresh();
    });
    news.addEventListener("refresh", () => this.refresh());
    news.addEventListener("state", (event) => {
      if (JSON.parse(event.data).n > this.seen) this.refresh();
    });
  }
}
const game = document.getElementById("game");
if (game?.dataset.game) new Game(game);
