// Across documents: wrong links within documents and across them apart, and what would have told them.

import { el, grouped, percent } from "./dom.js";
import { countBy, data, REACHES } from "./data.js";
import { systemName } from "./describing.js";
import { filter, setFilters, shownSystems, visibleErrors } from "./filters.js";

export const REACH_CAPTION =
  "Told by its head: both mentions have the same head, and no other entity of the key does. By arguments: several " +
  "entities have it, so that who, where and when must tell them apart. Other words: the heads differ. Times: both are. " +
  "Heads are guessed from the words where the key has no parses. Choose a number to filter by it.";

export function reachTables() {
  const counts = countBy(visibleErrors(), (e) => `${e.system} ${e.side} ${e.reach} ${e.likeness}`);
  const tables = shownSystems().flatMap((system) =>
    [...filter.side].sort().map((side) => reachTable(system, side, counts)),
  );
  return el("div", { class: "charts" }, ...tables);
}

function reachTable(system, side, counts) {
  const likenesses = [...data.likenesses.keys()];
  const count = (reach, likeness) => counts.get(`${system} ${side} ${reach} ${likeness}`) ?? 0;
  const sumOf = (reach) => likenesses.reduce((sum, likeness) => sum + count(reach, likeness), 0);
  const total = REACHES.reduce((sum, _, reach) => sum + sumOf(reach), 0);
  const row = (name, reach) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, name),
      ...likenesses.map((likeness) => reachCell(side, reach, likeness, count(reach, likeness))),
      el("td", { class: "sum" }, grouped(sumOf(reach)), el("small", {}, share(sumOf(reach), total))),
    );
  return el(
    "figure",
    { class: "wide" },
    el("figcaption", {}, ...systemName(system), side === 0 ? ": missed links" : ": wrong links"),
    el(
      "table",
      { class: "reach" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { scope: "col" }, "told by"),
          ...data.likenesses.map((word) => el("th", { scope: "col" }, word)),
          el("th", { scope: "col" }, "all"),
        ),
      ),
      el("tbody", {}, ...REACHES.map(row)),
    ),
  );
}

function share(count, total) {
  return total ? ` ${percent(count / total, 0)} %` : "";
}

function reachCell(side, reach, likeness, count) {
  const choose = () =>
    setFilters({ side: new Set([side]), reach: new Set([reach]), likeness: new Set([likeness]) });
  const what = `${data.sides[side]} errors ${REACHES[reach]}, told by ${data.likenesses[likeness]}: ${count}`;
  return el(
    "td",
    {},
    count
      ? el("button", { type: "button", title: what, "aria-label": what, onclick: choose }, grouped(count))
      : el("small", {}, "0"),
  );
}
