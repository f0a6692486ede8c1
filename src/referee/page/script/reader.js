// One document: its text with marks and arcs, its errors and its entities.

const reader = {
  place: null,
  error: null,
  at: null,
  entity: null,
  singletons: true,
  arcs: null,
  blocks: [],
  anchors: new Map(),
  tab: "errors",
};
reader.near = new IntersectionObserver(drawNear, { rootMargin: "800px" });

function drawNear(entries) {
  const seen = new Set(entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target));
  for (const block of reader.blocks) if (seen.has(block.element)) drawMarks(block);
  showEntity(reader.entity);
}

// What is in the window now need not wait until the observer sees it.
function drawInWindow() {
  const { top } = byId("text").getBoundingClientRect();
  for (const block of reader.blocks) {
    const from = top + block.top;
    if (from < innerHeight && from + block.height > 0) drawMarks(block);
  }
  showEntity(reader.entity);
}

function openDocument(place, errorIndex, at) {
  const fresh = reader.place !== place;
  reader.place = place;
  reader.error =
    errorIndex === null ? null : (errors.find((e) => e.document === place && e.index === errorIndex) ?? null);
  reader.at = at;
  if (fresh) Object.assign(reader, { entity: null, arcs: null });
}

function openDoc() {
  return data.documents[reader.place];
}

function errorsHere() {
  return visibleErrors().filter((error) => error.document === reader.place);
}

function drawReader() {
  const doc = openDoc();
  const lanes = [-1, ...shownSystems()];
  const ranges = blocksOf(doc);
  const marks = lanes.map((lane) => {
    const entities = entitiesOf(doc, lane).filter(([, mentions]) => reader.singletons || mentions.length > 1);
    return marksByBlock(doc, lane, entities, ranges);
  });
  reader.blocks = ranges.map((range, place) =>
    drawBlock(
      doc,
      range,
      marks.map((lane) => lane[place]),
    ),
  );
  const text = el("div", { class: "text", id: "text" }, ...reader.blocks.map((block) => block.element));
  text.addEventListener("click", chooseMark);
  text.addEventListener("mouseover", hoverMark);
  text.addEventListener("mouseleave", () => showEntity(reader.entity));
  byId("document").replaceChildren(
    readerHead(doc),
    el(
      "div",
      { class: "columns" },
      el("div", { class: "page" }, laneKey(lanes), text),
      el("aside", { id: "aside", "aria-label": "Errors and entities" }),
    ),
  );
  drawOver();
  drawAside();
}

// What lies over the words; drawn again when the window changes.
function drawOver() {
  const text = byId("text");
  if (!text) return;
  reader.anchors = new Map();
  reader.blocks.forEach(eraseMarks);
  measure(reader.blocks);
  reader.width = text.clientWidth;
  reader.near.disconnect();
  for (const block of reader.blocks) {
    placeMarks(openDoc(), block, reader.anchors);
    reader.near.observe(block.element);
  }
  drawInWindow();
  drawChosen();
}

function drawChosen() {
  const here = errorsHere();
  const all = reader.arcs ?? here.length <= CROWDED;
  drawArcs(byId("text"), here, reader.anchors, reader.error, all);
  for (const word of byId("text").querySelectorAll(".anaphor, .antecedent, .found"))
    word.classList.remove("anaphor", "antecedent", "found");
  if (reader.error) {
    lightUp(reader.error.antecedent, "antecedent");
    lightUp(reader.error.anaphor, "anaphor");
  }
  if (reader.at) for (let i = reader.at[0]; i < reader.at[1]; i++) wordAt(i)?.classList.add("found");
  showEntity(reader.entity);
}

function wordAt(token) {
  return byId("text").querySelector(`[data-token="${token}"]`);
}

function lightUp(mention, name) {
  const spans = openDoc().mentions[mention];
  for (let i = 0; i < spans.length; i += 2)
    for (let token = spans[i]; token < spans[i + 1]; token++) wordAt(token)?.classList.add(name);
}

function readerHead(doc) {
  const scores = shownSystems().map((system) =>
    el(
      "span",
      {},
      el("b", { class: "letter" }, letters[system]),
      ` ${data.systems[system]} `,
      el("b", {}, percent(doc.scores[system])),
    ),
  );
  const step = (by, label, sign) =>
    el(
      "button",
      { type: "button", "aria-label": label, title: label, onclick: () => stepDocument(by) },
      sign,
    );
  return el(
    "div",
    { class: "reader-head" },
    el("h1", {}, doc.id),
    el(
      "div",
      { class: "facts" },
      `${reader.place + 1} of ${data.documents.length} · ${plural(lengthOf(doc), "token")} · CoNLL F1:`,
      ...scores,
    ),
    el("div", { class: "steps" }, step(-1, "Previous document ([)", "◀"), step(1, "Next document (])", "▶")),
  );
}

function laneKey(lanes) {
  const here = errorsHere().length;
  const sample = (lane) =>
    el("span", { class: lane < 0 ? "sample key" : "sample response" }, lane < 0 ? "1" : `${letters[lane]}1`);
  const toggle = (label, pressed, action) =>
    el("button", { type: "button", class: "chip", "aria-pressed": String(pressed), onclick: action }, label);
  return el(
    "div",
    { class: "lanes" },
    ...lanes.map((lane) =>
      el("span", {}, sample(lane), lane < 0 ? " key, above the line" : ` ${data.systems[lane]}, below`),
    ),
    el("span", {}, el("span", { class: "swatch recall" }), " missed link"),
    el("span", {}, el("span", { class: "swatch precision" }), " wrong link"),
    toggle("All arcs", reader.arcs ?? here <= CROWDED, toggleArcs),
    toggle("Singletons", reader.singletons, toggleSingletons),
  );
}

function toggleArcs() {
  reader.arcs = !(reader.arcs ?? errorsHere().length <= CROWDED);
  drawReader();
}

function toggleSingletons() {
  reader.singletons = !reader.singletons;
  drawReader();
}

function showEntity(number) {
  const text = byId("text");
  if (!text) return;
  text.classList.toggle("focus", number !== null);
  for (const mark of text.querySelectorAll("g.mark"))
    mark.classList.toggle("same", number !== null && Number(mark.dataset.number) === number);
}

function markOf(event) {
  return event.target.closest?.("g.mark") ?? null;
}

function hoverMark(event) {
  const mark = markOf(event);
  showEntity(mark ? Number(mark.dataset.number) : reader.entity);
}

function chooseMark(event) {
  const mark = markOf(event);
  if (mark) chooseEntity(Number(mark.dataset.number));
}

function chooseEntity(number) {
  reader.entity = reader.entity === number ? null : number;
  reader.tab = reader.entity === null ? reader.tab : "entities";
  showEntity(reader.entity);
  drawAside();
}
