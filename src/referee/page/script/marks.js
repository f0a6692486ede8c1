// Draws the marks: the browser lays out the words, then brackets are drawn to fit them.

const STEP = 15; // between two levels
const LANE = 5; // between two lanes
const PILL = 12; // the height of a number's box
const ARCS = 11; // room for arcs above and below; the style sheet says the same

function drawBlock(doc, range, marks) {
  const tokens = tokensOf(doc);
  const offsets = laneOffsets(marks);
  const room = roomOf(range, marks, offsets);
  const words = [];
  for (let i = range[0]; i < range[1]; i++) {
    if (i > range[0] && spaced(tokens[i - 1], tokens[i])) words.push(" ");
    words.push(drawWord(tokens[i], i, room[i - range[0]]));
  }
  const speaker = speakerOf(doc, range);
  const element = el("p", { class: "block", dir: "auto", "data-speaker": speaker }, ...words);
  return { element, range, marks, offsets, room };
}

// A text has thousands of words, so this takes the shortest way.
function drawWord(token, place, { above, below, narrow }) {
  const word = document.createElement("span");
  word.className = narrow ? "w m" : "w";
  word.dataset.token = place;
  word.textContent = token;
  if (above > ARCS || below > ARCS) word.style = `--above:${above}px;--below:${below}px`;
  return word;
}

// How far below the text each lane begins; the key's is above it.
function laneOffsets(marks) {
  const offsets = [0];
  marks.slice(1).reduce((sum, lane) => (offsets.push(sum), sum + depth(lane) * STEP + LANE), 0);
  return offsets;
}

// The room that each word needs above and below for the marks that run over it: a line is as high as its
// words need it to be.
function roomOf(range, marks, offsets) {
  const room = Array.from({ length: range[1] - range[0] }, () => ({
    above: ARCS,
    below: ARCS,
    narrow: false,
  }));
  marks.forEach((lane, row) => {
    for (const mark of lane) {
      const needed = ARCS + offsets[row] + (mark.level + 1) * STEP;
      const side = row ? "below" : "above";
      for (let i = mark.from; i < mark.to; i++)
        room[i - range[0]][side] = Math.max(room[i - range[0]][side], needed);
      if (mark.to === mark.from + 1) room[mark.from - range[0]].narrow = true;
    }
  });
  return room;
}

// All positions are read before anything is written, so that the browser lays the text out once only.
function measure(blocks) {
  for (const block of blocks) {
    block.top = block.element.offsetTop;
    block.height = block.element.offsetHeight;
    block.left = block.element.offsetLeft;
    block.boxes = [...block.element.querySelectorAll(".w")].map((word, place) => {
      const { above, below } = block.room[place];
      const [left, top] = [word.offsetLeft, word.offsetTop];
      return {
        left,
        right: left + word.offsetWidth,
        top: top + above,
        bottom: top + word.offsetHeight - below,
      };
    });
  }
}

// Reckons where every mark goes, which is quick; drawing waits until a block comes near the window.
function placeMarks(doc, block, anchors) {
  block.placed = block.marks.flatMap((marks, row) =>
    marks.map((mark) => placeMark(doc, block, mark, row > 0, block.offsets[row], anchors)),
  );
}

function placeMark(doc, block, mark, isBelow, offset, anchors) {
  const rows = rowsOf(doc, block, mark);
  for (const row of rows) {
    row.y = isBelow ? row.bottom + 3 + offset + mark.level * STEP : row.top - 3 - mark.level * STEP;
  }
  const begins = doc.mentions[mark.mention][0] >= block.range[0];
  const label = begins ? entityLabel(doc, mark.lane, mark.number) : "";
  const width = 5 + 6.2 * label.length;
  const left = rows[0].left - 1;
  const top = isBelow ? rows[0].y + 1 : rows[0].y - PILL - 1;
  if (begins) {
    const y = block.top + (isBelow ? top + PILL : top);
    anchors.set(`${mark.lane} ${mark.mention}`, { x: block.left + left + width / 2, y, block });
  }
  return { mark, rows, isBelow, label, left, top, width };
}

function drawMarks(block) {
  if (block.drawn) return;
  block.drawn = svg("svg", { class: "marks", "aria-hidden": "true" }, ...block.placed.map(drawMark));
  block.element.append(block.drawn);
}

function eraseMarks(block) {
  block.drawn?.remove();
  block.drawn = null;
}

function drawMark({ mark, rows, isBelow, label, left, top, width }) {
  const hue = mark.size === 1 ? "alone" : `hue${(mark.number - 1) % 8}`;
  const group = svg("g", {
    class: `mark ${isBelow ? "response" : "key"} ${hue}`,
    "data-lane": mark.lane,
    "data-number": mark.number,
    "data-mention": mark.mention,
  });
  rows.forEach((row, place) =>
    group.append(...drawRow(row, isBelow, place === 0, place === rows.length - 1)),
  );
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
      const box = block.boxes[i - block.range[0]];
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
