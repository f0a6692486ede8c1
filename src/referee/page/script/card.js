// The chosen error in words.

import { el, plural } from "./dom.js";
import { address } from "./address.js";
import {
  alone,
  antecedentDocumentOf,
  data,
  documentOf,
  isAcross,
  KEY_LANE,
  letters,
  makersOf,
} from "./data.js";
import { badge, describe, typesOf } from "./describing.js";
import { entityLabel, entityWith, isDivided, partsOf, wholeEntity } from "./entities.js";
import { sentenceOf } from "./texts.js";

const NAMING = new Set(["name", "noun", "untyped"]);

export function errorCard(error) {
  const makers = makersOf(error.makers).filter((system) => system !== error.system);
  const names = makers.map((system) => data.systems[system]).join(", ");
  const facts = [
    ["Cause", data.kinds[error.kind]],
    ["Types", typesOf(error)],
    ["Sentences", ...sentences(error)],
    ...wording(error),
    ["Key", whereabouts(KEY_LANE, error), ...divided(error)],
    [`System ${letters[error.system]}`, whereabouts(error.system, error)],
    ["Made by", makers.length ? `also ${names}` : "only this system"],
  ];
  return el(
    "div",
    { class: `card ${data.sides[error.side]}`, id: "chosen", role: "status" },
    el("p", {}, badge(error), " ", describe(error), "."),
    el("dl", {}, ...facts.flatMap(([name, ...values]) => [el("dt", {}, name), el("dd", {}, ...values)])),
  );
}

function sentences(error) {
  const [doc, before] = [documentOf(error), antecedentDocumentOf(error)];
  const range = before.mentions[error.antecedent];
  const from = sentenceOf(doc, doc.mentions[error.anaphor][0]);
  const to = sentenceOf(before, range[0]);
  if (alone) return [`${from}`];
  if (!isAcross(error)) return [`${from} → ${to}`];
  const there = address({ doc: before.id, at: `${range[0]}-${range.at(-1)}` });
  return [`${from} → ${to} of `, el("a", { href: there, id: "antecedent-document" }, before.id)];
}

// What names and nouns have in common, and what a system would have to know to link them.
function wording(error) {
  if (alone) return [];
  if (![error.anaphorType, error.antecedentType].every((type) => NAMING.has(data.types[type]))) return [];
  const facts = [["In common", data.overlaps[error.overlap]]];
  if (error.hints.length) facts.push(["Hint", error.hints.map((hint) => data.hints[hint]).join(", ")]);
  return facts;
}

function whereabouts(lane, error) {
  const doc = documentOf(error);
  const anaphor = entityWith(doc, lane, error.anaphor);
  const antecedent = entityWith(antecedentDocumentOf(error), lane, error.antecedent);
  const name = (entity) => {
    if (!entity) return "not a mention";
    const size = wholeEntity(doc.unit, lane, entity[0]).length;
    return `in ${entityLabel(doc, lane, entity[0])} (${plural(size, "mention")})`;
  };
  if (alone) return name(anaphor);
  if (anaphor && anaphor[0] === antecedent?.[0]) return `both ${name(anaphor)}`;
  return `anaphor ${name(anaphor)}, antecedent ${name(antecedent)}`;
}

// Says so if the system divides the key's entity.
function divided(error) {
  const doc = documentOf(error);
  const entity = entityWith(doc, KEY_LANE, error.anaphor);
  const parts = entity ? partsOf(doc.unit, error.system, entity[0]) : [];
  if (!isDivided(parts)) return [];
  const labels = parts
    .filter(([home]) => home !== null)
    .map(([home]) => entityLabel(doc, error.system, home));
  return [", ", el("b", { class: "divided" }, "divided"), ` into ${labels.join(", ")}`];
}
