// Beside the text: the list of errors and the list of entities, under the chosen error.

import { byId, el, grouped, plural } from "./dom.js";
import { address, errorTarget } from "./address.js";
import { errorCard } from "./card.js";
import { alone, antecedentDocumentOf, data, isAcross, KEY_LANE, letters } from "./data.js";
import { anaphorText, antecedentText, badge } from "./describing.js";
import { entitiesOf, entityLabel, isDivided, isExtra, nameOf, partsOf, wholeEntity } from "./entities.js";
import { shownSystems } from "./filters.js";
import { sideOf } from "./levels.js";
import { errorsHere, openDoc, reader } from "./opened.js";
import { hueOf } from "./stacking.js";
import { sentenceOf, shortened, textOf } from "./texts.js";

const LISTED = 200; // errors in the list until one asks for all

export function drawAside(actions) {
  const titles = {
    errors: `Errors (${grouped(errorsHere().length)})`,
    entities: `Entities (${openDoc().key.length})`,
  };
  const tabs = Object.entries(titles).map(([name, title]) =>
    el(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${name}`,
        "aria-selected": String(reader.tab === name),
        "aria-controls": "side",
        onclick: () => actions.chooseTab(name),
      },
      title,
    ),
  );
  byId("aside").replaceChildren(
    reader.error ? errorCard(reader.error) : keysHint(),
    el("div", { role: "tablist", class: "tabs" }, ...tabs),
    el(
      "div",
      { id: "side", role: "tabpanel" },
      reader.tab === "errors" ? errorList(actions) : entityList(actions),
    ),
  );
  revealInList();
}

function keysHint() {
  const key = (name) => el("kbd", {}, name);
  return el(
    "p",
    { class: "hint" },
    key("j"),
    " and ",
    key("k"),
    " step through the errors, ",
    key("c"),
    " makes the text compact, ",
    key("?"),
    " explains the page.",
  );
}

// Again in the next frames: the heights of items out of sight are estimates until the list has scrolled to them.
function revealInList(again = 3) {
  const side = byId("side");
  const item = side?.querySelector(".current");
  if (!item) return;
  side.scrollTop = item.offsetTop - side.clientHeight / 2;
  if (again) requestAnimationFrame(() => revealInList(again - 1));
}

function errorList(actions) {
  const here = errorsHere();
  if (!here.length) return el("p", { class: "hint" }, "No errors here with these filters.");
  const current = Math.max(0, here.indexOf(reader.error));
  const start = reader.listed ? 0 : Math.max(0, Math.min(current - LISTED / 2, here.length - LISTED));
  const shown = reader.listed ? here : here.slice(start, start + LISTED);
  const rest = here.length - shown.length;
  const all = `List all ${grouped(here.length)}, not only these ${shown.length}`;
  return el(
    "div",
    {},
    rest ? el("button", { type: "button", id: "list-all", onclick: actions.listAll }, all) : null,
    el("ol", { class: "errors" }, ...shown.map(errorItem)),
  );
}

function errorItem(error) {
  const doc = openDoc();
  const sentence = sentenceOf(doc, doc.mentions[error.anaphor][0]);
  return el(
    "li",
    { class: error === reader.error ? "current" : null },
    el(
      "a",
      { href: address(errorTarget(error)), "aria-current": error === reader.error ? "true" : null },
      badge(error),
      el(
        "span",
        {},
        shortened(anaphorText(error), 34),
        ...(alone ? [] : [el("span", { class: "arrow" }, " → "), shortened(antecedentText(error), 34)]),
      ),
      el(
        "small",
        {},
        `${data.kinds[error.kind]} · sentence ${sentence}`,
        isAcross(error) ? ` · antecedent in ${antecedentDocumentOf(error).id}` : "",
      ),
    ),
  );
}

function entityList(actions) {
  const doc = openDoc();
  const item =
    (lane) =>
    ([number, mentions]) =>
      entityItem(doc, number, mentions, lane, actions);
  const shown = (lane) =>
    entitiesOf(doc, lane).filter(
      ([number]) => reader.singletons || wholeEntity(doc.unit, lane, number).length > 1,
    );
  const extra = shownSystems().flatMap((system) =>
    shown(system)
      .filter(([number]) => isExtra(doc, number))
      .map(item(system)),
  );
  return el(
    "div",
    {},
    el("ul", { class: "entities" }, ...shown(KEY_LANE).map(item(KEY_LANE))),
    extra.length ? el("h3", {}, "Only in a system") : null,
    el("ul", { class: "entities" }, ...extra),
  );
}

function entityItem(doc, number, mentions, lane, actions) {
  const whole = wholeEntity(doc.unit, lane, number);
  const chosen = reader.entity === number;
  const documents = new Set(whole.map(([owner]) => owner)).size;
  const size = plural(whole.length, "mention") + (documents > 1 ? ` in ${documents} documents` : "");
  return el(
    "li",
    { class: chosen ? "current" : null },
    el(
      "button",
      {
        type: "button",
        "aria-pressed": String(chosen),
        onclick: () => actions.findEntity(number, doc.mentions[mentions[0]][0]),
      },
      el(
        "span",
        { class: `sample ${sideOf(lane)} ${hueOf(number, whole.length)}` },
        entityLabel(doc, lane, number),
      ),
      el("span", {}, nameOf(whole)),
      el(
        "small",
        {},
        size,
        ...(lane === KEY_LANE ? shownSystems().map((system) => fate(doc, system, number)) : []),
      ),
    ),
    chosen ? mentionList(doc, whole) : null,
  );
}

// What becomes of a key entity in a system: whole, divided, or gone.
function fate(doc, system, number) {
  const parts = partsOf(doc.unit, system, number);
  const part = ([home, count]) =>
    home === null ? `${count} missed` : `${count} in ${entityLabel(doc, system, home)}`;
  return el(
    "span",
    { class: "fate" },
    el("b", {}, letters[system]),
    isDivided(parts) ? el("b", { class: "divided" }, " divided") : null,
    ` ${parts.map(part).join(", ")}`,
  );
}

// All mentions of an entity; those of other documents lead there.
function mentionList(doc, whole) {
  const text = ([owner, mention]) => shortened(textOf(owner, mention), 60);
  const at = ([owner, mention]) => ({
    doc: owner.id,
    at: `${owner.mentions[mention][0]}-${owner.mentions[mention].at(-1)}`,
  });
  const shown = whole.map((each) =>
    each[0] === doc ? text(each) : el("a", { href: address(at(each)), title: each[0].id }, text(each)),
  );
  return el("p", { class: "mentions" }, ...shown.flatMap((each, index) => (index ? [" · ", each] : [each])));
}
