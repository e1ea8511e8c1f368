// Model, preset and settings, as GET /v1/models lists them. What differs from the preset is sent; confidence and
// factuality are filtered here, so that moving the slider asks nobody.
import {element} from './dom.js';
import {field, kIds} from './fields.js';

const kFirst = ['top_k', 'theta', 'branch', 'samples'];
const kHere = ['min_confidence', 'asserted_only'];  // have their own controls
const kServers = ['threads', 'device', 'devices', 'precision'];
const kAnchoredOnly = ['theta', 'branch', 'refine'];
const kSamplingOnly = ['samples', 'steps', 'temperature', 'remask', 'times', 'shared', 'stratified', 'seed'];
const kPresetOrder = ['fast', 'balanced', 'best', 'paper'];

export class Settings {
  constructor(container, {onChange, onFilter}) {
    Object.assign(this, {container, onChange, onFilter});
    this.changed = new Map();  // name -> value that is not the preset's
    this.threshold = 0;
    this.asserted_only = false;
  }

  load(catalogue, saved) {
    this.catalogue = catalogue;
    this.model = catalogue.models.find(({name}) => name === saved.get('model')) ?? catalogue.models[0];
    this.#choosePreset(saved.get('preset'));
    for (const {name} of catalogue.settings) {
      if (saved.has(name) && !kHere.includes(name)) this.#restore(name, saved.get(name));
    }
    const threshold = Number(saved.get('threshold') ?? NaN);
    if (threshold >= 0 && threshold <= 1) this.threshold = threshold;
    this.asserted_only = saved.get('asserted') === '1';
    this.#render();
  }

  // A link may say anything; what is no value is passed over, what is out of range the server names.
  #restore(name, text) {
    try {
      this.changed.set(name, JSON.parse(text));
    } catch { /* passed over */ }
  }

  // The settings, as parameters of a link: only what is not the default.
  save(parameters) {
    if (this.model !== this.catalogue.models[0]) parameters.set('model', this.model.name);
    if (this.preset.name !== this.model.default_preset) parameters.set('preset', this.preset.name);
    for (const [name, value] of this.changed) parameters.set(name, JSON.stringify(value));
    if (this.threshold !== this.#presetThreshold()) parameters.set('threshold', this.threshold);
    if (this.asserted_only) parameters.set('asserted', '1');
  }

  // Of a request that is filtered here.
  request() {
    return {model: this.model.name,
            options: {preset: this.preset.name, ...Object.fromEntries(this.changed), min_confidence: 0}};
  }

  // Of one whose answer goes to a file.
  exportRequest() {
    const {model, options} = this.request();
    return {model, options: {...options, min_confidence: this.threshold,
                             ...(this.asserted_only && {asserted_only: true})}};
  }

  filter() {
    return {threshold: this.threshold, asserted_only: this.asserted_only};
  }

  #presetThreshold() {
    return Number((this.preset.settings.min_confidence ?? 0).toFixed(2));
  }

  #choosePreset(name) {
    const {presets, default_preset} = this.model;
    this.preset = presets.find((each) => each.name === name) ??
      presets.find((each) => each.name === default_preset) ?? presets[0];
    this.changed.clear();
    this.threshold = this.#presetThreshold();
  }

  #render() {
    const unread = this.model.kernel === 'anchored' ? kSamplingOnly : kAnchoredOnly;
    const fields = this.catalogue.settings.filter(({name}) =>
      ![...unread, ...kHere, ...kServers].includes(name));
    const first = kFirst.flatMap((name) => fields.filter((each) => each.name === name));
    const rest = fields.filter((each) => !first.includes(each));
    const open = this.container.querySelector('details')?.open ?? false;
    this.container.replaceChildren(
      ...[this.#models(), this.#presets(), this.#threshold(),
        element('div', {class: 'numbers'}, ...first.map((each) => this.#field(each))),
        this.#asserted(),
        rest.length ? element('details', {class: 'more', open},
          element('summary', {}, 'All settings'),
          ...rest.map((each) => this.#field(each))) : null].filter(Boolean));
  }

  #models() {
    const {models} = this.catalogue;
    const untrained = this.model.trained === false
      ? element('p', {class: 'warning'}, 'This model is not trained: its triples mean nothing.') : null;
    if (models.length < 2) return untrained;
    const select = element('select', {id: 'model'}, ...models.map(({name}) => element('option', {value: name}, name)));
    select.value = this.model.name;
    select.addEventListener('change', () => {
      this.model = models.find(({name}) => name === select.value);
      this.#switch(this.preset.name, 'model');
    });
    return element('div', {class: 'setting'}, element('label', {for: 'model'}, 'Model'), select, untrained);
  }

  #presets() {
    const rank = ({name}) => (kPresetOrder.indexOf(name) + kPresetOrder.length + 1) % (kPresetOrder.length + 1);
    const presets = [...this.model.presets].sort((a, b) => rank(a) - rank(b));
    const choices = presets.map(({name}) => {
      const input = element('input', {type: 'radio', name: 'preset', value: name, id: `preset-${name}`,
                                      checked: name === this.preset.name});
      input.addEventListener('change', () => this.#switch(name, input.id));
      return element('div', {}, input, element('label', {for: input.id}, name));
    });
    return element('fieldset', {class: 'presets'}, element('legend', {}, 'Preset'),
      element('div', {class: 'choices'}, ...choices));
  }

  #switch(preset, focus_id) {
    this.#choosePreset(preset);
    this.#render();
    document.getElementById(focus_id)?.focus();
    this.onFilter();
    this.onChange();
  }

  #threshold() {
    const shown = element('output', {for: 'threshold'}, this.threshold.toFixed(2));
    const input = element('input', {type: 'range', id: 'threshold', min: 0, max: 1, step: 0.01});
    input.value = this.threshold;
    input.addEventListener('input', () => {
      this.threshold = Number(input.value);
      shown.textContent = this.threshold.toFixed(2);
      this.onFilter();
    });
    return element('div', {class: 'setting'},
      element('div', {class: 'setting-head'}, element('label', {for: 'threshold'}, 'Confidence at least'), shown), input);
  }

  #asserted() {
    const input = element('input', {type: 'checkbox', id: 'asserted', checked: this.asserted_only});
    input.addEventListener('change', () => {
      this.asserted_only = input.checked;
      this.onFilter();
    });
    return element('label', {class: 'check', for: 'asserted'}, input,
      'Asserted facts only', element('span', {class: 'muted'}, 'nothing denied, asked, supposed or claimed'));
  }

  #field(description) {
    const base = this.preset.settings[description.name];
    return field(description, this.changed.get(description.name) ?? base, (value) => {
      if (value === undefined || JSON.stringify(value) === JSON.stringify(base)) this.changed.delete(description.name);
      else this.changed.set(description.name, value);
      this.onChange();
    });
  }

  // Marks the field that the server names in an error; whether there is one.
  blame(path, message) {
    const input = path && document.getElementById(kIds(path.replace(/^options\./, '')));
    for (const each of this.container.querySelectorAll('[aria-invalid]')) each.removeAttribute('aria-invalid');
    if (!input) return false;
    input.setAttribute('aria-invalid', 'true');
    input.title = message;
    const details = input.closest('details');
    if (details) details.open = true;
    return true;
  }
}
