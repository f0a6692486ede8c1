// Draws the marks: the browser lays out the words, then brackets are drawn to fit them.

import { el, svg } from "./dom.js";
import { entityLabel } from "./entities.js";
import { pieces, sideOf, speakerOf } from "./levels.js";
import { depth, hueOf } from "./stacking.js";
import { glued, spaced, textBetween, tokensOf } from "./texts.js";

const STEP = 15; // between two levels
const LANE = 5; // between two lanes
const PILL = 12; // the height of a number's box
const ARCS = 11; // room for arcs above and below; the style sheet says the same
const LINE = 23; // the height of a line of words without any mark
const LETTER = 8; // the width of a letter, about

// A block of text: at first its letters alone, so that the browser finds them; they become words, with room for marks,
// when the block comes near the window. Until then it is not laid out (content-visibility).
export function drawBlock(doc, range, marks) {
  const offsets = laneOffsets(marks);
  const room = roomOf(range, marks, offsets);
  const text = textBetween(doc, range.start, range.end);
  const element = el("p", { class: "block", dir: "auto", "data-speaker": speakerOf(doc, range) }, text);
  const block = {
    element,
    range,
    marks,
    offsets,
    room,
    length: text.length,
    words: null,
    boxes: null,
    drawn: null,
  };
  block.fill = () => {
    if (!block.words) drawWords(doc, block);
  };
  return block;
}

function drawWords(doc, block) {
  const tokens = tokensOf(doc);
  const { start, end } = block.range;
  block.words = [];
  const parts = [sentenceNumber(block.range)];
  let together = null; // words that stay on one line
  for (let i = start; i < end; i++) {
    block.words.push(drawWord(tokens[i], i, block.room[i - start]));
    if (i > start && glued(tokens[i - 1], tokens[i])) together.append(block.words.at(-1));
    else {
      if (i > start && spaced(tokens[i - 1], tokens[i])) parts.push(" ");
      together = el("span", { class: "together" }, block.words.at(-1));
      parts.push(together);
    }
  }
  block.element.replaceChildren(...parts);
}

export function sentenceNumber({ sentence }) {
  return el("span", { class: "sentence", "aria-hidden": "true" }, sentence === null ? "" : String(sentence));
}

// How high a block will be, before it is laid out, so that the page need not jump.
export function guessHeights(blocks, width) {
  for (const block of blocks) {
    const room = block.room.reduce((sum, { above, below }) => sum + above + below, 0) / block.room.length;
    const lines = Math.ceil((block.length * LETTER) / Math.max(width, 100));
    block.element.style.containIntrinsicHeight = `auto ${Math.round(lines * (LINE + room))}px`;
  }
}

// A text has thousands of words, so this takes the shortest way.
function drawWord(token, index, { above, below, narrow }) {
  const word = document.createElement("span");
  word.className = narrow ? "w m" : "w";
  word.dataset.token = index;
  word.textContent = token;
  if (above > ARCS || below > ARCS) word.style = `--above:${above}px;--below:${below}px`;
  return word;
}

// How far below the text each lane begins; the key's is above it.
function laneOffsets(marks) {
  const offsets = [0];
  let sum = 0;
  for (const lane of marks.slice(1)) {
    offsets.push(sum);
    sum += depth(lane) * STEP + LANE;
  }
  return offsets;
}

// The room that each word needs above and below for the marks that run over it: a line is as high as its
// words need it to be.
function roomOf(range, marks, offsets) {
  const plain = () => ({ above: ARCS, below: ARCS, narrow: false });
  const room = Array.from({ length: range.end - range.start }, plain);
  marks.forEach((lane, row) => {
    for (const mark of lane) {
      const needed = ARCS + offsets[row] + (mark.level + 1) * STEP;
      const side = row ? "below" : "above";
      for (let i = mark.from; i < mark.to; i++)
        room[i - range.start][side] = Math.max(room[i - range.start][side], needed);
      if (mark.to === mark.from + 1) room[mark.from - range.start].narrow = true;
    }
  });
  return room;
}

