// The bar of filters, and the button that keeps what they leave.

import { byId, el, grouped, plural } from "./dom.js";
import { data, errors, letters, makersOf } from "./data.js";
import {
  anyFilter,
  FILTERS,
  filter,
  filterCounts,
  resetFilters,
  setFilters,
  toggleFilter,
  visibleErrors,
} from "./filters.js";
import { downloadSheet } from "./sheet.js";

export function drawFilters() {
  const counts = filterCounts();
  const groups = Object.entries(FILTERS)
    .filter(([, { words }]) => words.length > 1)
    .map(([name, group]) => filterGroup(name, group, counts[name]));
  if (filter.shared !== null) groups.push(sharedChip());
  if (anyFilter())
    groups.push(el("button", { type: "button", class: "chip reset", onclick: resetFilters }, "Show all"));
  groups.push(exportButton());
  const box = byId("filter-groups");
  const focused = box.contains(document.activeElement) ? document.activeElement.id : "";
  box.replaceChildren(...groups);
  if (focused) byId(focused)?.focus();
  byId("filter-count").value = `${grouped(visibleErrors().length)} of ${plural(errors.length, "error")}`;
}

function filterGroup(name, { title, words }, counts) {
  return el(
    "div",
    { class: "group", role: "group", "aria-label": `${title} filter` },
    el("span", { class: "name" }, title),
    ...[...words.keys()].map((position) => chip(name, position, counts[position])),
  );
}

function chip(name, position, count) {
  const word = FILTERS[name].words[position];
  return el(
    "button",
    {
      type: "button",
      class: "chip",
      id: `filter-${name}-${position}`,
      "aria-pressed": String(filter[name].has(position)),
      title: `${word}. Click: on or off. Shift-click: only this.`,
      onclick: (event) => toggleFilter(name, position, event.shiftKey),
    },
    name === "system" ? el("b", {}, letters[position]) : null,
    name === "side" ? el("span", { class: `swatch ${data.sides[position]}` }) : null,
    el("span", { class: "word" }, word),
    el("small", {}, grouped(count)),
  );
}

function sharedChip() {
  const makers = makersOf(filter.shared);
  const names = makers.map((system) => data.systems[system]).join(" and ");
  return el(
    "button",
    { type: "button", class: "chip reset", onclick: () => setFilters({ shared: null }) },
    el("span", { class: "word" }, `made by ${makers.length > 1 ? "" : "only "}${names}`),
    "✕",
  );
}

function exportButton() {
  const title = "Save these errors as a CSV file, one line each";
  return el(
    "button",
    { type: "button", class: "chip", id: "export", title, onclick: downloadSheet },
    "Download CSV",
  );
}
