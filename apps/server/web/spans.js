// Spans are byte ranges of a sentence's UTF-8; strings here are counted in UTF-16 units.

// byte offset -> index into `text`, for offsets at the edges of characters.
export function byteToIndex(text) {
  let ascii = true;
  for (let i = 0; i < text.length && ascii; ++i) ascii = text.charCodeAt(i) < 0x80;
  if (ascii) return (byte) => Math.min(byte, text.length);
  const index_of = new Map();
  let byte = 0;
  for (let i = 0; i < text.length;) {
    index_of.set(byte, i);
    const point = text.codePointAt(i);
    byte += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    i += point < 0x10000 ? 1 : 2;
  }
  index_of.set(byte, text.length);
  return (at) => index_of.get(at) ?? text.length;
}

// Cuts `text` where any of the ranges begins or ends: [{text, names}], names of those that cover the piece.
// ranges: [{name, spans: [[begin, end]]}] in bytes.
export function segments(text, ranges) {
  const index = byteToIndex(text);
  const pieces = ranges.flatMap(({name, spans}) =>
    spans.map(([begin, end]) => ({name, begin: index(begin), end: index(end)})));
  const cuts = [...new Set([0, text.length, ...pieces.flatMap(({begin, end}) => [begin, end])])];
  cuts.sort((a, b) => a - b);
  const result = [];
  for (let i = 0; i + 1 < cuts.length; ++i) {
    const names = pieces.filter(({begin, end}) => begin <= cuts[i] && cuts[i + 1] <= end).map(({name}) => name);
    result.push({text: text.slice(cuts[i], cuts[i + 1]), names: [...new Set(names)]});
  }
  return result;
}

const words = (text) => text.split(/\s+/u).filter(Boolean);

// The words of a relation, those that do not stand in the sentence told apart: [{text, implied}].
export function relationWords(extraction, sentence) {
  const implied = [...(extraction.implied ?? [])];
  if (implied.length === 0) return [{text: extraction.relation, implied: false}];
  const index = byteToIndex(sentence);
  const quoted = words(extraction.spans.relation.map(([begin, end]) =>
    sentence.slice(index(begin), index(end))).join(' '));
  const result = [];
  let next = 0;
  for (const word of words(extraction.relation)) {
    const added = word === implied[0] && quoted[next] !== word;
    if (added) implied.shift();
    else ++next;
    const last = result.at(-1);
    if (last && last.implied === added) last.text += ` ${word}`;
    else result.push({text: word, implied: added});
  }
  return result;
}
