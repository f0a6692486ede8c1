// The chosen mention and its entity, with buttons for what can be done with them.

import { byId, el, plural } from "../script/dom.js";
import { hueOf } from "../script/stacking.js";
import { bench, when } from "./bench.js";
import { COMMANDS, runCommand } from "./commands.js";
import { keyOf } from "./keys.js";
import { first } from "./model.js";

export function startCard() {
  when("document chosen patched ticked linking", drawCard);
}

function drawCard() {
  const { doc, linking } = bench;
  const box = byId("card");
  if (!doc) return;
  const mention = doc.mentions.get(bench.mention) ?? null;
  const entity = doc.entities.get(bench.entity) ?? null;
  const focused = box.contains(document.activeElement) ? document.activeElement.dataset.command : null;
  box.replaceChildren(
    ...(linking
      ? [
          el(
            "p",
            { class: "asking" },
            `${linking.title} Click one in the text or in the list. `,
            button(named("escape"), "Cancel"),
          ),
        ]
      : []),
    ...(mention ? mentionPart(doc, mention) : []),
    ...(entity ? entityPart(doc, entity) : []),
    ...(mention || entity ? [] : [hint()]),
  );
  if (focused) box.querySelector(`[data-command="${focused}"]`)?.focus();
}

function named(id) {
  return COMMANDS.find((command) => command.id === id);
}

function button(command, label = command.label) {
  const open = command.when ? command.when() : true;
  return el(
    "button",
    {
      type: "button",
      "data-command": command.id,
      disabled: !open,
      title: open ? null : `${command.label}: ${command.needs}`,
      onclick: () => runCommand(command),
    },
    label,
    el("kbd", { "aria-hidden": "true" }, keyOf(command)),
  );
}

// What a button will do, where it depends on what is chosen.
const LABELS = {
  split: () => (tickedOf(bench.entity).length ? "Split off ticked" : "Split from here"),
  confirm: () => (bench.doc.mentions.get(bench.mention).confirmed ? "Not confirmed" : "Link is right"),
};

function tickedOf(entity) {
  return bench.doc.members.get(entity).filter(({ id }) => bench.ticked.has(id));
}

function buttons(...ids) {
  return el("div", { class: "buttons" }, ...ids.map((id) => button(named(id), LABELS[id]?.())));
}

function mentionPart(doc, mention) {
  const facts = [
    doc.placeOf(first(mention)),
    typeof mention.confidence === "number" ? `link sure by ${Math.round(100 * mention.confidence)} %` : "",
    mention.confirmed ? "confirmed" : "",
    mention.type ?? "",
  ];
  return [
    el(
      "p",
      { class: "what" },
      el("b", { dir: "auto" }, `“${doc.said(mention, 90)}”`),
      " ",
      el("small", {}, facts.filter(Boolean).join(" · ")),
    ),
    buttons("move", "point", "detach", "confirm", "delete"),
  ];
}

function entityPart(doc, entity) {
  const size = doc.sizeOf(entity);
  const ticked = tickedOf(entity.id).length;
  return [
    el(
      "p",
      { class: "what" },
      el("span", { class: `sample key ${hueOf(entity.color, size)}` }, String(entity.color)),
      " ",
      el("b", { dir: "auto" }, doc.nameOf(entity)),
      " ",
      el(
        "small",
        {},
        [plural(size, "mention"), entity.type, ticked ? `${ticked} ticked` : ""].filter(Boolean).join(" · "),
      ),
    ),
    buttons("merge", "split", "rename", "type", ...(size === 1 ? ["singleton"] : []), "deleteEntity"),
  ];
}

function hint() {
  const key = (name) => el("kbd", {}, name);
  return el(
    "p",
    { class: "hint" },
    "Click a mention, or press ",
    key("j"),
    ". Drag over words to make one. ",
    key("d"),
    " goes to the most doubtful link, ",
    key("?"),
    " shows all keys.",
  );
}
