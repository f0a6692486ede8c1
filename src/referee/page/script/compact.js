// The compact way to read: running text, coloured by the key's entities, with a sign where a system errs.

import { el } from "./dom.js";
import { address, errorTarget } from "./address.js";
import { KEY_LANE } from "./data.js";
import { badge, describe } from "./describing.js";
import { entityLabel } from "./entities.js";
import { speakerOf } from "./levels.js";
import { sentenceNumber } from "./marks.js";
import { hueOf } from "./stacking.js";
import { spaced, textBetween, tokensOf } from "./texts.js";

const PARAGRAPH = 12; // blocks that are laid out together
const COMPACT_LINE = 30; // the height of a line
const COMPACT_LETTER = 8.5; // the width of a letter, about, with the numbers between the words

// A block as its letters alone; `fill` makes words of them.
export function drawCompactBlock(doc, range, marks, errorsOf) {
  const text = textBetween(doc, range.start, range.end);
  const element = el("span", { class: "block", dir: "auto", "data-speaker": speakerOf(doc, range) }, text);
  const block = { element, range, words: null, length: text.length };
  block.fill = () => {
    if (!block.words) fillCompactly(doc, block, marks, errorsOf);
  };
  return block;
}

// Blocks go together until somebody else speaks.
export function paragraphsOf(blocks, width) {
  const groups = [];
  for (const block of blocks) {
    if (!groups.length || block.element.dataset.speaker || groups.at(-1).length === PARAGRAPH)
      groups.push([]);
    groups.at(-1).push(block);
  }
  return groups.map((group) => {
    const letters = group.reduce((sum, { length }) => sum + length, 0);
    const height = COMPACT_LINE * Math.ceil((letters * COMPACT_LETTER) / Math.max(width, 100));
    const style = `contain-intrinsic-height: auto ${height}px`;
    return el("p", { class: "paragraph", style }, ...group.map(({ element }) => element));
  });
}

function fillCompactly(doc, block, marks, errorsOf) {
  const tokens = tokensOf(doc);
  const { start, end } = block.range;
  const innermost = new Array(end - start);
  const opening = new Map();
  for (const mark of marks) {
    for (let i = mark.from; i < mark.to; i++) innermost[i - start] ??= mark; // the shortest come first
    if (mark.from === doc.mentions[mark.mention][0])
      opening.set(mark.from, [mark, ...(opening.get(mark.from) ?? [])]);
  }
  block.words = [];
  const parts = [sentenceNumber(block.range)];
  for (let i = start; i < end; i++) {
    if (i > start && spaced(tokens[i - 1], tokens[i])) parts.push(" ");
    parts.push(...(opening.get(i) ?? []).map((mark) => numberOf(doc, mark)));
    block.words.push(compactWord(tokens[i], i, innermost[i - start]));
    parts.push(block.words.at(-1), ...(errorsOf.get(i) ?? []).map(sign));
  }
  block.element.replaceChildren(...parts);
}

function compactWord(token, index, mark) {
  const word = el("span", { class: "w", "data-token": index }, token);
  if (!mark) return word;
  word.classList.add("of", hueOf(mark.number, mark.size));
  word.dataset.number = mark.number;
  return word;
}

function numberOf(doc, mark) {
  const attributes = {
    class: `sample key ${hueOf(mark.number, mark.size)}`,
    "data-number": mark.number,
    "data-mention": mark.mention,
  };
  return el("sup", attributes, entityLabel(doc, KEY_LANE, mark.number));
}

function sign(error) {
  return el("a", { class: "sign", href: address(errorTarget(error)), title: describe(error) }, badge(error));
}
