// Errors in words.

import { el } from "./dom.js";
import { alone, antecedentDocumentOf, data, documentOf, letters, RECALL, SIDE_LETTERS } from "./data.js";
import { shortened, textOf } from "./texts.js";

export function anaphorText(error) {
  return textOf(documentOf(error), error.anaphor);
}

export function antecedentText(error) {
  return textOf(antecedentDocumentOf(error), error.antecedent);
}

export function describe(error) {
  if (alone) {
    const says = error.side === RECALL ? "misses" : "wrongly says";
    return `${data.systems[error.system]} ${says} that “${shortened(anaphorText(error))}” refers to nothing`;
  }
  const verb = error.side === RECALL ? "misses" : "wrongly makes";
  const ends = [anaphorText(error), antecedentText(error)].map((text) => `“${shortened(text)}”`);
  return `${data.systems[error.system]} ${verb} the link from ${ends[0]} to ${ends[1]}`;
}

export function typesOf(error) {
  if (alone) return data.types[error.anaphorType];
  return `${data.types[error.anaphorType]} → ${data.types[error.antecedentType]}`;
}

export function badge(error) {
  return el(
    "span",
    { class: `badge ${data.sides[error.side]}` },
    `${letters[error.system]} ${SIDE_LETTERS[error.side]}`,
  );
}

export function systemName(system) {
  return [el("b", { class: "letter" }, letters[system]), " ", data.systems[system]];
}
