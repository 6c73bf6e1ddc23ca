// Glacis: the umpire's sheets: scenes and maps that move and answer a click. Everything also works without it.
const SVG = "http://www.w3.org/2000/svg";
const parser = new DOMParser();
document.documentElement.classList.add("scripted");

function drawn(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** A drawing that is moved and brought closer by wheel, drag, pinch, keys and buttons. */
class Sheet extends View {
  constructor(figure, { cover = false, most = 10 } = {}) {
    const svg = figure.querySelector("svg");
    super(svg, most);
    this.begin(cover);
    addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) {
      addEventListener(end, (event) => this.fingers.delete(event.pointerId));
    }
    // A drag is no click.
    svg.addEventListener("click", (event) => {
      if (this.dragged) { event.preventDefault(); event.stopImmediatePropagation(); }
    }, true);
    svg.addEventListener("dragstart", (event) => event.preventDefault());
    svg.addEventListener("keydown", (event) => this.key(event));
    const buttons = figure.querySelector(".sheet-zoom");
    buttons.hidden = false;
    buttons.addEventListener("click", (event) => {
      const by = event.target.closest("button")?.dataset.by;
      if (by === "0") this.all(); else if (by) this.zoom(Number(by));
    });
  }

  /** A long drawing fills its frame and is moved about. */
  begin(cover) {
    const box = this.svg.viewBox.baseVal;
    this.whole = [box.x, box.y, box.width, box.height];
    this.view = [...this.whole];
    if (cover) {
      const [x, y, wide, high] = this.whole;
      const share = this.svg.clientHeight / Math.max(this.svg.clientWidth, 1);
      const narrow = Math.min(wide, this.svg.clientWidth);
      this.view = [x + (wide - narrow) / 2, y + high * 0.2, narrow, Math.min(narrow * share, high)];
      this.keep();
    }
  }

  get widest() { return Math.max(this.whole[2] / this.view[2], this.whole[3] / this.view[3]); }

  show() {
    super.show();
    // Seen whole, a finger moves the page; brought closer, the drawing.
    this.svg.classList.toggle("closer", this.view[2] < this.whole[2] * 0.98);
  }

  follows(event) {
    return this.dragged && (event.pointerType === "mouse" || this.svg.classList.contains("closer"));
  }

  reveal(place) { super.reveal(place, this.view[2] * 0.06); }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "+" || event.key === "=") this.zoom(0.8);
    else if (event.key === "-") this.zoom(1.25);
    else if (event.key === "0") this.all();
    else if (step && !this.walks) this.move(step[0] * this.view[2] * 0.1, step[1] * this.view[3] * 0.1);
    else return;
    event.preventDefault();
  }
}

/** What a form asks, as a short address: nothing that is left empty. */
function asked(form) {
  return new URLSearchParams([...new FormData(form)].filter(([, value]) => String(value).trim() !== ""));
}

/** A page whose parts are fetched anew: the newest answer wins. */
class Desk {
  constructor(root, form, parts) {
    Object.assign(this, { root, form, parts, turn: 0, waiting: 0 });
    root.addEventListener("submit", (event) => {
      if (event.target !== form) return;
      event.preventDefault();
      this.ask();
    });
    form.addEventListener("input", (event) => {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.ask(event), event.target.type === "text" || event.target.type === "number" ? 250 : 0);
    });
    root.addEventListener("click", (event) => {
      const link = event.target.closest("a[data-live], a.pick");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      this.go(link.getAttribute("href") ?? link.href.baseVal);
    });
    addEventListener("popstate", () => this.go(location.href, true));
  }

  ask(event) { return this.go(`${this.form.getAttribute("action")}?${this.address?.(event) ?? asked(this.form)}`); }

  async go(address, back) {
    const mine = ++this.turn;
    this.root.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(address, { headers: { accept: "text/html" } });
      const page = parser.parseFromString(await response.text(), "text/html");
      if (mine !== this.turn) return;
      const focused = document.activeElement;
      const [id, pick] = [focused?.id, focused?.dataset?.pick];
      for (const selector of this.parts) {
        const [old, fresh] = [document.querySelector(selector), page.querySelector(selector)];
        if (!old || !fresh) continue;
        const open = new Set([...old.querySelectorAll("details[open]")].map((one) => one.className));
        for (const one of fresh.querySelectorAll("details")) if (open.has(one.className)) one.open = true;
        for (const { name, value } of fresh.attributes) {
          if (name.startsWith("data-") || name === "action") old.setAttribute(name, value);
        }
        old.replaceChildren(...document.importNode(fresh, true).childNodes);
      }
      if (!back) history.pushState(null, "", address);
      // On a wide page the drawing stays in sight: the head of the answer must, too.
      const top = document.getElementById("answer")?.getBoundingClientRect().top ?? 0;
      if (!back && matchMedia("(min-width: 60rem)").matches && top > innerHeight * 0.8) scrollBy(0, top - innerHeight * 0.7);
      this.arrived?.(page);
      const again = pick ? this.root.querySelector(`[data-pick="${CSS.escape(pick)}"]`) : id && document.getElementById(id);
      if (again && again !== document.activeElement) again.focus({ preventScroll: true });
      // The language and light switches lead back to where one is now.
      for (const link of document.querySelectorAll(".settings a")) {
        const to = new URL(link.href, location.href);
        to.searchParams.set("to", location.pathname + location.search);
        link.href = to.pathname + to.search;
      }
    } finally {
      if (mine === this.turn) this.root.removeAttribute("aria-busy");
    }
  }
}

