// One document: its text with marks and arcs, its errors and its entities.

import { byId, el, percent, plural } from "./dom.js";
import { address, go } from "./address.js";
import { drawArcs, drawArcsInBlocks, eraseArcs } from "./arcs.js";
import { drawAside } from "./aside.js";
import { drawCompactBlock, paragraphsOf } from "./compact.js";
import { acrossDocuments, data, isAcross, KEY_LANE, letters } from "./data.js";
import { systemName } from "./describing.js";
import { entitiesOf, wholeEntity } from "./entities.js";
import { shownSystems } from "./filters.js";
import { blocksOf, marksByBlock } from "./levels.js";
import { drawBlock, drawMarks, eraseMarks, guessHeights, measure, placeMarks } from "./marks.js";
import { errorsHere, openDoc, reader, showsAllArcs } from "./opened.js";
import { lengthOf } from "./texts.js";

// What is drawn now: the blocks, the ends of arcs in those that are laid out, and what they were drawn for.
const page = { blocks: [], anchors: new Map(), width: 0, drawnFor: null };
const near = new IntersectionObserver(drawNear, { rootMargin: "800px" });
const resized = new ResizeObserver(redraw);
const actions = { chooseTab, findEntity, listAll };

// Draws the text anew if it must, else only what lies over it.
export function drawReader() {
  const lanes = [KEY_LANE, ...shownSystems()];
  const wanted = [reader.index, lanes, reader.singletons, reader.compact].join(" ");
  if (page.drawnFor !== wanted || reader.compact || !byId("text")) drawText(lanes);
  page.drawnFor = wanted;
  byId("lanes").replaceChildren(...laneKey(lanes));
  drawChosen();
  drawAside(actions);
}

function drawText(lanes) {
  const doc = openDoc();
  page.blocks = reader.compact ? compactBlocks(doc) : markedBlocks(doc, lanes);
  const text = el("div", { class: reader.compact ? "text compact" : "text", id: "text" });
  text.addEventListener("click", chooseMark);
  text.addEventListener("mouseover", hoverMark);
  text.addEventListener("mouseleave", () => showEntity(reader.entity));
  byId("document").replaceChildren(
    readerHead(doc),
    el(
      "div",
      { class: "columns" },
      el("div", { class: "page" }, el("div", { class: "lanes", id: "lanes" }), text, nextOfUnit(doc)),
      el("aside", { id: "aside", "aria-label": "Errors and entities" }),
    ),
  );
  if (reader.compact) text.append(...paragraphsOf(page.blocks, text.clientWidth));
  else text.append(...page.blocks.map((block) => block.element));
  drawOver();
  resized.disconnect();
  resized.observe(text);
}

// The entities of a lane that are to be seen, as [number, mentions, size in all documents of the unit].
function shownEntities(doc, lane) {
  const sized = entitiesOf(doc, lane).map(([number, mentions]) => {
    const whole = acrossDocuments ? wholeEntity(doc.unit, lane, number) : mentions;
    return [number, mentions, whole.length];
  });
  return sized.filter(([, , size]) => reader.singletons || size > 1);
}

function markedBlocks(doc, lanes) {
  const ranges = blocksOf(doc);
  const marks = lanes.map((lane) => marksByBlock(doc, lane, shownEntities(doc, lane), ranges));
  return ranges.map((range, index) =>
    drawBlock(
      doc,
      range,
      marks.map((lane) => lane[index]),
    ),
  );
}

function compactBlocks(doc) {
  const ranges = blocksOf(doc);
  const marks = marksByBlock(doc, KEY_LANE, shownEntities(doc, KEY_LANE), ranges);
  const ends = new Map(); // the last word of an anaphor → its errors
  for (const error of errorsHere()) {
    const last = doc.mentions[error.anaphor].at(-1) - 1;
    ends.set(last, [...(ends.get(last) ?? []), error]);
  }
  return ranges.map((range, index) => drawCompactBlock(doc, range, marks[index], ends));
}

// What lies over the words; drawn again when the width of the text changes.
function drawOver() {
  const text = byId("text");
  page.width = text.clientWidth;
  page.anchors = new Map();
  near.disconnect();
  if (!reader.compact) {
    page.blocks.forEach(eraseMarks);
    guessHeights(page.blocks, page.width);
  }
  for (const part of text.querySelectorAll(reader.compact ? ".paragraph" : ".block")) near.observe(part);
  drawInWindow();
}

