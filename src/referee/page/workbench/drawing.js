// One block of the text: its words, and under them the marks of its mentions.

import { el } from "../script/dom.js";
import { depth, hueOf, stacked } from "../script/stacking.js";
import { bench } from "./bench.js";
import { overlayAt } from "./overlay.js";

const DOUBTFUL = 0.6; // below this confidence a mark is dotted

export function drawBlock(index) {
  const { doc } = bench;
  const block = doc.blocks[index];
  const marks = marksOf(doc, block);
  const lines = linesByWord(block, marks);
  const element = el("p", { class: "block", dir: "auto", "data-block": index });
  element.style.setProperty("--depth", depth(marks));
  let together = null; // words that stay on one line
  let numbers = 0;
  for (let word = block.start; word < block.end; word++) {
    if (block.starts[numbers]?.start === word) element.append(...beginning(doc, block.starts[numbers++]));
    const drawn = drawWord(doc, word, lines[word - block.start] ?? []);
    if (word > block.start && doc.gluedAt(word)) together.append(drawn);
    else {
      if (word > block.start && doc.spacedAt(word)) element.append(" ");
      together = el("span", { class: "together" }, drawn);
      element.append(together);
    }
  }
  return element;
}

function beginning(doc, { start, sentence }) {
  const name = doc.turns.get(start);
  return [
    name ? el("span", { class: "speaker" }, name.replaceAll("_", " ")) : null,
    el("span", { class: "sentence", "aria-hidden": "true" }, sentence === null ? "" : String(sentence)),
  ].filter(Boolean);
}

function marksOf(doc, block) {
  return stacked(
    [...block.mentions].map((id) => {
      const mention = doc.mentions.get(id);
      const from = Math.max(mention.spans[0][0], block.start);
      const to = Math.min(mention.spans.at(-1)[1], block.end);
      return { mention, from, to, level: 0 };
    }),
  );
}

// What runs under each word: { mark, inside } with inside false in the gap of a broken mention.
function linesByWord(block, marks) {
  const lines = [];
  for (const mark of marks) {
    const { spans } = mark.mention;
    for (let word = mark.from; word < mark.to; word++) {
      const inside = spans.some(([from, to]) => from <= word && word < to);
      lines[word - block.start] ??= [];
      lines[word - block.start].push({ mark, inside });
    }
  }
  return lines;
}

function drawWord(doc, word, lines) {
  const span = el("span", { class: "w", "data-w": word });
  const text = doc.wordAt(word);
  if (doc.zeros.has(word)) {
    span.classList.add("zero");
    span.title = "Not written in the text: a pronoun or word that is dropped";
  }
  span.append(text);
  if (lines.length) span.style.setProperty("--levels", Math.max(...lines.map(({ mark }) => mark.level)) + 1);
  for (const { mark, inside } of lines) span.append(...drawLine(doc, word, mark, inside, span));
  for (const name of overlayAt(word)) span.classList.add(name);
  return span;
}

function drawLine(doc, word, mark, inside, span) {
  const { mention, level, to } = mark;
  const entity = doc.entityOf(mention);
  const hue = hueOf(entity.color, doc.sizeOf(entity));
  const classes = ["line", hue];
  if (!inside) classes.push("gap");
  if (word === to - 1) classes.push("last");
  if (word === mention.spans[0][0]) classes.push("first");
  if (isDoubtful(mention)) classes.push("doubtful");
  const line = el("i", { class: classes.join(" "), "data-m": mention.id, "data-e": entity.id });
  line.style.setProperty("--level", level);
  if (word !== mention.spans[0][0]) return [line];
  const label = String(entity.color);
  span.style.setProperty(
    "--pill",
    Math.max(label.length, Number(span.style.getPropertyValue("--pill") || 0)),
  );
  return [line, drawPill(doc, mention, entity, label, hue, level)];
}

function drawPill(doc, mention, entity, label, hue, level) {
  const button = el(
    "button",
    {
      type: "button",
      class: `pill ${hue}`,
      tabindex: mention.id === bench.mention ? 0 : -1,
      "data-m": mention.id,
      "data-e": entity.id,
      "aria-label": `${doc.said(mention)}: entity ${label}, ${doc.nameOf(entity)}`,
    },
    label,
  );
  button.style.setProperty("--level", level);
  return button;
}

export function isDoubtful(mention) {
  return !mention.confirmed && typeof mention.confidence === "number" && mention.confidence < DOUBTFUL;
}
