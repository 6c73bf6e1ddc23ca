// The shapes of the things: where their points are, how they are moved, turned and put down.

const tenth = (number) => Math.round(number * 10) / 10;
const at = ([x, y]) => [tenth(x), tenth(y)];
const ring = (x, y, wide, high, corners, wobble = 0) => Array.from({ length: corners }, (_, k) => {
  const angle = (2 * Math.PI * k) / corners;
  const far = 1 + wobble * Math.sin(3 * angle + 1);
  return at([x + wide * far * Math.cos(angle), y + high * far * Math.sin(angle)]);
});

const kindOf = (element) => Object.keys(element.shape)[0];

/** The lists of points of an element. */
function linesOf(element) {
  const shape = element.shape[kindOf(element)];
  return [shape.outline, shape.crest, shape.axis, shape.line, ...(shape.clearings ?? [])].filter(Boolean);
}

/** The list whose corners can be pulled. */
function cornersOf(element) {
  const shape = element.shape[kindOf(element)];
  return shape.axis ?? shape.line ?? shape.outline ?? null;
}

const turnBy = (degrees) => {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return ([x, y], [cx, cy]) => at([cx + (x - cx) * cos + (y - cy) * sin, cy - (x - cx) * sin + (y - cy) * cos]);
};

/** The corners of a rectangle laid from its first corner. */
function rectangle({ corner, length, width, angle = 90 }) {
  const along = (angle * Math.PI) / 180;
  const [ax, ay] = [Math.sin(along), Math.cos(along)];
  const [x, y] = corner;
  return [[x, y], [x + ax * length, y + ay * length], [x + ax * length - ay * width, y + ay * length + ax * width], [x - ay * width, y + ax * width]];
}

/** Every point a thing is spread over. */
function pointsOf(thing) {
  if (thing.place) {
    const { stand, bases } = thing.place;
    return stand ? [stand.at] : bases ? bases.bases.map((base) => base.at) : [];
  }
  const shape = thing.shape[kindOf(thing)];
  if (shape.corner) return rectangle(shape);
  if (shape.at) return [shape.at];
  return linesOf(thing).flat();
}

function middleOf(thing) {
  const points = pointsOf(thing);
  if (!points.length) return null;
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [(Math.min(...xs) + Math.max(...xs)) / 2, (Math.min(...ys) + Math.max(...ys)) / 2];
}

const eachLine = (element, change) => {
  const shape = element.shape[kindOf(element)];
  for (const name of ["outline", "crest", "axis", "line"]) if (shape[name]) shape[name] = shape[name].map(change);
  if (shape.clearings) shape.clearings = shape.clearings.map((hole) => hole.map(change));
};

/** A thing moved; the ends of a road or a stream stay on the edges of the table they lie on. */
function movedBy(thing, dx, dy, table) {
  const next = copy(thing);
  if (next.place) {
    const { stand, bases } = next.place;
    if (stand) stand.at = at([stand.at[0] + dx, stand.at[1] + dy]);
    if (bases) for (const base of bases.bases) base.at = at([base.at[0] + dx, base.at[1] + dy]);
    return next;
  }
  const shape = next.shape[kindOf(next)];
  if (shape.corner) shape.corner = at([shape.corner[0] + dx, shape.corner[1] + dy]);
  if (shape.at) shape.at = at([shape.at[0] + dx, shape.at[1] + dy]);
  const strip = Boolean(shape.axis) && table;
  eachLine(next, ([x, y]) => {
    if (strip && (x === 0 || x === table.width)) return at([x, Math.min(Math.max(y + dy, 0), table.depth)]);
    if (strip && (y === 0 || y === table.depth)) return at([Math.min(Math.max(x + dx, 0), table.width), y]);
    return at([x + dx, y + dy]);
  });
  return next;
}

/** Where a thing faces, if it does. */
function facingOf(thing) {
  if (thing.place) return thing.place.stand?.facing ?? null;
  const shape = thing.shape[kindOf(thing)];
  return shape.corner ? shape.angle ?? 90 : shape.facing ?? null;
}

const round = (degrees) => tenth(((degrees % 360) + 360) % 360) % 360;

/** A thing turned by so many degrees to the right. */
function turnedBy(thing, degrees) {
  const next = copy(thing);
  if (next.place) {
    if (next.place.stand) next.place.stand.facing = round(next.place.stand.facing + degrees);
    return next;
  }
  const centre = middleOf(thing);
  const turn = turnBy(degrees);
  const shape = next.shape[kindOf(next)];
  if (shape.corner) {
    shape.corner = turn(shape.corner, centre);
    shape.angle = round((shape.angle ?? 90) + degrees);
  } else if (shape.at) shape.facing = round(shape.facing + degrees);
  else eachLine(next, (point) => turn(point, centre));
  return next;
}

/** The element of these kinds nearest to a place. */
function nearest(table, [x, y], fits) {
  const far = (element) => Math.min(...pointsOf(element).map(([a, b]) => Math.hypot(a - x, b - y)));
  return (table.terrain ?? []).filter(fits).sort((a, b) => far(a) - far(b))[0];
}

/** A new piece of ground about a place. */
function laidDown(kind, [x, y], table) {
  const box = (wide, high) => [[x - wide, y - high], [x + wide, y - high], [x + wide, y + high], [x - wide, y + high]].map(at);
  const water = nearest(table, [x, y], (one) => one.shape.water);
  const across = (name, width) => ({ [name]: { ...(name === "water" ? { kind } : {}), axis: name === "water" ? [[0, tenth(y)], at([table.width / 2, y + 2]), [table.width, tenth(y)]] : [[0, tenth(y)], [table.width, tenth(y)]], width } });
  switch (kind) {
    case "hedge": return { obstacle: { line: [at([x - 8, y]), at([x + 8, y])], class: "light" } };
    case "wall": return { obstacle: { line: [at([x - 8, y]), at([x + 8, y])], class: "hard" } };
    case "wood": return { wood: { outline: ring(x, y, 9, 7, 9, 0.08) } };
    case "orchard": return { wood: { outline: box(7, 5), kind: "orchard" } };
    case "hill": return { hill: { outline: ring(x, y, 18, 11, 10, 0.05), crest: [at([x - 9, y]), at([x + 9, y])] } };
    case "plateau": return { plateau: { outline: ring(x, y, 18, 13, 10, 0.04), crest: ring(x, y, 12, 8, 10, 0.04) } };
    case "house": return { house: { corner: at([x - 4, y - 3.5]), length: 8, width: 7 } };
    case "road": return across("road", 5);
    case "stream": return across("water", 2.5);
    case "river": return across("water", 6);
    case "bridge": return { bridge: { corner: at([x - 2.5, y - 5]), length: 5, width: 10, over: water?.id ?? "" } };
    case "ford": return { ford: { corner: at([x - 4, y - 5]), length: 8, width: 10, river: water?.id ?? "" } };
    case "marsh": return { marsh: { outline: ring(x, y, 9, 6, 8, 0.1) } };
    case "redoubt": return { redoubt: { line: [at([x - 6, y - 5]), at([x - 6, y + 5]), at([x + 6, y + 5]), at([x + 6, y - 5])], gaps: [{ from: 36, to: 40 }] } };
    default: return { field: { kind, outline: box(9, 6) } };
  }
}
