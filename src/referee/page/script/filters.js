// What is shown: systems, sides, kinds of error, types of mention. One state for the whole page.

import { acrossDocuments, data, errors, REACHES } from "./data.js";

export const FILTERS = {
  system: { title: "System", words: data.systems, of: (error) => error.system },
  side: { title: "Error", words: data.sides, of: (error) => error.side },
  kind: { title: "Cause", words: data.kinds, of: (error) => error.kind },
  anaphor: { title: "Anaphor", words: data.types, of: (error) => error.anaphorType },
  antecedent: { title: "Antecedent", words: data.types, of: (error) => error.antecedentType },
  ...(acrossDocuments && {
    reach: { title: "Link", words: REACHES, of: (error) => error.reach },
    likeness: { title: "Evidence", words: data.likenesses, of: (error) => error.likeness },
  }),
};
export const filter = { shared: null };
const listeners = [];
let visibleCache = null;
clearFilters();

function clearFilters() {
  for (const [name, { words }] of Object.entries(FILTERS)) filter[name] = new Set(words.keys());
  filter.shared = null;
}

function isFiltered(name) {
  return filter[name].size < FILTERS[name].words.length;
}

export function anyFilter() {
  return filter.shared !== null || Object.keys(FILTERS).some(isFiltered);
}

export function shownSystems() {
  return [...data.systems.keys()].filter((system) => filter.system.has(system));
}

// The bits of the systems that are shown.
export function shownMask() {
  return shownSystems().reduce((mask, system) => mask | (1n << BigInt(system)), 0n);
}

export function visibleErrors() {
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

export function whenFiltersChange(listener) {
  listeners.push(listener);
}

// Sets filters, as { name: set of positions }, and lets the page know.
export function setFilters(changes) {
  Object.assign(filter, changes);
  visibleCache = null;
  for (const listener of listeners) listener();
}

export function toggleFilter(name, position, only = false) {
  const chosen = new Set(only ? [position] : filter[name]);
  if (!only && !chosen.delete(position)) chosen.add(position);
  setFilters(name === "system" ? { [name]: chosen, shared: null } : { [name]: chosen });
}

export function resetFilters() {
  clearFilters();
  setFilters({});
}

// Filters in the address: only those that leave something out.
export function filterParameters(parameters = new URLSearchParams()) {
  for (const [name, { words }] of Object.entries(FILTERS)) {
    if (!isFiltered(name)) continue;
    if (!filter[name].size) parameters.append(name, "");
    for (const position of filter[name]) parameters.append(name, words[position]);
  }
  if (filter.shared !== null) parameters.append("shared", filter.shared.toString(2));
  return parameters;
}

export function readFilters(parameters) {
  clearFilters();
  for (const [name, { words }] of Object.entries(FILTERS)) {
    if (!parameters.has(name)) continue;
    const wanted = new Set(parameters.getAll(name));
    filter[name] = new Set([...words.keys()].filter((position) => wanted.has(words[position])));
  }
  const shared = parameters.get("shared") ?? "";
  if (/^[01]+$/.test(shared)) filter.shared = BigInt(`0b${shared}`);
  visibleCache = null;
}

// How many errors each word of each filter is the answer for, the other filters being as they are.
export function filterCounts() {
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
