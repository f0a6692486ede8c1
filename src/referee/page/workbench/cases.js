// At the side: what annotators left undecided, who says what, and what the annotation says now.

import { byId, el, grouped } from "../script/dom.js";
import { announce } from "./announcing.js";
import { bench, tell, when } from "./bench.js";
import { Rows } from "./rows.js";
import { get } from "./server.js";
import { chooseMention, revealWord } from "./text.js";

const LATER = 350; // milliseconds after a step before the list is fetched again
const shown = { cases: [], row: -1, part: 0, failure: "" };
let rows = null;
let waiting = null;

export function startCases() {
  rows = new Rows("Cases", 66, drawCase);
  byId("cases-rows").append(rows.box);
  when("state", () => {
    byId("tab-cases").hidden = !bench.state.has_cases;
  });
  when("document", () => {
    Object.assign(shown, { cases: [], row: -1, part: 0 });
    load();
  });
  when("patched", () => {
    clearTimeout(waiting);
    waiting = setTimeout(load, LATER);
  });
  when("tabShown", draw);
}

async function load() {
  const { doc, state } = bench;
  if (!doc || !state?.has_cases) return;
  shown.failure = "";
  try {
    const { cases } = await get(`documents/${doc.index}/cases`);
    if (bench.doc !== doc) return;
    shown.cases = cases;
  } catch (error) {
    shown.failure = error.message;
  }
  draw();
}

function draw() {
  const open = shown.cases.filter(({ settled }) => !settled).length;
  byId("cases-count").textContent = bench.state?.has_cases ? grouped(open) : "";
  if (bench.tab !== "cases") return;
  rows.show(shown.cases);
  byId("cases-empty").textContent = shown.cases.length
    ? ""
    : shown.failure
      ? `The cases cannot be shown: ${shown.failure}`
      : "No cases in this document.";
}

// Goes to a case, and from there to its parts one after the other.
function goTo(row) {
  const item = shown.cases[row];
  shown.part = shown.row === row ? (shown.part + 1) % item.parts.length : 0;
  shown.row = row;
  const [spans] = item.parts[shown.part].spans;
  const mention = bench.doc.mentionOf(spans);
  if (mention) chooseMention(mention.id, { focus: false });
  else {
    Object.assign(bench, { mention: null, entity: null, words: [spans[0][0], spans[0][1]] });
    revealWord(spans[0][0]);
    tell("chosen");
  }
  const { letter } = item.parts[shown.part];
  announce(`${item.question} ${letter}: ${bench.doc.said({ spans })}`);
  draw();
}

function drawCase(item, row) {
  const current = row === shown.row;
  const said = item.parts.map(({ letter, spans }, part) => {
    const more = spans.length > 1 ? ` +${spans.length - 1}` : "";
    const text = `${item.kind === "mention" ? "" : `${letter} `}${bench.doc.said({ spans: spans[0] }, 24)}${more}`;
    return el(current && part === shown.part ? "b" : "span", {}, part ? ` · ${text}` : text);
  });
  const answers = item.answers.map(({ answer, names }) => `${answer}: ${names.join(", ")}`);
  return [
    el(
      "button",
      {
        type: "button",
        class: "item",
        "aria-current": current ? "true" : null,
        title: answers.join("\n"),
        onclick: () => goTo(row),
      },
      el(
        "span",
        {
          class: item.settled ? "tick done" : "tick",
          role: "img",
          "aria-label": item.settled ? "settled" : "open",
        },
        item.settled ? "✓" : "○",
      ),
      el("span", { class: "name", dir: "auto" }, ...said),
      el("small", {}, answers.join("; ")),
      el("small", {}, `${item.question} now: ${item.now}`),
    ),
  ];
}
