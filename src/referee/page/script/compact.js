// The compact way to read: running text, coloured by the key's entities, with a sign where a system errs.

import { el } from "./dom.js";
import { address, errorTarget } from "./address.js";
import { KEY_LANE } from "./data.js";
import { badge, describe } from "./describing.js";
import { entityLabel } from "./entities.js";
import { hueOf, speakerOf } from "./levels.js";
import { sentenceNumber } from "./marks.js";
import { spaced, tokensOf } from "./texts.js";

export function drawCompactBlock(doc, range, marks, errorsOf) {
  const tokens = tokensOf(doc);
  const innermost = new Array(range.end - range.start);
  const opening = new Map();
  for (const mark of marks) {
    for (let i = mark.from; i < mark.to; i++) innermost[i - range.start] ??= mark; // the shortest come first
    if (mark.from === doc.mentions[mark.mention][0])
      opening.set(mark.from, [mark, ...(opening.get(mark.from) ?? [])]);
  }
  const words = [];
  const element = el("p", { class: "block", dir: "auto", "data-speaker": speakerOf(doc, range) });
  element.append(sentenceNumber(range));
  for (let i = range.start; i < range.end; i++) {
    if (i > range.start && spaced(tokens[i - 1], tokens[i])) element.append(" ");
    element.append(...(opening.get(i) ?? []).map((mark) => numberOf(doc, mark)));
    words.push(compactWord(tokens[i], i, innermost[i - range.start]));
    element.append(words.at(-1), ...(errorsOf.get(i) ?? []).map(sign));
  }
  return { element, range, words };
}

function compactWord(token, index, mark) {
  const word = el("span", { class: "w", "data-token": index }, token);
  if (!mark) return word;
  word.classList.add("of", hueOf(mark.number, mark.size));
  word.dataset.number = mark.number;
  return word;
}

function numberOf(doc, mark) {
  return el(
    "sup",
    {
      class: `sample key ${hueOf(mark.number, mark.size)}`,
      "data-number": mark.number,
      "data-mention": mark.mention,
    },
    entityLabel(doc, KEY_LANE, mark.number),
  );
}

function sign(error) {
  return el("a", { class: "sign", href: address(errorTarget(error)), title: describe(error) }, badge(error));
}
