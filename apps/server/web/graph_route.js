// The way of an edge, and how tangled the ways of all are.
const kLane = 46;  // px between edges of one pair

// From the edge of one pill to that of the other, bent aside where a pair has several.
// {path, x, y: where its words stand, start, end}.
export function route({from, to, lane, lanes}) {
  if (from === to) {
    const top = from.y - from.height / 2;
    const lift = 46 + 18 * lane;
    return {path: `M${from.x - 18} ${top} C${from.x - 40} ${top - lift} ${from.x + 40} ${top - lift} ${from.x + 18} ${top}`,
            x: from.x, y: top - lift * 0.75, start: from, end: to};
  }
  // The same side for both directions: bends are counted from the smaller id.
  const turn = from.id < to.id ? 1 : -1;
  const bend = turn * (lane - (lanes - 1) / 2) * kLane;
  const x = to.x - from.x;
  const y = to.y - from.y;
  const length = Math.max(Math.hypot(x, y), 1);
  const [near, far] = [border(from, to), border(to, from)];
  const middle = {x: (near.x + far.x) / 2 - y / length * bend, y: (near.y + far.y) / 2 + x / length * bend};
  const start = border(from, middle);
  const end = border(to, middle);
  return {path: `M${start.x.toFixed(1)} ${start.y.toFixed(1)} Q${middle.x.toFixed(1)} ${middle.y.toFixed(1)} ${end.x.toFixed(1)} ${end.y.toFixed(1)}`,
          x: (start.x + 2 * middle.x + end.x) / 4, y: (start.y + 2 * middle.y + end.y) / 4, start, end};
}

// The place on a pill's outline, and a little off, that is next to a point.
function border({x, y, width: across, height}, point) {
  const half = across / 2 - height / 2;  // of the straight part
  const core = x + Math.max(-half, Math.min(half, (point.x - x) * 0.5));
  const dx = point.x - core;
  const dy = point.y - y;
  const scale = (height / 2 + 3) / Math.max(Math.hypot(dx, dy), 1);
  return {x: core + dx * scale, y: y + dy * scale};
}

// Crossing edges, words on words, words and lines on nodes: the fewer, the better.
export function tangle({nodes, edges}) {
  const routes = edges.map((edge) => ({...route(edge), edge, width: edge.label_width, height: 14}));
  let sum = 0;
  for (let i = 0; i < routes.length; ++i) {
    const a = routes[i];
    for (let j = i + 1; j < routes.length; ++j) {
      const b = routes[j];
      if (overlap(a, b)) sum += 2;
      if (!touching(a.edge, b.edge) && crossing(a.start, a.end, b.start, b.end)) sum += 2;
    }
    for (const node of nodes) {
      if (overlap(a, node)) sum += 2;
      if (node !== a.edge.from && node !== a.edge.to && through(a, node)) sum += 4;
    }
    sum += Math.hypot(a.end.x - a.start.x, a.end.y - a.start.y) / 1000;
  }
  return sum;
}

const touching = (a, b) => a.from === b.from || a.from === b.to || a.to === b.from || a.to === b.to;

const overlap = (a, b) => Math.abs(a.x - b.x) * 2 < a.width + b.width && Math.abs(a.y - b.y) * 2 < a.height + b.height;

const side = (a, b, c) => Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));

const crossing = (a, b, c, d) => side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b);

// Whether a line passes a node's diagonals.
function through({start, end}, {x, y, width, height}) {
  const corner = (right, down) => ({x: x + right * width / 2, y: y + down * height / 2});
  return crossing(start, end, corner(-1, -1), corner(1, 1)) || crossing(start, end, corner(-1, 1), corner(1, -1));
}
