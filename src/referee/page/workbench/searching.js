// Search in the open text: words that follow each other, wherever they are.

import { byId, grouped } from "../script/dom.js";
import { announce } from "./announcing.js";
import { bench, tell, when } from "./bench.js";
import { chooseMention, revealWord } from "./text.js";

let lines = ""; // the words, each a line of its own, in small letters
let starts = []; // where each begins in it
let hits = [];
let current = -1;

export function startSearch() {
  when("document", prepare);
  byId("query").addEventListener("input", find);
  byId("search").addEventListener("submit", (event) => {
    event.preventDefault();
    step(1);
  });
  byId("query").addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") byId("text").focus({ preventScroll: true });
    if (!by) return;
    event.preventDefault();
    step(by);
  });
}

function prepare() {
  lines = `\n${bench.doc.words.map((word) => word.toLowerCase().replaceAll("\n", " ")).join("\n")}\n`;
  starts = [];
  let at = 1;
  for (const word of bench.doc.words) {
    starts.push(at);
    at += word.toLowerCase().length + 1;
  }
  find();
}

function wordAt(position) {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle] > position) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

function find() {
  const query = byId("query").value.trim().toLowerCase().split(/\s+/).join("\n");
  hits = [];
  current = -1;
  for (let at = query ? lines.indexOf(query) : -1; at >= 0; at = lines.indexOf(query, at + query.length))
    hits.push([wordAt(at), wordAt(at + query.length - 1) + 1]);
  byId("hits-count").value = query ? `${grouped(hits.length)} found` : "";
}

function step(by) {
  if (!hits.length) return announce("nothing found");
  current = (current + by + hits.length) % hits.length;
  const [from, to] = hits[current];
  byId("hits-count").value = `${current + 1} of ${grouped(hits.length)}`;
  const mention = bench.doc.mentionOf([[from, to]]);
  if (mention) return chooseMention(mention.id, { focus: false });
  bench.words = [from, to];
  bench.caret = { from, at: to - 1 };
  revealWord(from);
  bench.mention = null;
  return tell("chosen");
}
