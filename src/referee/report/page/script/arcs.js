// Arcs: from an anaphor's number to its antecedent's; recall errors above the text, precision errors below.

const CROWDED = 60; // more arcs than this hide the text: only the chosen one is drawn until asked for all

function drawArcs(box, list, anchors, chosen, all) {
  const layer = svg("svg", { class: "arcs", width: box.scrollWidth, height: box.scrollHeight, "aria-hidden": "true" }, arrowHeads());
  const drawn = list.filter((error) => all || error === chosen);
  if (chosen && !drawn.includes(chosen)) drawn.push(chosen);
  drawn.sort((one, other) => (one === chosen) - (other === chosen));
  for (const error of drawn) layer.append(...drawArc(error, anchors, error === chosen));
  box.querySelector("svg.arcs")?.remove();
  box.append(layer);
}

function arrowHeads() {
  const head = (side) =>
    svg(
      "marker",
      { id: `head-${side}`, viewBox: "0 0 8 8", refX: 6, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto", markerUnits: "userSpaceOnUse" },
      svg("path", { d: "M0,0 L8,4 L0,8 Z", class: `head ${side}` }),
    );
  return svg("defs", {}, ...data.sides.map(head));
}

function drawArc(error, anchors, isChosen) {
  const lane = error.side === RECALL ? -1 : error.system;
  const from = anchors.get(`${lane} ${error.anaphor}`);
  const to = anchors.get(`${lane} ${error.antecedent}`);
  if (!from || !to) return [];
  const word = data.sides[error.side];
  const { path, x, y } = arcPath(from, to, error.side === RECALL ? -1 : 1);
  const line = svg(
    "path",
    { d: path, class: `arc ${word}${isChosen ? " chosen" : ""}`, "data-error": error.index, "data-system": error.system, "marker-end": `url(#head-${word})`, onclick: () => chooseError(error) },
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

// A bow on one line; over several lines a curve that leaves and arrives upright.
function arcPath(from, to, direction) {
  const distance = Math.hypot(to.x - from.x, (to.y - from.y) / 2);
  const bow = direction * Math.min(46, 14 + distance * 0.12);
  const [y1, y2] = [from.y + bow, to.y + bow];
  const path = `M${from.x},${from.y} C${from.x},${y1} ${to.x},${y2} ${to.x},${to.y + direction * 2}`;
  const middle = (a, b, c, d) => (a + 3 * b + 3 * c + d) / 8;
  return { path, x: middle(from.x, from.x, to.x, to.x), y: middle(from.y, y1, y2, to.y) };
}
