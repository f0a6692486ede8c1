// What a person does to the annotation: each step goes to the server, and what it says is then shown.

import { signed } from "./figures.js";
import { announce, notice, toast } from "./announcing.js";
import { bench, tell } from "./bench.js";
import { end, first, OpenDocument } from "./model.js";
import { forgetErrors, overlay } from "./overlay.js";
import { get, Refused, resume, saving, send, takeWaiting } from "./server.js";
import { chooseMention, firstSeenWord, focusChosen, revealWord } from "./text.js";

export const steps = []; // what was done since the page was opened, the newest last

let asked = 0; // how often a document was asked for

// Opens a document, unless another one is asked for before it is here; says whether it did.
export async function openDocument(index) {
  const number = ++asked;
  const data = await get(`documents/${index}`);
  if (number !== asked) return false;
  showDocument(data, index);
  return true;
}

export function showDocument(data, index) {
  bench.doc = new OpenDocument(data);
  bench.doc.index = index;
  if (bench.running) bench.doc.cut(true);
  bench.revisions.set(index, data.revision);
  Object.assign(bench, { mention: null, entity: null, words: null, caret: null, error: null, linking: null });
  bench.changed = new Set();
  forgetErrors();
  tell("document");
}

// Sends a step, puts the answer over what is shown, and says what happened. Returns the answer, or null.
async function step(kind, body, said) {
  const { doc } = bench;
  if (bench.state.resolvers) {
    toast("Nothing is kept in the playground: referee workbench corrects and saves.", "refused");
    return null;
  }
  try {
    const delta = await send(kind, body, said);
    if (bench.doc !== doc) return delta; // another document is open by now
    apply(delta, said);
    return delta;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.status === 409) return null; // told where the document is loaded again
    toast(`Not done: ${error.message}`, "refused");
    return null;
  }
}

function apply(delta, said) {
  const { doc } = bench;
  const touched = doc.patch(delta);
  for (const id of touched.entities) bench.changed.add(id);
  if (bench.mention && !doc.mentions.has(bench.mention)) bench.mention = null;
  bench.entity = bench.mention ? doc.mentions.get(bench.mention).entity : bench.entity;
  if (bench.entity && !doc.entities.has(bench.entity)) bench.entity = null;
  bench.linking = null;
  steps.push({ said, change: delta.change?.conll ?? null, score: delta.score?.metrics?.conll ?? null });
  tell("patched", touched);
  tell("chosen");
  tell("steps");
  if (document.activeElement === document.body && bench.mention) focusChosen(); // its element was drawn anew
  const change = delta.change?.conll;
  announce(change ? `${said}. CoNLL F1 ${signed(change)}` : said);
}

const quoted = (mention) => `“${bench.doc.said(mention)}”`;
const named = (entity) => `${entity.color} ${bench.doc.nameOf(entity)}`;
const edit = (edit, said) => step("edits", { edit }, said);

// Where one goes on when a mention is gone: the next one in the text.
function nextAfter(mention) {
  const { order } = bench.doc;
  const position = order.indexOf(mention);
  return order[position + 1] ?? order[position - 1] ?? null;
}

export const done = {
  move: (mention, entity) => {
    if (mention.entity === entity.id) return toast(`${quoted(mention)} is in ${named(entity)} already`);
    return edit(
      { op: "move", mention: mention.id, entity: entity.id },
      `${quoted(mention)} moved to ${named(entity)}`,
    );
  },
  detach: (mention) => {
    if (bench.doc.sizeOf(bench.doc.entityOf(mention)) === 1)
      return toast(`${quoted(mention)} is an entity of its own already`);
    return edit({ op: "detach", mention: mention.id }, `${quoted(mention)} made an entity of its own`);
  },
  remove: async (mention) => {
    const next = nextAfter(mention);
    const delta = await edit({ op: "delete", mention: mention.id }, `${quoted(mention)} deleted`);
    if (delta && next && bench.doc.mentions.has(next.id)) chooseMention(next.id);
  },
  add: async (spans, entity = null) => {
    const { doc } = bench;
    const already = doc.mentionOf(spans);
    if (already && entity && already.entity !== entity.id) return done.move(already, entity);
    const text = doc.textOf({ spans });
    const said = `mention “${text}” made${entity ? ` in ${named(entity)}` : ""}`;
    const delta = await edit({ op: "add", spans, entity: entity?.id ?? null }, said);
    const made = delta && bench.doc === doc ? doc.mentionOf(spans) : null;
    if (made) chooseMention(made.id);
    return made;
  },
  respan: async (mention, spans) => {
    const said = `${quoted(mention)} now is “${bench.doc.textOf({ spans })}”`;
    if (await edit({ op: "respan", mention: mention.id, spans }, said)) chooseMention(mention.id);
  },
  merge: (entity, into) => {
    if (entity === into) return toast("an entity cannot be merged with itself");
    return edit(
      { op: "merge", entity: entity.id, into: into.id },
      `${named(entity)} merged into ${named(into)}`,
    );
  },
  split: (entity, mentions) => {
    const ids = mentions.map(({ id }) => id);
    if (ids.length === bench.doc.sizeOf(entity))
      return toast("all its mentions are chosen: nothing would be split off");
    const said = `${ids.length} of ${bench.doc.sizeOf(entity)} mentions split off ${named(entity)}`;
    return edit({ op: "split", entity: entity.id, mentions: ids }, said);
  },
  removeEntity: (entity) =>
    edit({ op: "delete_entity", entity: entity.id }, `${named(entity)} deleted with its mentions`),
  rename: (entity, name) =>
    name === (entity.name ?? "")
      ? toast("it has this name already")
      : edit({ op: "rename", entity: entity.id, name }, `${named(entity)} renamed to ${name || "nothing"}`),
  type: (entity, type) =>
    type === (entity.type ?? "")
      ? toast("it has this type already")
      : edit(
          { op: "type", entity: entity.id, type: type || null },
          `type of ${named(entity)}: ${type || "none"}`,
        ),
  singleton: (entity) => {
    const value = !entity.singleton;
    return edit(
      { op: "singleton", entity: entity.id, value },
      `${named(entity)} ${value ? "is" : "no longer is"} a singleton on purpose`,
    );
  },
  confirm: (mention) =>
    edit(
      { op: "confirm", mention: mention.id, value: !mention.confirmed },
      `${quoted(mention)} ${mention.confirmed ? "no longer confirmed" : "confirmed"}`,
    ),
  accept: (suggestion) => edit({ op: "accept", suggestion: suggestion.id }, "suggestion accepted"),
  refuse: (suggestion) => edit({ op: "refuse", suggestion: suggestion.id }, "suggestion refused"),
  undo: () => (bench.doc.undo ? step("undo", {}, "undone").then(show) : toast("nothing to undo")),
  redo: () => (bench.doc.redo ? step("redo", {}, "redone").then(show) : toast("nothing to redo")),
  finished: () => {
    const value = !bench.doc.done;
    return step("done", { done: value }, value ? "document marked as finished" : "document open again");
  },
};

