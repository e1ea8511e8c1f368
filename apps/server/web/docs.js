// The interface for people: what /openapi.json says, as sections and tables.
import {byId, element} from './dom.js';

const kMethods = ['get', 'post', 'put', 'patch', 'delete'];
const kDepth = 3;  // of nested objects in one table

let document_ = {};

// What a $ref of this document points to.
function resolve(schema) {
  let found = schema ?? {};
  for (let hops = 0; found.$ref && hops < 8; ++hops) {
    found = found.$ref.replace(/^#\//, '').split('/').reduce(
      (at, part) => at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document_) ?? {};
  }
  return found;
}

function typeOf(schema) {
  const {type, items, enum: names, const: only, oneOf, anyOf} = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (names) return names.map((each) => JSON.stringify(each)).join(' | ');
  const choices = oneOf ?? anyOf;
  if (choices) return [...new Set(choices.map((each) => typeOf(resolve(each))))].join(' or ');
  if (type === 'array') return `array of ${typeOf(resolve(items))}`;
  return [type ?? 'any'].flat().join(' or ');
}

function rangeOf({minimum, maximum, exclusiveMinimum, exclusiveMaximum, default: usual, maxLength, minItems, maxItems}) {
  return [
    minimum !== undefined && `from ${minimum}`,
    exclusiveMinimum !== undefined && `above ${exclusiveMinimum}`,
    maximum !== undefined && `to ${maximum}`,
    exclusiveMaximum !== undefined && `below ${exclusiveMaximum}`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    minItems !== undefined && `at least ${minItems}`,
    maxItems !== undefined && `at most ${maxItems}`,
    usual !== undefined && `default ${JSON.stringify(usual)}`,
  ].filter(Boolean).join(' ');
}

function rows(schema, prefix = '', depth = 0) {
  const required = schema.required ?? [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, unresolved]) => {
    const found = resolve(unresolved);
    const path = prefix + name;
    const inner = found.type === 'array' ? resolve(found.items) : found;
    const mark = required.includes(name) ? element('span', {class: 'needed'}, ' needed') : null;
    const row = element('tr', {}, element('td', {}, element('code', {}, path), mark),
      element('td', {}, element('code', {}, typeOf(found))), element('td', {}, rangeOf(found)),
      element('td', {}, unresolved.description ?? found.description ?? ''));
    const more = depth < kDepth ? rows(inner, `${path}${found.type === 'array' ? '[]' : ''}.`, depth + 1) : [];
    return [row, ...more];
  });
}

const table = (heads, body, label) =>
  element('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label},
    element('table', {}, element('thead', {}, element('tr', {}, ...heads.map((head) => element('th', {scope: 'col'}, head)))),
      element('tbody', {}, ...body)));

const code = (value) => element('pre', {tabindex: 0}, typeof value === 'string' ? value : JSON.stringify(value, null, 2));

// A body of a request or an answer: its fields, an example.
function content(body, name, where) {
  const plain = [];
  const sections = Object.entries(body?.content ?? {}).flatMap(([kind, {schema, example, examples}]) => {
    const found = resolve(schema);
    const fields = [found, ...(found.anyOf ?? []).map(resolve)].flatMap((each) => rows(each));
    const shown = example ?? found.example ?? Object.values(examples ?? {})[0]?.value;
    if (!fields.length && shown === undefined) {
      plain.push(kind);
      return [];
    }
    return [
      element('h3', {}, `${name}: ${kind}`),
      fields.length ? table(['field', 'type', 'range', 'meaning'], fields, `${name} ${kind} of ${where}`) : null,
      shown === undefined ? null : code(shown),
    ];
  });
  return plain.length ? [...sections, element('h3', {}, `${name}: ${plain.join(', ')}`)] : sections;
}

function curl(path, method, request) {
  const [body] = Object.values(request?.content ?? {});
  const example = body?.example ?? resolve(body?.schema).example;
  const data = example === undefined ? '' : ` -d '${JSON.stringify(example).replaceAll("'", "'\\''")}'`;
  return `curl -s${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${location.origin}${path}${data}`;
}

function route(path, method, operation) {
  const {summary, description, parameters, responses = {}} = operation;
  const request = resolve(operation.requestBody);
  const fields = (parameters ?? []).map(resolve).map((each) => element('tr', {},
    element('td', {}, element('code', {}, each.name)), element('td', {}, each.in),
    element('td', {}, typeOf(resolve(each.schema))), element('td', {}, each.description ?? '')));
  const answers = Object.entries(responses).map(([status, answer]) => element('tr', {},
    element('td', {}, element('code', {}, status)), element('td', {}, resolve(answer).description ?? '')));
  const where = `${method.toUpperCase()} ${path}`;
  const id = `${method}${path.replace(/[^\w]+/g, '-')}`;
  const [, good] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  byId('contents').append(element('a', {href: `#${id}`}, where));
  return element('section', {class: 'route', id, 'aria-labelledby': `${id}-name`},
    element('h2', {id: `${id}-name`}, element('span', {class: `method ${method}`}, method.toUpperCase()), path),
    summary ? element('p', {}, summary) : null,
    description ? element('p', {class: 'muted'}, description) : null,
    element('h3', {}, 'From the shell'), code(curl(path, method, request)),
    ...(fields.length ? [element('h3', {}, 'Parameters'), table(['name', 'in', 'type', 'meaning'], fields, `Parameters of ${where}`)] : []),
    ...content(request, 'Request', where), ...content(resolve(good), 'Answer', where),
    ...(answers.length ? [element('h3', {}, 'Status'), table(['status', 'meaning'], answers, `Status of ${where}`)] : []));
}

async function start() {
  try {
    document_ = await (await fetch('/openapi.json')).json();
  } catch {
    byId('about').textContent = 'The server does not answer. Reload the page to try again.';
    return;
  }
  const {title, version, description} = document_.info;
  byId('title').textContent = `${title} ${version}`;
  byId('about').textContent = description ?? '';
  for (const [path, operations] of Object.entries(document_.paths)) {
    for (const method of kMethods) {
      if (operations[method]) byId('routes').append(route(path, method, operations[method]));
    }
  }
}

start();
