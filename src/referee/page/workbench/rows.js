// A list of thousands of rows of one height, of which only those near its window are in the page.

import { el } from "../script/dom.js";

const OVERSCAN = 6; // rows

export class Rows {
  // `draw` makes what is in a row's item; its first button is what has the focus when one goes through the rows.
  constructor(name, height, draw) {
    Object.assign(this, { height, draw, items: [], from: 0, current: 0 });
    this.list = el("ul", { class: "rows", "aria-label": name });
    this.box = el("div", { class: "rows-box", style: `--row:${height}px` }, this.list);
    this.box.addEventListener("scroll", () => this.later(), { passive: true });
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("focusin", (event) => {
      const item = event.target.closest("li");
      if (item) this.current = Number(item.dataset.row);
    });
    new ResizeObserver(() => this.later()).observe(this.box);
  }

  show(items) {
    this.items = items;
    this.current = Math.max(0, Math.min(this.current, items.length - 1));
    this.update(true);
  }

  later() {
    this.asked ??= requestAnimationFrame(() => {
      this.asked = null;
      this.update(false);
    });
  }

  update(fresh) {
    const seen = Math.ceil((this.box.clientHeight || 400) / this.height);
    const top = Math.floor(this.box.scrollTop / this.height);
    const from = Math.max(0, Math.min(top, this.items.length - seen) - OVERSCAN);
    const to = Math.min(this.items.length, from + seen + 2 * OVERSCAN + 1);
    if (!fresh && from === this.from && to === this.to) return;
    const focused = this.list.contains(document.activeElement);
    Object.assign(this, { from, to });
    this.list.style.height = `${this.items.length * this.height}px`;
    this.list.style.paddingTop = `${from * this.height}px`;
    this.list.replaceChildren(
      ...this.items.slice(from, to).map((item, index) => this.item(item, from + index)),
    );
    if (focused) this.focus(this.current);
  }

  item(item, row) {
    return el(
      "li",
      { "data-row": row, "aria-setsize": this.items.length, "aria-posinset": row + 1 },
      ...this.draw(item, row),
    );
  }

  reveal(row) {
    const top = row * this.height;
    const { scrollTop, clientHeight } = this.box;
    if (top < scrollTop || top + this.height > scrollTop + clientHeight)
      this.box.scrollTop = top - clientHeight / 3;
    this.update(false);
  }

  focus(row) {
    if (!this.items[row]) return;
    this.reveal(row);
    this.current = row;
    this.list.querySelector(`[data-row="${row}"] button`)?.focus({ preventScroll: true });
  }

  key(event) {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[
      event.key
    ];
    if (!by || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.focus(Math.max(0, Math.min(this.items.length - 1, this.current + by)));
  }
}
