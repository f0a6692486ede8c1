// Across documents: link errors within documents and across them, by the evidence for the link.

import { el, grouped, percent } from "./dom.js";
import { countBy, data, REACHES } from "./data.js";
import { systemName } from "./describing.js";
import { filter, setFilters, shownSystems, visibleErrors } from "./filters.js";

export const REACH_CAPTION =
  "The columns are the evidence for a link. Head: both mentions have the same head, and no other entity of " +
  "the key has it. Arguments: several entities have it, and only who, where and when distinguish them. Other " +
  "words: the heads differ. Times: both are times. If the key has no parses, heads are guessed from the words. " +
  "Click a number to filter by it.";

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
          el("th", { scope: "col" }, "evidence"),
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
  const what = `${data.sides[side]} errors ${REACHES[reach]}, evidence ${data.likenesses[likeness]}: ${count}`;
  return el(
    "td",
    {},
    count
      ? el("button", { type: "button", title: what, "aria-label": what, onclick: choose }, grouped(count))
      : el("small", {}, "0"),
  );
}
