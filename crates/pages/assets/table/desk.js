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

/** The panel of what is chosen: place, facing, formation, corners. */
class ChosenPanel {
  constructor(root, words, units, hooks) { Object.assign(this, { root, words, units, hooks }); }

  number(id, label, value, change, step = 0.1) {
    const input = made("input", { type: "number", id, step, value, inputmode: "decimal" });
    input.addEventListener("change", () => { if (input.value !== "" && Number.isFinite(input.valueAsNumber)) change(input.valueAsNumber); });
    return made("div", { class: "field" }, made("label", { for: id }, label), input);
  }

  show(found, name) {
    const { words } = this;
    if (!found) { this.root.replaceChildren(); return; }
    const [list, thing] = found;
    const set = (next) => this.hooks.changed(list, thing.id, next);
    const middle = middleOf(thing);
    const parts = [made("h2", {}, name)];
    const tools = made("div", { class: "laid-actions" },
      made("button", { type: "button", "aria-label": words.left, title: words.left, onclick: () => set(turnedBy(thing, -22.5)) }, `⟲ ${(22.5).toLocaleString(document.documentElement.lang)}°`),
      made("button", { type: "button", "aria-label": words.right, title: words.right, onclick: () => set(turnedBy(thing, 22.5)) }, `⟳ ${(22.5).toLocaleString(document.documentElement.lang)}°`),
      made("button", { type: "button", id: "chosen-remove", onclick: () => set(null) }, words.remove));
    parts.push(tools);
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
      tools.append(made("button", { type: "button", id: "chosen-snap", onclick: () => this.hooks.snap(thing) }, words.snap));
    }
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
    parts.push(fields);
    const corners = thing.shape && cornersOf(thing);
    if (corners) {
      tools.append(
        made("button", { type: "button", id: "chosen-corner-add", onclick: () => {
          const next = copy(thing);
          const list = cornersOf(next);
          const [a, b] = [list[list.length - 2] ?? list[0], list[list.length - 1]];
          list.splice(list.length - 1, 0, at([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2 + 0.5]));
          set(next);
        } }, words.addPoint),
        made("button", { type: "button", id: "chosen-corner-remove", onclick: () => { const next = copy(thing); const list = cornersOf(next); if (list.length > 2) list.splice(list.length - 2, 1); set(next); } }, words.removePoint));
    }
    const focused = document.activeElement?.id;
    this.root.replaceChildren(...parts);
    if (focused && this.root.querySelector(`#${CSS.escape(focused)}`)) document.getElementById(focused).focus({ preventScroll: true });
  }
}