// Reads where words are. For several blocks: all are read before anything is written, so that the browser
// lays the text out once only.
export function measure(block) {
  block.left = block.element.offsetLeft;
  block.width = block.element.offsetWidth;
  const lines = new Map(); // of the screen, by the top of their words → from where to where they reach
  block.boxes = block.words.map((word, index) => {
    const { above, below } = block.room[index];
    const [left, high, height] = [word.offsetLeft, word.offsetTop, word.offsetHeight];
    const top = high + above;
    const line = lines.get(top) ?? { top: high, bottom: high + height };
    line.top = Math.min(line.top, high);
    line.bottom = Math.max(line.bottom, high + height);
    lines.set(top, line);
    return { left, right: left + word.offsetWidth, top, bottom: high + height - below, line };
  });
}

// Reckons where every mark of a block goes, and the ends that arcs may have there.
export function placeMarks(doc, block, anchors) {
  block.placed = block.marks.flatMap((marks, row) =>
    marks.map((mark) => placeMark(doc, block, mark, row > 0, block.offsets[row], anchors)),
  );
}

function placeMark(doc, block, mark, isBelow, offset, anchors) {
  const rows = rowsOf(doc, block, mark);
  for (const row of rows) {
    row.y = isBelow ? row.bottom + 3 + offset + mark.level * STEP : row.top - 3 - mark.level * STEP;
  }
  const begins = doc.mentions[mark.mention][0] >= block.range.start;
  const label = begins ? entityLabel(doc, mark.lane, mark.number) : "";
  const width = 5 + 6.2 * label.length;
  const left = rows[0].left - 1;
  const top = isBelow ? rows[0].y + 1 : rows[0].y - PILL - 1;
  if (begins) {
    const end = { block, x: left + width, y: top + PILL / 2, line: rows[0].line }; // the right of the number
    anchors.set(`${mark.lane} ${mark.mention}`, end);
  }
  return { mark, rows, isBelow, label, left, top, width };
}

export function drawMarks(block) {
  if (block.drawn) return;
  block.drawn = svg("svg", { class: "marks", "aria-hidden": "true" }, ...block.placed.map(drawMark));
  block.element.append(block.drawn);
}

export function eraseMarks(block) {
  block.drawn?.remove();
  block.drawn = null;
  block.boxes = null;
}

function drawMark({ mark, rows, isBelow, label, left, top, width }) {
  const group = svg("g", {
    class: `mark ${sideOf(mark.lane)} ${hueOf(mark.number, mark.size)}`,
    "data-lane": mark.lane,
    "data-number": mark.number,
    "data-mention": mark.mention,
  });
  for (const [index, row] of rows.entries())
    group.append(...drawRow(row, isBelow, index === 0, index === rows.length - 1));
  if (label) {
    group.append(
      svg("rect", { x: left, y: top, width, height: PILL, rx: isBelow ? 6 : 2, class: "pill" }),
      svg("text", { x: left + width / 2, y: top + 9.5, "text-anchor": "middle" }, label),
    );
  }
  return group;
}

// A mark on each line of the screen that it runs over: its words there, and the gaps of a broken mention.
function rowsOf(doc, block, mark) {
  const rows = [];
  for (const [from, to] of pieces(doc, mark)) {
    for (let i = from; i < to; i++) {
      const box = block.boxes[i - block.range.start];
      const row = rows.at(-1);
      if (row && row.top === box.top) {
        if (i === from) row.gaps.push(box.left >= row.right ? [row.right, box.left] : [box.right, row.left]);
        row.left = Math.min(row.left, box.left); // either end, for texts that run from right to left
        row.right = Math.max(row.right, box.right);
      } else rows.push({ ...box, gaps: [] });
    }
  }
  return rows;
}

function drawRow({ y, ...row }, isBelow, opens, closes) {
  const tick = isBelow ? -4 : 4;
  const [left, right] = [row.left, row.right - 1];
  const path = `${opens ? `M${left},${y + tick}V${y}` : `M${left - 3},${y}`}H${right + (closes ? 0 : 3)}${closes ? `V${y + tick}` : ""}`;
  const gaps = row.gaps.map(([from, to]) => svg("line", { x1: from, x2: to, y1: y, y2: y, class: "gap" }));
  return [svg("path", { d: path, class: opens && closes ? "line" : "line broken" }), ...gaps];
}
