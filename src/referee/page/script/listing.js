// The list of documents, with scores and counts of the errors that the filters leave; across documents, of units too.

import { byId, el, grouped, percent, plural, signed } from "./dom.js";
import { address } from "./address.js";
import { acrossDocuments, countBy, data, letters, SIDE_LETTERS } from "./data.js";
import { shownSystems, visibleErrors } from "./filters.js";
import { lengthOf } from "./texts.js";

const sorting = { column: "index", falling: false };
const ALPHABET = new Intl.Collator("en", { numeric: true });
const UNIT = data.scope[0].toUpperCase() + data.scope.slice(1);
const AT_ONCE = 60; // rows; the others follow when the first are on the screen

export function drawListing() {
  const counts = countBy(visibleErrors(), (error) => `${error.document} ${error.system} ${error.side}`);
  const documents = data.documents.map((doc, index) => documentRow(doc, index, counts));
  const own = "its recall errors (R) and precision errors (P); filters apply. Click a heading to sort by it.";
  byId("documents").replaceChildren(
    ...(acrossDocuments
      ? [
          el("h1", {}, plural(data.units.length, data.scope)),
          el("p", { class: "caption" }, `${data.measure} F1 of each ${data.scope}, and ${own}`),
          table(unitRows(documents), unitColumns(), "unit-"),
          el("h1", { class: "next" }, plural(data.documents.length, "document")),
        ]
      : [
          el("h1", {}, plural(data.documents.length, "document")),
          el("p", { class: "caption" }, `${data.measure} F1 of each document, and ${own}`),
        ]),
    table(documents, documentColumns()),
  );
}

function table(rows, columns, prefix = "") {
  const column = columns.find(({ name }) => name === sorting.column) ?? columns[0];
  rows.sort((one, other) => compare(column.value(one), column.value(other)) * (sorting.falling ? -1 : 1));
  const body = el("tbody");
  addRows(body, rows, columns);
  const head = el("thead", {}, el("tr", {}, ...columns.map((each) => listingHead(each, prefix))));
  return el("div", { class: "wide" }, el("table", { class: "listing" }, head, body));
}

function addRows(body, rows, columns) {
  body.append(...rows.slice(0, AT_ONCE).map((row) => el("tr", {}, ...columns.map((each) => each.cell(row)))));
  if (rows.length <= AT_ONCE) return;
  const goOn = () => body.isConnected && addRows(body, rows.slice(AT_ONCE), columns);
  requestAnimationFrame(() => setTimeout(goOn));
}

function documentRow(doc, index, counts) {
  const wrong = data.systems.map((_, system) =>
    data.sides.map((_side, side) => counts.get(`${index} ${system} ${side}`) ?? 0),
  );
  const entities = doc.key.length;
  return { doc, index, wrong, entities, unit: data.units[doc.unit], length: lengthOf(doc) };
}

function unitRows(documents) {
  return data.units.map((unit, index) => {
    const members = documents.filter(({ doc }) => doc.unit === index);
    const sum = (of) => members.reduce((total, row) => total + of(row), 0);
    const wrong = data.systems.map((_, system) =>
      data.sides.map((_s, side) => sum((row) => row.wrong[system][side])),
    );
    const length = sum((row) => row.length);
    return { unit, index, members, wrong, entities: unit.entities, length };
  });
}

function compare(one, other) {
  return typeof one === "string" ? ALPHABET.compare(one, other) : one - other;
}

function numeric(name, title, value, hint) {
  return { name, title, value, hint, cell: (row) => el("td", {}, grouped(value(row))) };
}

function linked(name, title, value, targetOf) {
  const cell = (row) => el("th", { scope: "row" }, el("a", { href: address(targetOf(row)) }, value(row)));
  return { name, title, value, cell };
}

function documentColumns() {
  const open = linked(
    "id",
    "Document",
    (row) => row.doc.id,
    (row) => ({ doc: row.doc.id }),
  );
  const label = (row) => row.unit.label;
  const unit = { name: "unit", title: UNIT, value: label, cell: (row) => el("td", {}, label(row)) };
  return [
    numeric("index", "#", (row) => row.index + 1),
    open,
    ...(acrossDocuments ? [unit] : []),
    ...counts(!acrossDocuments),
  ];
}

function unitColumns() {
  const first = linked(
    "id",
    UNIT,
    (row) => row.unit.label,
    (row) => ({ doc: row.members[0].doc.id }),
  );
  const documents = numeric("documents", "Documents", (row) => row.members.length);
  return [numeric("index", "#", (row) => row.index + 1), first, documents, ...counts(true)];
}

// What both lists have: sizes, scores where there are any, errors.
function counts(scored) {
  const all = (row) =>
    shownSystems().reduce((sum, system) => sum + row.wrong[system][0] + row.wrong[system][1], 0);
  return [
    numeric("tokens", "Tokens", (row) => row.length),
    numeric("entities", "Entities", (row) => row.entities),
    ...shownSystems().flatMap((system) => [
      ...(scored ? [scoreColumn(system)] : []),
      ...errorColumns(system),
    ]),
    ...(scored ? differenceColumn() : []),
    numeric("errors", "Errors", all),
  ];
}

function scoreColumn(system) {
  const value = (row) => row.unit.scores[system];
  return {
    name: `score ${system}`,
    title: `${letters[system]} ${data.measure}`,
    value,
    cell: (row) => scoreBar(value(row)),
  };
}

function errorColumns(system) {
  return data.sides.map((word, side) =>
    numeric(
      `${word} ${system}`,
      `${letters[system]} ${SIDE_LETTERS[side]}`,
      (row) => row.wrong[system][side],
      `${word} errors of ${data.systems[system]}`,
    ),
  );
}

// With two systems: on which documents one of them is better.
function differenceColumn() {
  const shown = shownSystems();
  if (shown.length !== 2) return [];
  const value = (row) => row.unit.scores[shown[0]] - row.unit.scores[shown[1]];
  const title = `${letters[shown[0]]} − ${letters[shown[1]]}`;
  return [{ name: "difference", title, value, cell: (row) => el("td", {}, signed(value(row))) }];
}

function scoreBar(value) {
  return el(
    "td",
    { class: "score" },
    el("span", { class: "meter", style: `--share:${percent(value, 0)}%` }),
    percent(value),
  );
}

function listingHead({ name, title, hint }, prefix) {
  const own = sorting.column === name;
  const choose = () => {
    sorting.falling = own ? !sorting.falling : !["index", "id", "unit"].includes(name);
    sorting.column = name;
    drawListing();
    byId(`${prefix}sort-${name}`)?.focus();
  };
  const order = own ? (sorting.falling ? "descending" : "ascending") : null;
  return el(
    "th",
    { scope: "col", "aria-sort": order },
    el(
      "button",
      { type: "button", id: `${prefix}sort-${name}`, title: hint, onclick: choose },
      title,
      own ? (sorting.falling ? " ▼" : " ▲") : "",
    ),
  );
}
