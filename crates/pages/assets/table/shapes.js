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

/** The line of a thing to which corners are added. */
function cornersOf(element) {
  const shape = element.shape[kindOf(element)];
  return shape.axis ?? shape.line ?? shape.outline ?? null;
}

const LINES = ["outline", "axis", "line", "crest"];

/** The box around a thing: its least and its greatest place. */
function boxOf(thing) {
  const points = pointsOf(thing);
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return [[Math.min(...xs), Math.min(...ys)], [Math.max(...xs), Math.max(...ys)]];
}

/** An outline made so wide and so high about its middle, its crest with it. */
function sized(element, wide, high) {
  const next = copy(element);
  const [[left, low], [right, top]] = boxOf(element);
  const [cx, cy] = [(left + right) / 2, (low + top) / 2];
  const [sx, sy] = [Math.max(wide, 2) / (right - left || 1), Math.max(high, 2) / (top - low || 1)];
  eachLine(next, ([x, y]) => at([cx + (x - cx) * sx, cy + (y - cy) * sy]));
  return next;
}

/**
 * An element with a corner more where it was touched, and the end at which an open line goes on: the nearer
 * one at the first touch, the same ever after; on an edge of it the corner is put into that edge.
 */
function cornered(element, [x, y], end) {
  const next = copy(element);
  const list = cornersOf(next);
  const shape = next.shape[kindOf(next)];
  const open = !shape.outline && !shape.closed;
  const edges = list.map((point, k) => [point, list[(k + 1) % list.length]]).slice(0, open ? -1 : undefined);
  const [near, k] = edges.map((edge, number) => [Math.hypot(...toEdge([x, y], edge)), number]).sort((a, b) => a[0] - b[0])[0];
  const far = (point) => Math.hypot(point[0] - x, point[1] - y);
  const last = list[list.length - 1];
  if (!open || (near < 1.5 && Math.min(far(list[0]), far(last)) > 3)) {
    list.splice(k + 1, 0, at([x, y]));
    return [next, end];
  }
  const at_ = end ?? (far(list[0]) < far(last) ? "first" : "last");
  if (at_ === "first") list.unshift(at([x, y])); else list.push(at([x, y]));
  return [next, at_];
}

/** What can be pulled of a piece of ground: each corner of its lines, its far corner if it is a rectangle, its size if it has an outline. */
function handlesOf(element) {
  const shape = element.shape[kindOf(element)];
  if (shape.corner) return [{ hand: "far:0", at: rectangle(shape)[2] }];
  const size = shape.outline ? [{ hand: "size:0", at: boxOf(element)[1], size: true }] : [];
  return [...size, ...LINES.filter((name) => shape[name]).flatMap((name) => shape[name].map((place, k) => ({ hand: `${name}:${k}`, at: place, crest: name === "crest" })))];
}

