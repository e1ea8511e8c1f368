// What went wrong, in one line, with the way on: a retry, a key, or the news that the server is back.
import {element} from './dom.js';
import {alive, setKey} from './api.js';

const kPoll_ms = 2000;

export class Notice {
  constructor(box) {
    this.box = box;
  }

  clear() {
    clearTimeout(this.timer);
    this.box.replaceChildren();
  }

  say(message) {
    this.#show(message);
  }

  // onRetry: does what failed once more.
  fail(error, onRetry) {
    const retry = () => {
      this.clear();
      onRetry();
    };
    const button = element('button', {type: 'button', onclick: retry}, 'Try again');
    if (error.code === 'unauthorized') this.#askKey(retry);
    else if (error.code === 'away' || error.code === 'draining') this.#away(error, button);
    else if (error.code === 'queue_full') this.#busy(error, button, retry);
    else this.#show(error.message, button);
  }

  #show(message, ...rest) {
    clearTimeout(this.timer);
    this.box.replaceChildren(element('div', {class: 'notice'}, element('p', {}, message), ...rest));
  }

  #away(error, button) {
    this.#show(`${error.message} Your text is still here.`, button);
    const [message] = this.box.querySelectorAll('p');
    const poll = async () => {
      if (!message.isConnected) return;
      if (await alive()) message.textContent = 'The server answers again. Your text is still here.';
      else this.timer = setTimeout(poll, kPoll_ms);
    };
    this.timer = setTimeout(poll, kPoll_ms);
  }

  #busy({retry_s}, button, retry) {
    const wait_s = Math.min(Math.max(retry_s, 1), 30);
    this.#show(`The server is busy; it will be asked again in ${wait_s} s.`, button);
    this.timer = setTimeout(retry, wait_s * 1000);
  }

  #askKey(retry) {
    const input = element('input', {type: 'password', id: 'key', autocomplete: 'off'});
    const form = element('form', {class: 'key'}, element('label', {for: 'key'}, 'Key'), input,
      element('button', {type: 'submit'}, 'Go on'));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      setKey(input.value.trim());
      retry();
    });
    this.#show('This server asks for a key.', form);
    input.focus();
  }
}
