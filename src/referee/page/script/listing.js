// The list of documents, with scores and counts of the errors that the filters leave.

const sorting = { column: "place", falling: false };

function drawListing() {
  const counts = countBy(visibleErrors(), (error) => `${error.document} ${error.system} ${error.side}`);
  const rows = data.documents.map((doc, place) => ({ doc, place, ...errorCounts(doc, place, counts) }));
  const columns = listingColumns();
  const column = columns.find(({ name }) => name === sorting.column) ?? columns[0];
  rows.sort((one, other) => compare(column.value(one), column.value(other)) * (sorting.falling ? -1 : 1));
  const body = el("tbody");
  byId("documents").replaceChildren(
    el("h1", {}, plural(data.documents.length, "document")),
    el(
      "p",
      { class: "caption" },
      "CoNLL F1 of each document, and its recall (R) and precision errors (P) as filtered. Choose a heading to sort by it.",
    ),
    el(
      "div",
      { class: "wide" },
      el("table", { class: "listing" }, el("thead", {}, el("tr", {}, ...columns.map(listingHead))), body),
    ),
  );
  addRows(body, rows, columns);
}

const AT_ONCE = 60; // rows; the others follow when the first are on the screen

function addRows(body, rows, columns) {
  body.append(...rows.slice(0, AT_ONCE).map((row) => el("tr", {}, ...columns.map((each) => each.cell(row)))));
  if (rows.length <= AT_ONCE) return;
  const goOn = () => body.isConnected && addRows(body, rows.slice(AT_ONCE), columns);
  requestAnimationFrame(() => setTimeout(goOn));
}

function errorCounts(doc, place, counts) {
  const found = data.systems.map((_, system) =>
    data.sides.map((_side, side) => counts.get(`${place} ${system} ${side}`) ?? 0),
  );
  return {
    found,
    errors: shownSystems().reduce((sum, system) => sum + found[system][0] + found[system][1], 0),
  };
}

const ALPHABET = new Intl.Collator("en", { numeric: true });

function compare(one, other) {
  return typeof one === "string" ? ALPHABET.compare(one, other) : one - other;
}

function listingColumns() {
  const number = (name, title, value, show = (row) => grouped(value(row))) => ({
    name,
    title,
    value,
    cell: (row) => el("td", {}, show(row)),
  });
  return [
    number("place", "#", (row) => row.place + 1),
    {
      name: "id",
      title: "Document",
      value: (row) => row.doc.id,
      cell: (row) => el("th", { scope: "row" }, el("a", { href: address({ doc: row.doc.id }) }, row.doc.id)),
    },
    number("tokens", "Tokens", (row) => lengthOf(row.doc)),
    number("entities", "Entities", (row) => row.doc.key.length),
    ...shownSystems().flatMap((system) => [
      {
        name: `score ${system}`,
        title: `${letters[system]} CoNLL`,
        value: (row) => row.doc.scores[system],
        cell: (row) => scoreBar(row.doc.scores[system]),
      },
      ...data.sides.map((word, side) => ({
        ...number(
          `${word} ${system}`,
          `${letters[system]} ${SIDE_LETTERS[side]}`,
          (row) => row.found[system][side],
        ),
        hint: `${word} errors of ${data.systems[system]}`,
      })),
    ]),
    ...differenceColumn(),
    number("errors", "Errors", (row) => row.errors),
  ];
}

// With two systems: on which documents one of them is better.
function differenceColumn() {
  const shown = shownSystems();
  if (shown.length !== 2) return [];
  const value = (row) => row.doc.scores[shown[0]] - row.doc.scores[shown[1]];
  const signed = (row) => `${value(row) < 0 ? "−" : "+"}${percent(Math.abs(value(row)))}`;
  const title = `${letters[shown[0]]} − ${letters[shown[1]]}`;
  return [{ name: "difference", title, value, cell: (row) => el("td", {}, signed(row)) }];
}

function scoreBar(value) {
  return el(
    "td",
    { class: "score" },
    el("span", { class: "meter", style: `--share:${percent(value, 0)}%` }),
    percent(value),
  );
}

function listingHead({ name, title, hint }) {
  const own = sorting.column === name;
  const choose = () => {
    sorting.falling = own ? !sorting.falling : name !== "place" && name !== "id";
    sorting.column = name;
    drawListing();
    byId(`sort-${name}`)?.focus();
  };
  const order = own ? (sorting.falling ? "descending" : "ascending") : null;
  return el(
    "th",
    { scope: "col", "aria-sort": order },
    el(
      "button",
      { type: "button", id: `sort-${name}`, title: hint, onclick: choose },
      title,
      own ? (sorting.falling ? " ▼" : " ▲") : "",
    ),
  );
}
