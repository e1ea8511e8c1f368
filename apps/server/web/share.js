// Files and links: the results in any format of the server, the settings and a short text in the address.
import {exportFile} from './api.js';
import {byId, element} from './dom.js';

const kMaximumText = 2000;  // characters of a text that goes into a link

export function listFormats(formats) {
  const select = byId('format');
  select.replaceChildren(...formats.map(({name, help}) => element('option', {value: name, title: help}, name)));
  const explain = () => {
    const {help} = formats.find(({name}) => name === select.value) ?? {};
    select.title = byId('format-help').textContent = help ?? '';
  };
  select.onchange = explain;
  explain();
}

export async function download(format, request) {
  const {blob, name} = await exportFile({...request, format});
  const url = URL.createObjectURL(blob);
  const link = element('a', {href: url, download: name ?? `diffie.${format}`});
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
  return link.download;
}

// What the address says: settings, and `text` where it has one.
export const fromAddress = () => new URLSearchParams(location.hash.slice(1));

export function toAddress(settings, text) {
  const parameters = new URLSearchParams();
  settings.save(parameters);
  const with_text = text.length > 0 && text.length <= kMaximumText;
  if (with_text) parameters.set('text', text);
  history.replaceState(null, '', `#${parameters}`);
  return with_text;
}

// Whether it could be copied: a page that is not served over TLS or from this machine may not.
export async function copyAddress() {
  try {
    await navigator.clipboard.writeText(location.href);
    return true;
  } catch {
    return false;
  }
}
