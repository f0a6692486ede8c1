// What is shown: systems, sides, kinds of error, types of mention. One state for the whole page.

const FILTERS = {
  system: { title: "System", words: data.systems, of: (error) => error.system },
  side: { title: "Error", words: data.sides, of: (error) => error.side },
  kind: { title: "Class", words: data.kinds, of: (error) => error.kind },
  anaphor: { title: "Anaphor", words: data.types, of: (error) => error.anaphorType },
  antecedent: { title: "Antecedent", words: data.types, of: (error) => error.antecedentType },
};
const filter = { shared: null };
clearFilters();

function clearFilters() {
  for (const [name, { words }] of Object.entries(FILTERS)) filter[name] = new Set(words.keys());
  filter.shared = null;
}

function isFiltered(name) {
  return filter[name].size < FILTERS[name].words.length;
}

function anyFilter() {
  return filter.shared !== null || Object.keys(FILTERS).some(isFiltered);
}

function shownSystems() {
  return [...data.systems.keys()].filter((system) => filter.system.has(system));
}

// The bits of the systems that are shown.
function shownMask() {
  return shownSystems().reduce((mask, system) => mask | (1n << BigInt(system)), 0n);
}

let visibleCache = null;

function visibleErrors() {
  if (visibleCache) return visibleCache;
  const tests = Object.entries(FILTERS).filter(([name]) => isFiltered(name));
  const mask = shownMask();
  visibleCache = errors.filter(
    (error) =>
      tests.every(([name, { of }]) => filter[name].has(of(error))) &&
      (filter.shared === null || (error.makers & mask) === filter.shared),
  );
  return visibleCache;
}

function toggleFilter(name, place, only = false) {
  const chosen = filter[name];
  if (only) filter[name] = new Set([place]);
  else if (chosen.has(place)) chosen.delete(place);
  else chosen.add(place);
  if (name === "system") filter.shared = null;
  filtersChanged();
}

function filtersChanged() {
  visibleCache = null;
  drawFilters();
  writeAddress();
  drawView();
}

// Filters in the address: only those that leave something out.
function filterParameters(parameters) {
  for (const [name, { words }] of Object.entries(FILTERS)) {
    if (!isFiltered(name)) continue;
    if (!filter[name].size) parameters.append(name, "");
    for (const place of filter[name]) parameters.append(name, words[place]);
  }
  if (filter.shared !== null) parameters.append("shared", filter.shared.toString(2));
}

function readFilters(parameters) {
  clearFilters();
  for (const [name, { words }] of Object.entries(FILTERS)) {
    if (!parameters.has(name)) continue;
    const wanted = new Set(parameters.getAll(name));
    filter[name] = new Set([...words.keys()].filter((place) => wanted.has(words[place])));
  }
  const shared = parameters.get("shared") ?? "";
  if (/^[01]+$/.test(shared)) filter.shared = BigInt(`0b${shared}`);
  visibleCache = null;
}

function drawFilters() {
  const counts = filterCounts();
  const groups = Object.entries(FILTERS)
    .filter(([, { words }]) => words.length > 1)
    .map(([name, group]) => filterGroup(name, group, counts[name]));
  if (filter.shared !== null) groups.push(sharedChip());
  if (anyFilter())
    groups.push(el("button", { type: "button", class: "chip reset", onclick: resetFilters }, "Show all"));
  const box = byId("filter-groups");
  const focused = box.contains(document.activeElement) ? document.activeElement.id : "";
  box.replaceChildren(...groups);
  if (focused) byId(focused)?.focus();
  byId("filter-count").value = `${grouped(visibleErrors().length)} of ${plural(errors.length, "error")}`;
}

function resetFilters() {
  clearFilters();
  filtersChanged();
}

// How many errors each word of each filter stands for, the other filters being as they are.
function filterCounts() {
  const names = Object.keys(FILTERS);
  const counts = Object.fromEntries(names.map((name) => [name, FILTERS[name].words.map(() => 0)]));
  const mask = shownMask();
  const groups = names.map((name) => ({ of: FILTERS[name].of, chosen: filter[name], count: counts[name] }));
  for (const error of errors) {
    if (filter.shared !== null && (error.makers & mask) !== filter.shared) continue;
    const failed = groups.filter(({ of, chosen }) => !chosen.has(of(error)));
    if (failed.length > 1) continue;
    for (const { of, count } of failed.length ? failed : groups) count[of(error)]++;
  }
  return counts;
}

function filterGroup(name, { title, words }, counts) {
  return el(
    "div",
    { class: "group", role: "group", "aria-label": `${title} filter` },
    el("span", { class: "name" }, title),
    ...[...words.keys()].map((place) => chip(name, place, counts[place])),
  );
}

function chip(name, place, count) {
  const pressed = filter[name].has(place);
  return el(
    "button",
    {
      type: "button",
      class: "chip",
      id: `filter-${name}-${place}`,
      "aria-pressed": String(pressed),
      title: "Click: on or off. Shift and click: only this.",
      onclick: (event) => toggleFilter(name, place, event.shiftKey),
    },
    name === "system" ? el("b", {}, letters[place]) : null,
    name === "side" ? el("span", { class: `swatch ${data.sides[place]}` }) : null,
    el("span", {}, FILTERS[name].words[place]),
    el("small", {}, grouped(count)),
  );
}

function sharedChip() {
  const makers = [...data.systems.keys()].filter((system) => filter.shared & (1n << BigInt(system)));
  return el(
    "button",
    {
      type: "button",
      class: "chip reset",
      onclick: () => {
        filter.shared = null;
        filtersChanged();
      },
    },
    `made by ${makers.map((system) => data.systems[system]).join(" and ")}${makers.length > 1 ? "" : " alone"} ✕`,
  );
}
