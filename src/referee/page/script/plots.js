// Pictures of the errors: bars per system, matrices of mention types, and the errors that systems share.

function countBy(list, of) {
  const counts = new Map();
  for (const item of list) counts.set(of(item), (counts.get(of(item)) ?? 0) + 1);
  return counts;
}

function barCharts() {
  const counts = countBy(visibleErrors(), (error) => `${error.system} ${error.side} ${error.kind}`);
  const most = Math.max(1, ...shownSystems().flatMap((system) => sideTotals(counts, system)));
  return el("div", { class: "charts" }, ...shownSystems().map((system) => barChart(system, counts, most)));
}

function sideTotals(counts, system) {
  return data.sides.map((_, side) =>
    data.kinds.reduce((sum, _kind, kind) => sum + (counts.get(`${system} ${side} ${kind}`) ?? 0), 0),
  );
}

function barChart(system, counts, most) {
  const totals = sideTotals(counts, system);
  const rows = data.sides.flatMap((word, side) => [
    bar(`All ${word} errors`, word, totals[side], most, true),
    ...data.kinds
      .map((kind, place) => [kind, counts.get(`${system} ${side} ${place}`) ?? 0, data.gains[system][place]])
      .filter(([, count]) => count)
      .sort((one, other) => other[1] - one[1])
      .map(([kind, count, gain]) => bar(kind, word, count, most, false, gain)),
  ]);
  return el(
    "figure",
    { class: "bars" },
    el("figcaption", {}, el("b", { class: "letter" }, letters[system]), " ", data.systems[system]),
    ...rows,
  );
}

function bar(label, side, count, most, whole, gain = null) {
  return el(
    "div",
    { class: whole ? "row whole" : "row" },
    el("span", { class: "label" }, label),
    el(
      "span",
      { class: "track" },
      el("span", { class: `fill ${side}`, style: `width:${(100 * count) / most}%` }),
    ),
    el("span", { class: "count" }, grouped(count)),
    el(
      "small",
      { class: "gain" },
      gain === null ? "" : `${gain < 0 ? "−" : "+"}${percent(Math.abs(gain), 1)}`,
    ),
  );
}

function heatMaps() {
  const shown = visibleErrors();
  const counts = countBy(shown, (e) => `${e.system} ${e.side} ${e.anaphorType} ${e.antecedentType}`);
  const most = Math.max(1, ...counts.values());
  const maps = shownSystems().flatMap((system) =>
    [...filter.side].sort().map((side) => heatMap(system, side, counts, most)),
  );
  return el("div", { class: "charts" }, ...maps);
}

function heatMap(system, side, counts, most) {
  const types = [...data.types.keys()];
  const count = (row, column) => counts.get(`${system} ${side} ${row} ${column}`) ?? 0;
  const of = possible(system, side);
  const head = el(
    "tr",
    {},
    el("th", { scope: "col", class: "corner" }, "anaphor ↓ antecedent →"),
    ...types.map((type) => el("th", { scope: "col" }, data.types[type])),
    el("th", { scope: "col" }, "all"),
  );
  const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
  const rows = types.map((row) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, data.types[row]),
      ...types.map((column) =>
        heatCell(row, column, count(row, column), of.get(`${row} ${column}`) ?? 0, most),
      ),
      el("td", { class: "sum" }, grouped(sum(types.map((column) => count(row, column))))),
    ),
  );
  return el(
    "figure",
    {},
    el(
      "figcaption",
      {},
      el("b", { class: "letter" }, letters[system]),
      ` ${data.systems[system]}: ${data.sides[side]} errors`,
    ),
    el("table", { class: `heat ${data.sides[side]}` }, el("thead", {}, head), el("tbody", {}, ...rows)),
  );
}

// What the errors are out of: all links of the key's trees, or all links that the system made.
function possible(system, side) {
  const listed = side === RECALL ? data.possible.recall : data.possible.precision[system];
  return new Map(listed.map(([anaphor, antecedent, count]) => [`${anaphor} ${antecedent}`, count]));
}

function heatCell(row, column, count, of, most) {
  const choose = () => {
    filter.anaphor = new Set([row]);
    filter.antecedent = new Set([column]);
    filtersChanged();
  };
  const what = `${data.types[row]} with antecedent ${data.types[column]}: ${count} of ${plural(of, "link")} wrong`;
  const share = count ? 0.12 + (0.88 * count) / most : 0;
  return el(
    "td",
    { style: `--share:${(100 * share).toFixed(1)}%` },
    count
      ? el(
          "button",
          { type: "button", title: what, "aria-label": what, onclick: choose },
          grouped(count),
          el("small", {}, ` / ${grouped(of)}`),
        )
      : el("small", {}, of ? `0 / ${grouped(of)}` : "·"),
  );
}

const WIDEST_PLOT = 14; // columns of the plot of shared errors

