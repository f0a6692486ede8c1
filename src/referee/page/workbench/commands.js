// Everything that one can do, each with its key: buttons, the keyboard and the help are made from this list.

import { byId } from "../script/dom.js";
import { changeTheme } from "../script/theme.js";
import { announce, toast } from "./announcing.js";
import { bench, tell } from "./bench.js";
import { done } from "./editing.js";
import { askFor } from "./asking.js";
import { pickEntity } from "./picker.js";
import { queue } from "./queue.js";
import { chooseMention, focusChosen, letGo, toggleRunning, firstSeenWord } from "./text.js";

const chosen = () => bench.doc?.mentions.get(bench.mention) ?? null;
const entity = () => bench.doc?.entities.get(bench.entity) ?? null;
const picked = () => bench.words !== null;

function stepMention(by) {
  const { doc } = bench;
  const at = chosen()
    ? doc.order.indexOf(chosen())
    : doc.positionAt(bench.caret?.at ?? firstSeenWord()) - (by > 0 ? 1 : 0);
  const next = doc.order[at + by];
  if (!next) return announce("no more mentions");
  chooseMention(next.id);
}

function stepMember(by) {
  const { doc } = bench;
  if (!entity()) return toast("choose an entity first");
  const members = doc.members.get(bench.entity);
  const from = chosen() ? members.indexOf(chosen()) : by > 0 ? -1 : members.length;
  const next = members[(from + by + members.length) % members.length];
  chooseMention(next.id);
  announce(`${members.indexOf(next) + 1} of ${members.length}: ${doc.textOf(next)}`);
}

function move() {
  const mention = chosen();
  pickEntity({
    title: `Move “${bench.doc.said(mention)}” to which entity?`,
    at: mention.spans[0][0],
    without: [mention.entity],
    choose: (into) => done.move(mention, into).then?.(focusChosen),
    fresh: bench.doc.members.get(mention.entity).length > 1 ? () => done.detach(mention) : null,
  });
}

function point(title, choose) {
  bench.linking = { title, choose };
  tell("linking");
  announce(`${title} Click an entity in the text or in the list, or press Escape.`);
}

function merge() {
  const one = entity();
  pickEntity({
    title: `Merge ${one.color} ${bench.doc.nameOf(one)} into which entity?`,
    at: chosen()?.spans[0][0] ?? bench.doc.members.get(one.id)[0].spans[0][0],
    without: [one.id],
    choose: (into) => done.merge(one, into),
  });
}

// This mention and those after it become an entity of their own, or those that are ticked in the list.
function split() {
  const members = bench.doc.members.get(bench.entity);
  const ticked = members.filter(({ id }) => bench.ticked.has(id));
  const from = ticked.length ? ticked : chosen() ? members.slice(members.indexOf(chosen())) : [];
  if (!from.length) return toast("tick the mentions that are to be split off, or choose the first of them");
  bench.ticked.clear();
  return done.split(entity(), from);
}

// Ticks the chosen mention among those of its entity, as the box before it in the list does.
function tick() {
  const { id } = chosen();
  if (!bench.ticked.delete(id)) bench.ticked.add(id);
  tell("ticked");
  tell("chosen");
  announce(bench.ticked.has(id) ? "ticked" : "no longer ticked");
}

function make() {
  const [from, to] = bench.words;
  return done.add([[from, to]]);
}

function join() {
  const [from, to] = bench.words;
  pickEntity({
    title: `“${bench.doc.text(from, to)}” is a mention of which entity?`,
    at: from,
    choose: (into) => done.add([[from, to]], into),
    fresh: () => done.add([[from, to]]),
  });
}

