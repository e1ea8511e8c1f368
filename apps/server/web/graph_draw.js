// Nodes as pills with their words in them, edges as arrows with theirs in the middle.
import {svg} from './dom.js';
import {route} from './graph_route.js';
import {relationWords} from './spans.js';
import {isAsserted, marks} from './triple.js';

const kHeight = 32;
const pen = document.createElement('canvas').getContext('2d');

const clip = (text, length) => {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text;
};

// Of the relation, on one line; implied ones in brackets.
const words = ({extraction, item}) => relationWords(extraction, item.sentence.sentence)
  .map(({text, implied}) => (implied ? `[${text}]` : text)).join(' ').trim().replace(/\s+/gu, ' ');

function width(text, font) {
  pen.font = font;
  return pen.measureText(text).width;
}

// How much room everything needs.
export function measure({nodes, edges}) {
  const family = getComputedStyle(document.body).fontFamily;
  for (const node of nodes) {
    node.short = clip(node.label, 30);
    node.width = width(node.short, `500 14px ${family}`) + 26;
    node.height = kHeight;
  }
  const between = new Map();
  for (const edge of edges) {
    edge.short = clip(words(edge.triples[0]), 24) + (edge.triples.length > 1 ? ` ×${edge.triples.length}` : '');
    edge.label_width = width(edge.short, `12.5px ${family}`);
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
