// The report's value, and its errors in one flat list.

import { byId } from "./dom.js";

export const data = JSON.parse(byId("data").textContent);
export const RECALL = 0;
export const PRECISION = 1;
export const SIDE_LETTERS = ["R", "P"];
export const REACHES = ["within documents", "across documents"];
export const WITHIN = 0;
export const ACROSS = 1;
export const KEY_LANE = -1; // lanes are the key's and, from 0, the systems'
export const letters = data.systems.map((_, system) =>
  system < 26 ? String.fromCharCode(65 + system) : `S${system + 1}`,
);
export const alone = data.layer === "non-referring"; // expressions that refer to nothing have no antecedent
export const acrossDocuments = data.scope !== "document";

export const indexOfDocument = new Map(data.documents.map((doc, index) => [doc.id, index]));

export const errors = data.documents.flatMap((doc, document) =>
  doc.errors.map(([system, side, kind, anaphor, antecedent, back, overlap, ...hints], index) => ({
    document,
    index,
    system,
    side,
    kind,
    anaphor,
    antecedent,
    antecedentDocument: document - back,
    overlap,
    hints,
    likeness: doc.likeness[index],
    reach: back ? ACROSS : WITHIN,
    anaphorType: doc.types[anaphor],
    antecedentType: data.documents[document - back].types[antecedent],
    link: 0, // the same number for the same error of another system
    makers: 0n, // systems that make it, a bit each
  })),
);
shareErrors();

// Two systems make the same error if the same link is missed, or the same link is made.
function shareErrors() {
  const links = new Map();
  const makers = [];
  for (const error of errors) {
    const ends = [error.document, error.anaphor, error.antecedentDocument, error.antecedent];
    const link = `${error.side} ${ends.join(" ")}`;
    if (!links.has(link)) links.set(link, makers.push(0n) - 1);
    error.link = links.get(link);
    makers[error.link] |= 1n << BigInt(error.system);
  }
  for (const error of errors) error.makers = makers[error.link];
}

export function documentOf(error) {
  return data.documents[error.document];
}

export function antecedentDocumentOf(error) {
  return data.documents[error.antecedentDocument];
}

export function isAcross(error) {
  return error.reach === ACROSS;
}

export function makersOf(bits) {
  return [...data.systems.keys()].filter((system) => bits & (1n << BigInt(system)));
}

export function countBy(list, of) {
  const counts = new Map();
  for (const item of list) counts.set(of(item), (counts.get(of(item)) ?? 0) + 1);
  return counts;
}
