// What the sheets of the game and of the umpire share: a drawing that is moved and brought closer.

/** A drawing with a part of it in view. `most` says how close it may be brought. */
class View {
  constructor(svg, most) {
    this.svg = svg;
    this.most = most;
    this.fingers = new Map();
    this.moved = 0;
    const box = svg.viewBox.baseVal;
    this.whole = [box.x, box.y, box.width, box.height];
    this.view = [...this.whole];
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, this.place(event));
    }, { passive: false });
    svg.addEventListener("pointerdown", (event) => {
      if (!this.fingers.size) this.moved = 0;
      this.fingers.set(event.pointerId, event);
    });
  }

  get dragged() { return this.moved > 6; }

  /** The widest view, as a share of the present one. */
  get widest() { return this.whole[2] / this.view[2]; }

  show() {
    this.svg.setAttribute("viewBox", this.view.map((n) => n.toFixed(1)).join(" "));
  }

  /** The place on the sheet under a pointer. */
  place(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  zoom(by, at) {
    const [x, y, wide, high] = this.view;
    const factor = Math.min(Math.max(by, this.whole[2] / this.most / wide), this.widest);
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

  /** Whether one finger or the mouse moves the drawing. */
  follows() { return true; }

  drag(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    this.moved += Math.abs(dx) + Math.abs(dy);
    this.fingers.set(event.pointerId, event);
    if (this.fingers.size === 2) {
      const other = [...this.fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
      const far = (a, b) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      this.zoom(far(before, other) / Math.max(far(event, other), 1), this.place(other));
    } else if (this.follows(event)) {
      const scale = 1 / this.svg.getScreenCTM().a;
      this.move(-dx * scale, -dy * scale);
    }
  }

  /** Brings a place into sight, so far from the edge. */
  reveal([x, y], edge = 0) {
    const [left, top, wide, high] = this.view;
    if (x < left + edge || x > left + wide - edge || y < top + edge || y > top + high - edge) {
      this.view = [x - wide / 2, y - high / 2, wide, high];
      this.keep();
    }
  }
}