// --- scenes ---------------------------------------------------------------------------------
const scene = document.getElementById("scene");
const sceneSheet = document.getElementById("scene-sheet");
if (scene && sceneSheet) {
  const sheet = new Sheet(document.getElementById("sheet"));
  const form = document.getElementById("scene-form");
  const desk = new Desk(scene, form, ["#scene-sheet", "#sheet figcaption", "#scene-form", "#answer", ".own-table"]);
  const name = () => new URLSearchParams(location.search);
  let table = name().get("kept") ?? name().get("z") ?? name().get("table") ?? name().get("scene") ?? "";
  // Another table: nobody of the old one is on it.
  desk.address = (event) => {
    if (!event?.target.dataset.fresh) return undefined;
    const pairs = asked(form);
    return new URLSearchParams([["scene", pairs.get("scene") ?? ""], ["ask", pairs.get("ask") ?? "shoot"]]);
  };
  desk.arrived = (page) => {
    const now = name().get("kept") ?? name().get("z") ?? name().get("table") ?? name().get("scene") ?? "";
    if (now === table) return;
    table = now;
    sheet.svg.setAttribute("viewBox", page.getElementById("scene-sheet").getAttribute("viewBox"));
    sheet.svg.setAttribute("aria-label", page.getElementById("scene-sheet").getAttribute("aria-label"));
    sheet.begin(false);
    sheet.show();
  };
  sceneSheet.addEventListener("click", (event) => {
    if (sceneSheet.dataset.ask !== "move" || event.target.closest("a.pick:not(.is-from)")) return;
    const way = document.getElementById("way");
    if (!way || !form.elements.from.value) return;
    event.preventDefault();
    event.stopPropagation();
    const [x, y] = sheet.place(event);
    const half = (length) => Math.round(length * 2) / 2;
    const spot = `${half(x / 10)} ${half(Number(sceneSheet.dataset.depth) / 100 - y / 10)}`;
    way.value = way.value.trim() ? `${way.value.trim()}; ${spot}` : spot;
    way.dispatchEvent(new Event("input", { bubbles: true }));
  });
  sceneSheet.addEventListener("focusin", (event) => {
    const pick = event.target.closest("a.pick");
    if (!pick || !pick.matches(":focus-visible")) return;
    const box = pick.getBBox();
    sheet.reveal([box.x + box.width / 2, box.y + box.height / 2]);
  });
}

// A table of one's own: packed into the address if it is short, sent if it is not.
const own = document.getElementById("own-table");
if (own) {
  const show = async (text) => {
    const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
    let letters = "";
    for (const byte of bytes) letters += String.fromCharCode(byte);
    const z = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    if (z.length > 1500) {
      const form = document.getElementById("own-table");
      form.elements.table.value = text;
      form.submit();
      return;
    }
    const ask = new URLSearchParams(location.search).get("ask");
    location.assign(`${own.getAttribute("action")}?${new URLSearchParams({ z, ...(ask ? { ask } : {}) })}`);
  };
  scene.addEventListener("submit", (event) => {
    if (event.target.id !== "own-table" || !("CompressionStream" in window)) return;
    event.preventDefault();
    show(event.target.elements.table.value);
  });
  const open = () => {
    const label = document.getElementById("own-file-label");
    if (label) label.hidden = false;
  };
  open();
  new MutationObserver(open).observe(scene, { childList: true, subtree: true });
  scene.addEventListener("change", async (event) => {
    if (event.target.id !== "own-file" || !event.target.files[0]) return;
    show(await event.target.files[0].text());
  });
}

