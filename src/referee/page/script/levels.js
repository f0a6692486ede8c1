// Where marks are before anything is drawn: a text cut into blocks, and mentions stacked so that none overlap.

import { cutText, runningOn } from "./cutting.js";
import { KEY_LANE } from "./data.js";
import { stacked } from "./stacking.js";
import { tokensOf } from "./texts.js";

// Blocks as { start, end, sentence }, the sentence's number if it begins there.
export function blocksOf(doc) {
  const words = tokensOf(doc);
  const ranges = () => doc.mentions.map((spans) => [spans[0], spans.at(-1)]);
  return cutText(words, doc.sentences, () => runningOn(words.length, ranges()));
}

// Who begins to speak in a block; nobody if the same person goes on.
export function speakerOf(doc, { start, end }) {
  const turn = doc.speakers.find(([token]) => token >= start && token < end);
  return turn && turn[1] !== "-" ? turn[1].replaceAll("_", " ") : null;
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

export function sideOf(lane) {
  return lane === KEY_LANE ? "key" : "response";
}
