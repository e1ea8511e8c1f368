// The diffusion of one sentence, in a dialog: trajectories step by step, and the pool they came from.
import {trace} from './api.js';
import {calm, element} from './dom.js';
import {frames, TrajectoryRow} from './trajectory.js';
import {bar, percent, slots} from './triple.js';

const kTrajectories = 8;
const kStep_ms = 900;

export class TraceDialog {
  constructor(dialog) {
    this.dialog = dialog;
    dialog.addEventListener('close', () => this.#closed());
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close();  // beside it
    });
  }

  async open(sentence, {model, options}) {
    const body = element('div', {class: 'trace-body'}, element('p', {class: 'muted'}, 'Asking the model'));
    this.dialog.replaceChildren(element('div', {class: 'trace-frame'}, this.#head(sentence), body));
    this.dialog.showModal();
    this.controller = new AbortController();
    try {
      const answer = await trace({sentence, model, options, trajectories: kTrajectories}, this.controller.signal);
      this.#fill(body, answer);
    } catch (error) {
      if (error.name === 'AbortError') return;
      const retry = element('button', {type: 'button', onclick: () => {
        this.dialog.close();
        this.open(sentence, {model, options});
      }}, 'Try again');
      body.replaceChildren(element('div', {class: 'notice', role: 'alert'}, element('p', {}, error.message), retry));
    }
  }

  #head(sentence) {
    return element('div', {class: 'trace-head'},
      element('div', {}, element('h2', {id: 'trace-title'}, 'How its triples came about'),
        element('p', {class: 'sentence-text', dir: 'auto'}, sentence)),
      element('button', {type: 'button', class: 'quiet', 'aria-label': 'Close', onclick: () => this.dialog.close()}, '✕'));
  }

  #fill(body, answer) {
    if (!answer.trajectories.length) {
      body.replaceChildren(element('p', {class: 'muted'}, 'The model sees nothing in this sentence.'));
      return;
    }
    this.rows = answer.trajectories.map((each, i) => new TrajectoryRow(answer, each, i));
    this.last = Math.max(...answer.trajectories.map((each) => frames(each).length)) - 1;
    body.replaceChildren(this.#controls(), legend(answer),
      element('ol', {class: 'trajectories', 'aria-label': 'Trajectories'}, ...this.rows.map(({element: row}) => row)),
      pool(answer));
    this.#go(calm() ? this.last : 0);
    if (!calm()) this.#play(true);
    this.playButton.focus();
  }

  #controls() {
    const button = (name, text, action) =>
      element('button', {type: 'button', 'aria-label': name, title: name, onclick: action}, text);
    this.playButton = button('Play', '▶', () => this.#play(!this.timer));
    this.slider = element('input', {type: 'range', id: 'trace-step', min: 0, max: this.last, step: 1});
    this.slider.addEventListener('input', () => {
      this.#play(false);
      this.#go(Number(this.slider.value));
    });
    this.place = element('output', {for: 'trace-step'});
    const step = (by) => () => {
      this.#play(false);
      this.#go(this.at + by);
    };
    return element('div', {class: 'trace-controls'}, button('Step back', '‹', step(-1)), this.playButton,
      button('Step on', '›', step(1)), element('label', {for: 'trace-step', class: 'hidden'}, 'Step'), this.slider, this.place);
  }

  #go(at) {
    this.at = Math.max(0, Math.min(this.last, at));
    this.slider.value = this.at;
    this.place.textContent = `step ${this.at + 1} of ${this.last + 1}`;
    this.slider.setAttribute('aria-valuetext', this.place.textContent);
    for (const row of this.rows) row.show(this.at);
  }

  #play(on) {
    clearInterval(this.timer);
    this.timer = 0;
    this.playButton.textContent = on ? '⏸' : '▶';
    this.playButton.setAttribute('aria-label', on ? 'Pause' : 'Play');
    if (!on) return;
    if (this.at === this.last) this.#go(0);
    this.timer = setInterval(() => {
      if (this.at >= this.last) this.#play(false);
      else this.#go(this.at + 1);
    }, kStep_ms);
  }

  #closed() {
    clearInterval(this.timer);
    this.timer = 0;
    this.controller?.abort();
  }
}

function legend({kernel, cut}) {
  const how = kernel === 'anchored'
    ? 'The model is asked, not sampled: for words of a relation, for its subject, for its object. Each row is one way through its answers.'
    : 'Each row is one sample: tags of noise, made less noisy step by step.';
  const sample = (kind, text) => element('li', {}, element('span', {class: `piece sample ${kind}`, 'aria-hidden': 'true'}, 'word'), text);
  const part = cut ? element('p', {}, 'The sentence is longer than the model reads; this is its first part.') : null;
  return element('div', {class: 'trace-legend'}, part, element('p', {class: 'muted'}, how),
    element('ul', {}, sample('open relation', 'likely a relation, not decided'), sample('decided subject', 'decided: subject'),
      sample('decided relation', 'relation'), sample('decided object', 'object')));
}

function pool({clusters, sentence}) {
  const most = Math.max(...clusters.map(({mass}) => mass), 1e-9);
  const rows = clusters.map((cluster) => element('li', {class: 'cluster'},
    element('span', {class: 'cluster-mass'}, bar(cluster.mass / most, 'mass'), element('span', {}, percent(cluster.mass))),
    element('span', {class: 'slots'}, ...slots({...cluster, spans: {relation: []}}, sentence)),
    element('span', {class: 'muted'}, `${cluster.members} ${cluster.members === 1 ? 'wording' : 'wordings'}` +
      (cluster.confidence === undefined || cluster.confidence === null ? '' : ` · confidence ${cluster.confidence.toFixed(2)}`))));
  return element('section', {class: 'pool', 'aria-label': 'Pool'}, element('h3', {}, 'The pool'),
    element('p', {class: 'muted'}, 'All ways together, alike ones in one cluster; the bar is its share of the pool.'),
    element('ol', {}, ...rows));
}
