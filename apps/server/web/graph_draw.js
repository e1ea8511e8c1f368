// Nodes as pills with their words in them, edges as arrows with theirs in the middle.
import {svg} from './dom.js';
import {isAsserted, marks} from './triple.js';

const kHeight = 30;
const pen = document.createElement('canvas').getContext('2d');

const clip = (text, length) => {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text;
};

function width(text, font) {
  pen.font = font;
  return pen.measureText(text).width;
}

// How much room everything needs.
export function measure({nodes, edges}) {
  const family = getComputedStyle(document.body).fontFamily;
  for (const node of nodes) {
    node.short = clip(node.label, 30);
    node.width = width(node.short, `500 13px ${family}`) + 26;
    node.height = kHeight;
  }
  const between = new Map();
  for (const edge of edges) {
    edge.short = clip(edge.relation.trim().replace(/\s+/gu, ' '), 24) + (edge.triples.length > 1 ? ` ×${edge.triples.length}` : '');
    edge.label_width = width(edge.short, `12px ${family}`);
    const pair = [edge.from.id, edge.to.id].sort().join('\u0000');
    edge.lane = between.get(pair) ?? 0;
    between.set(pair, edge.lane + 1);
  }
  for (const edge of edges) edge.lanes = between.get([edge.from.id, edge.to.id].sort().join('\u0000'));
}

export function drawGraph(graph, onPick) {
  const edges = graph.edges.map((edge) => drawEdge(edge, onPick));
  const nodes = graph.nodes.map((node, i) => drawNode(node, i === 0, onPick));
  return [arrows(), svg('g', {class: 'edges', 'aria-hidden': 'true'}, ...edges), svg('g', {class: 'nodes'}, ...nodes)];
}

function arrows() {
  const arrow = svg('marker', {id: 'arrow', viewBox: '0 0 10 10', refX: 9, refY: 5, markerWidth: 7, markerHeight: 7,
                               orient: 'auto-start-reverse', class: 'arrow'}, svg('path', {d: 'M0 1 9 5 0 9z'}));
  return svg('defs', {}, arrow);
}

function drawNode(node, first, onPick) {
  const pick = () => onPick(node.triple);
  node.element = svg('g', {
    class: 'node', transform: `translate(${node.x.toFixed(1)} ${node.y.toFixed(1)})`, role: 'button', tabindex: first ? 0 : -1,
    'aria-label': `${node.label}, ${node.edges.length} relation${node.edges.length === 1 ? '' : 's'}`,
    onclick: pick,
    onkeydown: (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      pick();
    },
    onpointerenter: () => near(node, true), onpointerleave: () => near(node, false),
    onfocus: () => near(node, true), onblur: () => near(node, false),
  }, svg('title', {}, node.label),
  svg('rect', {x: -node.width / 2, y: -kHeight / 2, width: node.width, height: kHeight, rx: kHeight / 2}),
  svg('text', {'text-anchor': 'middle', dy: '0.35em'}, node.short));
  return node.element;
}

function near(node, on) {
  for (const {element, from, to} of node.edges) {
    for (const each of [element, from.element, to.element]) each.classList.toggle('near', on);
  }
}

function drawEdge(edge, onPick) {
  const [triple] = edge.triples;
  const {path, x, y} = route(edge);
  const kind = isAsserted(triple.extraction) ? '' : triple.extraction.factuality.polarity === 'negative' ? 'denied' : 'open';
  const said = marks(triple.extraction).map(({text}) => `[${text}]`).join(' ');
  edge.element = svg('g', {class: `edge ${kind}`, onclick: () => onPick(triple)},
    svg('title', {}, `${edge.names[0]} ; ${edge.relation} ; ${edge.names[1]} ${said}`.trim()),
    svg('path', {class: 'reach', d: path}), svg('path', {class: 'line', d: path, 'marker-end': 'url(#arrow)'}),
    svg('text', {x, y, 'text-anchor': 'middle', dy: '0.35em'}, kind === 'denied' ? `not: ${edge.short}` : edge.short));
  return edge.element;
}

// From the edge of one pill to that of the other, bent aside where a pair has several.
function route({from, to, lane, lanes}) {
  if (from === to) {
    const top = from.y - kHeight / 2;
    const lift = 46 + 18 * lane;
    return {path: `M${from.x - 18} ${top} C${from.x - 40} ${top - lift} ${from.x + 40} ${top - lift} ${from.x + 18} ${top}`,
            x: from.x, y: top - lift * 0.75};
  }
  // The same side for both directions: bends are counted from the smaller id.
  const turn = from.id < to.id ? 1 : -1;
  const bend = turn * (lane - (lanes - 1) / 2) * 46;
  const x = to.x - from.x;
  const y = to.y - from.y;
  const length = Math.max(Math.hypot(x, y), 1);
  const middle = {x: (from.x + to.x) / 2 - y / length * bend, y: (from.y + to.y) / 2 + x / length * bend};
  const start = border(from, middle);
  const end = border(to, middle);
  return {path: `M${start.x.toFixed(1)} ${start.y.toFixed(1)} Q${middle.x.toFixed(1)} ${middle.y.toFixed(1)} ${end.x.toFixed(1)} ${end.y.toFixed(1)}`,
          x: (start.x + 2 * middle.x + end.x) / 4, y: (start.y + 2 * middle.y + end.y) / 4};
}

// Where the line from a node's centre to a point leaves its rectangle, and a little on.
function border({x, y, width: across, height}, point) {
  const dx = point.x - x;
  const dy = point.y - y;
  const scale = Math.min((across / 2 + 3) / Math.max(Math.abs(dx), 1e-6), (height / 2 + 3) / Math.max(Math.abs(dy), 1e-6), 1);
  return {x: x + dx * scale, y: y + dy * scale};
}
