// Opens the workbench: which document, which list at the side, and what each key does.

import { byId, el } from "../script/dom.js";
import { changeTheme, rememberTheme } from "../script/theme.js";
import { notice, toast } from "./announcing.js";
import { startAsking } from "./asking.js";
import { bench, tell, when } from "./bench.js";
import { startCard } from "./card.js";
import { startCases } from "./cases.js";
import { COMMANDS, runCommand } from "./commands.js";
import { follow, openDocument, overtaken, steps } from "./editing.js";
import { drawEntities, startEntities } from "./entities.js";
import { openExport, startExport } from "./exporting.js";
import { score, signed } from "./figures.js";
import { commandOf, drawHelp } from "./keys.js";
import { startLists } from "./lists.js";
import { startPicker } from "./picker.js";
import { startPlayground } from "./playground.js";
import { moveCaret, startPointing } from "./pointing.js";
import { startSearch } from "./searching.js";
import { get, Refused, saving, startHeartbeat } from "./server.js";
import { startText } from "./text.js";

const TABS = ["entities", "doubtful", "suggestions", "errors", "cases", "documents", "steps"];

function showTab(name) {
  bench.tab = name;
  for (const each of TABS) {
    byId(`tab-${each}`).setAttribute("aria-selected", String(each === name));
    byId(`tab-${each}`).tabIndex = each === name ? 0 : -1;
    byId(`panel-${each}`).hidden = each !== name;
  }
  drawEntities();
  tell("tabShown");
}

function startTabs() {
  const shown = () => TABS.filter((name) => !byId(`tab-${name}`).hidden);
  for (const name of TABS) byId(`tab-${name}`).addEventListener("click", () => showTab(name));
  byId("tabs").addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const names = shown();
    const next = names[(names.indexOf(bench.tab) + by + names.length) % names.length];
    showTab(next);
    byId(`tab-${next}`).focus();
  });
  when("tab", showTab);
  when("tabNumber", (number) => shown()[number] && showTab(shown()[number]));
}

const SAVED = {
  saved: () => "saved",
  saving: () => "saving …",
  waiting: () => `not saved: ${saving.error}; ${saving.waiting.length} waiting, trying again`,
  away: () => `${saving.error}; nothing is lost`,
};

function drawSaving() {
  const box = byId("saved");
  const text = SAVED[saving.state]();
  if (box.textContent !== text) box.textContent = text;
  box.className = saving.state;
}

function drawHead() {
  const { doc, state } = bench;
  byId("document-name").textContent = doc.id;
  byId("document-name").title = `${doc.index + 1} of ${state.documents.length}`;
  byId("undo").disabled = !doc.undo;
  byId("redo").disabled = !doc.redo;
  byId("finished").setAttribute("aria-pressed", String(Boolean(doc.done)));
  document.title = `${doc.id} · Referee workbench`;
  const now = doc.score?.metrics?.conll;
  byId("score").hidden = typeof now !== "number";
  if (typeof now === "number") byId("score-now").textContent = score(now);
  const change = steps.at(-1)?.change;
  byId("score-change").textContent = typeof change === "number" ? signed(change) : "";
  byId("score-change").className = change < 0 ? "worse" : "better";
}

let wanted = 0; // the document that is open, or will be when it is here

async function open(index) {
  if (!bench.state.documents.some((each) => each.index === index)) return toast("there is no document there");
  try {
    wanted = index;
    if (await openDocument(index)) history.replaceState(null, "", `#document=${index}`);
  } catch (error) {
    notice(`The document cannot be opened: ${error.message}`, ["Try again", () => open(index)], ["Leave it"]);
  }
  return undefined;
}

function take(state) {
  const against = [
    ...(state.has_key ? [{ id: "key", name: state.key ? `key (${state.key})` : "key" }] : []),
    ...state.systems.map((name) => ({ id: name, name })),
  ];
  bench.state = { ...state, against };
  tell("state");
}

function onKey(event) {
  if (document.querySelector("dialog[open]")) return;
  const field = event.target.closest("input:not([type=checkbox]), select, textarea");
  if (field && event.key !== "Escape") return;
  if (field) byId("text").focus({ preventScroll: true });
  const onControl = event.target.closest("button, a, summary, input");
  const inText = event.target.closest("#canvas");
  if (onControl && !inText && ["Enter", " "].includes(event.key)) return;
  const command = commandOf(event);
  if (!command || (command.id === "make" && !bench.words)) return;
  event.preventDefault();
  runCommand(command, event.key);
}

function startButtons() {
  for (const button of document.querySelectorAll("[data-run]")) {
    const command = COMMANDS.find(({ id }) => id === button.dataset.run);
    button.addEventListener("click", () => runCommand(command));
  }
  byId("theme").addEventListener("click", changeTheme);
  byId("skip").addEventListener("click", () => byId("text").focus());
  const fold = (folded) => {
    byId("bench").classList.toggle("folded", folded);
    byId("side-toggle").setAttribute("aria-expanded", String(!folded));
  };
  byId("side-toggle").addEventListener("click", () => fold(!byId("bench").classList.contains("folded")));
  if (matchMedia("(max-width: 800px)").matches) fold(true); // a phone is for reading first
}

async function start() {
  rememberTheme();
  drawHelp();
  for (const begin of [
    startTabs,
    startText,
    startPointing,
    startPicker,
    startAsking,
    startExport,
    startSearch,
    startButtons,
  ])
    begin();
  startEntities();
  startCard();
  startLists();
  startCases();
  when("saving", drawSaving);
  when("document steps", drawHead);
  when("conflict", overtaken);
  when("caret", ([by, picking]) => moveCaret(by, picking));
  when("open", (index) => open(index));
  when("step", (by) => open(wanted + by));
  when("export", openExport);
  when("stateWanted", () => get("state").then(take, () => {})); // whether it is there, the heartbeat tells
  when("errorChosen", () => showTab("errors"));
  document.addEventListener("keydown", onKey);
  try {
    take(await get("state"));
  } catch (error) {
    const why = error instanceof Refused ? error.message : "the server does not answer";
    return notice(`The workbench cannot be opened: ${why}.`, ["Try again", () => location.reload()]);
  }
  for (const text of bench.state.notices ?? []) notice(text, ["Good"]);
  showTab("entities");
  if (bench.state.resolvers) {
    drawSaving();
    return startPlayground();
  }
  const first = Number(/^#document=(\d+)$/.exec(location.hash)?.[1] ?? bench.state.documents[0]?.index);
  if (bench.state.documents.length) await open(first);
  else byId("canvas").append(el("p", { class: "hint" }, "There are no documents."));
  drawSaving();
  startHeartbeat((state) => {
    take(state);
    follow(state);
  });
  return undefined;
}

start();
