// The overview: scores, and the frames of the plots.

function drawOverview() {
  byId("overview").replaceChildren(
    ...data.notices.map((notice) => el("p", { class: "notice" }, notice)),
    el("h1", {}, data.title),
    el(
      "p",
      { class: "lead" },
      `${plural(data.documents.length, "document")}, ${plural(data.systems.length, "system")}, ` +
        `${plural(errors.length, "link error")}. Key: ${data.key}.`,
    ),
    panel(
      "Scores",
      "F1, with recall and precision below it. The best of each group is marked ★.",
      scoreTables(),
    ),
    panel(
      "Errors by class",
      "Links that a system misses (recall) or makes wrongly (precision), and the points of CoNLL F1 that the system " +
        "would gain if all that is wrong in this way were corrected. A class can hold errors of both sides.",
      barCharts(),
    ),
    panel("Errors by mention type", heatCaption(), heatMaps()),
    panel("Errors that systems share", sharedCaption(), sharedPlot()),
    panel("Errors, one by one", "In the order of the documents, as filtered.", exampleList()),
  );
}

function panel(title, caption, content) {
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, title),
    el("p", { class: "caption" }, caption),
    content,
  );
}

function heatCaption() {
  const sources = [...new Set(data.trees.precision)].join(", ");
  return (
    "Rows: the anaphor's type. Columns: the antecedent's. Recall errors are out of all links of the key " +
    `(trees by ${data.trees.recall}), precision errors out of the links that a system makes (${sources}). ` +
    "Choose a cell to filter by it."
  );
}

function sharedCaption() {
  return data.systems.length > 1
    ? "Each column counts the errors that exactly the marked systems make. Choose a column to filter by it."
    : "With more than one system, this shows which errors they share.";
}

function scoreTables() {
  const heads = [...data.metrics, "CoNLL"];
  const body = data.scores.map((group) =>
    el(
      "tbody",
      {},
      groupHead(group, heads.length + 1),
      ...shownSystems().map((system) => scoreRow(group, system)),
    ),
  );
  return el(
    "div",
    { class: "wide" },
    el(
      "table",
      { class: "scores" },
      el("thead", {}, el("tr", {}, ...["System", ...heads].map((head) => el("th", { scope: "col" }, head)))),
      ...body,
    ),
  );
}

function groupHead(group, width) {
  return el(
    "tr",
    { class: "group-head" },
    el("th", { colspan: width, scope: "rowgroup" }, group.label, " ", el("code", {}, group.signature)),
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
      `R ${percent(recall)}  P ${percent(precision)}`,
    ),
  );
  const conll = group.conll[system];
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, el("b", { class: "letter" }, letters[system]), " ", data.systems[system]),
    ...cells,
    scoreCell(conll, best(group.conll, conll), ""),
  );
}

function scoreCell(value, isBest, below) {
  return el(
    "td",
    { class: isBest ? "best" : null },
    el("span", {}, (isBest ? "★ " : "") + percent(value)),
    below ? el("small", {}, below) : null,
  );
}
