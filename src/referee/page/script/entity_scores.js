// Scores by the type and the span of entities: a heat map for each system.

import { el, grouped, percent, plural } from "./dom.js";
import { data } from "./data.js";
import { systemName } from "./describing.js";
import { shownSystems } from "./filters.js";

export const TYPES_CAPTION =
  "F1 of the mentions and of the links of each type of entity, with its interval and the number of the key's " +
  "mentions. Recall is over entities of the key, precision over those of the system, which have the types of the " +
  "mentions that they share with the key. Spans are the words from an entity's first mention to its last: long " +
  "entities are mostly people, so compare spans within a type.";

export function typeMaps() {
  return el("div", { class: "charts" }, ...shownSystems().map(typeMap));
}

function typeMap(system) {
  const { columns, rows, values } = data.entityScores;
  const head = columns.map((column) => el("th", { scope: "col" }, column));
  const body = rows.map(([kind, mentions], row) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, kind, el("small", {}, ` ${plural(mentions, "mention")}`)),
      ...values[system][row].map((value, column) => typeCell(value, mentions, `${kind}, ${columns[column]}`)),
    ),
  );
  return el(
    "figure",
    {
      class: "wide",
      tabindex: 0,
      "aria-label": `Scores of ${data.systems[system]} by type and span of entity`,
    },
    el("figcaption", {}, ...systemName(system)),
    el(
      "table",
      { class: "heat types" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col", class: "corner" }, "type of entity"), ...head)),
      el("tbody", {}, ...body),
    ),
  );
}

// The number of mentions is there unless it is that of the whole row, which stands at its head.
function typeCell(value, whole, name) {
  if (value === null) return el("td", { title: `${name}: none in the key` }, el("small", {}, "·"));
  const [mentions, recall, precision, f1, low, high] = value;
  const title =
    `${name}: recall ${percent(recall)}, precision ${percent(precision)}, F1 ${percent(f1)}; ` +
    `${plural(mentions, "mention")} in the key`;
  return el(
    "td",
    { style: `--share:${percent(f1, 1)}%`, title },
    el("span", {}, percent(f1, 1)),
    el("small", {}, low === null ? "few documents" : `${percent(low, 1)} – ${percent(high, 1)}`),
    mentions === whole ? null : el("small", {}, `n = ${grouped(mentions)}`),
  );
}
