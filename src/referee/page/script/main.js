// Addresses, keys, and what happens when the page opens.

let view = "overview";
let drawn = false;

function address(target = {}) {
  const parameters = new URLSearchParams(target);
  filterParameters(parameters);
  return `#${parameters}`;
}

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

// #overview, #documents, #doc=NAME&error=NUMBER&at=FIRST-LAST, each with filters.
function readAddress() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const plain = ["overview", "documents"].find((name) => parameters.has(name));
  if (plain) {
    view = plain; // the links of the page's head: filters stay as they are
    writeAddress();
  } else {
    const before = filterAddress();
    const place = view === "document" ? reader.place : null;
    readFilters(parameters);
    readView(parameters);
    if (drawn && view === "document" && reader.place === place && filterAddress() === before) {
      drawChosen(); // in the same text, only what is chosen is new
      drawAside();
      reveal();
      return;
    }
  }
  drawn = true;
  drawFilters();
  drawView();
  reveal();
}

function filterAddress() {
  const parameters = new URLSearchParams();
  filterParameters(parameters);
  return parameters.toString();
}

function readView(parameters) {
  const place = placeOfDocument.get(parameters.get("doc"));
  view = parameters.get("view") === "documents" ? "documents" : "overview";
  if (place === undefined) return;
  view = "document";
  const number = parameters.get("error");
  const at = /^(\d+)-(\d+)$/.exec(parameters.get("at") ?? "");
  openDocument(place, number === null ? null : Number(number), at && [Number(at[1]), Number(at[2])]);
}

const DRAW = { overview: drawOverview, documents: drawListing, document: drawReader };

function drawView() {
  if (view === "document" && reader.place === null) view = "documents";
  for (const name of Object.keys(DRAW)) byId(name).hidden = name !== view;
  for (const name of Object.keys(DRAW)) {
    if (name === view) byId(`to-${name}`).setAttribute("aria-current", "page");
    else byId(`to-${name}`).removeAttribute("aria-current");
  }
  DRAW[view]();
  const last = byId("to-document");
  last.hidden = reader.place === null;
  if (reader.place !== null) last.href = view === "document" ? viewAddress() : address({ doc: openDoc().id });
  document.title = view === "document" ? `${openDoc().id} · ${data.title}` : data.title;
}

function reveal() {
  if (view !== "document") {
    scrollTo(0, 0);
    return;
  }
  const token = reader.error ? openDoc().mentions[reader.error.anaphor][0] : reader.at?.[0];
  if (token === undefined) scrollTo(0, 0);
  else wordAt(token)?.scrollIntoView({ block: "center", behavior: "instant" });
  drawInWindow();
}

function go(target) {
  const next = address(target);
  if (next === location.hash) reveal();
  else location.hash = next;
}

function chooseError(error) {
  go({ doc: data.documents[error.document].id, error: error.index });
}

function stepError(by) {
  const list = visibleErrors();
  if (!list.length) return;
  let place = reader.error ? list.indexOf(reader.error) : -1;
  if (place >= 0) place += by;
  else if (view === "document") place = firstFrom(list, by);
  else place = 0;
  if (list[place]) chooseError(list[place]);
}

// Where to begin in the open document if no error is chosen, or one that the filters now hide.
function firstFrom(list, by) {
  const { document: place, index } = reader.error ?? { document: reader.place, index: -1 };
  const after = list.findIndex(
    (error) => error.document > place || (error.document === place && error.index > index),
  );
  if (by > 0) return after;
  return (after < 0 ? list.length : after) - 1;
}

function stepDocument(by) {
  const place = reader.place === null ? 0 : reader.place + by;
  if (data.documents[place]) go({ doc: data.documents[place].id });
}

function letGo() {
  if (!byId("hits").hidden) closeHits();
  else if (view === "document" && (reader.error || reader.at || reader.entity !== null)) {
    reader.entity = null;
    go({ doc: openDoc().id });
    showEntity(null);
  }
}

function changeTheme() {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  setTheme(dark ? "light" : "dark");
}

function setTheme(name) {
  if (name) document.documentElement.dataset.theme = name;
  try {
    if (name) localStorage.setItem("referee-theme", name);
  } catch {
    // a page opened from a file may not be allowed to remember; the choice then holds until it is closed
  }
}

function rememberedTheme() {
  try {
    return localStorage.getItem("referee-theme");
  } catch {
    return null;
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
  r: () => toggleFilter("side", RECALL),
  p: () => toggleFilter("side", PRECISION),
  a: () => view === "document" && toggleArcs(),
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

// Marks are drawn to fit the words, so they are drawn again when the words move; a printed page has a fixed width.
function redraw() {
  if (view === "document" && byId("text") && byId("text").clientWidth !== reader.width) drawOver();
}

function printing(on) {
  document.documentElement.classList.toggle("printing", on);
  if (view !== "document") return;
  drawOver();
  if (!on) return;
  reader.blocks.forEach(drawMarks);
  drawArcsInBlocks(byId("text"), reader.blocks, errorsHere(), reader.anchors, reader.error);
}

function openPage() {
  setTheme(rememberedTheme());
  startSearch();
  byId("theme").addEventListener("click", changeTheme);
  byId("help-open").addEventListener("click", () => byId("help").showModal());
  byId("skip").addEventListener("click", () => byId("main").focus());
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", readAddress);
  addEventListener("resize", redraw);
  addEventListener("beforeprint", () => printing(true));
  addEventListener("afterprint", () => printing(false));
  if (matchMedia("(max-width: 800px)").matches) byId("filters").open = false;
  readAddress();
}

openPage();
