// What is gone through one by one: doubtful links, suggestions, and errors.

import { announce, toast } from "./announcing.js";
import { bench, tell } from "./bench.js";
import { applyError, done } from "./editing.js";
import { loadOverlay, overlay, shownErrors } from "./overlay.js";
import { doubtfulOf } from "./playground.js";
import { get } from "./server.js";
import { chooseMention, revealWord } from "./text.js";

const KINDS = ["doubtful", "suggestions"]; // of which the server knows
const LISTED = 500;
export const QUEUES = ["doubtful", "suggestions", "errors"];
const lists = { doubtful: [], suggestions: [] };
export const queue = {
  kind: "doubtful",
  row: { doubtful: -1, suggestions: -1 },
  total: { doubtful: 0, suggestions: 0 }, // of which only the first are here
  failure: "",
  loaded: false,
};

export function itemsOf(kind) {
  return kind === "errors" ? shownErrors() : lists[kind];
}

function rowOf(kind) {
  return kind === "errors" ? shownErrors().indexOf(bench.error) : queue.row[kind];
}

// Fetches the lists for the annotation as it is now.
export async function loadQueues() {
  const { doc } = bench;
  queue.failure = "";
  if (bench.state.resolvers) {
    lists.doubtful = doubtfulOf(doc);
    queue.total.doubtful = lists.doubtful.length;
    queue.loaded = true;
    return tell("queues");
  }
  try {
    const answers = await Promise.all(
      KINDS.map((kind) => get(`documents/${doc.index}/${kind}?limit=${LISTED}`)),
    );
    if (bench.doc !== doc) return;
    const kept = KINDS.map((kind) => lists[kind][queue.row[kind]]);
    lists.doubtful = answers[0].doubtful.filter(({ mention }) => doc.mentions.has(mention));
    lists.suggestions = answers[1].suggestions;
    for (const [place, kind] of KINDS.entries()) queue.total[kind] = answers[place].count;
    queue.row.doubtful = lists.doubtful.findIndex(({ mention }) => mention === kept[0]?.mention);
    queue.row.suggestions = lists.suggestions.findIndex(({ id }) => id === kept[1]?.id);
  } catch (error) {
    queue.failure = error.message;
  }
  queue.loaded = true;
  return tell("queues");
}

export function forgetQueues() {
  lists.doubtful = [];
  lists.suggestions = [];
  Object.assign(queue, { row: { doubtful: -1, suggestions: -1 }, loaded: false });
}

// Goes to an item and shows what it is about.
export function goTo(kind, row) {
  const item = itemsOf(kind)[row];
  if (!item) return;
  queue.kind = kind;
  const { doc } = bench;
  if (kind === "errors") bench.error = item;
  else queue.row[kind] = row;
  if (kind === "doubtful") chooseMention(item.mention);
  else {
    const spans = kind === "errors" ? item.anaphor : item.spans;
    const mention = doc.mentionOf(spans);
    if (mention) chooseMention(mention.id, { focus: false });
    else {
      Object.assign(bench, { mention: null, entity: null });
      bench.words = kind === "suggestions" ? [spans[0][0], spans[0][1]] : null;
      revealWord(spans[0][0]);
      tell("chosen");
    }
  }
  announce(`${row + 1} of ${itemsOf(kind).length}: ${inWords(kind, item)}`);
  tell("queueRow");
}

export function inWords(kind, item) {
  const { doc } = bench;
  const of = (spans) => `“${doc.said({ spans })}”`;
  if (kind === "errors") {
    const link = item.antecedent ? ` and ${of(item.antecedent)}` : "";
    const said = item.antecedent ? (item.side ? "wrong link of" : "missed link of") : "mention";
    return `${said} ${of(item.anaphor)}${link}: ${item.kind}`;
  }
  if (kind === "suggestions") {
    const to = item.antecedent ? ` with ${of(item.antecedent.spans)}` : "";
    return `${item.system}: ${item.kind} ${of(item.spans)}${to}`;
  }
  const mention = doc.mentions.get(item.mention);
  return `${doc.said(mention)} in ${doc.nameOf(doc.entityOf(mention))}, sure by ${Math.round(100 * item.confidence)} %`;
}

async function next(kind, by) {
  tell("tab", kind);
  if (kind === "errors" && overlay.against === null && bench.state.against.length)
    loadOverlay(bench.state.against[0].id);
  if (kind === "errors") await overlay.latest;
  if (kind !== "errors" && !queue.loaded) await loadQueues();
  const row = rowOf(kind) + by;
  if (itemsOf(kind)[row]) goTo(kind, row);
  else toast(itemsOf(kind).length ? "that was the last one" : "there is none");
}

// Does something with the current item, and goes on to the one that comes in its place.
async function decide(actions) {
  const kind = QUEUES.includes(bench.tab) ? bench.tab : queue.kind;
  const row = rowOf(kind);
  const item = itemsOf(kind)[row];
  if (!item) return next(kind, 1);
  const finished = await actions[kind](item);
  if (finished === null) return undefined;
  if (kind !== "errors") lists[kind].splice(lists[kind].indexOf(item), 1);
  else overlay.errors = overlay.errors.filter((each) => each !== item);
  const left = itemsOf(kind);
  tell("queues");
  if (left.length) goTo(kind, Math.min(row, left.length - 1));
  else toast("that was the last one");
  return undefined;
}

queue.next = next;
queue.accept = () =>
  decide({
    doubtful: ({ mention }) => {
      const one = bench.doc.mentions.get(mention);
      return one && !one.confirmed ? done.confirm(one) : undefined;
    },
    suggestions: (item) => done.accept(item),
    errors: (item) => applyError(item),
  });
queue.refuse = () =>
  decide({
    doubtful: ({ mention }) =>
      bench.doc.mentions.has(mention) && done.detach(bench.doc.mentions.get(mention)),
    suggestions: (item) => done.refuse(item),
    errors: () => undefined, // the annotation is right as it is: only out of the list
  });
