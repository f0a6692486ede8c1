// Virtual scrolling: of many blocks of unequal height only those near the window are in the page.
//
// Heights are estimated until a block was drawn once. A tree of sums (Fenwick 1994) gives where a block begins, and
// which block is at a height, in logarithmic time.

const OVERSCAN = 600; // pixels that are drawn above and below what is seen

class Heights {
  constructor(heights) {
    this.heights = Float64Array.from(heights);
    this.sums = new Float64Array(heights.length + 1);
    for (let i = 0; i < heights.length; i++) this.add(i, heights[i]);
  }

  add(index, by) {
    for (let i = index + 1; i < this.sums.length; i += i & -i) this.sums[i] += by;
  }

  set(index, height) {
    this.add(index, height - this.heights[index]);
    this.heights[index] = height;
  }

  before(index) {
    let sum = 0;
    for (let i = index; i > 0; i -= i & -i) sum += this.sums[i];
    return sum;
  }

  at(offset) {
    let index = 0;
    let rest = offset;
    for (let step = 2 ** Math.floor(Math.log2(Math.max(1, this.heights.length))); step; step >>= 1) {
      if (index + step < this.sums.length && this.sums[index + step] <= rest) {
        index += step;
        rest -= this.sums[index];
      }
    }
    return Math.min(index, Math.max(0, this.heights.length - 1));
  }
}

export class Scroller {
  // `draw` makes the element of a block; `drawn` is called after blocks were put into the page.
  constructor(container, canvas, draw, drawn) {
    Object.assign(this, { container, canvas, draw, drawn });
    this.shown = new Map();
    this.heights = new Heights([]);
    this.width = 0;
    container.addEventListener("scroll", () => this.later(), { passive: true });
    new ResizeObserver(() => this.resized()).observe(container);
  }

  // Begins anew with blocks of these estimated heights.
  start(estimate, count) {
    this.estimate = estimate;
    this.count = count;
    for (const element of this.shown.values()) element.remove();
    this.shown.clear();
    this.width = this.container.clientWidth;
    this.heights = new Heights(Array.from({ length: count }, (_, index) => estimate(index)));
    this.container.scrollTop = 0;
    this.update();
  }

  // Other line breaks: what was measured holds no longer, but the first block that was seen stays where it was.
  resized() {
    if (!this.count || this.container.clientWidth === this.width)
      return this.count ? this.later() : undefined;
    const first = this.heights.at(this.container.scrollTop);
    this.width = this.container.clientWidth;
    this.heights = new Heights(Array.from({ length: this.count }, (_, index) => this.estimate(index)));
    this.measure([...this.shown.keys()]);
    this.container.scrollTop = this.heights.before(first);
    this.update();
  }

  later() {
    this.asked ??= requestAnimationFrame(() => {
      this.asked = null;
      this.update();
    });
  }

  update() {
    for (let again = 0; again < 3 && this.fill(); again++);
    this.drawn?.();
  }

  // Draws what is near the window and nothing else. Says whether heights were other than estimated.
  fill() {
    if (!this.count) return false;
    const top = this.container.scrollTop;
    const from = this.heights.at(Math.max(0, top - OVERSCAN));
    const to = this.heights.at(top + this.container.clientHeight + OVERSCAN);
    for (const [index, element] of this.shown) {
      if (index < from || index > to) {
        element.remove();
        this.shown.delete(index);
      }
    }
    const fresh = [];
    for (let index = from; index <= to; index++) if (!this.shown.has(index)) fresh.push(index);
    let next = null;
    for (const index of fresh.reverse()) {
      const element = this.draw(index);
      next = this.shown.get(index + 1) ?? next;
      this.canvas.insertBefore(element, next);
      this.shown.set(index, element);
      next = element;
    }
    return this.measure(fresh);
  }

  // Reads the heights of some blocks, and keeps what is seen where it is.
  measure(indices) {
    const top = this.container.scrollTop;
    const anchor = this.heights.at(top);
    const within = top - this.heights.before(anchor);
    let changed = false;
    const heights = indices.map((index) => this.shown.get(index).offsetHeight);
    for (const [position, index] of indices.entries()) {
      if (Math.abs(heights[position] - this.heights.heights[index]) < 0.5) continue;
      this.heights.set(index, heights[position]);
      changed = true;
    }
    const first = Math.min(...this.shown.keys());
    const total = this.heights.before(this.count);
    this.canvas.style.paddingTop = `${this.shown.size ? this.heights.before(first) : 0}px`;
    this.canvas.style.height = `${total}px`;
    const wanted = this.heights.before(anchor) + within;
    if (changed && Math.abs(wanted - top) >= 1) this.container.scrollTop = wanted;
    return changed;
  }

  // Draws some blocks again, where they are in the page.
  redraw(indices) {
    const there = [...indices].filter((index) => this.shown.has(index));
    for (const index of there) {
      const element = this.draw(index);
      this.shown.get(index).replaceWith(element);
      this.shown.set(index, element);
    }
    this.measure(there);
    this.drawn?.();
  }

  redrawAll() {
    this.redraw([...this.shown.keys()]);
  }

  // Scrolls until a part of a block is seen: only if it is not, a third from the top.
  reveal(index, partOf) {
    for (let again = 0; again < 4; again++) {
      const part = this.shown.has(index) ? partOf(this.shown.get(index)) : null;
      const box = this.container.getBoundingClientRect();
      const at = part?.getBoundingClientRect();
      if (at && at.top >= box.top + 8 && at.bottom <= box.bottom - 8) return;
      const offset = at ? at.top - box.top + this.container.scrollTop : this.heights.before(index);
      this.container.scrollTop = offset - this.container.clientHeight / 3;
      this.update();
    }
  }

  // The first block that is seen.
  get top() {
    return this.heights.at(this.container.scrollTop + 1);
  }
}
