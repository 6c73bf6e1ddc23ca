// The sheet under the hand: every thing drawn, picked up, moved, turned and reshaped by finger, mouse and keys.

const SVGNS = "http://www.w3.org/2000/svg";
const shapeOf = (name, attributes = {}, ...children) => {
  const element = document.createElementNS(SVGNS, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

class LaidSheet extends View {
  constructor(svg, kept, hooks) {
    super(svg, 12);
    Object.assign(this, { kept, hooks, chosen: null, armed: null, held: null, wrong: new Set(), marks: {} });
    this.layers = { photo: shapeOf("g"), paper: shapeOf("g"), things: shapeOf("g"), overlay: shapeOf("g", { class: "laid-over" }), hands: shapeOf("g", { class: "laid-hands" }) };
    this.defs = shapeOf("g");
    svg.replaceChildren(this.defs, ...Object.values(this.layers));
    svg.addEventListener("pointerdown", (event) => this.down(event));
    addEventListener("pointermove", (event) => this.moveHand(event));
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, (event) => this.up(event, end === "pointercancel"));
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("focusin", (event) => {
      const box = event.target.closest("[data-id]")?.getBBox();
      if (box && event.target.matches(":focus-visible")) this.reveal([box.x + box.width / 2, box.y + box.height / 2], this.view[2] * 0.08);
    });
    this.frame();
  }

  /** The place of a pointer in centimetres of the table. */
  spot(event) {
    const [x, y] = this.place(event);
    return [x / 10, this.kept.table.depth - y / 10];
  }

  at([x, y]) { return [x * 10, (this.kept.table.depth - y) * 10]; }

  /** The paper, as large as the table. */
  frame() {
    const { width, depth } = this.kept.table;
    const [wide, high] = [width * 10, depth * 10];
    const size = `${wide}x${high}`;
    if (this.size === size) return;
    this.size = size;
    this.whole = [-35, -35, wide + 70, high + 70];
    this.view = [...this.whole];
    const lines = [];
    for (let x = 0; x <= width; x += 10) lines.push(`M${x * 10} 0V${high}`);
    for (let y = 0; y <= depth; y += 10) lines.push(`M0 ${high - y * 10}H${wide}`);
    // What an answer lays over the table ends with it.
    this.layers.overlay.setAttribute("clip-path", "url(#laid-whole)");
    this.layers.paper.replaceChildren(
      shapeOf("clipPath", { id: "laid-whole" }, shapeOf("rect", { x: -35, width: wide + 70, height: high })),
      shapeOf("rect", { class: "laid-paper", width: wide, height: high }),
      shapeOf("path", { class: "laid-grid", d: lines.join("") }),
      shapeOf("rect", { class: "laid-edge", x: -4, y: -4, width: wide + 8, height: high + 8 }),
    );
    this.show();
  }

  /** Draws things from what the umpire drew of them, or from their points where he could not yet. */
  draw(ids) {
    this.frame();
    const all = [...(this.kept.table.terrain ?? []), ...(this.kept.table.bodies ?? [])];
    const there = new Set(all.map((thing) => thing.id));
    for (const group of [...this.layers.things.children]) if (!there.has(group.dataset.id)) group.remove();
    const order = new Map([...this.layers.things.children].map((group) => [group.dataset.id, group]));
    for (const thing of all) {
      if (ids && !ids.has(thing.id) && order.has(thing.id)) continue;
      order.set(thing.id, this.one(thing, order.get(thing.id)));
    }
    const layer = (id) => this.kept.drawn[id]?.layer ?? 8;
    const sorted = all.map((thing) => thing.id).sort((a, b) => layer(a) - layer(b));
    const now = [...this.layers.things.children].map((group) => group.dataset.id);
    if (sorted.join("\n") !== now.join("\n")) {
      const focused = document.activeElement?.closest?.("[data-id]")?.dataset.id;
      this.layers.things.replaceChildren(...sorted.map((id) => order.get(id)));
      if (focused && order.has(focused)) order.get(focused).focus({ preventScroll: true });
    }
    if (!this.held) this.spread();
    this.mark();
  }

  /** Keeps the names of bodies clear of each other: one that would run over another goes farther off, or is left out. */
  spread() {
    const taken = [];
    const meets = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
    const names = [...this.layers.things.querySelectorAll("text.blue, text.red")];
    for (const name of names) { name.removeAttribute("dy"); name.removeAttribute("visibility"); }
    const boxes = names.map((name) => name.getBBox());
    names.forEach((name, k) => {
      const box = boxes[k];
      const away = [0, 0.8, -0.8, 1.6, -1.6].find((lines) => !taken.some((other) => meets({ x: box.x, y: box.y + lines * box.height, width: box.width, height: box.height * 0.8 }, other)));
      if (away === undefined) { name.setAttribute("visibility", "hidden"); return; }
      if (away) name.setAttribute("dy", away * box.height);
      taken.push({ x: box.x, y: box.y + away * box.height, width: box.width, height: box.height * 0.8 });
    });
  }

  one(thing, old) {
    const group = old ?? shapeOf("g", { "data-id": thing.id, tabindex: 0, role: "button" });
    const drawn = this.kept.drawn[thing.id];
    group.removeAttribute("transform");
    const body = Boolean(thing.place);
    group.setAttribute("class", `laid-thing${body ? " is-body" : ""}`);
    group.setAttribute("aria-label", drawn?.said ?? thing.label ?? thing.id);
    if (drawn) {
      group.innerHTML = drawn.svg;
      // A drawing of where it was is shifted until the umpire has drawn it anew.
      const [from, to] = [drawn.middle, middleOf(thing)];
      if (from && to && !same(drawn.of, thing)) group.setAttribute("transform", `translate(${(to[0] - from[0]) * 10} ${-(to[1] - from[1]) * 10})`);
      group.append(shapeOf(drawn.closed ? "polygon" : "polyline", { class: "laid-pick", points: drawn.outline }));
    } else {
      const points = pointsOf(thing).map((point) => this.at(point).join(",")).join(" ");
      group.replaceChildren(shapeOf(body ? "polyline" : "polygon", { class: "laid-pick is-rough", points: body ? `${points} ${points}` : points }));
    }
    return group;
  }

  group(id) { return this.layers.things.querySelector(`[data-id="${CSS.escape(id)}"]`); }

  /** Who is chosen, who is asked about, who stands wrongly. */
  mark() {
    for (const group of this.layers.things.children) {
      const id = group.dataset.id;
      group.classList.toggle("is-wrong", this.wrong.has(id));
      group.classList.toggle("is-chosen", this.chosen === id);
      group.classList.toggle("is-who", this.marks.who === id);
      group.classList.toggle("is-whom", this.marks.whom === id);
      group.setAttribute("aria-pressed", String(this.chosen === id || this.marks.who === id || this.marks.whom === id));
    }
    this.hands();
  }

  /** The handles of the thing chosen: one to turn it, one for each corner, two for the ends of a front. */
  hands() {
    const [, thing] = (this.chosen && this.kept.find(this.chosen)) || [];
    const focused = document.activeElement?.closest?.("[data-hand]")?.dataset.hand;
    this.layers.hands.replaceChildren();
    const middle = thing && middleOf(thing);
    if (!middle) return;
    const scale = this.view[2] / Math.max(this.svg.clientWidth, 1);
    const r = 9.5 * scale;
    const [x, y] = this.at(thing.place?.stand?.at ?? middle);
    const facing = ((facingOf(thing) ?? 0) * Math.PI) / 180;
    // Beyond the thing itself, where it hides none of its corners; never beyond what is in sight.
    const own = thing.place ? 34 : Math.max(...pointsOf(thing).map(([px, py]) => Math.hypot(px - middle[0], py - middle[1]))) * 10;
    const far = Math.min(own, this.view[3] * 0.4) + 26 * scale;
    const within = (value, low, size) => Math.min(Math.max(value, low + r), low + size - r);
    const [hx, hy] = [within(x + Math.sin(facing) * far, this.view[0], this.view[2]), within(y - Math.cos(facing) * far, this.view[1], this.view[3])];
    const { words } = this.hooks;
    const knob = (kind, [cx, cy], size, hand, label) => {
      const round = shapeOf("circle", { class: kind, cx, cy, r: size });
      // A finger finds more than it sees.
      return shapeOf("g", { "data-hand": hand, tabindex: 0, role: "button", "aria-label": label }, shapeOf("circle", { class: "laid-reach", cx, cy, r: Math.max(size, (hand === "turn" ? 16 : 12) * scale) }), round);
    };
    this.layers.hands.append(shapeOf("path", { class: "laid-arm", d: `M${x} ${y}L${hx} ${hy}` }));
    if (thing.place) {
      const flanks = flanksOf(thing, this.kept.drawn[thing.id], this.kept.table.depth);
      // Beyond the ends of the front, and only where the body between them can still be taken hold of.
      const [[lx, ly], [rx, ry]] = flanks ? [this.at(flanks.left), this.at(flanks.right)] : [[0, 0], [0, 0]];
      const wide = Math.hypot(rx - lx, ry - ly);
      const out = [((rx - lx) / (wide || 1)) * 13 * scale, ((ry - ly) / (wide || 1)) * 13 * scale];
      if (wide > 30 * scale) {
        this.layers.hands.append(
          knob("laid-flank", [lx - out[0], ly - out[1]], r * 0.7, "left", words.wheelLeft),
          knob("laid-flank", [rx + out[0], ry + out[1]], r * 0.7, "right", words.wheelRight),
        );
      }
    } else {
      handlesOf(thing).forEach(({ hand, at: place, crest, size }, k) => {
        const [px, py] = this.at(place);
        const label = size ? `${words.length} × ${words.width}` : words.cornerHand.replace("{count}", k + 1);
        // The size is pulled a little outside the corner of the box, where no corner lies.
        this.layers.hands.append(knob(size ? "laid-size" : crest ? "laid-corner is-crest" : "laid-corner", size ? [px + 14 * scale, py - 14 * scale] : [px, py], r * 0.72, hand, label));
      });
    }
    if (!thing.place || thing.place.stand) this.layers.hands.append(knob("laid-turn", [hx, hy], r, "turn", words.turnHand));
    if (focused) this.layers.hands.querySelector(`[data-hand="${focused}"]`)?.focus({ preventScroll: true });
  }

  show() {
    super.show();
    if (this.layers) this.hands();
  }

  down(event) {
    if (this.fingers.size > 1) { this.drop(); return; }
    const hand = event.target.closest("[data-hand]")?.dataset.hand;
    const id = hand !== undefined ? this.chosen : event.target.closest("[data-id]")?.dataset.id;
    this.start = { x: event.clientX, y: event.clientY, spot: this.spot(event), id, hand };
    if (this.hooks.asking() || !id || (this.armed && hand === undefined)) return;
    const [list, thing] = this.kept.find(id) ?? [];
    if (!thing || (thing.place && thing.place.garrison && hand === undefined)) return;
    this.held = { id, list, thing, hand, next: thing, flanks: thing.place && flanksOf(thing, this.kept.drawn[id], this.kept.table.depth) };
    this.svg.setPointerCapture?.(event.pointerId);
    event.preventDefault();
  }

  follows() { return this.dragged && !this.held; }

  moveHand(event) {
    if (!this.fingers.has(event.pointerId)) return;
    const held = this.held;
    this.drag(event);
    if (!held || this.fingers.size > 1 || !this.dragged) return;
    const [x, y] = this.spot(event);
    const [dx, dy] = [x - this.start.spot[0], y - this.start.spot[1]];
    if (held.hand === "turn") {
      const [cx, cy] = middleOf(held.thing);
      const angle = (Math.atan2(x - cx, y - cy) * 180) / Math.PI;
      const before = (Math.atan2(this.start.spot[0] - cx, this.start.spot[1] - cy) * 180) / Math.PI;
      const turn = facingOf(held.thing) === null ? Math.round(angle - before) : Math.round((angle - facingOf(held.thing)) / 2.5) * 2.5;
      held.next = turnedBy(held.thing, turn, this.kept.table);
    } else if (held.hand === "left" || held.hand === "right") {
      const [fx, fy] = held.flanks[held.hand];
      held.next = wheeled(held.thing, held.flanks, held.hand, [fx + dx, fy + dy]);
    } else if (held.hand !== undefined) {
      const [ox, oy] = handlesOf(held.thing).find(({ hand }) => hand === held.hand).at;
      held.next = pulled(held.thing, held.hand, [ox + dx, oy + dy], this.kept.table);
    } else {
      held.next = movedBy(held.thing, dx, dy, this.kept.table);
    }
    if (held.frame) return;
    held.frame = requestAnimationFrame(() => { held.frame = 0; if (this.held === held) this.preview(held); });
  }

  /** A thing in the hand: shown at once, judged as soon as the umpire answers. */
  preview(held) {
    const group = this.group(held.id);
    const [from, to] = [middleOf(held.thing), middleOf(held.next)];
    if (group && held.hand === undefined && !linesChange(held)) {
      group.setAttribute("transform", `translate(${(to[0] - from[0]) * 10} ${-(to[1] - from[1]) * 10})`);
    } else if (group && ["turn", "left", "right"].includes(held.hand)) {
      const pivot = held.hand === "left" ? held.flanks.right : held.hand === "right" ? held.flanks.left : held.thing.place?.stand?.at ?? from;
      const [x, y] = this.at(pivot);
      group.setAttribute("transform", `rotate(${(facingOf(held.next) ?? 0) - (facingOf(held.thing) ?? 0)} ${x} ${y})`);
    }
    this.hooks.trying(held.list, held.id, held.next);
  }

  /** Lets go of what is held without moving it. */
  drop() {
    if (!this.held) return;
    const { id } = this.held;
    this.held = null;
    this.draw(new Set([id]));
  }

  up(event, cancelled) {
    const mine = this.fingers.delete(event.pointerId);
    if (!mine || !this.start || this.fingers.size) return;
    const { held, start } = this;
    [this.held, this.start] = [null, null];
    if (cancelled) { if (held) this.draw(new Set([held.id])); return; }
    if (this.dragged) {
      if (held && !same(held.thing, held.next)) this.hooks.changed(held.list, held.id, held.next);
      return;
    }
    if (this.armed && !this.hooks.asking()) { this.hooks.dropped(this.armed, start.spot.map(tenth)); return; }
    if (start.hand !== undefined) return;
    this.hooks.touched(start.id ?? null, start.spot.map(tenth));
  }

  /** A handle moved by keys. */
  pull(hand, key, step, small) {
    const [list, thing] = this.kept.find(this.chosen) ?? [];
    const turn = { q: -22.5, e: 22.5, ArrowLeft: -2.5, ArrowRight: 2.5 }[key.length === 1 ? key.toLowerCase() : key];
    if (!thing) return false;
    if (hand === "turn") {
      if (turn === undefined) return false;
      this.hooks.changed(list, thing.id, turnedBy(thing, turn, this.kept.table));
    } else if (hand === "left" || hand === "right") {
      const flanks = flanksOf(thing, this.kept.drawn[thing.id], this.kept.table.depth);
      if (!step || !flanks) return false;
      this.hooks.changed(list, thing.id, wheeled(thing, flanks, hand, [flanks[hand][0] + step[0] * small, flanks[hand][1] + step[1] * small]));
    } else {
      const corner = step && handlesOf(thing).find((one) => one.hand === hand);
      if (!corner) return false;
      this.hooks.changed(list, thing.id, pulled(thing, hand, [corner.at[0] + step[0] * small, corner.at[1] + step[1] * small], this.kept.table));
    }
    return true;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const id = event.target.closest("[data-id]")?.dataset.id;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const small = event.shiftKey ? 0.1 : 1;
    const hand = event.target.closest("[data-hand]")?.dataset.hand;
    if (hand !== undefined) { if (this.pull(hand, event.key, step, small)) event.preventDefault(); return; }
    const [list, thing] = (id && this.kept.find(id)) || [];
    const laying = thing && !this.hooks.asking();
    if (event.key === "Enter" || event.key === " ") {
      if (!id) { if (this.armed) this.hooks.dropped(this.armed, [(this.view[0] + this.view[2] / 2) / 10, this.kept.table.depth - (this.view[1] + this.view[3] / 2) / 10].map(tenth)); else return; }
      else this.hooks.touched(id, middleOf(thing) ?? [0, 0]);
    } else if (laying && step) this.hooks.changed(list, id, movedBy(thing, step[0] * small, step[1] * small, this.kept.table));
    else if (laying && /^[qe]$/i.test(event.key)) this.hooks.changed(list, id, turnedBy(thing, (event.key.toLowerCase() === "q" ? -1 : 1) * (event.shiftKey ? 1 : 22.5), this.kept.table));
    else if (laying && (event.key === "Delete" || event.key === "Backspace")) this.hooks.changed(list, id, null);
    else if (step) this.move(step[0] * this.view[2] * 0.1, -step[1] * this.view[3] * 0.1);
    else if (event.key === "+" || event.key === "=") this.zoom(0.8);
    else if (event.key === "-") this.zoom(1.25);
    else if (event.key === "0") this.all();
    else return;
    event.preventDefault();
  }
}

/** Whether a move bends a thing instead of shifting it: a road whose ends stay on the edges. */
const linesChange = ({ thing }) => !thing.place && Boolean(thing.shape[kindOf(thing)].axis);