// Lays blocks out and reckons their marks; all are measured before any is drawn.
function prepare(blocks) {
  const fresh = blocks.filter((block) => !block.boxes);
  for (const block of fresh) block.fill();
  fresh.forEach(measure);
  for (const block of fresh) placeMarks(openDoc(), block, page.anchors);
}

// Draws what belongs to some blocks: words, and where there is room for them marks. Says whether arcs may be new.
function drawBlocks(blocks) {
  if (reader.compact) {
    for (const block of blocks) block.fill();
    return false;
  }
  prepare(blocks);
  blocks.forEach(drawMarks);
  return blocks.length > 0;
}

function drawNear(entries) {
  const seen = new Set(entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target));
  const isNear = ({ element }) => seen.has(element) || seen.has(element.parentElement);
  if (drawBlocks(page.blocks.filter((block) => isNear(block) && !block.drawn))) drawOpenArcs();
  showEntity(reader.entity);
}

// What is in the window now need not wait until the observer sees it.
export function drawInWindow() {
  const visible = page.blocks.filter(({ element }) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top < innerHeight && bottom > 0;
  });
  drawBlocks(visible);
  showEntity(reader.entity);
}

export function drawChosen() {
  drawOpenArcs();
  for (const word of byId("text").querySelectorAll(".anaphor, .antecedent, .found"))
    word.classList.remove("anaphor", "antecedent", "found");
  const { error, at } = reader;
  if (error && !isAcross(error)) lightUp(error.antecedent, "antecedent");
  if (error) lightUp(error.anaphor, "anaphor");
  if (at) for (let i = at[0]; i < at[1]; i++) wordAt(i)?.classList.add("found");
  showEntity(reader.entity);
}

export function drawChosenAndAside() {
  drawChosen();
  drawAside(actions);
}

function drawOpenArcs() {
  if (reader.compact) return;
  const { error } = reader;
  const ends = error ? [error.anaphor, ...(isAcross(error) ? [] : [error.antecedent])] : [];
  prepare(ends.map((mention) => blockAt(openDoc().mentions[mention][0])).filter(Boolean));
  drawArcs(byId("text"), errorsHere(), page.anchors, error, showsAllArcs());
}

function blockAt(token) {
  let [low, high] = [0, page.blocks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (page.blocks[middle].range.end > token) high = middle;
    else low = middle + 1;
  }
  return page.blocks[low];
}

function wordAt(token) {
  const block = blockAt(token);
  block?.fill();
  return block?.words[token - block.range.start];
}

function lightUp(mention, name) {
  const spans = openDoc().mentions[mention];
  for (let i = 0; i < spans.length; i += 2)
    for (let token = spans[i]; token < spans[i + 1]; token++) wordAt(token)?.classList.add(name);
}

// Shows the chosen words. Again in the next frames: blocks out of sight have estimated heights.
export function reveal(again = 2) {
  const token = reader.error ? openDoc().mentions[reader.error.anaphor][0] : reader.at?.[0];
  if (token === undefined) scrollTo(0, 0);
  else wordAt(token)?.scrollIntoView({ block: "center", behavior: "instant" });
  drawInWindow();
  if (again && token !== undefined) requestAnimationFrame(() => byId("text") && reveal(again - 1));
}

function readerHead(doc) {
  const { label, scores } = data.units[doc.unit];
  const shown = shownSystems().map((system) =>
    el("span", {}, ...systemName(system), " ", el("b", {}, percent(scores[system]))),
  );
  const step = (by, title, sign) =>
    el("button", { type: "button", "aria-label": title, title, onclick: () => stepDocument(by) }, sign);
  const of = acrossDocuments ? ` of ${data.scope} ${label}` : "";
  return el(
    "div",
    { class: "reader-head" },
    el("h1", {}, doc.id),
    el(
      "div",
      { class: "facts" },
      `${reader.index + 1} of ${data.documents.length} · ${plural(lengthOf(doc), "token")} · ${data.measure} F1${of}:`,
      ...shown,
    ),
    el("div", { class: "steps" }, step(-1, "Previous document ([)", "◀"), step(1, "Next document (])", "▶")),
  );
}

