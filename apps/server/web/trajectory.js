// One trajectory: the pieces of the sentence, coloured by what is decided or likely at a step.
import {element} from './dom.js';
import {byteToIndex} from './spans.js';
import {bar, percent} from './triple.js';

const kRoles = ['background', 'subject', 'relation', 'object'];
const kLetters = {B: 'background', S: 'subject', R: 'relation', O: 'object'};
const kStages = {  // of an anchored model: docs/diffusion.md
  16: 'Which words are in a relation?',
  15: 'Which others belong to this one?',
  7: 'And with a second word?',
  12: 'Whose relation is it?',
  11: 'Which others are in this subject?',
  10: 'What is its object?',
  9: 'Which others are in this object?',
};

const kVisible = 0.02;

// Its steps; the last one is what came out, with no question left.
export function frames({steps, tags}) {
  const ended = steps.length > 0 && steps.at(-1).state === tags && !steps.at(-1).probabilities?.length;
  return ended ? steps : [...steps, {state: tags}];
}

export class TrajectoryRow {
  constructor(answer, trajectory, index) {
    this.kernel = answer.kernel;
    this.frames = frames(trajectory);
    this.pieces = pieceElements(answer);
    this.caption = element('p', {class: 'trajectory-caption muted'});
    this.words = element('p', {class: 'pieces', dir: 'auto'}, ...this.pieces.flatMap(({node, gap}) => [gap ? ' ' : null, node]).filter(Boolean));
    this.spoken = element('p', {class: 'hidden'});
    const weight = percent(trajectory.weight);
    this.#hideUnused();
    this.words.setAttribute('aria-hidden', 'true');  // `spoken` says it
    this.element = element('li', {class: 'trajectory', 'aria-label': `Trajectory ${index + 1}, weight ${weight}`},
      element('div', {class: 'trajectory-weight'}, bar(trajectory.weight, 'mass'), element('span', {}, weight)),
      element('div', {}, this.words, this.caption, this.spoken));
  }

  // Of the words that a relation may imply those that play no part here.
  #hideUnused() {
    this.pieces.forEach(({node, implied}, i) => {
      const used = this.frames.some(({state, probabilities}) => 'SRO'.includes(state[i]) || probabilities?.[i]?.[2] > kVisible);
      node.hidden = implied && !used;
    });
  }

  show(at) {
    const frame = this.frames[Math.min(at, this.frames.length - 1)];
    const state = [...frame.state];
    this.pieces.forEach(({node, text}, i) => {
      const decided = kLetters[state[i]];
      const probabilities = frame.probabilities?.[i] ?? [];
      const likeliest = decided ?? kRoles[largest(probabilities)] ?? 'background';
      const chance = decided ? 1 : Math.max(0, ...probabilities);
      node.className = `piece ${decided ? 'decided' : 'open'} ${likeliest}`;
      node.style.setProperty('--chance', chance.toFixed(3));
      node.title = probabilities.length ? kRoles.map((role, r) => `${role} ${probabilities[r].toFixed(2)}`).join(', ') : `${text}: ${likeliest}`;
    });
    this.caption.textContent = this.#caption(frame);
    this.spoken.textContent = this.#spoken(state);
  }

  #caption(frame) {
    if (!frame.probabilities?.length) return 'Decided';
    return (this.kernel === 'anchored' && kStages[frame.time]) || `t = ${frame.time}`;
  }

  #spoken(state) {
    const said = Object.entries(kLetters).slice(1).map(([letter, role]) => {
      const words = this.pieces.filter((_, i) => state[i] === letter).map(({text}) => text).join(' ');
      return `${role}: ${words || 'open'}`;
    });
    return said.join('; ');
  }
}

const largest = (values) => values.reduce((best, value, i) => (value > values[best] ? i : best), 0);

// Pieces quote the sentence, case and all; those of one word stand together, implied ones in brackets.
function pieceElements({pieces, sentence}) {
  const index = byteToIndex(sentence);
  let end = null;
  return pieces.map((piece) => {
    const quoted = piece.begin !== undefined && piece.begin !== null && !piece.implied;
    const text = quoted ? sentence.slice(index(piece.begin), index(piece.end)) : `[${piece.text}]`;
    const gap = !quoted || end === null || piece.begin > end;
    end = quoted ? piece.end : null;
    return {node: element('span', {class: 'piece'}, text), text, gap, implied: !quoted};
  });
}
