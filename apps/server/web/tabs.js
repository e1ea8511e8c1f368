// Tabs after the pattern of the ARIA guide: arrows choose, one of them is in the tab order.
export class Tabs {
  constructor(list, onShow) {
    this.tabs = [...list.querySelectorAll('[role=tab]')];
    this.onShow = onShow;
    for (const tab of this.tabs) tab.addEventListener('click', () => this.show(tab.id));
    list.addEventListener('keydown', (event) => {
      const at = this.tabs.indexOf(document.activeElement);
      const last = this.tabs.length - 1;
      const next = {ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last}[event.key];
      if (at < 0 || next === undefined) return;
      event.preventDefault();
      this.show(this.tabs[next].id);
      this.tabs[next].focus();
    });
  }

  get shown() {
    return this.tabs.find((tab) => tab.ariaSelected === 'true').id;
  }

  show(id) {
    for (const tab of this.tabs) {
      const selected = tab.id === id;
      tab.setAttribute('aria-selected', selected);
      tab.tabIndex = selected ? 0 : -1;
      document.getElementById(tab.getAttribute('aria-controls')).hidden = !selected;
    }
    this.onShow(id);
  }
}
