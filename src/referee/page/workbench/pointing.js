// The mouse in the text: a click chooses a mention, a drag picks words, and while an entity is asked for, a click is
// the answer.

import { byId, el } from "../script/dom.js";
import { bench, tell, when } from "./bench.js";
import { COMMANDS, runCommand } from "./commands.js";
import { done } from "./editing.js";
import { keyOf } from "./keys.js";
import { errorsAt } from "./overlay.js";
import { chooseMention, elementOf, firstSeenWord, revealWord } from "./text.js";
import { announce } from "./announcing.js";

let justPicked = false;

export function startPointing() {
  const canvas = byId("canvas");
  canvas.addEventListener("click", clicked);
  canvas.addEventListener("mouseover", hovered);
  canvas.addEventListener("mouseleave", () => lightHovered(null));
  document.addEventListener("mouseup", released);
  document.addEventListener("copy", copied);
  when("picked chosen lit", drawOffer);
}

// The words that the browser's selection covers at least a letter of.
function selectedWords() {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const canvas = byId("canvas");
  if (!canvas.contains(range.startContainer) && !canvas.contains(range.endContainer)) return null;
  const covered = [...canvas.querySelectorAll(".w")].filter(({ firstChild: text }) => {
    const length = text.data.length;
    if (range.comparePoint(text, length) < 0 || range.comparePoint(text, 0) > 0) return false;
    if (range.startContainer === text && range.startOffset === length) return false;
    return !(range.endContainer === text && range.endOffset === 0);
  });
  const numbers = covered.map((word) => Number(word.dataset.w));
  return numbers.length ? [Math.min(...numbers), Math.max(...numbers) + 1] : null;
}

function released(event) {
  const words = event.button === 0 ? selectedWords() : null;
  if (!words) return;
  pick(words);
  justPicked = true; // the click that ends a drag within a word chooses nothing
  setTimeout(() => {
    justPicked = false;
  });
}

export function pick(words, caret = null) {
  getSelection().removeAllRanges();
  bench.words = words;
  bench.caret = caret;
  tell("picked");
  announce(`picked: ${bench.doc.text(...words)}`);
}

function clicked(event) {
  if (justPicked || !getSelection().isCollapsed) return;
  const mark = event.target.closest("[data-m]");
  const word = event.target.closest(".w");
  if (!mark && !word) {
    if (!event.target.closest(".offer") && bench.words) unpick();
    return;
  }
  const at = word ? Number(word.dataset.w) : null;
  const id = mark ? mark.dataset.m : mentionAt(at);
  if (!mark && event.altKey) return pick([at, at + 1]);
  const mention = bench.doc.mentions.get(id);
  if (mention && (bench.linking || (event.shiftKey && bench.mention)))
    return answered(bench.doc.entityOf(mention));
  const [error] = mark ? [] : errorsAt(at);
  if (error && error !== bench.error) {
    bench.error = error;
    tell("errorChosen");
  }
  if (mention) return chooseMention(mention.id, { reveal: false });
  bench.mention = null;
  bench.words = null;
  bench.caret = { from: at, at };
  tell("chosen");
}

// An entity was chosen, in the text or in the list, for what was asked.
export function answered(entity) {
  const { linking } = bench;
  bench.linking = null;
  if (linking) linking.choose(entity);
  else if (bench.mention) done.move(bench.doc.mentions.get(bench.mention), entity);
  tell("linking");
}

// A click on the same word again goes from the innermost mention outwards.
function mentionAt(word) {
  const mentions = bench.doc.mentionsAt(word);
  const position = mentions.findIndex(({ id }) => id === bench.mention);
  return mentions[(position + 1) % Math.max(1, mentions.length)]?.id;
}

function hovered(event) {
  const mark = event.target.closest("[data-m]");
  const word = mark ? null : event.target.closest(".w");
  const id = mark?.dataset.m ?? (word && bench.doc.mentionsAt(Number(word.dataset.w))[0]?.id);
  lightHovered(id ?? null);
}

function lightHovered(id) {
  for (const line of byId("canvas").querySelectorAll(".hovered")) line.classList.remove("hovered");
  if (id === null) return;
  for (const line of byId("canvas").querySelectorAll(`[data-m="${CSS.escape(id)}"]`))
    line.classList.add("hovered");
}

export function unpick() {
  bench.words = null;
  bench.caret = null;
  tell("picked");
}

// Moves the caret by words to the right, which is back in a text that is written to the left; with `picking` the words between where it began and where it is are picked.
export function moveCaret(right, picking) {
  const { doc } = bench;
  const by = doc.direction === "rtl" ? -right : right;
  const mention = doc.mentions.get(bench.mention);
  const start = mention ? mention.spans[0][0] - (by > 0 ? 1 : 0) : firstSeenWord() - (by > 0 ? 1 : 0);
  const caret = bench.caret ?? { from: start + by, at: start };
  const begins = picking && bench.caret !== null && bench.words === null; // first the word that one is on
  const at = Math.max(0, Math.min(doc.words.length - 1, caret.at + (begins ? 0 : by)));
  const from = picking && bench.words ? caret.from : at;
  bench.caret = { from, at };
  bench.words = picking ? [Math.min(from, at), Math.max(from, at) + 1] : null;
  revealWord(at);
  tell("picked");
  announce(picking ? `picked: ${doc.text(...bench.words)}` : `word ${doc.wordAt(at)}`);
}

function copied(event) {
  if (!bench.words || !getSelection().isCollapsed) return;
  event.clipboardData.setData("text/plain", bench.doc.text(...bench.words));
  event.preventDefault();
}

const OFFERED = ["make", "join", "respan", "addPart"];

// Buttons beside picked words: what can be made of them.
function drawOffer() {
  const box = byId("offer");
  const last = bench.words && elementOf(bench.words[1] - 1);
  box.hidden = !last;
  if (!last) return;
  const buttons = OFFERED.map((id) => COMMANDS.find((each) => each.id === id))
    .filter((command) => command.when?.() ?? true)
    .map((command) =>
      el(
        "button",
        { type: "button", onclick: () => runCommand(command) },
        command.label,
        el("kbd", {}, keyOf(command)),
      ),
    );
  if (box.childElementCount !== buttons.length) box.replaceChildren(...buttons);
  const [base, at] = [byId("canvas").getBoundingClientRect(), last.getBoundingClientRect()];
  box.style.top = `${at.bottom - base.top + 2}px`;
  const left = Math.max(0, Math.min(at.left - base.left - 40, base.width - 330));
  box.style.left = `${left}px`;
}
