// The plot of shared errors: how many exactly these systems make.

import { el, grouped, onEnter, plural, svg } from "./dom.js";
import { data, letters, makersOf } from "./data.js";
import { setFilters, shownMask, shownSystems, visibleErrors } from "./filters.js";

const WIDEST_PLOT = 14; // columns
const PLOT = { left: 190, column: 64, top: 22, height: 150, row: 24 };

export function sharedPlot() {
  const mask = shownMask();
  const links = new Map(visibleErrors().map((error) => [error.link, error]));
  const columns = new Map();
  for (const error of links.values()) {
    const makers = error.makers & mask;
    if (!columns.has(makers)) columns.set(makers, [0, 0]);
    columns.get(makers)[error.side]++;
  }
  const total = ([, [recall, precision]]) => recall + precision;
  const sorted = [...columns].sort((one, other) => total(other) - total(one));
  const more = sorted.slice(WIDEST_PLOT);
  const rest = more.reduce((sum, column) => sum + total(column), 0);
  const said = `${plural(more.length, "smaller set")} not drawn: ${plural(rest, "error")}.`;
  return el(
    "div",
    { class: "wide" },
    sorted.length ? drawShared(sorted.slice(0, WIDEST_PLOT)) : el("p", {}, "No errors to show."),
    more.length ? el("p", { class: "caption" }, said) : null,
  );
}

function drawShared(columns) {
  const systems = shownSystems();
  const most = Math.max(...columns.map(([, [recall, precision]]) => recall + precision));
  const width = PLOT.left + columns.length * PLOT.column + 10;
  const height = PLOT.top + PLOT.height + 16 + systems.length * PLOT.row;
  const names = systems.map((system, row) => sharedName(system, row, width));
  return svg(
    "svg",
    {
      class: "shared",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "group",
      "aria-label": "Errors that systems share",
    },
    plotPatterns(),
    ...names,
    ...columns.map((column, index) => sharedColumn(column, index, systems, most)),
  );
}

// Recall and precision differ by pattern as well as by colour.
function plotPatterns() {
  const tile = { width: 6, height: 6, patternUnits: "userSpaceOnUse" };
  return svg(
    "defs",
    {},
    svg(
      "pattern",
      { id: "hatch", ...tile, patternTransform: "rotate(45)" },
      svg("rect", { width: 6, height: 6, class: "recall-ground" }),
      svg("rect", { width: 2.5, height: 6, class: "recall-mark" }),
    ),
    svg(
      "pattern",
      { id: "dots", ...tile },
      svg("rect", { width: 6, height: 6, class: "precision-ground" }),
      svg("circle", { cx: 3, cy: 3, r: 1.5, class: "precision-mark" }),
    ),
  );
}

// HTML inside the picture, since only that can cut a long name where its room ends.
function sharedName(system, row, width) {
  const y = PLOT.top + PLOT.height + 16 + row * PLOT.row;
  const name = data.systems[system];
  return svg(
    "g",
    {},
    svg("rect", { x: 0, y, width, height: PLOT.row, class: row % 2 ? "band" : "band even" }),
    svg(
      "foreignObject",
      { x: 6, y, width: PLOT.left - 8, height: PLOT.row },
      el("div", { class: "system", title: name }, `${letters[system]}  ${name}`),
    ),
  );
}

function sharedColumn([makers, [recall, precision]], index, systems, most) {
  const x = PLOT.left + index * PLOT.column;
  const bottom = PLOT.top + PLOT.height;
  const [tall, low] = [recall, precision].map((count) => (PLOT.height * count) / most);
  const members = makersOf(makers);
  const dotY = (system) => bottom + 16 + (systems.indexOf(system) + 0.5) * PLOT.row;
  const middle = x + PLOT.column / 2;
  const names = members.map((system) => data.systems[system]).join(" and ");
  const what = `${names}: ${recall} recall, ${precision} precision errors`;
  const choose = () => setFilters({ shared: makers });
  const box = (y, height, attributes) =>
    svg("rect", { x: x + 16, y, width: PLOT.column - 32, height, ...attributes });
  const dot = (system) =>
    svg("circle", {
      cx: middle,
      cy: dotY(system),
      r: 6,
      class: members.includes(system) ? "member" : "absent",
    });
  const count = { x: middle, y: bottom - low - tall - 6, "text-anchor": "middle" };
  const line = { x1: middle, x2: middle, y1: dotY(members[0]), y2: dotY(members.at(-1)), class: "member" };
  const hit = { x: x + 4, y: 0, width: PLOT.column - 8, class: "hit" };
  return svg(
    "g",
    {
      class: "column",
      tabindex: 0,
      role: "button",
      "aria-label": what,
      onclick: choose,
      onkeydown: onEnter(choose),
    },
    svg("title", {}, what),
    svg("rect", { ...hit, height: bottom + 16 + systems.length * PLOT.row }),
    box(bottom - low, low, { fill: "url(#dots)", class: "precision" }),
    box(bottom - low - tall, tall, { fill: "url(#hatch)", class: "recall" }),
    svg("text", count, grouped(recall + precision)),
    ...systems.map(dot),
    members.length > 1 ? svg("line", line) : null,
  );
}
