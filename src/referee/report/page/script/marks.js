// Draws the marks: the browser lays out the words, then brackets are drawn to fit them.

const STEP = 15; // between two levels
const LANE = 5; // between two lanes
const PILL = 12; // the height of a number's box
const ARCS = 14; // room for arcs above and below

function drawBlock(doc, range, lanes) {
  const tokens = tokensOf(doc);
  const marks = lanes.map(({ lane, entities }) => marksOf(doc, lane, range, entities));
  const above = depth(marks[0]);
  const below = marks.slice(1).map(depth);
  const room = below.reduce((sum, levels) => sum + levels * STEP + LANE, 0);
  const narrow = new Set(marks.flat().filter((mark) => mark.to === mark.from + 1).map((mark) => mark.from));
  const words = [];
  for (let i = range[0]; i < range[1]; i++) {
    if (i > range[0] && spaced(tokens[i - 1], tokens[i])) words.push(" ");
    words.push(el("span", { class: narrow.has(i) ? "w m" : "w", "data-token": i }, tokens[i]));
  }
  const style = `--above:${above * STEP + ARCS}px;--below:${room + ARCS}px`;
  const block = el("p", { class: "block", style }, ...words);
  return { element: block, range, marks, below };
}

// All positions are read before anything is written, so that the browser lays the text out once only.
function measure(blocks) {
  for (const block of blocks) {
    block.top = block.element.offsetTop;
    block.left = block.element.offsetLeft;
    block.boxes = [...block.element.children]
      .filter((word) => word.dataset.token)
      .map((word) => ({ left: word.offsetLeft, right: word.offsetLeft + word.offsetWidth, top: word.offsetTop, bottom: word.offsetTop + word.offsetHeight }));
    const css = getComputedStyle(block.element);
    block.above = parseFloat(css.getPropertyValue("--above"));
    block.room = parseFloat(css.getPropertyValue("--below"));
  }
}

function drawMarks(doc, block, anchors) {
  const layer = svg("svg", { class: "marks", "aria-hidden": "true" });
  block.marks.forEach((marks, row) => {
    const offset = block.below.slice(0, Math.max(row - 1, 0)).reduce((sum, levels) => sum + levels * STEP + LANE, 0);
    for (const mark of marks) layer.append(drawMark(doc, block, mark, row > 0, offset, anchors));
  });
  block.element.querySelector("svg")?.remove();
  block.element.append(layer);
}

function drawMark(doc, block, mark, isBelow, offset, anchors) {
  const rows = rowsOf(doc, block, mark);
  const y = (box) =>
    isBelow ? box.bottom - block.room + 3 + offset + mark.level * STEP : box.top + block.above - 3 - mark.level * STEP;
  const label = entityLabel(doc, mark.lane, mark.number);
  const width = 5 + 6.2 * label.length;
  const group = svg("g", {
    class: `mark ${isBelow ? "response" : "key"} ${mark.size === 1 ? "alone" : `hue${(mark.number - 1) % 8}`}`,
    "data-lane": mark.lane,
    "data-number": mark.number,
    "data-mention": mark.mention,
  });
  rows.forEach((row, place) => group.append(...drawRow(row, y(row), isBelow, place === 0, place === rows.length - 1)));
  const first = rows[0];
  const top = isBelow ? y(first) + 1 : y(first) - PILL - 1;
  const begins = doc.mentions[mark.mention][0] >= block.range[0];
  if (begins) {
    group.append(
      svg("rect", { x: first.left - 1, y: top, width, height: PILL, rx: isBelow ? 6 : 2, class: "pill" }),
      svg("text", { x: first.left - 1 + width / 2, y: top + 9.5, "text-anchor": "middle" }, label),
    );
    anchors.set(`${mark.lane} ${mark.mention}`, {
      x: block.left + first.left - 1 + width / 2,
      y: block.top + (isBelow ? top + PILL : top),
      line: block.top + first.top,
    });
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
        if (i === from) row.gaps.push([row.right, box.left]);
        row.right = box.right;
      } else rows.push({ ...box, gaps: [] });
    }
  }
  return rows;
}

function drawRow(row, y, isBelow, opens, closes) {
  const tick = isBelow ? -4 : 4;
  const [left, right] = [row.left, row.right - 1];
  const path = `${opens ? `M${left},${y + tick}V${y}` : `M${left - 3},${y}`}H${right + (closes ? 0 : 3)}${closes ? `V${y + tick}` : ""}`;
  const gaps = row.gaps.map(([from, to]) => svg("line", { x1: from, x2: to, y1: y, y2: y, class: "gap" }));
  return [svg("path", { d: path, class: opens && closes ? "line" : "line broken" }), ...gaps];
}
