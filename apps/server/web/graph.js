// The graph of the document: a drawing to look at and a list to read. Picking a node or an edge leads to its sentence.
import {element, plural, svg} from './dom.js';
import {drawGraph, measure} from './graph_draw.js';
import {bounds, layout} from './graph_layout.js';
import {buildGraph, components} from './graph_model.js';
import {Viewport} from './graph_viewport.js';
import {slots, markElements} from './triple.js';

const kFrameBudget_ms = 10;
const kDirections = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

export class GraphView {
  constructor(panel, {onPick}) {
    this.panel = panel;
    this.onPick = onPick;
    this.note = element('p', {class: 'muted graph-note'});
    this.canvas = svg('svg', {class: 'graph', role: 'group', 'aria-label': 'Graph'});
    this.viewport = new Viewport(this.canvas);
    const button = (name, text, action) =>
      element('button', {type: 'button', 'aria-label': name, title: name, onclick: action}, text);
    this.tools = element('div', {class: 'graph-tools', role: 'group', 'aria-label': 'Zoom'},
      button('Zoom in', '+', () => this.viewport.zoom(1.3)),
      button('Zoom out', '−', () => this.viewport.zoom(1 / 1.3)),
      button('Show all', 'Fit', () => this.viewport.fit()));
    this.list = element('ul', {class: 'graph-list'});
    this.details = element('details', {class: 'more'}, element('summary', {}, 'The graph as a list'), this.list);
    this.details.addEventListener('toggle', () => this.#fillList());
    panel.append(this.note, element('div', {class: 'graph-box'}, this.canvas, this.tools), this.details);
    this.canvas.addEventListener('keydown', (event) => this.#key(event));
  }

  // Draws the graph of these triples, if it is another one than is shown.
  async show(triples) {
    const graph = buildGraph(triples);
    const signature = graph.edges.map(({id, triples: all}) => `${id}\u0001${all.length}`).join('\u0002');
    if (signature === this.signature) return;
    this.signature = signature;
    this.graph = graph;
    this.#describe(graph);
    this.#fillList();
    measure(graph);
    const parts = components(graph);
    const {clientWidth, clientHeight} = this.canvas;
    await inSlices(layout(parts, clientWidth / Math.max(clientHeight, 1)), () => this.signature === signature);
    if (this.signature !== signature) return;  // a newer one is on its way
    this.viewport.content.replaceChildren(...drawGraph(graph, this.onPick));
    this.viewport.setBounds(graph.nodes.length ? bounds(graph.nodes) : {left: 0, top: 0, width: 1, height: 1});
    this.viewport.begin();
    this.canvas.dataset.edges = graph.edges.length;
  }

  #describe({nodes, edges, total_edges}) {
    const cut = total_edges > edges.length
      ? ` The ${edges.length} likeliest of ${total_edges.toLocaleString('en')} relations are shown; a higher threshold shows fewer, an export has all.` : '';
    const line = edges.length ? `${plural(nodes.length, 'name')}, ${plural(edges.length, 'relation')}.` : 'Nothing to draw yet.';
    this.note.textContent = `${line}${cut} Click a name or a relation to go to its sentence.`;
    this.canvas.setAttribute('aria-label', `Graph: ${line} Arrow keys move between names, plus and minus zoom. The list below says the same.`);
  }

  #fillList() {
    if (!this.details.open || !this.graph) return;
    this.list.replaceChildren(...this.graph.nodes.filter(({edges}) => edges.length).map((node) =>
      element('li', {}, element('bdi', {class: 'graph-name'}, node.label),
        element('ul', {}, ...node.edges.filter(({from}) => from === node).map((edge) => {
          const [triple] = edge.triples;
          return element('li', {}, element('button', {type: 'button', class: 'triple', onclick: () => this.onPick(triple)},
            element('span', {class: 'slots'}, ...slots(triple.extraction, triple.item.sentence.sentence),
              ...markElements(triple.extraction))));
        })))).filter((item) => item.querySelector('button')));
  }

  #key(event) {
    const zoom = {'+': 1.3, '=': 1.3, '-': 1 / 1.3}[event.key];
    const direction = kDirections[event.key];
    if (zoom) this.viewport.zoom(zoom);
    else if (event.key === '0') this.viewport.fit();
    else if (direction && event.shiftKey) this.viewport.pan(-60 * direction[0], -60 * direction[1]);
    else if (direction) this.#walk(direction);
    else return;
    event.preventDefault();
  }

  // To the nearest node in a direction; one that lies askew counts as farther.
  #walk([x, y]) {
    const {activeElement} = document;
    const here = this.graph.nodes.find((node) => node.element === activeElement);
    if (!here) return;
    let best = null;
    let least = Infinity;
    for (const node of this.graph.nodes) {
      const along = (node.x - here.x) * x + (node.y - here.y) * y;
      const aside = Math.abs((node.x - here.x) * y) + Math.abs((node.y - here.y) * x);
      const cost = along + 2 * aside;
      if (node !== here && along > 0 && cost < least) [best, least] = [node, cost];
    }
    if (!best) return;
    here.element.setAttribute('tabindex', '-1');
    best.element.setAttribute('tabindex', '0');
    best.element.focus({preventScroll: true});
    this.viewport.reveal(best);
  }
}

// Runs a generator some milliseconds a frame, while `wanted()`.
function inSlices(generator, wanted) {
  return new Promise((resolve) => {
    const slice = () => {
      const start = performance.now();
      while (performance.now() - start < kFrameBudget_ms) {
        if (!wanted() || generator.next().done) return resolve();
      }
      setTimeout(slice);
    };
    slice();
  });
}
