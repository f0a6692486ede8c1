// The errors as filtered, as a CSV file to keep.

import { el } from "./dom.js";
import { antecedentDocumentOf, data, documentOf, makersOf } from "./data.js";
import { anaphorText, antecedentText } from "./describing.js";
import { visibleErrors } from "./filters.js";
import { sentenceOf } from "./texts.js";

const start = (doc, mention) => doc.mentions[mention][0];
const end = (doc, mention) => doc.mentions[mention].at(-1);

const COLUMNS = {
  system: (error) => data.systems[error.system],
  side: (error) => data.sides[error.side],
  cause: (error) => data.kinds[error.kind],
  document: (error) => documentOf(error).id,
  sentence: (error) => sentenceOf(documentOf(error), start(documentOf(error), error.anaphor)),
  anaphor_start: (error) => start(documentOf(error), error.anaphor),
  anaphor_end: (error) => end(documentOf(error), error.anaphor),
  anaphor_type: (error) => data.types[error.anaphorType],
  anaphor: anaphorText,
  antecedent_document: (error) => antecedentDocumentOf(error).id,
  antecedent_sentence: (error) =>
    sentenceOf(antecedentDocumentOf(error), start(antecedentDocumentOf(error), error.antecedent)),
  antecedent_start: (error) => start(antecedentDocumentOf(error), error.antecedent),
  antecedent_end: (error) => end(antecedentDocumentOf(error), error.antecedent),
  antecedent_type: (error) => data.types[error.antecedentType],
  antecedent: antecedentText,
  in_common: (error) => data.overlaps[error.overlap],
  hints: (error) => error.hints.map((hint) => data.hints[hint]).join("; "),
  made_by: (error) =>
    makersOf(error.makers)
      .map((system) => data.systems[system])
      .join("; "),
};

function cell(value) {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function sheet() {
  const rows = visibleErrors().map((error) => Object.values(COLUMNS).map((of) => cell(of(error))));
  return [Object.keys(COLUMNS), ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}

export function downloadSheet() {
  const file = URL.createObjectURL(new Blob([sheet()], { type: "text/csv;charset=utf-8" }));
  el("a", { href: file, download: "errors.csv" }).click();
  setTimeout(() => URL.revokeObjectURL(file), 60_000); // the browser reads it a little later
}