// After undo and redo one sees what they changed.
function show(delta) {
  const [changed] = delta?.changes.mentions ?? [];
  if (changed && bench.doc.mentions.has(changed.id)) chooseMention(changed.id);
  return delta;
}

// A mention that begins or ends with the same word, and is none of the other side's: the same one with other bounds.
function otherwiseBounded(spans) {
  const { doc } = bench;
  const [from, to] = [spans[0][0], spans.at(-1)[1]];
  const near = [...doc.mentionsAt(from), ...doc.mentionsAt(to - 1)].filter(
    (mention) =>
      (first(mention) === from || end(mention) === to) && !overlay.theirs.has(JSON.stringify(mention.spans)),
  );
  const off = (mention) => Math.abs(first(mention) - from) + Math.abs(end(mention) - to);
  return near.sort((one, other) => off(one) - off(other))[0] ?? null;
}

// Does what the key, or the other system, has where it differs.
export async function applyError(error) {
  const { doc } = bench;
  const mention = doc.mentionOf(error.anaphor);
  if (!error.antecedent) {
    if (error.side) return mention && done.remove(mention);
    const other = otherwiseBounded(error.anaphor);
    return other ? done.respan(other, error.anaphor) : done.add(error.anaphor);
  }
  if (error.side) return mention && done.detach(mention);
  const other = mention ? null : otherwiseBounded(error.anaphor);
  if (other) {
    await done.respan(other, error.anaphor);
    return applyError(error);
  }
  const antecedent = doc.mentionOf(error.antecedent) ?? (await done.add(error.antecedent));
  const into = antecedent && doc.entityOf(doc.mentions.get(antecedent.id));
  if (!into) return null;
  if (!mention) return done.add(error.anaphor, into);
  return done.move(mention, into);
}

// Loads the open document again, as another tab or program left it; one stays where one was.
async function openAgain() {
  const [at, word] = [bench.mention, firstSeenWord()];
  await openDocument(bench.doc.index);
  if (bench.doc.mentions.has(at)) chooseMention(at);
  else revealWord(word);
}

// The server tells what each document's last revision is: one that this tab has not seen is shown.
export async function follow({ documents }) {
  const { doc } = bench;
  const there = documents.find(({ index }) => index === doc?.index);
  if (!there || saving.waiting.length || there.revision <= bench.revisions.get(doc.index)) return;
  await openAgain();
  toast("Another tab or program changed this document. It was loaded again.");
}

// Another tab was first: what waited is not done, and can be done again by hand once the document was loaded again.
export async function overtaken({ index, error }) {
  const waiting = takeWaiting(index);
  for (const each of waiting) each.failed(new Refused(409, { error: error.message }));
  resume();
  if (bench.doc?.index !== index) return;
  await openAgain();
  const again = waiting.filter(({ kind }) => kind === "edits");
  const said = again.map((each) => each.said).join("; ");
  const lost = said ? ` Your last step was not saved: ${said}.` : "";
  const message = `Another tab or program changed this document. It was loaded again.${lost}`;
  if (!again.length) return notice(message, ["Good"]);
  const redo = async () => {
    for (const each of again) await step(each.kind, each.body, each.said);
  };
  notice(message, ["Do it again", redo], ["Leave it"]);
}
