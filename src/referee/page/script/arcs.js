// Arcs: from an anaphor's number to its antecedent's; recall errors above the text, precision errors below.
//
// An arc never lies on words: it leaves its line of words upright, runs between two lines, and comes to another line by
// the margin. So it is made of straight pieces with rounded corners.

import { svg } from "./dom.js";
import { chooseError } from "./address.js";
import { alone, data, isAcross, KEY_LANE, letters, RECALL, SIDE_LETTERS } from "./data.js";
import { describe } from "./describing.js";

const FAR = 260; // pixels down the page; of arcs that run further only the beginning is drawn, unless chosen
const TRACKS = 4; // arcs that run beside each other between two lines, or in a margin
const APART = 2.2; // pixels between two tracks
const ROUND = 5; // the radius of a corner
const ASIDE = 4; // pixels beside a number
const SAME = 8; // pixels; ends that are nearer are one above the other

export function drawArcs(text, list, anchors, chosen, all) {
  const drawn = list.filter((error) => all && error !== chosen);
  if (chosen) drawn.push(chosen); // the last is drawn over the others
  eraseArcs(text);
  text.append(arcLayer(drawn, anchors, chosen));
}

export function eraseArcs(text) {
  for (const layer of text.querySelectorAll("svg.arcs")) layer.remove();
}

// On paper a block may move to the next page, so arcs are drawn inside each block, and those between blocks
// are left to the list of errors.
export function drawArcsInBlocks(text, blocks, list, anchors, chosen) {
  eraseArcs(text);
  for (const block of blocks) {
    const inside = list.filter((error) => arcEnds(error, anchors).every((end) => end?.block === block));
    const layer = arcLayer(inside, anchors, chosen);
    layer.style.transform = `translate(${-block.left}px, ${-block.element.offsetTop}px)`;
    block.element.append(layer);
  }
}

function arcLayer(list, anchors, chosen) {
  const arcs = list.flatMap((error) => drawArc(error, anchors, error === chosen));
  return svg(
    "svg",
    { class: list.includes(chosen) ? "arcs chosen-one" : "arcs", width: 1, height: 1, "aria-hidden": "true" },
    arrowHeads(),
    ...arcs,
  );
}

export function laneOf(error) {
  return error.side === RECALL ? KEY_LANE : error.system;
}

function arcEnds(error, anchors) {
  const end = (mention) => anchors.get(`${laneOf(error)} ${mention}`);
  return [end(error.anaphor), isAcross(error) || alone ? undefined : end(error.antecedent)];
}

function arrowHeads() {
  const size = { viewBox: "0 0 8 8", refX: 6, refY: 4, markerWidth: 7, markerHeight: 7 };
  const head = (side) =>
    svg(
      "marker",
      { id: `head-${side}`, ...size, orient: "auto", markerUnits: "userSpaceOnUse" },
      svg("path", { d: "M0,0 L8,4 L0,8 Z", class: `head ${side}` }),
    );
  return svg("defs", {}, ...data.sides.map(head));
}

// An end as a point of the text, with the track that runs past its line.
function located({ block, x, y, line }, isAbove, track) {
  const top = block.element.offsetTop;
  const run = isAbove ? line.top + 2 + track : line.bottom - 2 - track;
  return { x: block.left + x, y: top + y, run: top + run, line, block };
}

function drawArc(error, anchors, isChosen) {
  const ends = arcEnds(error, anchors);
  if (!ends[0]) return [];
  const isAbove = error.side === RECALL;
  const track = (error.index % TRACKS) * APART;
  const [from, to] = ends.map((end) => end && located(end, isAbove, track));
  const far = !to || (!isChosen && Math.abs(to.y - from.y) > FAR);
  const points = far ? stub(from) : route(from, to, track);
  const word = data.sides[error.side];
  const path = rounded(points);
  const line = svg(
    "path",
    {
      d: path,
      class: `arc ${word}${isChosen ? " chosen" : far ? " far" : ""}`,
      "data-error": error.index,
      "data-system": error.system,
      "marker-end": `url(#head-${word})`,
      onclick: () => chooseError(error),
    },
    svg("title", {}, describe(error)),
  );
  if (!isChosen) return [line];
  return [svg("path", { d: path, class: "halo" }), line, ...(far ? [] : arcLabel(error, points, word))];
}

// In the middle of the longest piece that runs between two lines, a little farther from its own line.
function arcLabel(error, points, word) {
  const outwards = error.side === RECALL ? -5 : 5;
  const runs = points
    .slice(1)
    .map(([x, y], index) => ({ x: (x + points[index][0]) / 2, y, length: Math.abs(x - points[index][0]) }));
  const longest = runs.reduce((one, other) => (other.length > one.length ? other : one));
  const [x, y] = [longest.x, longest.y + outwards];
  const label = `${letters[error.system]} ${SIDE_LETTERS[error.side]}`;
  const width = 8 + 6.5 * label.length;
  return [
    svg("rect", { x: x - width / 2, y: y - 6, width, height: 12, rx: 3, class: `arc-label ${word}` }),
    svg("text", { x, y: y + 3.5, "text-anchor": "middle", class: `arc-text ${word}` }, label),
  ];
}

// The beginning of an arc that leads out of sight.
function stub({ x, y, run }) {
  return [
    [x, y],
    [x + ASIDE, y],
    [x + ASIDE, run],
    [x - 12, run],
  ];
}

// From the right of one number to the right of the other, so that it runs past the numbers above and below them.
function route(from, to, track) {
  const [start, end] = [from.x + ASIDE, to.x + ASIDE];
  const past = Math.max(start, end);
  const sameLine = from.line === to.line;
  const margin = sameLine ? 0 : marginOf(from, to, track);
  const between = sameLine
    ? [
        [start, from.run],
        [end, from.run],
      ]
    : [
        [start, from.run],
        [margin, from.run],
        [margin, to.run],
        [end, to.run],
      ];
  const above = sameLine && Math.abs(from.x - to.x) < SAME; // two numbers one above the other
  const middle = above
    ? [
        [past, from.y],
        [past, to.y],
      ]
    : [[start, from.y], ...between, [end, to.y]];
  return [[from.x, from.y], ...middle, [to.x + 1, to.y]];
}

// The nearer margin of the text; the style sheet gives it room.
function marginOf(from, to, track) {
  const { left, width } = from.block;
  const style = getComputedStyle(from.block.element);
  const inner = left + Number.parseFloat(style.paddingLeft) - 5 - track;
  const outer = left + width - Number.parseFloat(style.paddingRight) + 5 + track;
  return from.x + to.x - 2 * inner < 2 * outer - from.x - to.x ? inner : outer;
}

// A path through points, each corner rounded as far as its pieces are long.
function rounded(points) {
  const [first, last] = [points[0], points.at(-1)];
  const corners = points.slice(1, -1).map((corner, index) => {
    const [before, after] = [points[index], points[index + 2]];
    const [start, end] = [towards(corner, before), towards(corner, after)];
    return `L${start} Q${corner} ${end}`;
  });
  return `M${first} ${corners.join(" ")} L${last}`;
}

function towards([x, y], [toX, toY]) {
  const length = Math.hypot(toX - x, toY - y);
  const share = length ? Math.min(ROUND, length / 2) / length : 0;
  return [x + (toX - x) * share, y + (toY - y) * share];
}
