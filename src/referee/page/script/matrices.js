// Matrices: the errors of each system and side by the types of anaphor and antecedent.

import { el, grouped, plural } from "./dom.js";
import { countBy, data, RECALL } from "./data.js";
import { systemName } from "./describing.js";
import { filter, setFilters, shownSystems, visibleErrors } from "./filters.js";

export function heatMaps() {
  const shown = visibleErrors();
  const counts = countBy(shown, (e) => `${e.system} ${e.side} ${e.anaphorType} ${e.antecedentType}`);
  const most = Math.max(1, ...counts.values());
  const maps = shownSystems().flatMap((system) =>
    [...filter.side].sort().map((side) => heatMap(system, side, counts, most)),
  );
  return el("div", { class: "charts" }, ...maps);
}

function heatMap(system, side, counts, most) {
  const types = [...data.types.keys()];
  const count = (row, column) => counts.get(`${system} ${side} ${row} ${column}`) ?? 0;
  const of = possible(system, side);
  const head = el(
    "tr",
    {},
    el("th", { scope: "col", class: "corner" }, "anaphor ↓ antecedent →"),
    ...types.map((type) => el("th", { scope: "col" }, data.types[type])),
    el("th", { scope: "col" }, "all"),
  );
  const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
  const rows = types.map((row) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, data.types[row]),
      ...types.map((column) =>
        heatCell(row, column, count(row, column), of.get(`${row} ${column}`) ?? 0, most),
      ),
      el("td", { class: "sum" }, grouped(sum(types.map((column) => count(row, column))))),
    ),
  );
  return el(
    "figure",
    { class: "wide", tabindex: 0, "aria-label": `${data.systems[system]}: ${data.sides[side]} errors` },
    el("figcaption", {}, ...systemName(system), `: ${data.sides[side]} errors`),
    el("table", { class: `heat ${data.sides[side]}` }, el("thead", {}, head), el("tbody", {}, ...rows)),
  );
}

// What the errors are out of: all links of the key's trees, or all links that the system made.
function possible(system, side) {
  const listed = side === RECALL ? data.possible.recall : data.possible.precision[system];
  return new Map(listed.map(([anaphor, antecedent, count]) => [`${anaphor} ${antecedent}`, count]));
}

function heatCell(row, column, count, of, most) {
  const choose = () => setFilters({ anaphor: new Set([row]), antecedent: new Set([column]) });
  const what = `${data.types[row]} with antecedent ${data.types[column]}: ${grouped(count)} / ${plural(of, "link")} wrong`;
  const share = count ? 0.12 + (0.88 * count) / most : 0;
  return el(
    "td",
    { style: `--share:${(100 * share).toFixed(1)}%` },
    count
      ? el(
          "button",
          { type: "button", title: what, "aria-label": what, onclick: choose },
          grouped(count),
          el("small", {}, ` / ${grouped(of)}`),
        )
      : el("small", {}, of ? `0 / ${grouped(of)}` : "·"),
  );
}