// Across documents, the text ends with a link to the unit's next document.
function nextOfUnit(doc) {
  const next = data.documents[reader.index + 1];
  if (!acrossDocuments || next?.unit !== doc.unit) return null;
  const words = `Next document of this ${data.scope}: `;
  return el("p", { class: "next" }, words, el("a", { href: address({ doc: next.id }) }, next.id));
}

function laneKey(lanes) {
  const sample = (lane) =>
    lane === KEY_LANE
      ? el("span", { class: "sample key" }, "1")
      : el("span", { class: "sample response" }, `${letters[lane]}1`);
  const name = (lane) => (lane === KEY_LANE ? " key, above the line" : ` ${data.systems[lane]}, below`);
  const toggle = (label, pressed, action) =>
    el("button", { type: "button", class: "chip", "aria-pressed": String(pressed), onclick: action }, label);
  return [
    ...(reader.compact ? [KEY_LANE] : lanes).map((lane) =>
      el("span", {}, sample(lane), reader.compact ? " key" : name(lane)),
    ),
    el("span", {}, el("span", { class: "swatch recall" }), " missed link"),
    el("span", {}, el("span", { class: "swatch precision" }), " wrong link"),
    ...(reader.compact ? [] : [toggle("All arcs", showsAllArcs(), toggleArcs)]),
    toggle("Singletons", reader.singletons, toggleSingletons),
    toggle("Compact", reader.compact, toggleCompact),
  ];
}

export function stepDocument(by) {
  const index = reader.index === null ? 0 : reader.index + by;
  if (data.documents[index]) go({ doc: data.documents[index].id });
}

export function toggleArcs() {
  reader.arcs = !showsAllArcs();
  drawReader();
}

export function toggleSingletons() {
  reader.singletons = !reader.singletons;
  drawReader();
}

export function toggleCompact() {
  reader.compact = !reader.compact;
  drawReader();
  reveal();
}

function chooseTab(name) {
  reader.tab = name;
  drawAside(actions);
  byId(`tab-${name}`).focus();
}

function listAll() {
  reader.listed = true;
  drawAside(actions);
}

// Lifts an entity out of the others: its own marks, and a system's marks on its mentions where it is divided.
export function showEntity(number) {
  const text = byId("text");
  if (!text) return;
  const members = new Set((openDoc().key.find(([own]) => own === number)?.[1] ?? []).map(String));
  text.classList.toggle("focus", number !== null);
  for (const mark of text.querySelectorAll("[data-number]")) {
    const same = number !== null && Number(mark.dataset.number) === number;
    mark.classList.toggle("same", same);
    mark.classList.toggle("part", !same && members.has(mark.dataset.mention));
  }
}

function markOf(event) {
  return event.target.closest?.("[data-number]") ?? null;
}

function hoverMark(event) {
  const mark = markOf(event);
  showEntity(mark ? Number(mark.dataset.number) : reader.entity);
}

function chooseMark(event) {
  const mark = markOf(event);
  if (mark) chooseEntity(Number(mark.dataset.number));
}

function chooseEntity(number) {
  reader.entity = reader.entity === number ? null : number;
  reader.tab = reader.entity === null ? reader.tab : "entities";
  showEntity(reader.entity);
  drawAside(actions);
}

// From the list: also go to where the entity is first mentioned.
function findEntity(number, token) {
  chooseEntity(number);
  if (reader.entity !== null) wordAt(token)?.scrollIntoView({ block: "center", behavior: "instant" });
}

// Marks fit the words, so they are drawn again when lines break elsewhere; arcs when blocks get their true height.
function redraw() {
  const text = byId("text");
  if (!text?.isConnected || reader.compact || document.documentElement.classList.contains("printing")) return;
  if (text.clientWidth !== page.width) drawOver();
  drawOpenArcs();
}

// A printed text has a fixed width, and all its marks.
export function printReader(on) {
  reader.listed ||= on;
  drawAside(actions);
  drawOver();
  if (on) drawBlocks(page.blocks);
  if (reader.compact) return;
  if (on) {
    drawArcsInBlocks(byId("text"), page.blocks, errorsHere(), page.anchors, reader.error);
  } else {
    eraseArcs(byId("text"));
    drawOpenArcs();
  }
}