/** A piece of ground with one of its corners elsewhere; the ends of a road or a stream stay on the edge of the table once they are there. */
function pulled(element, hand, [x, y], table) {
  const next = copy(element);
  const shape = next.shape[kindOf(next)];
  const [name, k] = hand.split(":");
  if (name === "size") {
    const [cx, cy] = middleOf(element);
    return sized(element, 2 * (x - cx), 2 * (y - cy));
  }
  if (name === "far") {
    const along = ((shape.angle ?? 90) * Math.PI) / 180;
    const [dx, dy] = [x - shape.corner[0], y - shape.corner[1]];
    shape.length = Math.max(1, tenth(dx * Math.sin(along) + dy * Math.cos(along)));
    shape.width = Math.max(1, tenth(dy * Math.sin(along) - dx * Math.cos(along)));
    return next;
  }
  const edge = (value, most) => (Math.abs(value) < 1 ? 0 : Math.abs(value - most) < 1 ? most : tenth(value));
  shape[name][k] = name === "axis" ? [edge(x, table.width), edge(y, table.depth)] : at([x, y]);
  return next;
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

/** A thing turned by so many degrees to the right; a road or a stream that ran to the edge of the table runs there still. */
function turnedBy(thing, degrees, table) {
  const next = copy(thing);
  if (next.place) {
    if (next.place.stand) next.place.stand.facing = round(next.place.stand.facing + degrees);
    return next;
  }
  const centre = middleOf(thing);
  if (!centre) return next;
  const turn = turnBy(degrees);
  const shape = next.shape[kindOf(next)];
  if (shape.corner) {
    shape.corner = turn(shape.corner, centre);
    shape.angle = round((shape.angle ?? 90) + degrees);
  } else if (shape.at) shape.facing = round(shape.facing + degrees);
  else {
    eachLine(next, (point) => turn(point, centre));
    if (shape.axis && table) for (const [end, before, k] of [[0, 1, 0], [-1, -2, shape.axis.length - 1]]) {
      const [x, y] = thing.shape[kindOf(thing)].axis.at(end);
      if (x === 0 || x === table.width || y === 0 || y === table.depth) shape.axis[k] = toTheEdge(shape.axis.at(before), shape.axis.at(end), table);
    }
  }
  return next;
}

/** Where a line from one place through another leaves the table. */
function toTheEdge([x, y], [tx, ty], { width, depth }) {
  const [dx, dy] = [tx - x, ty - y];
  const share = (from, by, most) => (by > 0 ? (most - from) / by : by < 0 ? -from / by : Infinity);
  const far = Math.min(share(x, dx, width), share(y, dy, depth));
  return Number.isFinite(far) && far > 0 ? at([x + dx * far, y + dy * far]) : [tx, ty];
}

/** The element of these kinds nearest to a place. */
function nearest(table, place, fits) {
  const far = (element) => Math.min(...edgesOf(element).map((edge) => Math.hypot(...toEdge(place, edge))));
  return (table.terrain ?? []).filter((one) => fits(one) && pointsOf(one).length).sort((a, b) => far(a) - far(b))[0];
}

/** The edges of what a thing is drawn along: its line, its outline or its rectangle. */
function edgesOf(thing) {
  const shape = thing.shape[kindOf(thing)];
  const open = shape.axis ?? (shape.closed ? null : shape.line);
  const points = open ?? shape.line ?? shape.outline ?? (shape.corner ? rectangle(shape) : [shape.at]);
  const ring = open ? points : [...points, points[0]];
  return ring.length > 1 ? ring.slice(1).map((point, k) => [ring[k], point]) : [[ring[0], ring[0]]];
}

/** The way from a point to the nearest place of an edge. */
function toEdge([x, y], [[ax, ay], [bx, by]]) {
  const square = (bx - ax) ** 2 + (by - ay) ** 2;
  const share = square ? Math.min(Math.max(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / square, 0), 1) : 0;
  return [ax + share * (bx - ax) - x, ay + share * (by - ay) - y];
}

/** The nearest edge of a thing, the way to it, and where it runs to, in degrees from north. */
function nearestEdge(thing, place) {
  const all = edgesOf(thing).map((edge) => ({ edge, way: toEdge(place, edge) }));
  const best = all.sort((a, b) => Math.hypot(...a.way) - Math.hypot(...b.way))[0];
  const [[ax, ay], [bx, by]] = best.edge;
  return { ...best, angle: (Math.atan2(bx - ax, by - ay) * 180) / Math.PI };
}

const hundredth = (number) => Math.round(number * 100) / 100;
const ahead = (degrees) => [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
/** Of two opposite directions the one nearer to a third. */
const nearerTo = (facing, degrees) => (Math.cos(((facing - degrees) * Math.PI) / 180) >= 0 ? round(degrees) : round(degrees + 180));

/** A thing put where it belongs: a house to its road, a bridge across its water, a wall to the next wall; nothing where there is none. */
const SNAPS = {
  /** A body on a road, along it. */
  road(body, table) {
    const { stand } = body.place;
    const road = nearest(table, stand.at, (one) => one.shape.road);
    if (!road) return null;
    const { way, angle } = nearestEdge(road, stand.at);
    const next = copy(body);
    Object.assign(next.place.stand, { at: [hundredth(stand.at[0] + way[0]), hundredth(stand.at[1] + way[1])], facing: nearerTo(stand.facing, angle) });
    return next;
  },
  /** A body behind a wall, hedge or face: its front against it, as it faces. */
  wall(body, table) {
    const { stand } = body.place;
    const wall = nearest(table, stand.at, (one) => one.shape.obstacle || one.shape.redoubt || one.shape.house);
    if (!wall) return null;
    const { way, angle } = nearestEdge(wall, stand.at);
    const [fx, fy] = ahead(stand.facing);
    const far = Math.hypot(...way);
    // On the side where it is, unless it touches: then where it faces.
    const towards = far > 0.05 ? way : [fx, fy];
    const facing = nearerTo((Math.atan2(towards[0], towards[1]) * 180) / Math.PI, angle + 90);
    const [ux, uy] = ahead(facing);
    const next = copy(body);
    Object.assign(next.place.stand, { at: [hundredth(stand.at[0] + way[0] - ux * 0.1), hundredth(stand.at[1] + way[1] - uy * 0.1)], facing });
    return next;
  },
  /** A body in one front with the nearest of its side. */
  front(body, table) {
    const { stand } = body.place;
    const far = (other) => Math.hypot(other.place.stand.at[0] - stand.at[0], other.place.stand.at[1] - stand.at[1]);
    const friend = (table.bodies ?? []).filter((other) => other.id !== body.id && other.side === body.side && other.place.stand && !other.troops.officer).sort((a, b) => far(a) - far(b))[0];
    if (!friend) return null;
    const { at: place, facing } = friend.place.stand;
    const [ux, uy] = ahead(facing);
    const behind = (place[0] - stand.at[0]) * ux + (place[1] - stand.at[1]) * uy;
    const next = copy(body);
    Object.assign(next.place.stand, { at: [hundredth(stand.at[0] + ux * behind), hundredth(stand.at[1] + uy * behind)], facing });
    return next;
  },
  /** A house along its road, three millimetres off. */
  house(house, table) {
    const middle = middleOf(house);
    const road = nearest(table, middle, (one) => one.shape.road);
    if (!road) return null;
    const { way, angle } = nearestEdge(road, middle);
    const shape = house.shape.house;
    const far = Math.hypot(...way) || 1;
    const turned = turnedBy(house, nearerTo(shape.angle ?? 90, angle) - (shape.angle ?? 90));
    const wanted = road.shape.road.width / 2 + turned.shape.house.width / 2 + 0.3;
    const here = middleOf(turned);
    const by = far - wanted;
    const next = copy(turned);
    const { corner } = next.shape.house;
    next.shape.house.corner = [hundredth(corner[0] + middle[0] - here[0] + (way[0] / far) * by), hundredth(corner[1] + middle[1] - here[1] + (way[1] / far) * by)];
    return next;
  },
  /** A bridge or a ford across the nearest water, the road over it if one is near. */
  water(thing, table) {
    const kind = kindOf(thing);
    const middle = middleOf(thing);
    const water = nearest(table, middle, (one) => one.shape.water);
    if (!water) return null;
    const { way, angle } = nearestEdge(water, middle);
    const next = copy(thing);
    const shape = next.shape[kind];
    const across = kind === "bridge" ? water.shape.water.width + 4 : water.shape.water.width;
    Object.assign(shape, { width: Math.max(shape.width, tenth(across)), angle: round(angle), [kind === "bridge" ? "over" : "river"]: water.id });
    const here = middleOf(next);
    shape.corner = [hundredth(shape.corner[0] + middle[0] + way[0] - here[0]), hundredth(shape.corner[1] + middle[1] + way[1] - here[1])];
    return next;
  },
  /** The ends of a wall or a hedge to the next wall, house or redoubt. */
  line(thing, table) {
    const next = copy(thing);
    const { line } = next.shape.obstacle;
    let done = false;
    for (const k of [0, line.length - 1]) {
      const other = nearest(table, line[k], (one) => one.id !== thing.id && (one.shape.obstacle || one.shape.house || one.shape.redoubt));
      const way = other && nearestEdge(other, line[k]).way;
      if (!way || Math.hypot(...way) > 6) continue;
      line[k] = [hundredth(line[k][0] + way[0]), hundredth(line[k][1] + way[1])];
      done = true;
    }
    return done ? next : null;
  },
};

/** The ends of the front of a body, from what the umpire drew of it. */
function flanksOf(body, drawn, depth) {
  const { stand } = body.place;
  if (!stand || !drawn?.outline) return null;
  const [ux, uy] = ahead(stand.facing);
  const across = drawn.outline.trim().split(" ").map((pair) => pair.split(",").map(Number)).map(([x, y]) => (x / 10 - stand.at[0]) * uy - (depth - y / 10 - stand.at[1]) * ux);
  const place = (far) => [stand.at[0] + far * uy, stand.at[1] - far * ux];
  const [left, right] = [Math.min(...across), Math.max(...across)];
  return right - left < 2 ? null : { left: place(left), right: place(right) };
}

/** A body wheeled about one end of its front. */
function wheeled(body, flanks, hand, [x, y]) {
  const [pivot, end] = hand === "left" ? [flanks.right, flanks.left] : [flanks.left, flanks.right];
  const angle = (point) => (Math.atan2(point[0] - pivot[0], point[1] - pivot[1]) * 180) / Math.PI;
  const by = Math.round((angle([x, y]) - angle(end)) / 2.5) * 2.5;
  const next = copy(body);
  const { stand } = next.place;
  stand.at = turnBy(by)(stand.at, pivot);
  stand.facing = round(stand.facing + by);
  return next;
}

/** New ground about a place: a list of things, the village being several. */
function laidDown(kind, [x, y], table, name) {
  const box = (wide, high) => [[x - wide, y - high], [x + wide, y - high], [x + wide, y + high], [x - wide, y + high]].map(at);
  const one = (shape) => [{ id: name(kind), shape }];
  const water = nearest(table, [x, y], (other) => other.shape.water);
  const across = (width) => [{ id: name(kind), shape: { water: { kind, axis: [[0, tenth(y)], at([table.width / 2, y + 2]), [table.width, tenth(y)]], width } } }];
  switch (kind) {
    case "hedge": return one({ obstacle: { line: [at([x - 8, y]), at([x + 8, y])], class: "light" } });
    case "wall": return one({ obstacle: { line: [at([x - 8, y]), at([x + 8, y])], class: "hard" } });
    case "wood": return one({ wood: { outline: ring(x, y, 9, 7, 9, 0.08) } });
    case "orchard": return one({ wood: { outline: box(7, 5), kind: "orchard" } });
    case "hill": return one({ hill: { outline: ring(x, y, 18, 11, 10, 0.05), crest: [at([x - 9, y]), at([x, y + 1]), at([x + 9, y])] } });
    case "plateau": return one({ plateau: { outline: ring(x, y, 18, 13, 10, 0.04), crest: ring(x, y, 12, 8, 10, 0.04) } });
    case "house": return one({ house: { corner: at([x - 4, y - 3.5]), length: 8, width: 7 } });
    case "road": return one({ road: { axis: [[0, tenth(y)], [table.width, tenth(y)]], width: 5 } });
    case "ditch": return across(1.5);
    case "stream": return across(2.5);
    case "river": return across(6);
    case "large-river": return across(12);
    case "bridge": return one({ bridge: { corner: at([x - 2.5, y - 5]), length: 5, width: 10, over: water?.id ?? "" } });
    case "ford": return one({ ford: { corner: at([x - 4, y - 5]), length: 8, width: 10, river: water?.id ?? "" } });
    case "marsh": return one({ marsh: { outline: ring(x, y, 9, 6, 8, 0.1) } });
    case "redoubt": return one({ redoubt: { line: [at([x - 6, y - 5]), at([x - 6, y + 5]), at([x + 6, y + 5]), at([x + 6, y - 5])], gaps: [{ from: 36, to: 40 }] } });
    case "track": {
      const wood = nearest(table, [x, y], (other) => other.shape.wood);
      const xs = wood ? pointsOf(wood).map(([px]) => px) : [x - 10, x + 10];
      return one({ track: { wood: wood?.id ?? "", axis: [[Math.min(...xs), tenth(y)], [Math.max(...xs), tenth(y)]], width: 3, kind: "track" } });
    }
    case "village": {
      // Four houses along the street that is there, or along one of its own.
      const near = nearest(table, [x, y], (other) => other.shape.road);
      const edge = near && nearestEdge(near, [x, y]);
      const street = edge && Math.hypot(...edge.way) < 12 ? near : { id: name("road"), shape: { road: { axis: [[0, tenth(y)], [table.width, tenth(y)]], width: 5 } } };
      const { way, angle } = nearestEdge(street, [x, y]);
      const [cx, cy] = [x + way[0], y + way[1]];
      const [ux, uy] = ahead(angle);
      const off = street.shape.road.width / 2 + 0.3 + 3.5;
      const taken = new Set();
      const houses = [[-7, 1], [7, 1], [-7, -1], [7, -1]].map(([along, side]) => {
        const id = name("house", taken);
        const [mx, my] = [cx + ux * along + uy * off * side, cy + uy * along - ux * off * side];
        // Its first corner, half its length back and half its width to the right of where it runs.
        return { id, shape: { house: { corner: [hundredth(mx - ux * 4 + uy * 3.5), hundredth(my - uy * 4 - ux * 3.5)], length: 8, width: 7, angle: round(angle) } } };
      });
      return [...(street === near ? [] : [street]), ...houses, { id: name("village"), shape: { village: { houses: houses.map(({ id }) => id), street: street.id } } }];
    }
    default: return one({ field: { kind, outline: box(9, 6) } });
  }
}
