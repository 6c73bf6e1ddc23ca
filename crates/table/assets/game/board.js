// The page of a game: makes it alive. The script has no words of its own; they come from the page.

const SVG = "http://www.w3.org/2000/svg";
const parser = new DOMParser();

/** An SVG element with attributes. */
function drawn(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** An HTML element with properties. */
function made(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** A map that can be moved and brought closer by wheel, drag, pinch and keys. */
class Board {
  constructor(svg) {
    this.svg = svg;
    this.name = svg.dataset.map;
    this.high = Number(svg.dataset.high ?? 0);
    const box = svg.viewBox.baseVal;
    this.whole = [box.x, box.y, box.width, box.height];
    this.view = [...this.whole];
    this.fingers = new Map();
    this.moved = 0;
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, this.place(event));
    }, { passive: false });
    svg.addEventListener("pointerdown", (event) => {
      this.fingers.set(event.pointerId, event);
      if (this.fingers.size === 1) this.moved = 0;
    });
    svg.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      svg.addEventListener(end, (event) => this.fingers.delete(event.pointerId));
    }
  }

  get layer() { return this.svg.querySelector(`#marks-${this.name}`); }
  get dragged() { return this.moved > 6; }

  show() {
    this.svg.setAttribute("viewBox", this.view.map((n) => n.toFixed(1)).join(" "));
    this.svg.classList.toggle("near", this.view[2] < this.whole[2] * 0.42);
  }

  /** The place on the sheet under a pointer. */
  place(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  /** Where a place of the sheet lies on the screen. */
  screen([x, y]) {
    const point = new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM());
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
    const scale = 1 / this.svg.getScreenCTM().a;
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

/** Where an element of a map lies on its sheet. */
function centre(element) {
  if (element.dataset.at) return element.dataset.at.split(" ").map(Number);
  const [, x, y] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(element.getAttribute("transform") ?? "") ?? [];
  return x === undefined ? [0, 0] : [Number(x), Number(y)];
}

