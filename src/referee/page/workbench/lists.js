// At the side: doubtful links, suggestions and errors, documents, and the steps that were done.

import { byId, el, grouped, plural } from "../script/dom.js";
import { bench, tell, when } from "./bench.js";
import { steps } from "./editing.js";
import { score, signed } from "./figures.js";
import { loadOverlay, overlay, settle, shownErrors } from "./overlay.js";
import { forgetQueues, goTo, itemsOf, loadQueues, queue } from "./queue.js";
import { Rows } from "./rows.js";

const LATER = 350; // milliseconds after a step before lists are fetched again
const METRICS = {
  conll: "CoNLL F1",
  muc: "MUC",
  b_cubed: "B³",
  ceaf_e: "CEAFe",
  ceaf_m: "CEAFm",
  blanc: "BLANC",
  lea: "LEA",
  mentions: "Mentions",
};
const rows = {};
let waiting = null;

export function startLists() {
  for (const kind of ["doubtful", "suggestions", "errors"]) {
    rows[kind] = new Rows(kind, 48, (item, row) => drawItem(kind, item, row));
    byId(`${kind}-rows`).append(rows[kind].box);
  }
  rows.documents = new Rows("Documents", 48, drawDocument);
  byId("documents-rows").append(rows.documents.box);
  byId("against").addEventListener("change", () => loadOverlay(byId("against").value || null));
  when("state", drawAgainst);
  when("document", () => {
    forgetQueues();
    refresh(0);
  });
  when("patched", () => refresh(LATER));
  when("queues queueRow errors chosen", drawQueues);
  when("errors", drawKinds);
  when("state document steps", drawDocuments);
  when("document steps", drawSteps);
  when("tabShown", () => {
    if (["doubtful", "suggestions"].includes(bench.tab) && !queue.loaded) loadQueues();
    drawQueues();
    drawDocuments();
    if (bench.tab === "documents") tell("stateWanted");
  });
}

// The lists are for the annotation as it is, so they are fetched again a little after the last step.
function refresh(wait) {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    if (!bench.doc) return;
    loadQueues();
    if (overlay.against !== null) loadOverlay(overlay.against);
    if (bench.tab === "documents") tell("stateWanted");
  }, wait);
}

function drawAgainst() {
  const { state } = bench;
  byId("against").replaceChildren(
    el("option", { value: "" }, "nothing"),
    ...state.against.map(({ id, name }) => el("option", { value: id }, name)),
  );
  byId("against").value = overlay.against ?? "";
  byId("tab-errors").hidden = !state.against.length;
}

function drawQueues() {
  byId("doubtful-count").textContent = queue.loaded ? grouped(queue.total.doubtful) : "";
  byId("suggestions-count").textContent = queue.loaded ? grouped(queue.total.suggestions) : "";
  byId("errors-count").textContent =
    overlay.against === null || !overlay.loaded ? "" : grouped(shownErrors().length);
  byId("against").value = overlay.against ?? "";
  const kind = bench.tab;
  if (!rows[kind] || kind === "documents") return;
  const items = itemsOf(kind);
  rows[kind].show(items);
  const row = kind === "errors" ? items.indexOf(bench.error) : queue.row[kind];
  if (row >= 0) rows[kind].reveal(row);
  const more = kind !== "errors" && queue.total[kind] > items.length;
  const first = more ? `The first ${grouped(items.length)}; more come as these are decided.` : "";
  byId(`${kind}-empty`).textContent = items.length ? first : emptiness(kind);
}

function emptiness(kind) {
  if (kind === "errors") {
    if (overlay.failure) return `The errors cannot be shown: ${overlay.failure}`;
    if (overlay.against === null) return "Choose what to compare with.";
    if (!overlay.loaded) return "…";
    return overlay.errors.length
      ? "All kinds are switched off."
      : "No errors: both have the same annotation.";
  }
  if (queue.failure) return `The list cannot be shown: ${queue.failure}`;
  if (!queue.loaded) return "…";
  if (kind === "suggestions")
    return "No suggestions: no other system has a link or a mention that is not here.";
  return "No doubtful links. Links have a confidence where a resolver of Referee made them.";
}

function drawItem(kind, item, row) {
  const { doc } = bench;
  const current = kind === "errors" ? bench.error === item : queue.row[kind] === row;
  const spans =
    kind === "doubtful"
      ? doc.mentions.get(item.mention)?.spans
      : kind === "errors"
        ? item.anaphor
        : item.spans;
  const before =
    kind === "doubtful"
      ? doc.mentions.get(item.antecedent)?.spans
      : kind === "errors"
        ? item.antecedent
        : item.antecedent?.spans;
  const of = (some) => (some ? doc.said({ spans: some }, 36) : "?");
  return [
    el(
      "button",
      {
        type: "button",
        class: "item",
        "aria-current": current ? "true" : null,
        onclick: () => goTo(kind, row),
      },
      badgeOf(kind, item),
      el(
        "span",
        { class: "name", dir: "auto" },
        of(spans),
        before ? el("span", { class: "arrow" }, " → ") : null,
        before ? of(before) : null,
      ),
      el("small", {}, factsOf(kind, item, spans)),
    ),
    ...(current ? decisions(kind) : []),
  ];
}

