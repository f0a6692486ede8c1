// Chooses an entity by its number, its name, or from those that are near: for moving, joining and merging.

import { byId, el, plural } from "../script/dom.js";
import { hueOf } from "../script/stacking.js";
import { bench } from "./bench.js";
import { first } from "./model.js";

const MOST = 40; // entities that are offered at once
const NEAR = 400; // mentions before and after that make an entity near
let asked = null; // what the choice is for
let offered = [];
let current = 0;

export function startPicker() {
  const input = byId("picker-query");
  input.addEventListener("input", () => offer(input.value));
  input.addEventListener("keydown", keyed);
  byId("picker").addEventListener("close", () => {
    asked = null;
  });
  byId("picker-list").addEventListener("click", (event) => {
    const item = event.target.closest("[role=option]");
    if (item) choose(Number(item.dataset.row));
  });
}

// Asks for an entity near a word; `fresh` is what a new entity instead would do, if that is possible.
export function pickEntity({ title, at, without = [], choose: action, fresh = null }) {
  asked = { at, without: new Set(without), choose: action, fresh };
  byId("picker-title").textContent = title;
  byId("picker-query").value = "";
  offer("");
  byId("picker").showModal();
  byId("picker-query").focus();
}

// How far the nearest mention of each entity is from a word, before it counts half as far as after it.
function distances(at) {
  const { doc } = bench;
  const position = doc.positionAt(at);
  const far = new Map();
  const { order } = doc;
  for (let i = Math.max(0, position - NEAR); i < Math.min(order.length, position + NEAR); i++) {
    const ahead = first(order[i]) - at;
    const distance = ahead < 0 ? -ahead : 2 * ahead + 1;
    const known = far.get(order[i].entity) ?? Infinity;
    if (distance < known) far.set(order[i].entity, distance);
  }
  return far;
}

function offer(query) {
  const { doc } = bench;
  const words = query.trim().toLowerCase();
  const far = distances(asked.at);
  const score = (entity) => {
    const name = doc.nameOf(entity).toLowerCase();
    if (String(entity.color) === words) return -3;
    if (name === words) return -2;
    return name.startsWith(words) ? -1 : 0;
  };
  const fits = (entity) =>
    !asked.without.has(entity.id) &&
    (!words || String(entity.color).startsWith(words) || doc.nameOf(entity).toLowerCase().includes(words));
  offered = [...doc.entities.values()]
    .filter(fits)
    .map((entity) => ({
      entity,
      score: words ? score(entity) : 0,
      far: far.get(entity.id) ?? 1e9 - doc.sizeOf(entity),
    }))
    .sort((one, other) => one.score - other.score || one.far - other.far)
    .slice(0, MOST);
  if (asked.fresh) offered.push({ entity: null });
  current = 0;
  draw();
}

function draw() {
  byId("picker-list").replaceChildren(...offered.map(item));
  mark();
}

function item({ entity, far }, row) {
  const attributes = { role: "option", id: `picker-${row}`, "data-row": row, "aria-selected": "false" };
  if (!entity)
    return el("div", attributes, el("span", { class: "sample" }, "+"), el("span", {}, "A new entity"));
  const { doc } = bench;
  const size = doc.sizeOf(entity);
  return el(
    "div",
    attributes,
    el("span", { class: `sample key ${hueOf(entity.color, size)}` }, String(entity.color)),
    el("span", {}, doc.nameOf(entity), entity.type ? el("small", {}, ` ${entity.type}`) : null),
    el("small", {}, plural(size, "mention"), far < 1e8 ? ` · ${plural(far, "word")} away` : ""),
  );
}

function mark() {
  for (const [row, option] of [...byId("picker-list").children].entries())
    option.setAttribute("aria-selected", String(row === current));
  const option = byId(`picker-${current}`);
  if (option) {
    byId("picker-query").setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  } else byId("picker-query").removeAttribute("aria-activedescendant");
}

function keyed(event) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by) {
    event.preventDefault();
    current = Math.max(0, Math.min(offered.length - 1, current + by));
    mark();
  } else if (event.key === "Enter") {
    event.preventDefault();
    choose(current);
  }
}

function choose(row) {
  const { choose: action, fresh } = asked;
  const one = offered[row];
  if (!one) return;
  byId("picker").close();
  if (one.entity) action(one.entity);
  else fresh();
}