// --- the map of 1805 --------------------------------------------------------------------------
const map = document.getElementById("map-1805");
if (map) {
  const sheet = new Sheet(document.getElementById("sheet"), { cover: true, most: 14 });
  sheet.walks = true;
  const form = document.getElementById("map-form");
  const [size, margin, columns, rows] = ["size", "margin", "columns", "rows"].map((name) => Number(map.dataset[name]));
  const hover = document.getElementById("hover");
  const [under, spoken] = [document.getElementById("under"), document.getElementById("spoken")];
  const desk = new Desk(document.getElementById("explorer"), form, ["#marks", "#sheet figcaption", "#map-form", "#answer", "#map-1805 > none"]);
  let names = {};
  const named = fetch(map.dataset.names).then((response) => response.json()).then((all) => { names = all; }).catch(() => {});
  const id = ([column, row]) => `${String(column).padStart(2, "0")}${String(row).padStart(2, "0")}`;
  const at = (hex) => [Number(hex.slice(0, 2)), Number(hex.slice(2))];
  const centre = ([column, row]) => [
    margin + size * (1.5 * (column - 1) + 1),
    margin + size * Math.sqrt(3) * (row - 0.5 + (column % 2 ? 0 : 0.5)),
  ];
  const nearest = ([x, y]) => {
    let best = [Infinity, null];
    for (let column = 1; column <= columns; column++) {
      for (let row = 1; row <= rows; row++) {
        const [cx, cy] = centre([column, row]);
        const far = Math.hypot(cx - x, cy - y);
        if (far < best[0]) best = [far, [column, row]];
      }
    }
    return best[0] <= size ? best[1] : null;
  };
  const reached = (hex) => document.querySelector(`#marks .reached[data-hex="${hex}"]`);
  /** What is said of a hex: its name, and what it costs to get there. */
  const told = (hex) => [names[hex], reached(hex)?.dataset.cost].filter(Boolean).join(": ");
  const march = () => location.pathname.endsWith("reach");
  const start = (hex) => { form.elements.hex.value = hex; if (form.elements.to) form.elements.to.value = ""; desk.ask(); };
  const go = (hex) => { form.elements.to.value = hex; desk.ask(); };
  const choose = async (hex) => {
    // Whoever is faster than the names is not passed over.
    await named;
    if (!names[hex]) return;
    if (march() && reached(hex) && document.querySelector("#marks [data-start]")?.dataset.start !== hex) go(hex);
    else start(hex);
  };
  let cursor = null;
  const draw = (hex, keyed) => {
    hover.replaceChildren();
    const path = reached(hex)?.dataset.path;
    if (path) hover.append(drawn("path", { class: "way faint", d: path }));
    const [x, y] = centre(at(hex));
    hover.append(drawn("circle", { class: keyed ? "cursor" : "pointed", cx: x, cy: y, r: 17 }));
  };
  const frame = () => {
    const first = document.querySelector("#marks [data-start]")?.dataset.start;
    if (first) sheet.reveal(centre(at(first)));
  };
  if (document.querySelector("#marks [data-start]")) {
    const [x, y] = centre(at(document.querySelector("#marks [data-start]").dataset.start));
    sheet.view = [x - sheet.view[2] / 2, y - sheet.view[3] / 2, sheet.view[2], sheet.view[3]];
    sheet.keep();
  }
  desk.arrived = () => { hover.replaceChildren(); frame(); };
  map.addEventListener("click", (event) => {
    const hex = nearest(sheet.place(event));
    if (hex) choose(id(hex));
  });
  map.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse" || event.buttons) return;
    const hex = nearest(sheet.place(event));
    if (!hex) return;
    if (cursor !== id(hex)) { cursor = id(hex); draw(cursor, false); under.textContent = told(cursor) || "\u00a0"; }
  });
  map.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) {
      event.preventDefault();
      const chosen = document.querySelector("#marks [data-start]")?.dataset.start;
      const middle = () => nearest([sheet.view[0] + sheet.view[2] / 2, sheet.view[1] + sheet.view[3] / 2]) ?? [20, 20];
      const [fromColumn, fromRow] = cursor ? at(cursor) : chosen ? at(chosen) : middle();
      const column = Math.min(Math.max(fromColumn + step[0], 1), columns);
      const row = Math.min(Math.max(fromRow + step[1], 1), rows);
      const edge = column === fromColumn && row === fromRow ? map.dataset.edge : "";
      cursor = id([column, row]);
      sheet.reveal(centre([column, row]));
      draw(cursor, true);
      under.textContent = [edge, told(cursor) || cursor].filter(Boolean).join(". ");
      // A line of its own each time: the same words are said again.
      const line = document.createElement("span");
      line.textContent = under.textContent;
      spoken.replaceChildren(line);
    } else if (event.key === "Enter" && cursor) { event.preventDefault(); choose(cursor); }
    else if (event.key.toLowerCase() === "s" && cursor && names[cursor]) { event.preventDefault(); start(cursor); }
  });
}

// --- one of several questions: its fields come with it ------------------------------------------
document.addEventListener("input", (event) => {
  const select = event.target.closest("select[data-variant]");
  if (!select) return;
  event.stopPropagation();
  const form = select.closest("form");
  const outer = select.name === "@" ? [] : [["@", form.elements["@"]?.value ?? ""]];
  location.assign(`${form.getAttribute("action")}?${new URLSearchParams([...outer, [select.name, select.value]])}`);
}, true);

// The answer in one line, under the thumb, before anything is changed.
const brief = document.getElementById("brief");
if (brief && !brief.textContent) brief.textContent = document.getElementById("answer")?.dataset.brief ?? "";
