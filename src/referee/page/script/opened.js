// The open document, and how it is shown.

import { data, errors } from "./data.js";
import { visibleErrors } from "./filters.js";

const CROWDED = 80; // more arcs than this are hard to follow: only the chosen one is drawn until asked for all

export const reader = {
  index: null, // of the document
  error: null,
  at: null, // words that were searched for
  entity: null,
  singletons: true,
  compact: false,
  arcs: null, // whether all are drawn; null for as many as are easy to follow
  tab: "errors",
  listed: false, // whether a long list of errors is shown whole
};

export function openDocument(index, errorIndex, at) {
  if (reader.index !== index) Object.assign(reader, { entity: null, arcs: null, listed: false });
  reader.index = index;
  reader.error =
    errorIndex === null ? null : (errors.find((e) => e.document === index && e.index === errorIndex) ?? null);
  reader.at = at;
}

export function openDoc() {
  return data.documents[reader.index];
}

export function errorsHere() {
  return visibleErrors().filter((error) => error.document === reader.index);
}

export function showsAllArcs() {
  return reader.arcs ?? errorsHere().length <= CROWDED;
}
