// The page of a game of any system: makes it alive. The script has no words of its own; they come from the page.

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
class Board extends View {
  constructor(svg) {
    super(svg, 14);
    this.name = svg.dataset.map;
    // A sheet is pointed at anywhere, upwards from a line, or by the nearest of its named places.
    this.high = Number(svg.dataset.high ?? 0);
    this.near = Number(svg.dataset.near ?? 0);
    this.places = null;
    const [target, reach, cursor, finger, fan] = svg.dataset.sizes.split(" ").map(Number);
    this.sizes = { target, reach, cursor, finger, fan };
    svg.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      svg.addEventListener(end, (event) => this.fingers.delete(event.pointerId));
    }
  }

  get layer() { return this.svg.querySelector(`#marks-${this.name}`); }

  show() {
    super.show();
    this.svg.classList.toggle("near", this.view[2] < this.whole[2] * 0.42);
  }

  // Whoever has moved a sheet or brought it closer by hand keeps it as he wants it.
  zoom(by, at) { this.own = true; super.zoom(by, at); }
  move(dx, dy) { this.own = true; super.move(dx, dy); }
  all() { this.own = true; super.all(); }

  /** Comes so close that a counter is large enough to be read and touched, where most of these places lie together. */
  approach(places) {
    const scale = this.svg.getScreenCTM()?.a;
    if (!scale) return;
    const least = 24 / this.sizes.finger;
    const [, , wide, high] = this.view;
    // Almost near enough is near enough.
    const by = this.own || scale > 0.97 * least ? 1 : scale / least;
    const near = ([x, y]) => ([ox, oy]) => Math.abs(ox - x) < wide * by / 2 && Math.abs(oy - y) < high * by / 2;
    const inSight = near([this.view[0] + wide / 2, this.view[1] + high / 2]);
    if (!places.length || (by === 1 && places.some(inSight))) return;
    const company = (place) => places.filter(near(place)).length;
    const [x, y] = places.reduce((best, place) => (company(place) > company(best) ? place : best));
    this.view = [x - wide * by / 2, y - high * by / 2, wide * by, high * by];
    this.keep();
  }

  /** Draws back so far that these places are in sight, unless one of the last is already. */
  include(first, others) {
    const [left, top, wide, high] = this.view;
    const inSight = ([x, y]) => x > left && x < left + wide && y > top && y < top + high;
    if (!others.length || others.some(inSight) || !this.svg.getScreenCTM()) return;
    const edge = 2 * this.sizes.target;
    const [xs, ys] = [0, 1].map((axis) => [...first, ...others].map((place) => place[axis]));
    const [west, east, north, south] = [Math.min(...xs) - edge, Math.max(...xs) + edge, Math.min(...ys) - edge, Math.max(...ys) + edge];
    const share = Math.min(1, Math.max((east - west) / this.whole[2], (south - north) / this.whole[3], wide / this.whole[2]));
    const [broad, tall] = [this.whole[2] * share, this.whole[3] * share];
    this.view = [(west + east - broad) / 2, (north + south - tall) / 2, broad, tall];
    this.keep();
  }

  /** Brings a place into the middle of what is seen, unless it is in sight. */
  visit([x, y]) {
    const [left, top, wide, high] = this.view;
    if (x > left && x < left + wide && y > top && y < top + high) return;
    this.view = [x - wide / 2, y - high / 2, wide, high];
    this.keep();
  }

  /** The names of its places, fetched when they are first wanted. */
  names() {
    const { places } = this.svg.dataset;
    if (places) this.naming ??= fetch(places).then((response) => response.json()).then((named) => { this.places = named; }).catch(() => { this.naming = null; });
    return this.naming;
  }

  /** The named place that is pointed at. */
  named([x, y]) {
    let best = [null, this.near];
    for (const [name, [px, py]] of Object.entries(this.places ?? {})) {
      const far = Math.hypot(px - x, py - y);
      if (far < best[1]) best = [name, far];
    }
    return best[0];
  }

  /** Where a place of the sheet lies on the screen. */
  screen([x, y]) {
    const point = new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM());
    return [point.x, point.y];
  }
}

/** Where an element of a map lies on its sheet. */
function centre(element) {
  if (element.dataset.at) return element.dataset.at.split(" ").map(Number);
  const [, x, y] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(element.getAttribute("transform") ?? "") ?? [];
  return x === undefined ? [0, 0] : [Number(x), Number(y)];
}

/** Whether something is a piece: what may be given orders. */
const isPiece = (name) => Boolean(name?.startsWith("u:"));
