// At the side: the entities, and of the chosen one its mentions, each with the words around it.

import { byId, el, grouped, plural } from "../script/dom.js";
import { hueOf } from "../script/stacking.js";
import { bench, tell, when } from "./bench.js";
import { isDoubtful } from "./drawing.js";
import { end, first } from "./model.js";
import { answered } from "./pointing.js";
import { Rows } from "./rows.js";
import { chooseEntity, chooseMention, revealWord } from "./text.js";

const AROUND = 5; // words before and after a mention in the list
const SIZES = { all: [0, Infinity], alone: [1, 1], several: [2, Infinity], large: [10, Infinity] };
const ORDERS = {
  text: () => 0,
  size: (one, other) => bench.doc.sizeOf(other) - bench.doc.sizeOf(one),
  name: (one, other) => bench.doc.nameOf(one).localeCompare(bench.doc.nameOf(other)),
};
let list = null;
let members = null;

export function startEntities() {
  list = new Rows("Entities", 44, drawEntity);
  members = new Rows("Mentions of the chosen entity", 30, drawMember);
  byId("entity-rows").append(list.box);
  byId("member-rows").append(members.box);
  for (const id of ["entity-query", "entity-type", "entity-size", "entity-state", "entity-order"])
    byId(id).addEventListener("input", drawList);
  when("document", () => {
    bench.ticked = new Set();
    drawTypes();
  });
  when("document linking", drawEntities);
  when("patched", () => bench.tab === "entities" && drawList()); // "chosen" follows it, and draws the rest
  when("chosen", drawChosen);
}

export function drawEntities() {
  if (bench.tab !== "entities" || !bench.doc) return;
  drawList();
  drawChosen();
}

function drawTypes() {
  const types = [...new Set([...bench.doc.entities.values()].map(({ type }) => type ?? ""))].sort();
  const box = byId("entity-type");
  box.replaceChildren(
    el("option", { value: "*" }, "any type"),
    ...types.map((type) => el("option", { value: type }, type || "no type")),
  );
  box.hidden = types.length < 2;
}

function wanted() {
  const { doc } = bench;
  const query = byId("entity-query").value.trim().toLowerCase();
  const type = byId("entity-type").value;
  const [least, most] = SIZES[byId("entity-size").value];
  const state = byId("entity-state").value;
  const fits = (entity) => {
    const size = doc.sizeOf(entity);
    if (size < least || size > most) return false;
    if (type !== "*" && type !== "" && entity.type !== type) return false;
    if (type === "" && entity.type) return false;
    if (state === "changed" && !bench.changed.has(entity.id)) return false;
    const own = doc.members.get(entity.id);
    if (state === "doubtful" && !own.some(isDoubtful)) return false;
    if (!query || String(entity.color) === query) return true;
    return (
      doc.nameOf(entity).toLowerCase().includes(query) ||
      own.some((each) => doc.textOf(each).toLowerCase().includes(query))
    );
  };
  const place = (entity) => first(doc.members.get(entity.id)[0]);
  const found = [...doc.entities.values()].filter((entity) => doc.sizeOf(entity) && fits(entity));
  const order = ORDERS[byId("entity-order").value];
  return found.sort((one, other) => order(one, other) || place(one) - place(other));
}

function drawList() {
  if (!bench.doc) return;
  const found = wanted();
  list.show(found);
  const all = bench.doc.entities.size;
  byId("entity-count").value =
    found.length === all
      ? plural(all, "entity", "entities")
      : `${grouped(found.length)} of ${plural(all, "entity", "entities")}`;
}

function drawEntity(entity) {
  const { doc } = bench;
  const size = doc.sizeOf(entity);
  const chosen = bench.entity === entity.id;
  const mention = doc.mentions.get(bench.mention);
  const target = bench.linking || (mention && mention.entity !== entity.id);
  const doubtful = doc.members.get(entity.id).filter(isDoubtful).length;
  const facts = [
    plural(size, "mention"),
    entity.type,
    entity.singleton ? "alone on purpose" : "",
    doubtful ? `${doubtful} doubtful` : "",
    bench.changed.has(entity.id) ? "changed" : "",
  ];
  return [
    el(
      "button",
      {
        type: "button",
        class: "entity",
        "aria-pressed": String(chosen),
        onclick: () => (bench.linking ? answered(entity) : choose(entity)),
      },
      el("span", { class: `sample key ${hueOf(entity.color, size)}` }, String(entity.color)),
      el("span", { class: "name" }, doc.nameOf(entity)),
      el("small", {}, facts.filter(Boolean).join(" · ")),
    ),
    target
      ? el(
          "button",
          {
            type: "button",
            class: "here",
            "aria-label": `${bench.linking ? "this" : "move here"}: ${entity.color} ${doc.nameOf(entity)}`,
            onclick: () => answered(entity),
          },
          bench.linking ? "this" : "move here",
        )
      : null,
  ].filter(Boolean);
}

function choose(entity) {
  const again = bench.entity === entity.id && !bench.mention;
  chooseEntity(again ? null : entity.id);
  if (!again) revealWord(first(bench.doc.members.get(entity.id)[0]));
}

// The mentions of the chosen entity; the list is only drawn again, it stays where it is.
function drawChosen() {
  if (bench.tab !== "entities" || !bench.doc) return;
  const own = bench.entity ? (bench.doc.members.get(bench.entity) ?? []) : [];
  byId("members").hidden = !own.length;
  members.show(own);
  const position = own.findIndex(({ id }) => id === bench.mention);
  if (position >= 0) members.reveal(position);
  list.update(true);
  const row = list.items.findIndex(({ id }) => id === bench.entity);
  if (row >= 0 && !byId("entity-rows").contains(document.activeElement)) list.reveal(row);
}

function drawMember(mention) {
  const { doc } = bench;
  const text = doc.textOf(mention);
  const before = doc.text(Math.max(0, first(mention) - AROUND), first(mention));
  const after = doc.text(end(mention), end(mention) + AROUND);
  const tick = el("input", { type: "checkbox", "aria-label": `Tick “${text}”`, tabindex: -1 });
  tick.checked = bench.ticked.has(mention.id);
  tick.addEventListener("change", () => {
    if (tick.checked) bench.ticked.add(mention.id);
    else bench.ticked.delete(mention.id);
    tell("ticked");
  });
  const classes = [
    "member",
    mention.id === bench.mention ? "own" : "",
    isDoubtful(mention) ? "doubtful" : "",
  ];
  return [
    tick,
    el(
      "button",
      {
        type: "button",
        class: classes.join(" "),
        dir: "auto",
        "aria-pressed": String(mention.id === bench.mention),
        onclick: () => chooseMention(mention.id, { focus: false }),
      },
      el("span", { class: "before" }, before),
      el("b", {}, text),
      el("span", { class: "after" }, after),
    ),
  ];
}
