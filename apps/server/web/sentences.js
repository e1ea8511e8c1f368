// The list of sentences with their triples: filled as they come, filtered on the spot.
import {element, plural} from './dom.js';
import {segments} from './spans.js';
import {bar, isAsserted, markElements, slots} from './triple.js';

const kFrameBudget_ms = 7;

export class Sentences {
  constructor(list, {onWatch, onAppend}) {
    Object.assign(this, {list, onWatch, onAppend});
    this.filter = {threshold: 0, asserted_only: false};
    this.pinned = null;
    this.clear();
    list.addEventListener('keydown', (event) => this.#move(event));
  }

  clear() {
    this.items = [];    // shown: {sentence, element, text, triples: [{extraction, element}]}
    this.waiting = [];  // arrived, not yet shown
    this.shown_triples = 0;
    this.pinned = null;
    this.list.replaceChildren();
  }

  add(sentence) {
    this.waiting.push(sentence);
    if (!this.scheduled) this.#schedule();
  }

  // A hidden tab gets no frames, and is filled by a timer.
  #schedule() {
    this.scheduled = true;
    const go = () => this.#append();
    if (document.hidden) setTimeout(go, 50);
    else requestAnimationFrame(go);
  }

  #append() {
    this.scheduled = false;
    const start = performance.now();
    const fragment = document.createDocumentFragment();
    let taken = 0;
    while (taken < this.waiting.length && performance.now() - start < kFrameBudget_ms) {
      const item = this.#item(this.waiting[taken++], this.items.length);
      this.items.push(item);
      this.shown_triples += this.#apply(item);
      fragment.append(item.element);
    }
    this.waiting.splice(0, taken);
    this.list.append(fragment);
    this.onAppend();
    if (this.waiting.length > 0) this.#schedule();
  }

  #item(sentence, index) {
    const text = element('p', {class: 'sentence-text', dir: 'auto'}, sentence.sentence);
    const none = element('p', {class: 'none muted', hidden: true});
    const item = {sentence, index, text, none, triples: []};
    const rows = (sentence.extractions ?? []).map((extraction) => {
      const triple = {extraction, item};
      triple.button = this.#triple(triple, sentence.sentence);
      triple.element = element('li', {}, triple.button);
      item.triples.push(triple);
      return triple.element;
    });
    const watch = element('button', {type: 'button', class: 'quiet watch', onclick: () => this.onWatch(sentence)},
      'Diffusion', element('span', {class: 'hidden'}, ` of sentence ${index + 1}`));
    item.element = element('li', {class: 'sentence', id: `sentence-${index + 1}`},
      element('div', {class: 'sentence-head'}, text, watch),
      sentence.error ? element('p', {class: 'failed'}, `This sentence failed: ${errorText(sentence.error)}`) : null,
      none,
      rows.length ? element('ol', {class: 'triples', 'aria-label': `Triples of sentence ${index + 1}`}, ...rows) : null);
    return item;
  }

  #triple(triple, sentence) {
    const {extraction} = triple;
    const light = () => this.#light(triple);
    const rest = () => this.#light(this.pinned?.item === triple.item ? this.pinned : null, triple.item);
    return element('button', {
      type: 'button', class: 'triple', 'aria-pressed': 'false',
      onpointerenter: light, onpointerleave: rest, onfocus: light, onblur: rest,
      onclick: () => this.pin(this.pinned === triple ? null : triple),
    }, bar(extraction.confidence), element('span', {class: 'confidence'}, extraction.confidence.toFixed(2)),
    element('span', {class: 'slots'}, ...slots(extraction, sentence), ...markElements(extraction)));
  }

  // Shows the roles of a triple in its sentence; null: the bare sentence of `item`.
  #light(triple, item = triple.item) {
    if (item.lit === triple) return;
    item.lit = triple;
    if (!triple) {
      item.text.replaceChildren(item.sentence.sentence);
      return;
    }
    const {spans, factuality} = triple.extraction;
    const ranges = ['subject', 'relation', 'object'].map((name) => ({name, spans: spans[name] ?? []}));
    if (factuality?.attributed_to) ranges.push({name: 'source', spans: factuality.attributed_to.spans ?? []});
    item.text.replaceChildren(...segments(item.sentence.sentence, ranges).map(({text, names}) =>
      names.length ? element('span', {class: `role ${names.join(' ')}`}, text) : text));
  }

  // One triple at a time stays lit without a pointer on it.
  pin(triple) {
    const before = this.pinned;
    this.pinned = triple;
    if (before) {
      before.button.setAttribute('aria-pressed', 'false');
      if (before.item !== triple?.item) this.#light(null, before.item);
    }
    if (!triple) return;
    triple.button.setAttribute('aria-pressed', 'true');
    this.#light(triple);
  }

  setFilter(filter) {
    this.filter = filter;
    this.shown_triples = 0;
    for (const item of this.items) this.shown_triples += this.#apply(item);
  }

  #apply(item) {
    let shown = 0;
    for (const triple of item.triples) {
      const visible = this.passes(triple.extraction);
      if (triple.element.hidden === visible) triple.element.hidden = !visible;
      shown += visible;
    }
    item.none.hidden = shown > 0 || Boolean(item.sentence.error);
    if (!item.none.hidden) {
      item.none.textContent = item.triples.length ? `${plural(item.triples.length, 'triple')} left out by the filter.`
                                                  : 'No triple found.';
    }
    return shown;
  }

  passes(extraction) {
    return extraction.confidence >= this.filter.threshold &&
      (!this.filter.asserted_only || isAsserted(extraction));
  }

  // [{extraction, item}], what is shown.
  triples() {
    return this.items.flatMap(({triples}) => triples.filter(({extraction}) => this.passes(extraction)));
  }

  show(triple) {
    triple.item.element.scrollIntoView({block: 'center'});
    triple.button.focus({preventScroll: true});
    this.pin(triple);
    // What is above may first be measured now, and shift it.
    requestAnimationFrame(() => triple.item.element.scrollIntoView({block: 'center'}));
  }

  #move(event) {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (!step || !event.target.classList.contains('triple')) return;
    const buttons = [...this.list.querySelectorAll('li:not([hidden]) > .triple')];
    const next = buttons[buttons.indexOf(event.target) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.scrollIntoView({block: 'nearest'});
  }
}

const errorText = (error) => (typeof error === 'string' ? error : error.message ?? 'unknown');
