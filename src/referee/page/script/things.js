// Across documents: the key's entities or events of all units, each with its mentions in all documents.

import { byId, el, grouped, plural } from "./dom.js";
import { address } from "./address.js";
import { countBy, data, KEY_LANE, letters } from "./data.js";
import { entityLabel, entityWith, isDivided, nameOf, partsOf, wholeEntity } from "./entities.js";
import { shownSystems, visibleErrors } from "./filters.js";
import { hueOf } from "./stacking.js";
import { lengthOf, spaced, textBetween, textOf, tokensOf } from "./texts.js";

const THINGS_AT_ONCE = 40; // entities drawn at a time
const WORDS_AROUND = 8; // words of context on either side
const ORDERS = { errors: "errors", documents: "documents", mentions: "mentions" };
const shownThings = { order: "errors", open: new Set() };
let everyThing = null; // made once: filters change counts only

export function drawThings() {
  const counts = countBy(
    visibleErrors().filter((error) => error.side === 0),
    (error) => ownerOf(error),
  );
  const things = allThings().map((thing) => ({ ...thing, errors: counts.get(thing.id) ?? 0 }));
  things.sort(
    (one, other) => other[shownThings.order] - one[shownThings.order] || other.mentions - one.mentions,
  );
  const rows = el("ol", { class: "things" });
  const more = el("button", { type: "button", id: "more-things" });
  let shown = 0;
  const add = () => {
    rows.append(...things.slice(shown, shown + THINGS_AT_ONCE).map(thingItem));
    shown = Math.min(shown + THINGS_AT_ONCE, things.length);
    more.textContent = `${THINGS_AT_ONCE} more of ${grouped(things.length - shown)}`;
    more.hidden = shown === things.length;
  };
  more.addEventListener("click", add);
  add();
  const across = things.filter((thing) => thing.documents > 1).length;
  byId("entities").replaceChildren(
    el("h1", {}, `${plural(things.length, "entity or event", "entities and events")} of the key`),
    el(
      "p",
      { class: "caption" },
      `All have at least two mentions, and ${grouped(across)} occur in several documents. `,
      "Missed links are counted; filters apply. Click one to see its mentions in all documents and ",
      "the entity of each system. Sort by ",
      ...Object.entries(ORDERS).flatMap(([name, title], index) => [
        index ? ", " : "",
        el(
          "button",
          {
            type: "button",
            class: "chip",
            id: `order-${name}`,
            "aria-pressed": String(shownThings.order === name),
            onclick: () => orderBy(name),
          },
          title,
        ),
      ]),
      ".",
    ),
    rows,
    more,
  );
}

function orderBy(name) {
  shownThings.order = name;
  drawThings();
  byId(`order-${name}`).focus();
}

function allThings() {
  everyThing ??= data.units.flatMap((unit, index) =>
    Array.from({ length: unit.entities }, (_, at) => thingOf(index, at + 1)).filter(
      (thing) => thing.mentions > 1,
    ),
  );
  return everyThing;
}

function thingOf(unit, number) {
  const members = wholeEntity(unit, KEY_LANE, number);
  const documents = new Set(members.map(([doc]) => doc)).size;
  return { id: `${unit} ${number}`, unit, number, members, documents, mentions: members.length };
}

// The key's entity that a missed link belongs to.
function ownerOf(error) {
  const doc = data.documents[error.document];
  return `${doc.unit} ${entityWith(doc, KEY_LANE, error.anaphor)?.[0]}`;
}

function thingItem(thing) {
  const item = el("li");
  const draw = () => {
    const open = shownThings.open.has(thing.id);
    const toggle = () => {
      if (!shownThings.open.delete(thing.id)) shownThings.open.add(thing.id);
      draw();
      item.querySelector("button").focus();
    };
    item.replaceChildren(
      el("button", { type: "button", "aria-expanded": String(open), onclick: toggle }, ...headOf(thing)),
      ...(open ? [mentionTable(thing)] : []),
    );
  };
  draw();
  return item;
}

function headOf(thing) {
  const { unit, number, members, documents, mentions, errors } = thing;
  const size = `${plural(mentions, "mention")} in ${plural(documents, "document")}`;
  return [
    el("span", { class: `sample key ${hueOf(number, mentions)}` }, String(number)),
    el("b", {}, nameOf(members)),
    el(
      "small",
      {},
      `${data.units[unit].label} · ${size} · ${plural(errors, "missed link")}`,
      ...shownSystems().map((system) => fateOf(unit, system, number)),
    ),
  ];
}

function fateOf(unit, system, number) {
  const parts = partsOf(unit, system, number);
  const word = isDivided(parts) ? "divided" : parts.some(([home]) => home === null) ? "in part" : "whole";
  return el("span", { class: "fate" }, el("b", {}, letters[system]), el("b", { class: word }, ` ${word}`));
}

// One row for each mention, by document: the words around it, and the entity that each system puts it in.
function mentionTable({ members }) {
  const systems = shownSystems();
  const rows = members.map(([doc, mention], index) => {
    const same = index && members[index - 1][0] === doc;
    const at = `${doc.mentions[mention][0]}-${doc.mentions[mention].at(-1)}`;
    return el(
      "tr",
      { class: same ? null : "opens" },
      el("th", { scope: "row" }, same ? "" : doc.id),
      el("td", {}, ...contextOf(doc, mention, address({ doc: doc.id, at }))),
      ...systems.map((system) => homeCell(doc, system, mention)),
    );
  });
  const head = ["Document", "Mention", ...systems.map((system) => letters[system])];
  return el(
    "div",
    { class: "wide" },
    el(
      "table",
      { class: "concordance" },
      el("thead", {}, el("tr", {}, ...head.map((word) => el("th", { scope: "col" }, word)))),
      el("tbody", {}, ...rows),
    ),
  );
}

function homeCell(doc, system, mention) {
  const home = entityWith(doc, system, mention);
  if (!home) return el("td", { class: "missed" }, "missed");
  const size = wholeEntity(doc.unit, system, home[0]).length;
  const label = entityLabel(doc, system, home[0]);
  return el("td", {}, el("span", { class: `sample response ${hueOf(home[0], size)}` }, label));
}

function contextOf(doc, mention, href) {
  const [start, end] = [doc.mentions[mention][0], doc.mentions[mention].at(-1)];
  const [from, to] = [Math.max(0, start - WORDS_AROUND), Math.min(lengthOf(doc), end + WORDS_AROUND)];
  const tokens = tokensOf(doc);
  const gap = (at) => (at > from && at < to && spaced(tokens[at - 1], tokens[at]) ? " " : "");
  return [
    from ? "… " : "",
    textBetween(doc, from, start) + gap(start),
    el("a", { href }, el("mark", {}, textOf(doc, mention))),
    end < to ? gap(end) + textBetween(doc, end, to) : "",
    to < lengthOf(doc) ? " …" : "",
  ];
}
