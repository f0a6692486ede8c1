// Search: names of documents, and words in their texts.

import { byId, el, plural } from "./dom.js";
import { address } from "./address.js";
import { data } from "./data.js";
import { textBetween, tokensOf } from "./texts.js";

const MOST_HITS = 60;
const lowered = new Map();

function loweredText(doc) {
  if (!lowered.has(doc)) lowered.set(doc, doc.tokens.toLowerCase());
  return lowered.get(doc);
}

// Each token is a line of its own, so words that follow each other are found as lines that do.
function find(query) {
  const words = query.trim().toLowerCase();
  const hits = [];
  let total = 0;
  if (!words) return { hits, total };
  const lines = words.split(/\s+/).join("\n");
  data.documents.forEach((doc, index) => {
    if (doc.id.toLowerCase().includes(words) && ++total && hits.length < MOST_HITS)
      hits.push({ index, at: null });
    const text = loweredText(doc);
    for (let hit = text.indexOf(lines); hit >= 0; hit = text.indexOf(lines, hit + lines.length)) {
      if (++total && hits.length < MOST_HITS) hits.push({ index, at: tokenRange(text, hit, lines.length) });
    }
  });
  return { hits, total };
}

function tokenRange(text, start, length) {
  const count = (from, to) => text.slice(from, to).split("\n").length - 1;
  const first = count(0, start);
  return [first, first + count(start, start + length) + 1];
}

function drawHits() {
  const box = byId("hits");
  const query = byId("query").value;
  const { hits, total } = find(query);
  box.hidden = !query.trim();
  box.replaceChildren(
    el(
      "p",
      { role: "status" },
      total > hits.length ? `${plural(total, "hit")}, the first ${hits.length}:` : plural(total, "hit"),
    ),
    ...hits.map(hitLink),
  );
}

function hitLink({ index, at }) {
  const doc = data.documents[index];
  const target = at ? { doc: doc.id, at: at.join("-") } : { doc: doc.id };
  const around = at
    ? [
        textBetween(doc, Math.max(0, at[0] - 6), at[0]),
        " ",
        el("mark", {}, textBetween(doc, ...at)),
        " ",
        textBetween(doc, at[1], Math.min(tokensOf(doc).length, at[1] + 6)),
      ]
    : ["document"];
  return el(
    "a",
    { href: address(target), onclick: closeHits },
    el("b", {}, doc.id),
    el("span", {}, ...around),
  );
}

export function closeHits() {
  byId("hits").hidden = true;
}

function stepHits(by) {
  const links = [...byId("hits").querySelectorAll("a")];
  const next = links.indexOf(document.activeElement) + by;
  if (next < 0) byId("query").focus();
  else links[Math.min(next, links.length - 1)]?.focus();
}

export function startSearch() {
  const box = byId("search");
  byId("query").addEventListener("input", drawHits);
  byId("query").addEventListener("focus", drawHits);
  box.addEventListener("submit", (event) => {
    event.preventDefault();
    byId("hits").querySelector("a")?.click();
    byId("query").blur();
  });
  box.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      event.preventDefault();
      stepHits(by);
    }
  });
  document.addEventListener("click", (event) => {
    if (!box.contains(event.target)) closeHits();
  });
}
