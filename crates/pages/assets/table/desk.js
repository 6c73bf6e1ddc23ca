// The desk beside the sheet: what can be put down, and the numbers of what is chosen.

const made = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (key === "onclick" || key === "onchange") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children);
  return element;
};

class Palette {
  constructor(root, units, arm) {
    Object.assign(this, { root, units, arm, tab: "ground" });
    this.items = root.querySelector("#laid-items");
    this.nation = root.querySelector("#laid-nation");
    this.nation.append(...units.armies.map(({ key, name }) => made("option", { value: key }, name)));
    this.nations = { blue: "french", red: "austrian" };
    for (const button of root.querySelectorAll("[data-tab]")) button.addEventListener("click", () => this.open(button.dataset.tab));
    this.nation.addEventListener("change", () => { this.nations[this.tab] = this.nation.value; this.fill(); });
    this.fill();
  }

  open(tab) {
    this.tab = tab;
    for (const button of this.root.querySelectorAll("[data-tab]")) button.setAttribute("aria-pressed", String(button.dataset.tab === tab));
    this.fill();
  }

  fill() {
    const ground = this.tab === "ground";
    this.nation.hidden = ground;
    if (!ground) this.nation.value = this.nations[this.tab];
    const choices = ground
      ? this.units.kinds.map(([kind, name]) => ({ key: kind, name, item: { kind, name } }))
      : this.units.armies.find(({ key }) => key === this.nation.value).units.map((unit) => ({
        key: unit.name, name: unit.strength > 1 ? `${unit.name} · ${unit.strength}` : unit.name, item: { unit, side: this.tab, name: unit.name },
      }));
    this.items.replaceChildren(...choices.map(({ key, name, item }) => {
      const button = made("button", { type: "button", "data-item": key, "aria-pressed": "false" }, name);
      button.addEventListener("click", () => {
        const on = button.getAttribute("aria-pressed") === "true";
        this.arm(on ? null : item);
        this.pressed(on ? null : button);
      });
      return button;
    }));
    this.arm(null);
  }

  pressed(button) {
    for (const one of this.items.children) one.setAttribute("aria-pressed", String(one === button));
  }
}

/** What each thing can be snapped to: the name of the snap, the word for it. */
const snapsOf = (thing) => {
  if (thing.place) return thing.place.stand ? [["contact", "snap"], ["wall", "snapWall"], ["road", "snapRoad"], ["front", "snapFront"]] : [];
  return { house: [["house", "snapRoad"]], bridge: [["water", "snapWater"]], ford: [["water", "snapWater"]], obstacle: [["line", "snap"]] }[kindOf(thing)] ?? [];
};

/** The panel of what is chosen: place, facing, formation, corners, and all else that can be said of it. */
class ChosenPanel {
  constructor(root, words, units, hooks) { Object.assign(this, { root, words, units, hooks }); }

  number(id, label, value, change, step = 0.1) {
    const input = made("input", { type: "number", id, step, value, inputmode: "decimal" });
    input.addEventListener("change", () => { if (input.value !== "" && Number.isFinite(input.valueAsNumber)) change(input.valueAsNumber); });
    return made("div", { class: "field" }, made("label", { for: id }, label), input);
  }

  choice(id, label, choices, value, change) {
    const select = made("select", { id }, ...choices.map(([word, name]) => made("option", { value: word, selected: word === value }, name)));
    select.addEventListener("change", () => change(select.value));
    return made("div", { class: "field" }, made("label", { for: id }, label), select);
  }

  flag(id, label, value, change) {
    const box = made("input", { type: "checkbox", id, checked: Boolean(value) });
    box.addEventListener("change", () => change(box.checked));
    return made("div", { class: "field laid-flag" }, box, made("label", { for: id }, label));
  }

