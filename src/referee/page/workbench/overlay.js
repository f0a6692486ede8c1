// Errors against the key or another system, in the report's data form, and where they are in the text.

import { bench, tell } from "./bench.js";
import { get } from "./server.js";

export const RECALL = 0;
export const PRECISION = 1;
export const overlay = {
  against: null,
  errors: [],
  kinds: [],
  counts: new Map(),
  hidden: new Set(),
  theirs: new Set(), // the spans of the other side's mentions, as JSON
  failure: "",
  loaded: false, // for what it is compared with now
  latest: null, // what is fulfilled when the last answer is here
};
let endings = new Map(); // the last word of an anaphor → its errors
let asked = 0;

export function shownErrors() {
  return overlay.errors.filter((error) => !overlay.hidden.has(error.kind));
}

// Another document, or another side: what is known of errors does not hold for it.
export function forgetErrors() {
  overlay.errors = [];
  overlay.loaded = false;
  endings = new Map();
}

// Fetches the errors; those before stay until then, and an answer that another one has overtaken is dropped.
export function loadOverlay(against) {
  overlay.latest = load(against);
  return overlay.latest;
}

async function load(against) {
  const number = ++asked;
  if (overlay.against !== against) forgetErrors();
  overlay.against = against;
  overlay.failure = "";
  if (against !== null && bench.doc) {
    try {
      const report = await get(`documents/${bench.doc.index}/overlay?against=${encodeURIComponent(against)}`);
      if (number !== asked) return;
      overlay.errors = errorsOf(report);
    } catch (error) {
      if (number !== asked) return;
      overlay.errors = [];
      overlay.failure = error.message;
    }
  }
  overlay.loaded = true;
  settle();
}

function spansOf(flat) {
  const spans = [];
  for (let i = 0; i < flat.length; i += 2) spans.push([flat[i], flat[i + 1]]);
  return spans;
}

function errorsOf(report) {
  const [doc] = report.documents;
  const links = doc.errors
    .filter(([, , , , , back]) => !back)
    .map(([, side, kind, anaphor, antecedent]) => ({
      side,
      kind: report.kinds[kind],
      anaphor: spansOf(doc.mentions[anaphor]),
      antecedent: spansOf(doc.mentions[antecedent]),
    }));
  const found = [...links, ...mentionErrors(doc)];
  return found.sort((one, other) => one.anaphor[0][0] - other.anaphor[0][0] || one.side - other.side);
}

// Mentions of one side alone that no link error names already.
function mentionErrors(doc) {
  const of = (entities) => new Set(entities.flatMap(([, mentions]) => mentions));
  const [key, response] = [of(doc.key), of(doc.responses[0])];
  overlay.theirs = new Set([...key].map((mention) => JSON.stringify(spansOf(doc.mentions[mention]))));
  const named = new Set(doc.errors.map(([, , , anaphor]) => anaphor));
  const alone = (one, other, side, kind) =>
    [...one]
      .filter((mention) => !other.has(mention) && !named.has(mention))
      .map((mention) => ({ side, kind, anaphor: spansOf(doc.mentions[mention]), antecedent: null }));
  return [
    ...alone(key, response, RECALL, "mention not marked"),
    ...alone(response, key, PRECISION, "mention only here"),
  ];
}

export function settle() {
  endings = new Map();
  overlay.counts = new Map();
  for (const error of overlay.errors)
    overlay.counts.set(error.kind, (overlay.counts.get(error.kind) ?? 0) + 1);
  overlay.kinds = [...overlay.counts.keys()].sort(
    (one, other) => overlay.counts.get(other) - overlay.counts.get(one),
  );
  for (const error of shownErrors()) {
    const last = error.anaphor.at(-1)[1] - 1;
    endings.set(last, [...(endings.get(last) ?? []), error]);
  }
  if (!overlay.errors.includes(bench.error)) bench.error = sameError(bench.error);
  tell("errors");
}

// The chosen error among those that were fetched again.
function sameError(error) {
  if (!error) return null;
  const wanted = JSON.stringify(error);
  return overlay.errors.find((each) => JSON.stringify(each) === wanted) ?? null;
}

// Classes of a word: the sign of an error that ends there.
export function overlayAt(word) {
  const errors = endings.get(word) ?? [];
  const names = [];
  if (errors.some(({ side }) => side === RECALL)) names.push("missed");
  if (errors.some(({ side }) => side === PRECISION)) names.push("wrong");
  return names;
}

export function errorsAt(word) {
  return endings.get(word) ?? [];
}
