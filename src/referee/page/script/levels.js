// Where marks are before anything is drawn: a text cut into blocks, and mentions stacked so that none overlap.

import { KEY_LANE } from "./data.js";
import { tokensOf } from "./texts.js";

const LONG_BLOCK = 60; // tokens; longer ones are cut at full stops where a file marks no sentences
const LONGEST_BLOCK = 240; // tokens; a text without full stops is cut wherever no mention runs on

// Blocks as { start, end, sentence }, the sentence's number if it begins there.
export function blocksOf(doc) {
  const length = tokensOf(doc).length;
  const blocks = [];
  let start = 0;
  let inside = null;
  [...doc.sentences, length].forEach((end, index) => {
    const number = index < doc.sentences.length && doc.sentences.length > 1 ? index + 1 : null;
    if (end - start > LONG_BLOCK) {
      inside ??= insideMentions(doc);
      for (const [from, to] of cutAtStops(doc, start, end, inside))
        blocks.push({ start: from, end: to, sentence: from === start ? number : null });
    } else if (end > start) blocks.push({ start, end, sentence: number });
    start = end;
  });
  return blocks;
}

// Who begins to speak in a block; nobody if the same person goes on.
export function speakerOf(doc, { start, end }) {
  const turn = doc.speakers.find(([token]) => token >= start && token < end);
  return turn && turn[1] !== "-" ? turn[1].replaceAll("_", " ") : null;
}

// Tokens before which a mention runs on.
function insideMentions(doc) {
  const inside = new Uint8Array(tokensOf(doc).length + 1);
  for (const spans of doc.mentions) inside.fill(1, spans[0] + 1, spans.at(-1));
  return inside;
}

function cutAtStops(doc, start, end, inside) {
  const tokens = tokensOf(doc);
  const ranges = [];
  let from = start;
  for (let i = start + 1; i <= end; i++) {
    const stops = /^[.!?。！？؟]$/.test(tokens[i - 1]) && !/^["'”’)\]]+$/.test(tokens[i] ?? "");
    const long = i - from >= LONGEST_BLOCK;
    if (i === end || (!inside[i] && (stops || long))) {
      ranges.push([from, i]);
      from = i;
    }
  }
  return ranges;
}

// The marks of one lane, block by block: pieces of mentions, each on a level, the innermost nearest to the text.
export function marksByBlock(doc, lane, entities, blocks) {
  const marks = blocks.map(() => []);
  const blockOf = new Int32Array(tokensOf(doc).length);
  for (const [index, { start, end }] of blocks.entries()) blockOf.fill(index, start, end);
  for (const [number, mentions, size] of entities) {
    for (const mention of mentions) {
      const [first, last] = [doc.mentions[mention][0], doc.mentions[mention].at(-1)];
      for (let index = blockOf[first]; blocks[index]?.start < last; index++) {
        const [from, to] = [Math.max(first, blocks[index].start), Math.min(last, blocks[index].end)];
        marks[index].push({ lane, number, mention, size, from, to, level: 0 });
      }
    }
  }
  return marks.map(stacked);
}

function stacked(marks) {
  const order = [...marks].sort(
    (one, other) => one.to - one.from - (other.to - other.from) || one.from - other.from,
  );
  order.forEach((mark, index) => {
    for (const inner of order.slice(0, index)) {
      if (inner.from < mark.to && mark.from < inner.to) mark.level = Math.max(mark.level, inner.level + 1);
    }
  });
  return order;
}

export function depth(marks) {
  return marks.reduce((most, mark) => Math.max(most, mark.level + 1), 0);
}

// A mention's spans inside a block, as [from, to] pairs.
export function pieces(doc, mark) {
  const spans = doc.mentions[mark.mention];
  const inside = [];
  for (let i = 0; i < spans.length; i += 2) {
    const from = Math.max(spans[i], mark.from);
    const to = Math.min(spans[i + 1], mark.to);
    if (from < to) inside.push([from, to]);
  }
  return inside;
}

// The colour of an entity; those of one mention are grey.
export function hueOf(number, size) {
  return size === 1 ? "alone" : `hue${(number - 1) % 8}`;
}

export function sideOf(lane) {
  return lane === KEY_LANE ? "key" : "response";
}
