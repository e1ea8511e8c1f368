// Where the text comes from: typed, pasted, dropped, opened, or the example.
import {byId, debounce, number, plural} from './dom.js';

export const kExample =
  'Ada Lovelace, the daughter of Lord Byron, met Charles Babbage in 1833. ' +
  'Charles Babbage designed the Analytical Engine, and Luigi Menabrea described it in French. ' +
  'Ada Lovelace translated the paper and added notes, which contain the first published computer program. ' +
  'The program computes Bernoulli numbers. ' +
  'Charles Babbage never completed the Analytical Engine. ' +
  'According to Doron Swade, Ada Lovelace saw that numbers can stand for music. ' +
  'If the British government had paid, Charles Babbage might have built the Analytical Engine. ' +
  'Did Alan Turing read the notes? ' +
  'Alan Turing discussed Ada Lovelace in a paper of 1950. ' +
  'The language Ada, which Jean Ichbiah designed for the United States Department of Defense, ' +
  'is named after Ada Lovelace.';

const kDraft = 'diffie-draft';
const kMaximumDraft = 500000;  // characters

export class Composer {
  constructor({onRun, onError}) {
    this.area = byId('text');
    Object.assign(this, {onRun, onError});
    this.area.addEventListener('input', () => this.#edited());
    this.saveDraft = debounce(300, () => storeDraft(this.area.value));
    byId('example').addEventListener('click', () => this.take(kExample));
    byId('open').addEventListener('click', () => byId('file').click());
    byId('file').addEventListener('change', (event) => {
      const [file] = event.target.files;
      if (file) this.#read(file);
      event.target.value = '';
    });
    this.#dropping();
    this.#count();
  }

  get text() {
    return this.area.value;
  }

  set text(value) {
    this.area.value = value;
    this.#edited();
  }

  // A text of the tab's last visit, so that a reload loses nothing.
  draft() {
    try {
      return sessionStorage.getItem(kDraft);
    } catch {
      return null;
    }
  }

  take(text) {
    this.text = text;
    this.area.scrollTop = 0;
    this.onRun();
  }

  #edited() {
    this.#count();
    this.area.dir = direction(this.area.value);
    this.saveDraft();
  }

  #count() {
    const {length} = this.area.value;
    byId('count').textContent = length < 10000 ? plural(length, 'character') : `${number.format(Math.round(length / 1000))} k characters`;
  }

  #dropping() {
    const paper = byId('paper');
    const over = (event) => {
      event.preventDefault();  // else the browser leaves the page to show the file
      paper.classList.toggle('dropping', event.type === 'dragover');
    };
    for (const type of ['dragover', 'dragleave', 'drop']) document.addEventListener(type, over);
    document.addEventListener('drop', (event) => {
      const [file] = event.dataTransfer.files;
      const text = event.dataTransfer.getData('text/plain');
      if (file) this.#read(file);
      else if (text) this.take(text);
    });
  }

  async #read(file) {
    try {
      this.take(decode(new Uint8Array(await file.arrayBuffer())));
    } catch {
      this.onError(`${file.name} could not be read.`);
    }
  }
}

// Of the first letter that has one. dir=auto says the same, but takes Chromium a minute for a paragraph of 2 MB.
function direction(text) {
  const letter = text.slice(0, 2000).match(/\p{L}/u)?.[0] ?? '';
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(letter) ? 'rtl' : 'ltr';
}

// UTF-8, else what a byte-order mark says, else Windows-1252, which reads anything.
export function decode(bytes) {
  const name = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(name, {fatal: true}).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function storeDraft(text) {
  try {
    if (text.length <= kMaximumDraft) sessionStorage.setItem(kDraft, text);
    else sessionStorage.removeItem(kDraft);
  } catch { /* storage is full or forbidden: the text is in the page only */ }
}
