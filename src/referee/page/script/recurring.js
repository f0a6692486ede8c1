// Who and what occurs in several documents: a list that is searched and drawn a page at a time.

import { byId, el, grouped, plural } from "./dom.js";

const data = JSON.parse(byId("data").textContent);
const AT_ONCE = 50; // entities, or documents, that are drawn at a time
const OPEN = 3; // of the first page, if nothing is searched
const AROUND = 200; // letters of a long sentence before and behind a mention
const KINDS = { "": "all", entity: "entities", event: "events" };
const shown = { query: "", kind: "" };
let thingsOfDocuments = null; // made when documents are drawn

const things = data.things.map(([name, kind, documents, mentions, lines], index) => ({
  index,
  name,
  kind,
  documents,
  mentions,
  lines,
}));

// What an entity is found by, in small letters: its name, and the words of its mentions.
function sought(thing) {
  thing.sought ??= [thing.name, ...new Set(thing.lines.map(saidIn))].join("\n").toLowerCase();
  return thing.sought;
}

function saidIn([sentence, start, end]) {
  return data.sentences[sentence][1].slice(start, end);
}

function ofKind(thing) {
  return !shown.kind || thing.kind === shown.kind;
}

function found() {
  const named = new Set(documentsFound());
  return things.filter(
    (thing) =>
      ofKind(thing) &&
      (!shown.query ||
        sought(thing).includes(shown.query) ||
        thing.documents.some((each) => named.has(each))),
  );
}

function documentsFound() {
  if (!shown.query) return [];
  return data.documents.flatMap((id, index) => (id.toLowerCase().includes(shown.query) ? [index] : []));
}

// Draws the first of many items, and a button for more.
function drawPaged(list, more, items, drawn) {
  let count = 0;
  const add = () => {
    list.append(...items.slice(count, count + AT_ONCE).map(drawn));
    count = Math.min(count + AT_ONCE, items.length);
    more.textContent = `${grouped(Math.min(AT_ONCE, items.length - count))} more of ${grouped(items.length - count)}`;
    more.hidden = count === items.length;
  };
  list.replaceChildren();
  more.onclick = add;
  add();
}

function draw() {
  const some = found();
  byId("count").textContent = shown.query || shown.kind ? `${grouped(some.length)} found` : "";
  drawPaged(byId("things"), byId("more-things"), some, (thing) =>
    thingItem(thing, some.indexOf(thing) < OPEN),
  );
  drawDocuments();
}

function thingItem(thing, open) {
  const counts = `${plural(thing.mentions, "mention")} in ${plural(thing.documents.length, "document")}`;
  const item = el(
    "details",
    { id: `t${thing.index + 1}` },
    el(
      "summary",
      {},
      el("span", { class: "number" }, String(thing.index + 1)),
      " ",
      el("b", {}, thing.name),
      " ",
      el("small", {}, counts),
    ),
  );
  // Sentences are drawn when they are wanted: those of all would be most of the page.
  const fill = () => {
    if (item.open && item.children.length === 1) item.append(...sentencesOf(thing));
  };
  item.addEventListener("toggle", fill);
  item.open = open && !shown.query;
  fill();
  return item;
}

function sentencesOf(thing) {
  const byDocument = Map.groupBy(thing.lines, ([sentence]) => data.sentences[sentence][0]);
  const drawn = [...byDocument].flatMap(([index, lines]) => [
    el("h2", { class: "home" }, data.documents[index]),
    ...lines.map(lineOf),
  ]);
  const left = thing.mentions - thing.lines.length;
  return left ? [...drawn, el("p", { class: "more" }, `… and ${plural(left, "more mention")}`)] : drawn;
}

function lineOf([sentence, start, end]) {
  const text = data.sentences[sentence][1];
  const from = start > AROUND ? text.indexOf(" ", start - AROUND) + 1 : 0;
  const to = text.length - end > AROUND ? text.lastIndexOf(" ", end + AROUND) : text.length;
  const begin = Math.min(from, start);
  const stop = Math.max(to, end);
  return el(
    "p",
    {},
    (begin ? "… " : "") + text.slice(begin, start),
    el("mark", {}, text.slice(start, end)),
    text.slice(end, stop) + (stop < text.length ? " …" : ""),
  );
}

function drawDocuments() {
  if (!thingsOfDocuments) {
    thingsOfDocuments = data.documents.map(() => []);
    for (const thing of things) for (const index of thing.documents) thingsOfDocuments[index].push(thing);
  }
  const named = new Set(documentsFound());
  const some = data.documents
    .map((id, index) => ({ id, index, things: thingsOfDocuments[index].filter(ofKind) }))
    .filter(({ index, things: own }) => own.length && (!shown.query || named.has(index)));
  byId("by-document").hidden = !some.length;
  drawPaged(byId("documents"), byId("more-documents"), some, documentItem);
}

function documentItem({ id, things: own }) {
  const links = own.flatMap((thing, index) => [
    index ? " · " : "",
    el("a", { href: `#t${thing.index + 1}` }, thing.name),
  ]);
  return el("div", {}, el("dt", {}, id), el("dd", {}, ...links));
}

// An address such as #t7 opens that entity, which may not have been drawn yet.
function follow() {
  const index = Number(/^#t(\d+)$/.exec(location.hash)?.[1] ?? 0) - 1;
  if (!things[index]) return;
  let item = byId(`t${index + 1}`);
  if (!item) {
    item = thingItem(things[index], false);
    byId("things").prepend(item);
  }
  item.open = true;
  item.scrollIntoView();
  item.querySelector("summary").focus();
}

function drawControls() {
  const query = byId("query");
  query.addEventListener("input", () => {
    shown.query = query.value.trim().toLowerCase();
    draw();
  });
  const kinds = new Set(things.map(({ kind }) => kind));
  if (kinds.size < 2) return;
  const select = byId("kind");
  select.append(...Object.entries(KINDS).map(([kind, title]) => el("option", { value: kind }, title)));
  select.addEventListener("change", () => {
    shown.kind = select.value;
    draw();
  });
  byId("kinds").hidden = false;
}

drawControls();
draw();
follow();
window.addEventListener("hashchange", follow);
