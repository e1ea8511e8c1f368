// Places for nodes that are rectangles (node.width, node.height -> node.x, node.y, their centres): springs and
// repulsion within a component, then components side by side on shelves. No random numbers: the same graph looks the same.

import {tangle} from './graph_route.js';

const kStarts = 24;
const kStrides = [1, 7, 3, 5, 11];
const kMargin = 22;
const kRepulsion = 160000;  // px^3: at 100 px two nodes push each other 16 px a round
const kClearable = 30000;  // nodes times edges: beyond, nobody follows single lines anyway
const kFlat = [1.5, 1.15, 1.3];  // words are wide: distances across count less than those up and down
const kRoomPerTangle = 120;  // px that are worth half a crossing

// A generator, so that the caller can let the page breathe between its steps.
export function* layout(parts, aspect) {
  for (const part of parts) {
    for (const edge of part.edges) edge.length = (edge.lanes > 1 ? 60 : 34) + edge.label_width + (edge.from.width + edge.to.width) / 2;
    yield* best(part, aspect);
    frame(part);
    yield;
  }
  shelve(parts, aspect);
}

// Small parts are tried from several starts; the least tangled one stays, and the one that needs less room.
function* best(part, aspect) {
  const starts = part.nodes.length < 3 ? 1 : part.nodes.length <= 40 ? kStarts : 1;
  let least = Infinity;
  let places = [];
  for (let start = 0; start < starts; ++start) {
    yield* settle(part, start);
    const {width, height} = bounds(part.nodes);
    const cost = starts > 1 ? tangle(part) + Math.max(width, height * aspect) / kRoomPerTangle : 0;
    if (cost < least) [least, places] = [cost, part.nodes.map(({x, y}) => ({x, y}))];
  }
  part.nodes.forEach((node, i) => Object.assign(node, places[i]));
}

function* settle(part, start) {
  part.flat = kFlat[start % kFlat.length];
  begin(part, start);
  const rounds = part.nodes.length > 150 ? 120 : 220;
  for (let round = 0; round < rounds; ++round) {
    push(part, 1 - round / rounds);
    if (round > rounds / 3 && part.nodes.length * part.edges.length < kClearable) clear(part);
    if (round % 8 === 0) yield;
  }
  yield* separate(part.nodes);
}

// A sunflower: the most connected in the middle, and every start shuffles the others.
function begin({nodes, flat}, start) {
  const ordered = [...nodes].sort((a, b) => b.edges.length - a.edges.length);
  ordered.forEach((node, i) => {
    const place = start === 0 ? i : (i * kStrides[start % kStrides.length] + start) % ordered.length;
    const radius = 70 * Math.sqrt(place);
    node.x = radius * flat * Math.cos(place * 2.399963 + start);
    node.y = radius * Math.sin(place * 2.399963 + start) + i * 1e-3;  // strides may meet
  });
  if (nodes.length === 2) nodes.forEach((node, i) => Object.assign(node, {x: i * 100, y: 0}));
}

function push({nodes, edges, flat}, heat) {
  for (const node of nodes) node.dx = node.dy = 0;
  for (let i = 0; i < nodes.length; ++i) {
    const a = nodes[i];
    for (let j = i + 1; j < nodes.length; ++j) {
      const b = nodes[j];
      const x = (a.x - b.x) / flat;
      const y = a.y - b.y;
      const distance = Math.max(Math.hypot(x, y), 20);
      const force = kRepulsion / (distance * distance * distance);
      a.dx += x * force; a.dy += y * force;
      b.dx -= x * force; b.dy -= y * force;
    }
  }
  for (const {from, to, length} of edges) {
    const x = to.x - from.x;
    const y = to.y - from.y;
    const distance = Math.max(Math.hypot(x, y), 1);
    // Upright edges need less room than those along the line of words.
    const wanted = Math.hypot(x / distance * length, y / distance * 125);
    const pull = 0.35 * (distance - wanted) / distance;
    from.dx += x * pull; from.dy += y * pull;
    to.dx -= x * pull; to.dy -= y * pull;
  }
  const limit = 4 + 60 * heat;
  for (const node of nodes) {
    const x = node.dx - node.x * 0.016;
    const y = node.dy - node.y * 0.02;
    const step = Math.min(1, limit / Math.max(Math.hypot(x, y), 1e-9));
    node.x += x * step;
    node.y += y * step;
  }
}

// Moves nodes aside that lie on the line of an edge that is not theirs.
function clear({nodes, edges}) {
  for (const {from, to} of edges) {
    const x = to.x - from.x;
    const y = to.y - from.y;
    const length = Math.max(Math.hypot(x, y), 1);
    for (const node of nodes) {
      if (node === from || node === to) continue;
      const along = ((node.x - from.x) * x + (node.y - from.y) * y) / length;
      if (along < 0 || along > length) continue;
      const aside = ((node.y - from.y) * x - (node.x - from.x) * y) / length;
      const room = 12 + (Math.abs(y) * node.width + Math.abs(x) * node.height) / (2 * length);
      if (Math.abs(aside) >= room) continue;
      const step = (aside < 0 ? -1 : 1) * Math.min(room - Math.abs(aside), 12);
      node.x -= y / length * step;
      node.y += x / length * step;
    }
  }
}

// Pushes overlapping rectangles apart along the shorter way.
function* separate(nodes) {
  for (let round = 0; round < 60; ++round) {
    let moved = false;
    for (let i = 0; i < nodes.length; ++i) {
      for (let j = i + 1; j < nodes.length; ++j) moved = part(nodes[i], nodes[j]) || moved;
    }
    if (!moved) return;
    if (round % 4 === 0) yield;
  }
}

function part(a, b) {
  const x = (a.width + b.width) / 2 + kMargin - Math.abs(a.x - b.x);
  const y = (a.height + b.height) / 2 + kMargin - Math.abs(a.y - b.y);
  if (x <= 0 || y <= 0) return false;
  if (y <= x) {
    const half = (a.y <= b.y ? -y : y) / 2;
    a.y += half; b.y -= half;
  } else {
    const half = (a.x <= b.x ? -x : x) / 2;
    a.x += half; b.x -= half;
  }
  return true;
}

export function bounds(nodes) {
  const left = Math.min(...nodes.map(({x, width}) => x - width / 2));
  const right = Math.max(...nodes.map(({x, width}) => x + width / 2));
  const top = Math.min(...nodes.map(({y, height}) => y - height / 2));
  const bottom = Math.max(...nodes.map(({y, height}) => y + height / 2));
  return {left, top, width: right - left, height: bottom - top};
}

function frame(part) {
  const gap = 56;
  const {left, top, width, height} = bounds(part.nodes);
  const loops = part.edges.some(({from, to}) => from === to) ? 30 : 0;
  Object.assign(part, {left, top: top - loops, width: width + gap, height: height + gap + loops});
}

function shelve(parts, aspect) {
  const area = parts.reduce((sum, {width, height}) => sum + width * height, 0);
  const line = Math.max(Math.sqrt(area * aspect) * 1.1, ...parts.map(({width}) => width));
  let x = 0;
  let y = 0;
  let shelf = 0;
  for (const part of [...parts].sort((a, b) => b.height - a.height)) {  // the largest first
    if (x > 0 && x + part.width > line) {
      x = 0;
      y += shelf;
      shelf = 0;
    }
    for (const node of part.nodes) {
      node.x += x - part.left;
      node.y += y - part.top;
    }
    x += part.width;
    shelf = Math.max(shelf, part.height);
  }
}