function sharedPlot() {
  const mask = shownMask();
  const links = new Map(visibleErrors().map((error) => [error.link, error]));
  const columns = new Map();
  for (const error of links.values()) {
    const makers = error.makers & mask;
    if (!columns.has(makers)) columns.set(makers, [0, 0]);
    columns.get(makers)[error.side]++;
  }
  const total = ([, [recall, precision]]) => recall + precision;
  const sorted = [...columns].sort((one, other) => total(other) - total(one));
  const more = sorted.slice(WIDEST_PLOT);
  const rest = more.reduce((sum, column) => sum + total(column), 0);
  return el(
    "div",
    { class: "wide" },
    sorted.length ? drawShared(sorted.slice(0, WIDEST_PLOT)) : el("p", {}, "No errors to show."),
    more.length
      ? el(
          "p",
          { class: "caption" },
          `${plural(more.length, "smaller set")} not drawn: ${plural(rest, "error")}.`,
        )
      : null,
  );
}

const PLOT = { left: 150, column: 64, top: 22, height: 150, row: 24 };

function drawShared(columns) {
  const systems = shownSystems();
  const most = Math.max(...columns.map(([, [recall, precision]]) => recall + precision));
  const width = PLOT.left + columns.length * PLOT.column + 10;
  const height = PLOT.top + PLOT.height + 16 + systems.length * PLOT.row;
  const names = systems.map((system, row) => sharedName(system, row, width));
  return svg(
    "svg",
    {
      class: "shared",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "group",
      "aria-label": "Errors that systems share",
    },
    plotPatterns(),
    ...names,
    ...columns.map((column, place) => sharedColumn(column, place, systems, most)),
  );
}

// Recall and precision differ by pattern as well as by colour.
function plotPatterns() {
  const tile = { width: 6, height: 6, patternUnits: "userSpaceOnUse" };
  return svg(
    "defs",
    {},
    svg(
      "pattern",
      { id: "hatch", ...tile, patternTransform: "rotate(45)" },
      svg("rect", { width: 6, height: 6, class: "recall-ground" }),
      svg("rect", { width: 2.5, height: 6, class: "recall-mark" }),
    ),
    svg(
      "pattern",
      { id: "dots", ...tile },
      svg("rect", { width: 6, height: 6, class: "precision-ground" }),
      svg("circle", { cx: 3, cy: 3, r: 1.5, class: "precision-mark" }),
    ),
  );
}

function sharedName(system, row, width) {
  const y = PLOT.top + PLOT.height + 16 + row * PLOT.row;
  return svg(
    "g",
    {},
    svg("rect", { x: 0, y, width, height: PLOT.row, class: row % 2 ? "band" : "band even" }),
    svg("text", { x: 8, y: y + 16 }, `${letters[system]}  ${shortened(data.systems[system], 20)}`),
  );
}

function sharedColumn([makers, [recall, precision]], place, systems, most) {
  const x = PLOT.left + place * PLOT.column;
  const bottom = PLOT.top + PLOT.height;
  const [tall, low] = [recall, precision].map((count) => (PLOT.height * count) / most);
  const members = systems.filter((system) => makers & (1n << BigInt(system)));
  const dotY = (system) => bottom + 16 + (systems.indexOf(system) + 0.5) * PLOT.row;
  const middle = x + PLOT.column / 2;
  const what = `${members.map((system) => data.systems[system]).join(" and ")}: ${recall} recall, ${precision} precision errors`;
  const choose = () => {
    filter.shared = makers;
    filtersChanged();
  };
  return svg(
    "g",
    {
      class: "column",
      tabindex: 0,
      role: "button",
      "aria-label": what,
      onclick: choose,
      onkeydown: onEnter(choose),
    },
    svg("title", {}, what),
    svg("rect", {
      x: x + 4,
      y: 0,
      width: PLOT.column - 8,
      height: bottom + 16 + systems.length * PLOT.row,
      class: "hit",
    }),
    svg("rect", {
      x: x + 16,
      y: bottom - low,
      width: PLOT.column - 32,
      height: low,
      fill: "url(#dots)",
      class: "precision",
    }),
    svg("rect", {
      x: x + 16,
      y: bottom - low - tall,
      width: PLOT.column - 32,
      height: tall,
      fill: "url(#hatch)",
      class: "recall",
    }),
    svg(
      "text",
      { x: middle, y: bottom - low - tall - 6, "text-anchor": "middle" },
      grouped(recall + precision),
    ),
    ...systems.map((system) =>
      svg("circle", {
        cx: middle,
        cy: dotY(system),
        r: 6,
        class: members.includes(system) ? "member" : "absent",
      }),
    ),
    members.length > 1
      ? svg("line", {
          x1: middle,
          x2: middle,
          y1: dotY(members[0]),
          y2: dotY(members.at(-1)),
          class: "member",
        })
      : null,
  );
}

function onEnter(action) {
  return (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      action();
    }
  };
}
