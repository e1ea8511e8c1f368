// Triples -> names and the relations between them. Names are one node where they are the same on one line in lower case.
export const kMaximumEdges = 400;

const key = (text) => text.trim().replace(/\s+/gu, ' ').toLowerCase();

// triples: [{extraction, ...}], as they stand in the text. The likeliest edges are kept, in the order of the text.
export function buildGraph(triples, maximum = kMaximumEdges) {
  const edges = new Map();
  for (const triple of triples) {
    const {subject, relation, object, confidence} = triple.extraction;
    const from = key(subject);
    const to = key(object);
    const id = [from, key(relation), to].join('\u0000');
    const known = edges.get(id);
    if (known) {
      known.triples.push(triple);
      known.confidence = Math.max(known.confidence, confidence);
    } else {
      edges.set(id, {id, from, to, names: [subject, object], relation, confidence, triples: [triple]});
    }
  }
  const all = [...edges.values()];
  let kept = all;
  if (all.length > maximum) {
    const likeliest = new Set([...all].sort((a, b) => b.confidence - a.confidence).slice(0, maximum));
    kept = all.filter((edge) => likeliest.has(edge));
  }
  return {...connect(kept), total_edges: all.length};
}

function connect(kept) {
  const nodes = new Map();
  const node = (id, label, triple) => {
    if (!nodes.has(id)) nodes.set(id, {id, label: label.trim().replace(/\s+/gu, ' '), triple, edges: []});
    return nodes.get(id);
  };
  const edges = kept.map((edge) => {
    const from = node(edge.from, edge.names[0], edge.triples[0]);
    const to = node(edge.to, edge.names[1], edge.triples[0]);
    const joined = {...edge, from, to};
    from.edges.push(joined);
    if (to !== from) to.edges.push(joined);
    return joined;
  });
  return {nodes: [...nodes.values()], edges};
}

// Parts that no edge joins, the largest first: [{nodes, edges}].
export function components({nodes}) {
  const seen = new Set();
  const result = [];
  for (const start of nodes) {
    if (seen.has(start)) continue;
    const part = [start];
    seen.add(start);
    for (const node of part) {  // grows while it is read
      for (const {from, to} of node.edges) {
        for (const next of [from, to]) {
          if (!seen.has(next)) {
            seen.add(next);
            part.push(next);
          }
        }
      }
    }
    result.push({nodes: part, edges: [...new Set(part.flatMap(({edges}) => edges))]});
  }
  return result.sort((a, b) => b.nodes.length - a.nodes.length);
}