// Picked words as one more part of a broken mention; parts that touch become one.
function addPart() {
  const spans = [...chosen().spans, bench.words].sort((one, other) => one[0] - other[0]);
  const joined = [];
  for (const [from, to] of spans) {
    const last = joined.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return done.respan(chosen(), joined);
}

function rename() {
  const one = entity();
  askFor(`Name of entity ${one.color}`, one.name || bench.doc.nameOf(one), [], (name) =>
    done.rename(one, name),
  );
}

function type() {
  const one = entity();
  const types = [
    ...new Set([...bench.doc.entities.values()].map((each) => each.type).filter(Boolean)),
  ].sort();
  askFor(`Type of entity ${one.color} (empty for none)`, one.type ?? "", types, (name) =>
    done.type(one, name),
  );
}

function cancel() {
  if (bench.linking) {
    bench.linking = null;
    return tell("linking");
  }
  if (bench.words) {
    bench.words = null;
    bench.caret = null;
    return tell("picked");
  }
  letGo();
  byId("text").focus({ preventScroll: true });
}

const hasMention = () => chosen() !== null;
const hasEntity = () => entity() !== null;
const NEEDS_MENTION = "choose a mention first";
const NEEDS_ENTITY = "choose a mention or an entity first";
const NEEDS_WORDS = "pick words first: drag over them, or hold Shift with the arrow keys";

// keys: as KeyboardEvent.key, with Control+ or Alt+ before it; the first is shown.
export const COMMANDS = [
  { group: "Go", id: "next", keys: ["j"], label: "Next mention", run: () => stepMention(1) },
  { group: "Go", id: "previous", keys: ["k"], label: "Previous mention", run: () => stepMention(-1) },
  { group: "Go", id: "member", keys: ["n"], label: "Next mention of the entity", run: () => stepMember(1) },
  {
    group: "Go",
    id: "memberBefore",
    keys: ["p"],
    label: "Previous mention of the entity",
    run: () => stepMember(-1),
  },
  {
    group: "Go",
    id: "right",
    keys: ["ArrowRight"],
    label: "A word to the right",
    run: () => tell("caret", [1, false]),
  },
  {
    group: "Go",
    id: "left",
    keys: ["ArrowLeft"],
    label: "A word to the left",
    run: () => tell("caret", [-1, false]),
  },
  {
    group: "Go",
    id: "pickRight",
    keys: ["Shift+ArrowRight"],
    label: "Pick words to the right",
    run: () => tell("caret", [1, true]),
  },
  {
    group: "Go",
    id: "pickLeft",
    keys: ["Shift+ArrowLeft"],
    label: "Pick words to the left",
    run: () => tell("caret", [-1, true]),
  },
  { group: "Go", id: "search", keys: ["/"], label: "Search the text", run: () => byId("query").select() },
  {
    group: "Go",
    id: "filter",
    keys: ["f"],
    label: "Search the entities",
    run: () => tell("tab", "entities") ?? byId("entity-query").select(),
  },
  { group: "Go", id: "nextDocument", keys: ["]", "."], label: "Next document", run: () => tell("step", 1) },
  {
    group: "Go",
    id: "previousDocument",
    keys: ["[", ","],
    label: "Previous document",
    run: () => tell("step", -1),
  },
  {
    group: "Mention",
    id: "make",
    keys: ["Enter"],
    label: "Make a mention",
    when: picked,
    needs: NEEDS_WORDS,
    run: make,
  },
  {
    group: "Mention",
    id: "join",
    keys: ["e"],
    label: "Make a mention of…",
    when: picked,
    needs: NEEDS_WORDS,
    run: join,
  },
  {
    group: "Mention",
    id: "respan",
    keys: ["w"],
    label: "Use these words",
    when: () => picked() && hasMention(),
    needs: `${NEEDS_MENTION}, then pick words`,
    run: () => done.respan(chosen(), [bench.words]),
  },
  {
    group: "Mention",
    id: "addPart",
    keys: ["+"],
    label: "Add as a part",
    when: () => picked() && hasMention(),
    needs: `${NEEDS_MENTION}, then pick words`,
    run: addPart,
  },
  {
    group: "Mention",
    id: "move",
    keys: ["m"],
    label: "Move to…",
    when: hasMention,
    needs: NEEDS_MENTION,
    run: move,
  },
  {
    group: "Mention",
    id: "point",
    keys: ["l"],
    label: "Move by a click",
    when: hasMention,
    needs: NEEDS_MENTION,
    run: () => point("Move to which entity?", (into) => done.move(chosen(), into)),
  },
  {
    group: "Mention",
    id: "detach",
    keys: ["x"],
    label: "Own entity",
    when: hasMention,
    needs: NEEDS_MENTION,
    run: () => done.detach(chosen()),
  },
  {
    group: "Mention",
    id: "confirm",
    keys: ["c"],
    label: "Link is right",
    when: hasMention,
    needs: NEEDS_MENTION,
    run: () => done.confirm(chosen()),
  },
  {
    group: "Mention",
    id: "delete",
    keys: ["Delete", "Backspace"],
    label: "Delete",
    when: hasMention,
    needs: NEEDS_MENTION,
    run: () => done.remove(chosen()),
  },
  {
    group: "Entity",
    id: "merge",
    keys: ["g"],
    label: "Merge into…",
    when: hasEntity,
    needs: NEEDS_ENTITY,
    run: merge,
  },
  {
    group: "Entity",
    id: "split",
    keys: ["v"],
    label: "Split off",
    when: hasEntity,
    needs: NEEDS_ENTITY,
    run: split,
  },
  {
    group: "Entity",
    id: "tick",
    keys: ["b"],
    label: "Tick for splitting",
    when: hasMention,
    needs: NEEDS_MENTION,
    run: tick,
  },
  {
    group: "Entity",
    id: "rename",
    keys: ["F2"],
    label: "Rename",
    when: hasEntity,
    needs: NEEDS_ENTITY,
    run: rename,
  },
  {
    group: "Entity",
    id: "type",
    keys: ["y"],
    label: "Type",
    when: hasEntity,
    needs: NEEDS_ENTITY,
    run: type,
  },
  {
    group: "Entity",
    id: "singleton",
    keys: ["s"],
    label: "Singleton on purpose",
    when: () => hasEntity() && bench.doc.sizeOf(entity()) === 1,
    needs: "choose an entity of one mention first",
    run: () => done.singleton(entity()),
  },
  {
    group: "Entity",
    id: "deleteEntity",
    keys: ["Shift+Delete", "Shift+Backspace"],
    label: "Delete entity",
    when: hasEntity,
    needs: NEEDS_ENTITY,
    run: () => done.removeEntity(entity()),
  },
  {
    group: "One by one",
    id: "doubtful",
    keys: ["d"],
    label: "Next doubtful link",
    run: () => queue.next("doubtful", 1),
  },
  {
    group: "One by one",
    id: "suggestion",
    keys: ["o"],
    label: "Next suggestion",
    run: () => queue.next("suggestions", 1),
  },
  { group: "One by one", id: "error", keys: ["i"], label: "Next error", run: () => queue.next("errors", 1) },
  {
    group: "One by one",
    id: "errorBefore",
    keys: ["I"],
    label: "Previous error",
    run: () => queue.next("errors", -1),
  },
  { group: "One by one", id: "accept", keys: ["a"], label: "Accept", run: () => queue.accept() },
  { group: "One by one", id: "refuse", keys: ["r"], label: "Refuse", run: () => queue.refuse() },
  { group: "Work", id: "undo", keys: ["u", "Control+z"], label: "Undo", run: done.undo },
  { group: "Work", id: "redo", keys: ["U", "Control+y", "Control+Z"], label: "Redo", run: done.redo },
  { group: "Work", id: "finished", keys: ["z"], label: "Document is finished", run: done.finished },
  { group: "Work", id: "export", keys: ["Control+s"], label: "Export", run: () => tell("export") },
  {
    group: "View",
    id: "tabs",
    keys: ["1", "2", "3", "4", "5", "6"],
    label: "Side list 1 to 6",
    run: (key) => tell("tabNumber", Number(key) - 1),
  },
  { group: "View", id: "running", keys: ["q"], label: "Sentences or running text", run: toggleRunning },
  { group: "View", id: "theme", keys: ["t"], label: "Light or dark", run: changeTheme },
  { group: "View", id: "help", keys: ["?"], label: "This help", run: () => byId("help").showModal() },
  { group: "View", id: "escape", keys: ["Escape"], label: "Let go, cancel", run: cancel },
];

export function runCommand(command, key) {
  if (!bench.doc && !["theme", "help"].includes(command.id)) return;
  if (command.when && !command.when()) toast(`${command.label}: ${command.needs}`);
  else command.run(key);
}
