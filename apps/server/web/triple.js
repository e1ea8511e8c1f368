// How a triple looks, wherever it is shown.
import {element} from './dom.js';
import {relationWords} from './spans.js';

const kModality = {possible: 'possible', question: 'question', imperative: 'order', conditional: 'if'};

// As the command line marks what is no asserted fact: ['not', 'possible', 'according to X'].
export function marks({factuality, circumstances}) {
  const result = [];
  if (factuality?.polarity === 'negative') result.push({kind: 'not', text: 'not'});
  const modality = kModality[factuality?.modality];
  if (modality) result.push({kind: 'open', text: modality});
  const source = factuality?.attributed_to;
  if (source) result.push({kind: 'claim', text: `according to ${source.text}`});
  for (const {kind, text} of circumstances ?? []) result.push({kind: 'circumstance', text: `${kind}: ${text}`});
  return result;
}

export function isAsserted({factuality}) {
  return !factuality || (factuality.polarity !== 'negative' && factuality.modality === 'certain' &&
                         !factuality.attributed_to);
}

export function bar(share, kind = '') {
  const inner = element('span', {class: 'bar-fill'});
  inner.style.setProperty('--share', Math.max(0, Math.min(1, share)).toFixed(4));
  return element('span', {class: `bar ${kind}`, 'aria-hidden': 'true'}, inner);
}

// Of the pool, as people say it.
export function percent(share) {
  if (share > 0 && share < 0.001) return '< 0.1 %';
  return `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;
}

const slot = (role, ...content) =>
  element('bdi', {class: `slot ${role}`}, ...content);

// Subject, relation, object; with what only screen readers need between them.
export function slots(extraction, sentence) {
  const relation = relationWords(extraction, sentence).flatMap(({text, implied}, i) => [
    i > 0 ? ' ' : null,
    implied ? element('span', {class: 'implied'}, `[${text}]`) : text,
  ]);
  const gap = () => element('span', {class: 'gap'}, ' ; ');
  return [slot('subject', extraction.subject), gap(), slot('relation', ...relation), gap(),
          slot('object', extraction.object)];
}

export const markElements = (extraction) =>
  marks(extraction).map(({kind, text}) => element('bdi', {class: `mark ${kind}`}, ` [${text}]`));
