// Errors one after the other, with the words around them.

import { el, grouped } from "./dom.js";
import { address, errorTarget } from "./address.js";
import { alone, antecedentDocumentOf, data, documentOf, isAcross } from "./data.js";
import { badge, describe, typesOf } from "./describing.js";
import { visibleErrors } from "./filters.js";
import { lengthOf, sentenceOf, spaced, textBetween, tokensOf } from "./texts.js";

const MORE = 20; // examples drawn at a time
const AROUND = 9; // words of context on either side

export function exampleList() {
  const list = el("ol", { class: "examples" });
  const links = linksOf(visibleErrors());
  const more = el("button", { type: "button", id: "more" });
  let shown = 0;
  const add = () => {
    list.append(...links.slice(shown, shown + MORE).map(example));
    shown = Math.min(shown + MORE, links.length);
    more.textContent = `${MORE} more of ${grouped(links.length - shown)}`;
    more.hidden = shown === links.length;
  };
  more.addEventListener("click", add);
  add();
  return el("div", {}, links.length ? list : el("p", {}, "No errors to show."), more);
}

// Errors that are the same link, together.
function linksOf(list) {
  const links = new Map();
  for (const error of list) {
    if (!links.has(error.link)) links.set(error.link, []);
    links.get(error.link).push(error);
  }
  return [...links.values()];
}

// One link, and the systems that get it wrong.
function example(same) {
  const error = same[0];
  const doc = documentOf(error);
  const kinds = [...new Set(same.map(({ kind }) => data.kinds[kind]))].join(", ");
  const sentence = sentenceOf(doc, doc.mentions[error.anaphor][0]);
  return el(
    "li",
    {},
    el("span", { class: "badges" }, ...same.map(badge)),
    el(
      "div",
      {},
      el("q", {}, ...context(error)),
      el(
        "small",
        {},
        `${kinds} · ${typesOf(error)} · `,
        el("a", { href: address(errorTarget(error)) }, doc.id),
        `, sentence ${sentence}`,
        isAcross(error) ? ` · antecedent in ${antecedentDocumentOf(error).id}` : null,
      ),
    ),
  );
}

// Antecedent and anaphor with the words around them: the antecedent underlined, the anaphor bold.
function context(error) {
  const [before, doc] = [antecedentDocumentOf(error), documentOf(error)];
  const range = (owner, mention) => [owner.mentions[mention][0], owner.mentions[mention].at(-1)];
  const [antecedent, anaphor] = [range(before, error.antecedent), range(doc, error.anaphor)];
  if (antecedent[1] > lengthOf(before) || anaphor[1] > lengthOf(doc)) return [describe(error)];
  if (alone) return passage(doc, anaphor, [["b", anaphor]]);
  const [under, bold] = [
    ["u", antecedent],
    ["b", anaphor],
  ];
  if (isAcross(error))
    return [...passage(before, antecedent, [under]), " ‖ ", ...passage(doc, anaphor, [bold])];
  if (anaphor[0] < antecedent[1])
    return [...passage(doc, antecedent, [under]), " ⟨", ...passage(doc, anaphor, [bold], 0), "⟩"];
  const near = anaphor[0] - antecedent[1] <= 2 * AROUND;
  if (near) return passage(doc, [antecedent[0], anaphor[1]], [under, bold]);
  return [...passage(doc, antecedent, [under]), " ", ...passage(doc, anaphor, [bold])];
}

// The words from a little before a range to a little after it, some of them marked.
function passage(doc, [start, end], marked, around = AROUND) {
  const [from, to] = [Math.max(0, start - around), Math.min(lengthOf(doc), end + around)];
  const tokens = tokensOf(doc);
  const cuts = [from, ...marked.flatMap(([, range]) => range), to];
  const parts = cuts.slice(1).flatMap((cut, index) => {
    const first = cuts[index];
    if (first === cut) return [];
    const text = textBetween(doc, first, cut);
    const gap = first > from && spaced(tokens[first - 1], tokens[first]) ? " " : "";
    return index % 2 ? [gap, el(marked[(index - 1) / 2][0], {}, text)] : [gap + text];
  });
  return [from && around ? "… " : "", ...parts, to < lengthOf(doc) && around ? " …" : ""];
}
