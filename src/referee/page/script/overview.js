// The overview: scores, errors by cause and type, shared errors, examples.

import { byId, el, plural } from "./dom.js";
import { barCharts } from "./bars.js";
import { acrossDocuments, alone, data, errors } from "./data.js";
import { typeMaps, TYPES_CAPTION } from "./entity_scores.js";
import { exampleList } from "./examples.js";
import { heatMaps } from "./matrices.js";
import { REACH_CAPTION, reachTables } from "./reach.js";
import { gainCaption, gainTables, hasGains, scoreCaption, scoreTables } from "./scores.js";
import { sharedPlot } from "./shared.js";

const ERRORS = alone ? "Errors" : "Link errors";

export function drawOverview() {
  const units = acrossDocuments ? `${plural(data.units.length, data.scope)}, ` : "";
  byId("overview").replaceChildren(
    ...data.notices.map((notice) => el("p", { class: "notice" }, notice)),
    el("h1", {}, data.title),
    el(
      "p",
      { class: "lead" },
      `${units}${plural(data.documents.length, "document")}, ${plural(data.systems.length, "system")}, ` +
        `${plural(errors.length, alone ? "error" : "link error")}. Key: ${data.key}.`,
    ),
    panel("Scores", scoreCaption(), scoreTables()),
    ...(hasGains() ? [panel("Compared with the first system", gainCaption(), gainTables())] : []),
    ...(data.entityScores ? [panel("Scores by type and span of entity", TYPES_CAPTION, typeMaps())] : []),
    panel(`${ERRORS} by cause`, causeCaption(), barCharts()),
    ...(acrossDocuments
      ? [panel("Link errors within and across documents", REACH_CAPTION, reachTables())]
      : []),
    ...(alone ? [] : [panel(`${ERRORS} by mention type`, heatCaption(), heatMaps())]),
    panel(`${ERRORS} that systems share`, sharedCaption(), sharedPlot()),
    panel(`${ERRORS}, one by one`, "In document order; filters apply.", exampleList()),
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

function causeCaption() {
  const what = alone ? "Expressions that a system misses" : "Links that a system misses";
  return (
    `${what} (recall) or makes wrongly (precision), and the gain in ${data.measure} F1 if all errors with this cause ` +
    "were corrected. A cause can lead to recall errors and to precision errors."
  );
}

function heatCaption() {
  if (!data.trees.recall)
    return (
      "Rows are types of the anaphor, columns of the antecedent. Recall errors are out of all links that the key " +
      "annotates, precision errors out of all that a system makes. " +
      "Click a cell to filter by it."
    );
  const sources = [...new Set(data.trees.precision)].join(", ");
  return (
    "Rows are types of the anaphor, columns of the antecedent. Recall errors are out of all links of the key " +
    `(trees by ${data.trees.recall}), precision errors out of the links that a system makes (${sources}). ` +
    "Click a cell to filter by it."
  );
}

function sharedCaption() {
  return data.systems.length > 1
    ? "Each column counts the errors that exactly the marked systems make. Click a column to filter by it."
    : "With several systems, this plot shows which errors they share.";
}
