// Arcs: from an anaphor's number to its antecedent's; recall errors above the text, precision errors below.

const FAR = 260; // pixels down the page; of arcs that run further only the beginning is drawn, unless chosen
const CROWDED = 80; // more arcs than this hide the text: only the chosen one is drawn until asked for all

function drawArcs(text, list, anchors, chosen, all) {
  const drawn = list.filter((error) => all || error === chosen);
  if (chosen && !drawn.includes(chosen)) drawn.push(chosen);
  drawn.sort((one, other) => (one === chosen) - (other === chosen));
  eraseArcs(text);
  text.append(arcLayer(drawn, anchors, chosen));
}

function eraseArcs(text) {
  for (const layer of text.querySelectorAll("svg.arcs")) layer.remove();
}

// On paper a block may move to the next page, so arcs are drawn inside each block, and those between blocks
// are left to the list of errors.
function drawArcsInBlocks(text, blocks, list, anchors, chosen) {
  eraseArcs(text);
  for (const block of blocks) {
    const inside = list.filter((error) => arcEnds(error, anchors).every((end) => end?.block === block));
    const layer = arcLayer(inside, anchors, chosen);
    layer.style.transform = `translate(${-block.left}px, ${-block.top}px)`;
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

function arcEnds(error, anchors) {
  const lane = error.side === RECALL ? -1 : error.system;
  return [error.anaphor, error.antecedent].map((mention) => anchors.get(`${lane} ${mention}`));
}

function arrowHeads() {
  const head = (side) =>
    svg(
      "marker",
      {
        id: `head-${side}`,
        viewBox: "0 0 8 8",
        refX: 6,
        refY: 4,
        markerWidth: 7,
        markerHeight: 7,
        orient: "auto",
        markerUnits: "userSpaceOnUse",
      },
      svg("path", { d: "M0,0 L8,4 L0,8 Z", class: `head ${side}` }),
    );
  return svg("defs", {}, ...data.sides.map(head));
}

function drawArc(error, anchors, isChosen) {
  const [from, to] = arcEnds(error, anchors);
  if (!from || !to) return [];
  const word = data.sides[error.side];
  const direction = error.side === RECALL ? -1 : 1;
  const far = !isChosen && Math.abs(to.y - from.y) > FAR;
  const { path, x, y } = far ? stub(from, direction) : arcPath(from, to, direction);
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
  const label = `${letters[error.system]} ${SIDE_LETTERS[error.side]}`;
  return [
    svg("path", { d: path, class: "halo" }),
    line,
    svg("rect", { x: x - 14, y: y - 8, width: 28, height: 16, rx: 4, class: `arc-label ${word}` }),
    svg("text", { x, y: y + 4, "text-anchor": "middle", class: `arc-text ${word}` }, label),
  ];
}

// The beginning of an arc that leads out of sight.
function stub({ x, y }, direction) {
  return { path: `M${x},${y} c0,${7 * direction} -4,${10 * direction} -15,${10 * direction}`, x, y };
}

// A bow on one line; over several lines a curve that leaves and arrives upright, and keeps off what lies between
// two ends that stand one above the other.
function arcPath(from, to, direction) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const bow = direction * Math.min(46, 14 + Math.hypot(dx, dy / 2) * 0.12);
  const aside = Math.abs(dy) > 20 ? 60 * Math.max(0, 1 - Math.abs(dx) / 90) : 0;
  const [x1, x2, y1, y2] = [from.x + aside, to.x + aside, from.y + bow, to.y + bow];
  const path = `M${from.x},${from.y} C${x1},${y1} ${x2},${y2} ${to.x},${to.y + direction * 2}`;
  const middle = (a, b, c, d) => (a + 3 * b + 3 * c + d) / 8;
  return { path, x: middle(from.x, x1, x2, to.x), y: middle(from.y, y1, y2, to.y) };
}
