// Views, keys, and what happens when the page opens.

import { byId } from "./dom.js";
import { address, chooseError, go } from "./address.js";
import { drawFilters } from "./chips.js";
import { acrossDocuments, data, indexOfDocument, PRECISION, RECALL } from "./data.js";
import {
  filterParameters,
  readFilters,
  resetFilters,
  toggleFilter,
  visibleErrors,
  whenFiltersChange,
} from "./filters.js";
import { drawListing } from "./listing.js";
import { openDoc, openDocument, reader } from "./opened.js";
import { drawOverview } from "./overview.js";
import {
  drawChosenAndAside,
  drawReader,
  printReader,
  reveal,
  showEntity,
  stepDocument,
  toggleArcs,
  toggleCompact,
  toggleSingletons,
} from "./reader.js";
import { closeHits, startSearch } from "./search.js";
import { changeTheme, rememberTheme } from "./theme.js";
import { drawThings } from "./things.js";

const DRAW = { overview: drawOverview, entities: drawThings, documents: drawListing, document: drawReader };
let view = "overview";
let drawn = false;

function viewAddress() {
  if (view !== "document") return address({ view });
  const target = { doc: openDoc().id };
  if (reader.error) target.error = reader.error.index;
  if (reader.at) target.at = reader.at.join("-");
  return address(target);
}

function writeAddress() {
  history.replaceState(null, "", viewAddress());
}

// The links of the page's head, #overview and so on, leave the filters as they are.
function readAddress() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const plain = ["overview", "entities", "documents"].find((name) => parameters.has(name));
  if (plain) {
    view = plain;
    writeAddress();
  } else {
    const before = filterParameters().toString();
    const index = view === "document" ? reader.index : null;
    readFilters(parameters);
    readView(parameters);
    const same = view === "document" && reader.index === index && filterParameters().toString() === before;
    if (drawn && same) {
      drawChosenAndAside(); // in the same text, only what is chosen is new
      showBeginning();
      return;
    }
  }
  drawn = true;
  drawFilters();
  drawView();
  showBeginning();
}

function readView(parameters) {
  const index = indexOfDocument.get(parameters.get("doc"));
  const named = parameters.get("view");
  view = named === "documents" || (named === "entities" && acrossDocuments) ? named : "overview";
  if (index === undefined) return;
  view = "document";
  const number = parameters.get("error");
  const at = /^(\d+)-(\d+)$/.exec(parameters.get("at") ?? "");
  openDocument(index, number === null ? null : Number(number), at && [Number(at[1]), Number(at[2])]);
}

function drawView() {
  if (view === "document" && reader.index === null) view = "documents";
  for (const name of Object.keys(DRAW)) {
    byId(name).hidden = name !== view;
    if (name === view) byId(`to-${name}`).setAttribute("aria-current", "page");
    else byId(`to-${name}`).removeAttribute("aria-current");
  }
  DRAW[view]();
  const last = byId("to-document");
  last.hidden = reader.index === null;
  if (reader.index !== null) last.href = view === "document" ? viewAddress() : address({ doc: openDoc().id });
  document.title = view === "document" ? `${openDoc().id} · ${data.title}` : data.title;
}

function showBeginning() {
  if (view === "document") reveal();
  else scrollTo(0, 0);
}

function stepError(by) {
  const list = visibleErrors();
  if (!list.length) return;
  let index = reader.error ? list.indexOf(reader.error) : -1;
  if (index >= 0) index += by;
  else if (view === "document") index = firstFrom(list, by);
  else index = 0;
  if (list[index]) chooseError(list[index]);
}

// Where to begin in the open document if no error is chosen, or one that the filters now hide.
function firstFrom(list, by) {
  const { document: here, index } = reader.error ?? { document: reader.index, index: -1 };
  const after = list.findIndex(
    (error) => error.document > here || (error.document === here && error.index > index),
  );
  if (by > 0) return after;
  return (after < 0 ? list.length : after) - 1;
}

function letGo() {
  if (!byId("hits").hidden) closeHits();
  else if (view === "document" && (reader.error || reader.at || reader.entity !== null)) {
    reader.entity = null;
    go({ doc: openDoc().id });
    showEntity(null);
  }
}

const KEYS = {
  j: () => stepError(1),
  k: () => stepError(-1),
  "]": () => stepDocument(1),
  "[": () => stepDocument(-1),
  "/": () => byId("query").select(),
  "?": () => byId("help").showModal(),
  o: () => go({ view: "overview" }),
  d: () => go({ view: "documents" }),
  e: () => acrossDocuments && go({ view: "entities" }),
  r: () => toggleFilter("side", RECALL),
  p: () => toggleFilter("side", PRECISION),
  a: () => view === "document" && toggleArcs(),
  c: () => view === "document" && toggleCompact(),
  s: () => view === "document" && toggleSingletons(),
  x: resetFilters,
  t: changeTheme,
  Escape: letGo,
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  const typing = event.target.closest("input");
  if (typing && event.key !== "Escape") return;
  if (typing) typing.blur();
  const number = Number(event.key);
  if (number >= 1 && number <= data.systems.length) toggleFilter("system", number - 1);
  else if (KEYS[event.key]) {
    event.preventDefault();
    KEYS[event.key]();
  }
}

function printing(on) {
  document.documentElement.classList.toggle("printing", on);
  if (view === "document") printReader(on);
}

function openPage() {
  rememberTheme();
  startSearch();
  byId("to-entities").hidden = !acrossDocuments;
  whenFiltersChange(() => {
    drawFilters();
    writeAddress();
    drawView();
  });
  byId("theme").addEventListener("click", changeTheme);
  byId("help-open").addEventListener("click", () => byId("help").showModal());
  byId("skip").addEventListener("click", () => byId("main").focus());
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", readAddress);
  addEventListener("beforeprint", () => printing(true));
  addEventListener("afterprint", () => printing(false));
  if (matchMedia("(max-width: 800px)").matches) byId("filters").open = false;
  readAddress();
}

openPage();
