// One setting as a labelled control, from its row of the server's table.
import {element} from './dom.js';

const kNames = {top_k: 'Triples (k)', samples: 'Samples (n)', theta: 'Theta', branch: 'Branch'};

export const kIds = (name) => `setting-${name}`;

// onValue(value), or undefined for "as the preset has it".
export function field({name, kind, minimum, maximum, names, help}, value, onValue) {
  const id = kIds(name);
  const help_id = `${id}-help`;
  const label = element('label', {for: id, title: help}, kNames[name] ?? name);
  const description = element('p', {class: 'help', id: help_id}, help ?? '');
  if (kind === 'flag') {
    const input = element('input', {type: 'checkbox', id, checked: value === true, 'aria-describedby': help_id});
    input.addEventListener('change', () => onValue(input.checked));
    return element('div', {class: 'setting flag'}, input, label, description);
  }
  const input = kind === 'name' ? choice(id, names ?? [], value) : entry(id, kind, minimum, maximum, value);
  input.setAttribute('aria-describedby', help_id);
  input.addEventListener('change', () => {
    if (input.checkValidity()) onValue(read(input.value, kind));
    else input.reportValidity();
  });
  return element('div', {class: 'setting'}, label, input, description);
}

function choice(id, names, value) {
  const select = element('select', {id}, ...names.map((each) => element('option', {value: each}, each)));
  if (value === undefined) select.prepend(element('option', {value: ''}, 'default'));
  select.value = value ?? '';
  return select;
}

function entry(id, kind, minimum, maximum, value) {
  const input = kind === 'list'
    ? element('input', {type: 'text', id, placeholder: 'none', pattern: '\\s*(\\d+(\\s*,\\s*\\d+)*)?\\s*'})
    : element('input', {type: 'number', id, min: minimum, max: maximum, placeholder: 'default',
                        step: kind === 'integer' ? 1 : 'any', inputmode: kind === 'integer' ? 'numeric' : 'decimal'});
  input.value = Array.isArray(value) ? value.join(', ') : value ?? '';
  return input;
}

function read(text, kind) {
  if (kind === 'list') return text.trim() ? text.split(',').map(Number) : [];
  if (text.trim() === '') return undefined;
  return kind === 'name' ? text : Number(text);
}