  /** What a piece of ground has besides its place. */
  ground(thing, set) {
    const { words, units } = this;
    const kind = kindOf(thing);
    const shape = thing.shape[kind];
    const with_ = (changes) => { const next = copy(thing); const inner = next.shape[kind]; for (const [name, value] of Object.entries(changes)) if (value === undefined) delete inner[name]; else inner[name] = value; set(next); };
    const kinds = { water: units.words.water, field: units.words.field, wood: units.words.wood, track: units.words.track }[kind];
    const parts = [];
    if (kinds) parts.push(this.choice("chosen-kind", words.kindOf, kinds, shape.kind ?? "forest", (value) => with_({ kind: value })));
    if (kind === "obstacle") {
      parts.push(this.choice("chosen-class", words.class, units.words.obstacle, shape.class, (value) => with_({ class: value })));
      parts.push(this.flag("chosen-closed", words.closed, shape.closed, (on) => with_({ closed: on || undefined })));
    }
    if (kind === "house" || kind === "redoubt") parts.push(this.flag("chosen-burning", words.burning, shape.burning, (on) => with_({ burning: on || undefined })));
    if (kind === "road") {
      const [lined] = shape.tree_lined ?? [];
      const trees = (from, to) => with_({ tree_lined: to > from ? [{ from, to }, ...(shape.tree_lined ?? []).slice(1)] : undefined });
      parts.push(this.number("chosen-trees", words.trees, lined?.from ?? 0, (from) => trees(from, lined?.to ?? from), 1), this.number("chosen-trees-to", words.treesTo, lined?.to ?? 0, (to) => trees(lined?.from ?? 0, to), 1));
    }
    return parts;
  }

  /** What a body has besides its place: state, losses, front, strength. */
  body(thing, set) {
    const { words, units } = this;
    const with_ = (change) => { const next = copy(thing); change(next); set(next); };
    const put = (of, name, value, usual) => { if (value === usual) delete of[name]; else of[name] = value; };
    const parts = [
      this.choice("chosen-state", words.state, units.words.state, thing.state ?? "formed", (value) => with_((next) => put(next, "state", value, "formed"))),
      this.choice("chosen-situation", words.situation, units.words.situation, thing.situation ?? "steady", (value) => with_((next) => put(next, "situation", value, "steady"))),
      this.number("chosen-marker", words.marker, thing.marker ?? 0, (value) => with_((next) => put(next, "marker", value, 0)), 5),
    ];
    const [arm] = Object.keys(thing.troops);
    const { companies } = thing.troops[arm];
    companies?.forEach((company, k) => parts.push(this.number(`chosen-company-${k}`, company.name, company.figures, (value) => with_((next) => { next.troops[arm].companies[k].figures = Math.round(value); }), 1)));
    if (thing.place.stand && companies) {
      const { front } = thing.place.stand;
      parts.push(this.number("chosen-front", words.front, front ?? "", (value) => with_((next) => { next.place.stand.front = Math.round(value); }), 1));
    }
    return parts;
  }

