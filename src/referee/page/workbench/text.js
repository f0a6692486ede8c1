// The text: what of it is in the page, what is lit up in it, and where one is.

import { byId, svg } from "../script/dom.js";
import { bench, tell, when } from "./bench.js";
import { drawBlock } from "./drawing.js";
import { first } from "./model.js";
import { Scroller } from "./scroller.js";

const LETTER = 8.3; // pixels that a letter takes, about
const [LINE, LEVEL] = [32, 13]; // the height of a line, and of a level of marks
let scroller = null;

export function startText() {
  scroller = new Scroller(byId("text"), byId("canvas"), drawBlock, lightUp);
  when("document", drawAll);
  when("patched", ({ blocks }) => scroller.redraw(blocks));
  when("errors", () => scroller.redrawAll());
  when("chosen picked linking", lightUp);
}

function estimate(index) {
  const { doc } = bench;
  const block = doc.blocks[index];
  let letters = 0;
  for (let word = block.start; word < block.end; word++) letters += doc.words[word].length + 1;
  const width = Math.max(200, byId("text").clientWidth - 90);
  const lines = Math.max(1, Math.ceil((letters * LETTER) / Math.min(width, 900)));
  return (
    lines * (LINE + LEVEL * Math.min(2, block.mentions.size / lines)) + (doc.turns.has(block.start) ? 20 : 0)
  );
}

function drawAll() {
  const { doc } = bench;
  byId("canvas").dir = doc.direction ?? "ltr";
  byId("canvas").classList.toggle("running", bench.running);
  scroller.start(estimate, doc.blocks.length);
}

// Another way to show the text; the first words that are seen stay.
export function toggleRunning() {
  const word = bench.doc.blocks[scroller.top]?.start ?? 0;
  bench.running = !bench.running;
  bench.doc.cut(bench.running);
  drawAll();
  revealWord(bench.mention ? first(bench.doc.mentions.get(bench.mention)) : word);
}

export function elementOf(word) {
  return byId("canvas").querySelector(`[data-w="${word}"]`);
}

export function revealWord(word) {
  scroller.reveal(bench.doc.blockOf(word), (block) => block.querySelector(`[data-w="${word}"]`));
}

export function firstSeenWord() {
  const box = byId("text").getBoundingClientRect();
  const seen = [...byId("canvas").querySelectorAll(".w")].find(
    (word) => word.getBoundingClientRect().bottom > box.top + 4,
  );
  return seen ? Number(seen.dataset.w) : 0;
}

function covers(spans, word) {
  return spans?.some(([from, to]) => from <= word && word < to) ?? false;
}

// Marks what is chosen among what is drawn; called after every scroll, so it takes the shortest way.
export function lightUp() {
  const canvas = byId("canvas");
  const { doc, mention, entity, words, caret, error } = bench;
  if (!doc) return;
  canvas.classList.toggle("focus", entity !== null);
  canvas.classList.toggle("linking", bench.linking !== null);
  for (const mark of canvas.querySelectorAll(".lit")) mark.classList.remove("lit", "own");
  if (entity !== null)
    for (const mark of canvas.querySelectorAll(`[data-e="${CSS.escape(entity)}"]`)) {
      mark.classList.add("lit");
      if (mark.dataset.m === mention) mark.classList.add("own");
    }
  const chosen = doc.mentions.get(mention)?.spans;
  for (const word of canvas.querySelectorAll(".w")) {
    const number = Number(word.dataset.w);
    word.classList.toggle("chosen", covers(chosen, number));
    word.classList.toggle("picked", words !== null && words[0] <= number && number < words[1]);
    word.classList.toggle("caret", caret !== null && caret.at === number);
    word.classList.toggle("anaphor", covers(error?.anaphor, number));
    word.classList.toggle("antecedent", covers(error?.antecedent, number));
  }
  for (const pill of canvas.querySelectorAll(".pill[tabindex='0']")) pill.tabIndex = -1;
  const own = pillOf(mention);
  if (own) own.tabIndex = 0;
  drawArc();
  tell("lit");
}

export function pillOf(id) {
  return id === null ? null : byId("canvas").querySelector(`.pill[data-m="${CSS.escape(id)}"]`);
}

// Chooses a mention, and with it its entity.
export function chooseMention(id, { reveal = true, focus = true } = {}) {
  const mention = bench.doc.mentions.get(id) ?? null;
  bench.mention = mention?.id ?? null;
  bench.entity = mention?.entity ?? bench.entity;
  bench.words = null;
  bench.caret = null;
  if (mention && reveal) revealWord(first(mention));
  tell("chosen");
  if (mention && focus) focusChosen();
}

export function focusChosen() {
  const pill = pillOf(bench.mention);
  if (pill && document.activeElement !== pill) pill.focus({ preventScroll: true });
  else if (!pill) byId("text").focus({ preventScroll: true });
}

export function chooseEntity(id) {
  bench.entity = id;
  if (bench.mention && bench.doc.mentions.get(bench.mention)?.entity !== id) bench.mention = null;
  tell("chosen");
}

export function letGo() {
  Object.assign(bench, { mention: null, entity: null, words: null, caret: null, error: null });
  tell("chosen");
}

// The arc of the chosen error, as far as its ends are in the page.
function drawArc() {
  const layer = byId("arcs");
  const { error } = bench;
  const ends = error?.antecedent ? [error.anaphor, error.antecedent].map(([[word]]) => elementOf(word)) : [];
  layer.replaceChildren();
  if (ends.length < 2 || !ends[0] || !ends[1]) return;
  const base = byId("canvas").getBoundingClientRect();
  const [from, to] = ends.map((end) => {
    const box = end.getBoundingClientRect();
    return [box.left + box.width / 2 - base.left, box.top - base.top + 3];
  });
  const lift = Math.min(40, 12 + Math.abs(from[0] - to[0]) / 8);
  const top = Math.min(from[1], to[1]) - lift;
  const side = error.side ? "precision" : "recall";
  layer.append(
    svg("path", { d: `M${from} C${from[0]},${top} ${to[0]},${top} ${to}`, class: `arc chosen ${side}` }),
  );
}
