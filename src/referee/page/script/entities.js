// Entities: whose a mention is, what an entity is called, and into which parts a system divides it.

import { data, KEY_LANE, letters } from "./data.js";
import { shortened, textOf } from "./texts.js";

// The entities of one lane, as [number, mentions].
export function entitiesOf(doc, lane) {
  return lane === KEY_LANE ? doc.key : doc.responses[lane];
}

// Numbers past those of the key's entities are of entities that only a system has.
export function isExtra(doc, number) {
  return number > data.units[doc.unit].entities;
}

export function entityLabel(doc, lane, number) {
  if (lane === KEY_LANE) return String(number);
  return letters[lane] + (isExtra(doc, number) ? `(${number - data.units[doc.unit].entities})` : number);
}

const homes = new Map(); // document → lane → mention → [number, mentions]

export function entityWith(doc, lane, mention) {
  if (!homes.has(doc)) homes.set(doc, new Map());
  const lanes = homes.get(doc);
  if (!lanes.has(lane)) {
    const owners = new Map();
    for (const entity of entitiesOf(doc, lane))
      for (const member of entity[1]) if (!owners.has(member)) owners.set(member, entity);
    lanes.set(lane, owners);
  }
  return lanes.get(lane).get(mention);
}

const wholes = new Map(); // unit and lane → number → [document, mention] of all mentions

// An entity in all documents of its unit.
export function wholeEntity(unit, lane, number) {
  const name = `${unit} ${lane}`;
  if (!wholes.has(name)) {
    const members = new Map();
    for (const doc of data.documents.filter((each) => each.unit === unit))
      for (const [own, mentions] of entitiesOf(doc, lane)) {
        if (!members.has(own)) members.set(own, []);
        members.get(own).push(...mentions.map((mention) => [doc, mention]));
      }
    wholes.set(name, members);
  }
  return wholes.get(name).get(number) ?? [];
}

// Where a system has the mentions of a key entity: [number or null, how many], the largest part first.
export function partsOf(unit, system, number) {
  const counts = new Map();
  for (const [doc, mention] of wholeEntity(unit, KEY_LANE, number)) {
    const home = entityWith(doc, system, mention)?.[0] ?? null;
    counts.set(home, (counts.get(home) ?? 0) + 1);
  }
  return [...counts].sort((one, other) => (one[0] === null) - (other[0] === null) || other[1] - one[1]);
}

export function isDivided(parts) {
  return parts.filter(([number]) => number !== null).length > 1;
}

// English words that say little about whom they mean, for texts whose mentions have no types.
const PRONOUNS = new Set(
  (
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers " +
    "herself it its itself they them their theirs themselves themself one oneself who whom whose which what that this " +
    "these those there here"
  ).split(" "),
);
const DETERMINERS = /^(the|an?|this|that|these|those|my|our|your|his|her|its|their) /i;
const RANKS = { name: 0, noun: 1, verb: 2, demonstrative: 3, pronoun: 4 };
const CALLED = 40; // letters that a name may have

// How well a mention names its entity: a proper name, before a noun, before a pronoun.
function rank(type, text) {
  if (type !== "untyped") return RANKS[type] ?? 1;
  if (PRONOUNS.has(text.toLowerCase())) return 4;
  return /\p{Lu}/u.test(text.replace(DETERMINERS, "")) ? 0 : 1; // “The mill” is not a name
}

// What an entity is called: of its best kind of mention the longest that is short and plain enough, the first of
// several. “Tobias Renn, a former ferry captain” is plain without what follows the name.
export function nameOf(members) {
  const candidates = members.map(([doc, mention]) => {
    const text = textOf(doc, mention);
    const named = DETERMINERS.test(text) ? text : text.replace(/^(\p{Lu}[^,;:(]*?) ?[,;:(].*/u, "$1");
    const plain = named.replace(/(?<=.)(['’]s|['’])$/, "");
    const simple = plain.length <= CALLED && !/[,;:()]|…|-LRB-/.test(plain);
    return { plain, simple, rank: rank(data.types[doc.types[mention]], plain) };
  });
  const best = Math.min(...candidates.map((each) => each.rank));
  const among = candidates.filter((each) => each.rank === best);
  const simple = among.filter((each) => each.simple);
  if (!simple.length) return shortened(among[0].plain, CALLED);
  return simple.reduce((one, other) => (other.plain.length > one.plain.length ? other : one)).plain;
}
