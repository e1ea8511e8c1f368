// The page: one text, one run at a time, its sentences, its graph.
import {extract, models} from './api.js';
import {Composer, kExample} from './composer.js';
import {byId, number, plural} from './dom.js';
import {GraphView} from './graph.js';
import {Notice} from './notice.js';
import {Sentences} from './sentences.js';
import {Settings} from './settings.js';
import {copyAddress, download, fromAddress, listFormats, toAddress} from './share.js';
import {Tabs} from './tabs.js';
import {TraceDialog} from './trace.js';

const kRerunAtOnce = 50000;  // characters: a longer text waits for the button when a setting changes
const kAnnounce_ms = 4000;
const kDrawSoon_ms = 100;
const kDrawWhileRunning_ms = 1000;

const notice = new Notice(byId('notice'));
const composer = new Composer({onRun: run, onError: (message) => notice.say(message)});
const settings = new Settings(byId('settings'), {onChange: rerun, onFilter: filter});
const dialog = new TraceDialog(byId('trace'));
const sentences = new Sentences(byId('sentences'), {
  onWatch: (sentence) => dialog.open(sentence.sentence, settings.request()),
  onAppend: progress,
});
const graph = new GraphView(byId('panel-graph'), {onPick: pick});
const tabs = new Tabs(document.querySelector('[role=tablist]'), (id) => {
  if (id === 'tab-graph') graph.show(sentences.triples());
});

let graph_timer = 0;
let catalogue = null;
let current = null;  // {text, total, controller, done, announced_ms}

async function start() {
  const saved = fromAddress();
  if (!composer.text) composer.text = saved.get('text') ?? composer.draft() ?? kExample;
  try {
    catalogue = await models();
  } catch (error) {
    notice.fail(error, start);
    return;
  }
  settings.load(catalogue, saved);
  listFormats(catalogue.formats);
  byId('version').textContent = `diffie ${catalogue.version ?? ''}`;
  filter();
  run();
}

function tooLarge(text) {
  const limit = catalogue.limits?.body_bytes;
  const bytes = limit && text.length * 4 > limit ? new TextEncoder().encode(JSON.stringify(text)).length : 0;
  if (!limit || bytes + 2000 < limit) return false;
  notice.say(`This text has ${number.format(bytes)} bytes; the server takes ${number.format(limit)}. ` +
             'The command line takes texts of any length.');
  return true;
}

async function run() {
  current?.controller.abort();
  if (!catalogue) return start();
  const text = composer.text.toWellFormed?.() ?? composer.text;
  notice.clear();
  settings.blame(null);
  if (tooLarge(text)) return;
  sentences.clear();
  const mine = {text, total: null, controller: new AbortController(), done: false, announced_ms: performance.now()};
  current = mine;
  if (!text.trim()) {
    mine.total = 0;
    return finish(mine, 'There is no text yet.');
  }
  running(true);
  byId('live').textContent = 'Reading the text';
  progress();
  try {
    await extract({text, ...settings.request()}, {
      signal: mine.controller.signal,
      onTotal: (total) => { mine.total = total; progress(); },
      onSentence: (sentence) => { if (current === mine) sentences.add(sentence); },
    });
    finish(mine);
  } catch (error) {
    if (current !== mine) return;
    if (error.name === 'AbortError') return finish(mine, 'Stopped.');
    settings.blame(error.field, error.message);
    finish(mine, 'Not finished.');
    notice.fail(error, run);
  }
}

function running(now) {
  const focused = document.activeElement === byId(now ? 'extract' : 'stop');
  byId('extract').hidden = now;
  byId('stop').hidden = !now;
  if (focused) byId(now ? 'stop' : 'extract').focus();
  byId('results').setAttribute('aria-busy', now);
}

function finish(mine, remark = '') {
  if (current !== mine) return;
  Object.assign(mine, {done: true, remark});
  running(false);
  progress();
}

// Called whenever something came, was shown or is done.
function progress() {
  if (!current) return;
  const shown = sentences.items.length;
  const complete = current.done && sentences.waiting.length === 0;
  const bar = byId('progress');
  bar.hidden = complete;
  if (current.total === null) bar.removeAttribute('value');
  else bar.value = current.total ? shown / current.total : 1;
  const triples = plural(sentences.shown_triples, 'triple');
  const of_total = !complete && current.total ? ` of ${number.format(current.total)}` : '';
  const line = shown || complete
    ? `${current.remark ? `${current.remark} ` : ''}${triples} in ${number.format(shown)}${of_total} sentence${shown === 1 ? '' : 's'}`
    : 'Reading the text';
  byId('summary').textContent = line;
  byId('empty').hidden = !complete || shown > 0;
  byId('empty').textContent = 'Nothing to show. Paste a text, or take the example.';
  announce(line, complete);
  drawGraph();
}

// Now and then while sentences come, soon when a filter moves.
function drawGraph() {
  if (graph_timer) return;
  graph_timer = setTimeout(() => {
    graph_timer = 0;
    if (tabs.shown === 'tab-graph') graph.show(sentences.triples());
  }, current.done ? kDrawSoon_ms : kDrawWhileRunning_ms);
}

// Screen readers hear of a long run now and then, and of its end.
function announce(line, complete) {
  const now = performance.now();
  if (!complete && now - current.announced_ms < kAnnounce_ms) return;
  current.announced_ms = now;
  byId('live').textContent = complete ? `Done. ${line}.` : line;
}

function filter() {
  sentences.setFilter(settings.filter());
  progress();
}

function rerun() {
  if (current && composer.text.length <= kRerunAtOnce) run();
}

function pick(triple) {
  tabs.show('tab-sentences');
  sentences.show(triple);
}

async function save() {
  const format = byId('format').value;
  if (!format) return;
  byId('download').disabled = true;
  try {
    const text = current?.text ?? composer.text;
    const name = await download(format, {text, ...settings.exportRequest()});
    byId('live').textContent = `${name} was downloaded.`;
  } catch (error) {
    notice.fail(error, save);
  }
  byId('download').disabled = false;
}

async function link() {
  const with_text = toAddress(settings, composer.text);
  const copied = await copyAddress();
  const message = `${copied ? 'Link copied' : 'The link is in the address bar'}${with_text ? '' : ', without the long text'}.`;
  byId('live').textContent = message;
  byId('link').textContent = copied ? 'Copied' : 'In the address bar';
  setTimeout(() => { byId('link').textContent = 'Copy link'; }, 2000);
}

byId('form').addEventListener('submit', (event) => {
  event.preventDefault();
  run();
});
byId('text').addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    run();
  }
});
// Where there is one column, results come before settings.
const narrow = matchMedia('(max-width: 860px)');
const fold = () => { byId('settings-box').open = !narrow.matches; };
narrow.addEventListener('change', fold);
fold();

byId('stop').addEventListener('click', () => current?.controller.abort());
byId('download').addEventListener('click', save);
byId('link').addEventListener('click', link);
window.addEventListener('hashchange', () => {
  if (!catalogue || !location.hash.includes('=')) return;  // a place on this page
  const saved = fromAddress();
  settings.load(catalogue, saved);
  if (saved.has('text')) composer.text = saved.get('text');
  filter();
  run();
});
start();
