// Bars: the errors of each system by cause.

import { el, grouped, signed } from "./dom.js";
import { countBy, data } from "./data.js";
import { systemName } from "./describing.js";
import { shownSystems, visibleErrors } from "./filters.js";

export function barCharts() {
  const counts = countBy(visibleErrors(), (error) => `${error.system} ${error.side} ${error.kind}`);
  const most = Math.max(1, ...shownSystems().flatMap((system) => sideTotals(counts, system)));
  return el("div", { class: "charts" }, ...shownSystems().map((system) => barChart(system, counts, most)));
}

function sideTotals(counts, system) {
  return data.sides.map((_, side) =>
    data.kinds.reduce((sum, _kind, kind) => sum + (counts.get(`${system} ${side} ${kind}`) ?? 0), 0),
  );
}

function barChart(system, counts, most) {
  const totals = sideTotals(counts, system);
  const rows = data.sides.flatMap((word, side) => [
    bar(`All ${word} errors`, word, totals[side], most, true),
    ...data.kinds
      .map((kind, index) => [kind, counts.get(`${system} ${side} ${index}`) ?? 0, data.gains[system][index]])
      .filter(([, count]) => count)
      .sort((one, other) => other[1] - one[1])
      .map(([kind, count, gain]) => bar(kind, word, count, most, false, gain)),
  ]);
  return el("figure", { class: "bars" }, el("figcaption", {}, ...systemName(system)), ...rows);
}

function bar(label, side, count, most, whole, gain = null) {
  return el(
    "div",
    { class: whole ? "row whole" : "row" },
    el("span", { class: "label" }, label),
    el(
      "span",
      { class: "track" },
      el("span", { class: `fill ${side}`, style: `width:${(100 * count) / most}%` }),
    ),
    el("span", { class: "count" }, grouped(count)),
    el("small", { class: "gain" }, gain === null ? "" : signed(gain, 1)),
  );
}
