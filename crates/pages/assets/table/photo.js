// A photograph of the real table as a tracing ground, squared by its four corners and kept on the device.

/** The place of a photograph: where each of its corners is dragged to, in units of the sheet. */
class Photo {
  constructor(sheet, key) {
    Object.assign(this, { sheet, key, data: null, corners: null });
    try { Object.assign(this, JSON.parse(localStorage.getItem(key) ?? "{}")); } catch { /* none is kept */ }
    addEventListener("pointermove", (event) => this.pull(event));
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => { if (this.held !== undefined) { this.held = undefined; this.save(); } });
    this.draw();
  }

  /** Reads a picture, no larger than the device can keep. */
  async open(file) {
    const url = await new Promise((done) => { const reader = new FileReader(); reader.onload = () => done(reader.result); reader.readAsDataURL(file); });
    const image = new Image();
    await new Promise((done, failed) => { image.onload = done; image.onerror = failed; image.src = url; });
    const scale = Math.min(1, 1400 / Math.max(image.naturalWidth, image.naturalHeight));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth * scale, image.naturalHeight * scale];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    this.data = canvas.toDataURL("image/jpeg", 0.8);
    this.size = [canvas.width, canvas.height];
    const [wide, high] = [this.sheet.whole[2] - 70, this.sheet.whole[3] - 70];
    this.corners = [[wide * 0.1, high * 0.1], [wide * 0.9, high * 0.1], [wide * 0.9, high * 0.9], [wide * 0.1, high * 0.9]];
    this.save();
    this.draw();
  }

  away() {
    Object.assign(this, { data: null, corners: null });
    try { localStorage.removeItem(this.key); } catch { /* no store */ }
    this.draw();
  }

  save() {
    try { localStorage.setItem(this.key, JSON.stringify({ data: this.data, corners: this.corners, size: this.size })); } catch { /* too large to keep */ }
  }

  /** Where a point of the picture, in shares of its sides, comes to lie once its corners are pulled. */
  spread() {
    const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = this.corners;
    const [dx1, dx2, sx] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
    const [dy1, dy2, sy] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
    const whole = dx1 * dy2 - dx2 * dy1 || 1e-9;
    const g = (sx * dy2 - dx2 * sy) / whole;
    const h = (dx1 * sy - sx * dy1) / whole;
    const [a, b, d, e] = [x1 - x0 + g * x1, x3 - x0 + h * x3, y1 - y0 + g * y1, y3 - y0 + h * y3];
    return (u, v) => { const by = g * u + h * v + 1; return [(a * u + b * v + x0) / by, (d * u + e * v + y0) / by]; };
  }

  /** The picture, squared: cut into small fields, each laid flat where its corners come to lie. */
  draw() {
    const layer = this.sheet.layers.photo;
    layer.replaceChildren();
    this.sheet.svg.classList.toggle("has-photo", Boolean(this.data));
    if (!this.data) return;
    const parts = 10;
    const at = this.spread();
    const [wide, high] = this.size;
    const clips = shapeOf("defs");
    layer.append(clips);
    for (let row = 0; row < parts; row++) {
      for (let column = 0; column < parts; column++) {
        const [u0, v0, u1, v1] = [column / parts, row / parts, (column + 1) / parts, (row + 1) / parts];
        const [p, q, r, s] = [at(u0, v0), at(u1, v0), at(u0, v1), at(u1, v1)];
        const id = `photo-${row}-${column}`;
        // A hair of overlap hides the seams.
        clips.append(shapeOf("clipPath", { id }, shapeOf("polygon", { points: [p, q, s, r].map((point) => point.join(",")).join(" "), stroke: "#000", "stroke-width": 2 })));
        const [ax, ay] = [((q[0] - p[0]) * parts) / wide, ((q[1] - p[1]) * parts) / wide];
        const [bx, by] = [((r[0] - p[0]) * parts) / high, ((r[1] - p[1]) * parts) / high];
        const [x, y] = [p[0] - ax * u0 * wide - bx * v0 * high, p[1] - ay * u0 * wide - by * v0 * high];
        layer.append(shapeOf("g", { "clip-path": `url(#${id})` }, shapeOf("image", { href: this.data, width: wide, height: high, preserveAspectRatio: "none", transform: `matrix(${ax} ${ay} ${bx} ${by} ${x} ${y})` })));
      }
    }
    this.corners.forEach(([cx, cy], k) => {
      const handle = shapeOf("circle", { class: "photo-corner", cx, cy, r: 18, tabindex: 0, role: "button", "aria-label": `${k + 1}/4` });
      handle.addEventListener("pointerdown", (event) => { event.stopPropagation(); event.preventDefault(); this.held = k; });
      handle.addEventListener("keydown", (event) => {
        const step = { ArrowLeft: [-5, 0], ArrowRight: [5, 0], ArrowUp: [0, -5], ArrowDown: [0, 5] }[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        this.corners[k] = [cx + step[0], cy + step[1]];
        this.save();
        this.draw();
        layer.querySelectorAll(".photo-corner")[k].focus();
      });
      layer.append(handle);
    });
  }

  pull(event) {
    if (this.held === undefined || !this.corners) return;
    const [x, y] = this.sheet.place(event);
    const [wide, high] = [this.sheet.whole[2] - 70, this.sheet.whole[3] - 70];
    // Near a corner of the table it goes into that corner.
    const near = (value, ends) => ends.find((end) => Math.abs(value - end) < 15) ?? value;
    this.corners[this.held] = [near(x, [0, wide]), near(y, [0, high])];
    this.draw();
  }
}
