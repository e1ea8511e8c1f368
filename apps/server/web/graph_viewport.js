// Pan and zoom of an SVG: drag, wheel once it was touched or with Ctrl, two fingers, and by call.
import {svg} from './dom.js';

const kLargest = 3;
const kSmallest = 0.05;
const kReadable = 0.5;

export class Viewport {
  constructor(canvas) {
    this.canvas = canvas;
    this.content = svg('g', {class: 'graph-content'});
    canvas.append(this.content);
    Object.assign(this, {x: 0, y: 0, scale: 1, pointers: new Map(), touched: false, dragged: false});
    canvas.addEventListener('wheel', (event) => this.#wheel(event), {passive: false});
    canvas.addEventListener('pointerdown', (event) => this.#down(event));
    canvas.addEventListener('pointermove', (event) => this.#drag(event));
    for (const type of ['pointerup', 'pointercancel', 'pointerleave']) {
      canvas.addEventListener(type, (event) => this.pointers.delete(event.pointerId));
    }
    // The click at the end of a drag picks nothing.
    canvas.addEventListener('click', (event) => {
      if (this.dragged) event.stopPropagation();
    }, {capture: true});
  }

  setBounds(bounds) {
    this.bounds = bounds;
  }

  fit() {
    if (!this.bounds) return;
    const {left, top, width, height} = this.bounds;
    const {clientWidth, clientHeight} = this.canvas;
    const room = 40;
    this.scale = Math.max(kSmallest, Math.min(1.15, (clientWidth - room) / width, (clientHeight - room) / height));
    this.x = clientWidth / 2 - (left + width / 2) * this.scale;
    this.y = clientHeight / 2 - (top + height / 2) * this.scale;
    this.#apply();
  }

  // All where words can then be read, else the upper left, where the largest parts are.
  begin() {
    this.fit();
    if (this.scale >= kReadable) return;
    this.scale = kReadable;
    this.x = 20 - this.bounds.left * this.scale;
    this.y = 20 - this.bounds.top * this.scale;
    this.#apply();
  }

  zoom(factor, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    const scale = Math.max(kSmallest, Math.min(kLargest, this.scale * factor));
    this.x = x - (x - this.x) * scale / this.scale;
    this.y = y - (y - this.y) * scale / this.scale;
    this.scale = scale;
    this.#apply();
  }

  pan(x, y) {
    this.x += x;
    this.y += y;
    this.#apply();
  }

  reveal(node) {
    const {clientWidth, clientHeight} = this.canvas;
    const x = node.x * this.scale + this.x;
    const y = node.y * this.scale + this.y;
    const inside = x > 60 && x < clientWidth - 60 && y > 30 && y < clientHeight - 30;
    if (!inside) this.pan(clientWidth / 2 - x, clientHeight / 2 - y);
  }

  #apply() {
    this.content.setAttribute('transform', `translate(${this.x} ${this.y}) scale(${this.scale})`);
    this.canvas.classList.toggle('far', this.scale < kReadable);
  }

  #wheel(event) {
    if (!event.ctrlKey && !this.touched) return;  // else nobody could scroll past it
    event.preventDefault();
    const {left, top} = this.canvas.getBoundingClientRect();
    this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.clientX - left, event.clientY - top);
  }

  #down(event) {
    this.touched = true;
    this.dragged = false;
    this.pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
    this.start = {x: event.clientX, y: event.clientY};
  }

  #drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = {x: event.clientX, y: event.clientY};
    if (Math.hypot(now.x - this.start.x, now.y - this.start.y) > 4) this.dragged = true;
    const other = [...this.pointers.entries()].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const {left, top} = this.canvas.getBoundingClientRect();
      const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(Math.hypot(before.x - other.x, before.y - other.y), 1);
      this.zoom(factor, (now.x + other.x) / 2 - left, (now.y + other.y) / 2 - top);
    } else if (this.dragged) {
      this.pan(now.x - before.x, now.y - before.y);
    }
    this.pointers.set(event.pointerId, now);
  }
}
