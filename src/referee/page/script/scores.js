// Scores with their intervals, and the gain of each system over the first with its test.

import { el, grouped, percent, plural, signed } from "./dom.js";
import { data } from "./data.js";
import { systemName } from "./describing.js";
import { filter, shownSystems } from "./filters.js";

const MEASURES = [...data.metrics, ...(data.scores[0].conll ? ["CoNLL"] : [])];

export function scoreTables() {
  return measureTable("scores", (group) => shownSystems().map((system) => scoreRow(group, system)));
}

export function gainTables() {
  const others = shownSystems().filter((system) => system > 0);
  return measureTable("scores gains", (group) => others.map((system) => gainRow(group, system)));
}

export function hasGains() {
  return data.systems.length > 1 && [...filter.system].some((system) => system > 0);
}

// Measures in columns; a body of rows for each way of matching.
function measureTable(name, rowsOf) {
  const head = ["System", ...MEASURES].map((title) => el("th", { scope: "col" }, title));
  const bodies = data.scores.map((group) => el("tbody", {}, groupHead(group), ...rowsOf(group)));
  return el(
    "div",
    { class: "wide", role: "group", tabindex: 0, "aria-label": "Table of scores" },
    el("table", { class: name }, el("thead", {}, el("tr", {}, ...head)), ...bodies),
  );
}

function groupHead(group) {
  return el(
    "tr",
    { class: "group-head" },
    el(
      "th",
      { colspan: MEASURES.length + 1, scope: "rowgroup" },
      group.label,
      " ",
      el("code", {}, group.signature),
    ),
  );
}

function scoreRow(group, system) {
  const best = (values, own) => data.systems.length > 1 && percent(Math.max(...values)) === percent(own);
  const cells = group.values[system].map(([recall, precision, f1], metric) =>
    scoreCell(
      f1,
      best(
        group.values.map((values) => values[metric][2]),
        f1,
      ),
      group.intervals[system][metric],
      `R ${percent(recall)}  P ${percent(precision)}`,
    ),
  );
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, ...systemName(system)),
    ...cells,
    ...(group.conll ? [meanCell(group, system, best)] : []),
  );
}

function meanCell(group, system, best) {
  const conll = group.conll[system];
  return scoreCell(conll, best(group.conll, conll), group.intervals[system].at(-1), "");
}

function scoreCell(value, isBest, interval, below) {
  return el(
    "td",
    { class: isBest ? "best" : null },
    el("span", {}, (isBest ? "★ " : "") + percent(value)),
    interval ? el("small", { class: "interval" }, interval.map((edge) => percent(edge)).join(" – ")) : null,
    below ? el("small", {}, below) : null,
  );
}

function gainRow(group, system) {
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, ...systemName(system)),
    ...group.against[system - 1].map(gainCell),
  );
}

function gainCell([gain, low, high, p, sign]) {
  const chance = p === null ? "" : p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`;
  return el(
    "td",
    { class: sign ? "best" : null },
    el("span", {}, `${signed(gain)}${sign ? ` ${sign}` : ""}`),
    low === null ? null : el("small", { class: "interval" }, `${signed(low)} – ${signed(high)}`),
    el("small", {}, chance),
  );
}

export function scoreCaption() {
  const { level, samples, units, cautions } = data.judging;
  const sure = data.scores[0].intervals[0].some((interval) => interval !== null);
  const drawn = `${plural(units, data.scope)}, ${grouped(samples)} samples`;
  const made = sure ? `its ${percent(level, 0)} % interval (bootstrap of ${drawn}), ` : "";
  const best = data.systems.length > 1 ? ["★ marks the best of each group."] : [];
  const careful = cautions.map((caution) => `Note: ${caution}.`);
  return [`F1, with ${made}recall and precision below it.`, ...best, ...careful].join(" ");
}

export function gainCaption() {
  const { test, level, corrected } = data.judging;
  const alpha = (1 - level).toFixed(2);
  return (
    `Gains in F1 over ${data.systems[0]}, with the interval of the gain and the p-value ` +
    `(${test}${corrected ? ", Holm-corrected" : ""}). ` +
    `↑ marks a significant gain, ↓ a significant loss, at p < ${alpha}.`
  );
}