  show(found, name) {
    const { words } = this;
    if (!found) { this.root.replaceChildren(); this.of = null; return; }
    const [list, thing] = found;
    const set = (next) => this.hooks.changed(list, thing.id, next);
    const middle = middleOf(thing);
    const parts = [made("h2", {}, name)];
    const tools = made("div", { class: "laid-actions" },
      made("button", { type: "button", "aria-label": words.left, title: words.left, onclick: () => set(turnedBy(thing, -22.5, this.hooks.table())) }, `⟲ ${(22.5).toLocaleString(document.documentElement.lang)}°`),
      made("button", { type: "button", "aria-label": words.right, title: words.right, onclick: () => set(turnedBy(thing, 22.5, this.hooks.table())) }, `⟳ ${(22.5).toLocaleString(document.documentElement.lang)}°`),
      made("button", { type: "button", id: "chosen-remove", onclick: () => set(null) }, words.remove));
    if (thing.place?.stand) {
      const { stand } = thing.place;
      const arm = Object.keys(thing.troops)[0];
      const select = made("select", { id: "chosen-formation" }, ...this.units.formations[arm].map(([value, label]) => made("option", { value, selected: value === stand.formation }, label)));
      select.addEventListener("change", () => {
        const next = copy(thing);
        next.place.stand.formation = select.value;
        delete next.place.stand.front;
        set(next);
      });
      parts.push(made("div", { class: "field" }, made("label", { for: "chosen-formation" }, words.formation), select));
    }
    for (const [snap, word] of snapsOf(thing)) tools.append(made("button", { type: "button", id: `chosen-snap-${snap}`, onclick: () => this.hooks.snap(list, thing, snap) }, words[word]));
    if (thing.troops?.infantry) {
      const inside = thing.place.garrison;
      tools.append(made("button", { type: "button", id: "chosen-garrison", onclick: () => this.hooks.garrison(thing) }, inside ? words.outOfHouse : words.intoHouse));
    }
    parts.push(tools);
    const label = made("input", { type: "text", id: "chosen-label", value: thing.label ?? "", maxlength: 60 });
    label.addEventListener("change", () => { const next = copy(thing); if (label.value) next.label = label.value; else delete next.label; set(next); });
    const fields = made("div", { class: "pair laid-numbers" }, made("div", { class: "field" }, made("label", { for: "chosen-label" }, words.label), label));
    if (middle) {
      const anchor = thing.place?.stand?.at ?? middle;
      fields.append(this.number("chosen-x", words.x, tenth(anchor[0]), (x) => set(movedBy(thing, x - anchor[0], 0))));
      fields.append(this.number("chosen-y", words.y, tenth(anchor[1]), (y) => set(movedBy(thing, 0, y - anchor[1]))));
    }
    const facing = facingOf(thing);
    if (facing !== null) fields.append(this.number("chosen-angle", words.angle, facing, (angle) => set(turnedBy(thing, angle - facing)), 0.1));
    const shape = thing.shape?.[kindOf(thing)];
    for (const side of ["length", "width"]) {
      if (shape?.[side] === undefined) continue;
      fields.append(this.number(`chosen-${side}`, words[side], shape[side], (value) => { const next = copy(thing); next.shape[kindOf(next)][side] = tenth(value); set(next); }));
    }
    if (shape?.outline) {
      const [[left, low], [right, top]] = boxOf(thing);
      fields.append(this.number("chosen-length", words.length, tenth(right - left), (value) => set(sized(thing, value, top - low))));
      fields.append(this.number("chosen-width", words.width, tenth(top - low), (value) => set(sized(thing, right - left, value))));
    }
    parts.push(fields);
    const further = thing.place ? this.body(thing, set) : this.ground(thing, set);
    const same_ = this.of === thing.id;
    const open = same_ && this.root.querySelector("details.laid-more")?.open;
    this.of = thing.id;
    if (further.length) parts.push(made("details", { class: "laid-more", open: Boolean(open) }, made("summary", {}, words.more), made("div", { class: "pair laid-numbers" }, ...further)));
    const corners = thing.shape && cornersOf(thing);
    if (corners) {
      tools.append(
        made("button", { type: "button", id: "chosen-corner-add", "aria-pressed": String(this.hooks.cornering() === thing.id), onclick: () => this.hooks.corner(thing) }, words.addPoint),
        made("button", { type: "button", id: "chosen-corner-remove", onclick: () => { const next = copy(thing); const list = cornersOf(next); if (list.length > (next.shape[kindOf(next)].outline ? 3 : 2)) list.splice(list.length - 2, 1); set(next); } }, words.removePoint));
    }
    const focused = document.activeElement?.id;
    this.root.replaceChildren(...parts);
    if (focused && this.root.querySelector(`#${CSS.escape(focused)}`)) document.getElementById(focused).focus({ preventScroll: true });
  }
}