function badgeOf(kind, item) {
  if (kind === "errors")
    return el("span", { class: `badge ${item.side ? "precision" : "recall"}` }, item.side ? "P" : "R");
  const { confidence } = item;
  return el(
    "span",
    { class: "sure" },
    typeof confidence === "number" ? `${Math.round(100 * confidence)} %` : "–",
  );
}

function factsOf(kind, item, spans) {
  const place = spans ? bench.doc.placeOf(spans[0][0]) : "";
  if (kind === "errors") return `${item.kind} · ${place}`;
  if (kind === "suggestions") return `${item.system} · ${item.kind} · ${place}`;
  return place;
}

const ANSWERS = {
  doubtful: ["right", "own entity"],
  suggestions: ["take it", "not this"],
  errors: ["do so here", "leave"],
};

function decisions(kind) {
  return ["accept", "refuse"].map((what, index) =>
    el(
      "button",
      { type: "button", class: "here", onclick: () => queue[what]() },
      ANSWERS[kind][index],
      el("kbd", { "aria-hidden": "true" }, what[0]),
    ),
  );
}

// The kinds of errors, each to be switched on or off.
function drawKinds() {
  const chip = (kind) =>
    el(
      "button",
      {
        type: "button",
        class: "chip",
        "aria-pressed": String(!overlay.hidden.has(kind)),
        onclick: () => {
          if (!overlay.hidden.delete(kind)) overlay.hidden.add(kind);
          settle();
        },
      },
      el("span", { class: "word" }, kind),
      el("small", {}, grouped(overlay.counts.get(kind))),
    );
  byId("kinds").replaceChildren(...overlay.kinds.map(chip));
}

function drawDocuments() {
  const { state, doc, tab } = bench;
  if (!state) return;
  const here = state.documents.find(({ index }) => index === doc?.index);
  if (here)
    Object.assign(here, {
      done: doc.done,
      changed: doc.changed,
      score: doc.score?.metrics.conll ?? here.score,
    });
  const finished = state.documents.filter((each) => each.done).length;
  byId("progress-text").textContent = `${finished} of ${plural(state.documents.length, "document")} finished`;
  byId("progress").max = state.documents.length;
  byId("progress").value = finished;
  const all = state.score?.metrics.conll;
  byId("score-of-all").textContent = typeof all === "number" ? `CoNLL F1 of all ${score(all)}` : "";
  if (tab === "documents") rows.documents.show(state.documents);
}

function drawDocument(each) {
  const facts = [
    plural(each.words, "word"),
    plural(each.mentions, "mention"),
    each.doubtful ? `${grouped(each.doubtful)} doubtful` : "",
    each.changed ? plural(each.changed, "edit") : "",
    typeof each.score === "number" ? `F1 ${score(each.score)}` : "",
  ];
  return [
    el(
      "button",
      {
        type: "button",
        class: "item",
        "aria-current": each.index === bench.doc?.index ? "true" : null,
        onclick: () => tell("open", each.index),
      },
      el(
        "span",
        {
          class: each.done ? "tick done" : "tick",
          "aria-label": each.done ? "finished" : "open",
          role: "img",
        },
        each.done ? "✓" : "○",
      ),
      el("span", { class: "name" }, each.id),
      el("small", {}, facts.filter(Boolean).join(" · ")),
    ),
  ];
}

function drawSteps() {
  const now = bench.doc?.score;
  byId("metrics").replaceChildren(
    ...Object.entries(now?.metrics ?? {})
      .filter(([, value]) => typeof value === "number")
      .map(([name, value]) =>
        el("tr", {}, el("th", { scope: "row" }, METRICS[name] ?? name), el("td", {}, score(value))),
      ),
  );
  byId("metrics-none").hidden = Boolean(now);
  byId("signature").textContent = now?.signature ?? "";
  byId("step-list").replaceChildren(
    ...steps
      .slice(-200)
      .reverse()
      .map(({ said, change, score: after }) =>
        el(
          "li",
          {},
          said,
          typeof change === "number"
            ? el("small", { class: change < 0 ? "worse" : "" }, ` ${signed(change)} → ${score(after)}`)
            : null,
        ),
      ),
  );
}
