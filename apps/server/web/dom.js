// element('p', {class: 'muted', onclick: f}, 'text', child): an element. Strings become text, never markup.
export function element(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), properties, children);
}

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export const byId = (id) => document.getElementById(id);

export const number = new Intl.NumberFormat('en');

export const plural = (count, word) => `${number.format(count)} ${word}${count === 1 ? '' : 's'}`;

// The newest call wins; the function runs once, `delay_ms` after it.
export function debounce(delay_ms, action) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), delay_ms);
  };
}

export const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
