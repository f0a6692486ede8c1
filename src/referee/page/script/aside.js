// Beside the text: the chosen error in words, the list of errors, the list of entities.

function drawAside() {
  const tabs = [
    ["errors", `Errors (${errorsHere().length})`],
    ["entities", `Entities (${openDoc().key.length})`],
  ].map(([name, title]) =>
    el(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${name}`,
        "aria-selected": String(reader.tab === name),
        "aria-controls": "side",
        onclick: () => chooseTab(name),
      },
      title,
    ),
  );
  const list = reader.tab === "errors" ? errorList() : entityList();
  byId("aside").replaceChildren(
    reader.error
      ? errorCard(reader.error)
      : el(
          "p",
          { class: "hint" },
          el("kbd", {}, "j"),
          " and ",
          el("kbd", {}, "k"),
          " step through the errors, ",
          el("kbd", {}, "?"),
          " explains the page.",
        ),
    el("div", { role: "tablist", class: "tabs" }, ...tabs),
    el("div", { id: "side", role: "tabpanel" }, list),
  );
  revealInList();
}

function chooseTab(name) {
  reader.tab = name;
  drawAside();
  byId(`tab-${name}`).focus();
}

// Again in the next frames: the heights of items out of sight are estimates until the list has scrolled to them.
function revealInList(again = 3) {
  const side = byId("side");
  const item = side?.querySelector(".current");
  if (!item) return;
  side.scrollTop = item.offsetTop - side.clientHeight / 2;
  if (again) requestAnimationFrame(() => revealInList(again - 1));
}

function describe(error) {
  const doc = data.documents[error.document];
  const verb = error.side === RECALL ? "misses" : "wrongly makes";
  return `${data.systems[error.system]} ${verb} the link from “${shortened(textOf(doc, error.anaphor))}” to “${shortened(textOf(doc, error.antecedent))}”`;
}

function errorCard(error) {
  const doc = openDoc();
  const makers = [...data.systems.keys()].filter(
    (system) => system !== error.system && error.makers & (1n << BigInt(system)),
  );
  const fact = (name, value) => [el("dt", {}, name), el("dd", {}, value)];
  return el(
    "div",
    { class: `card ${data.sides[error.side]}`, id: "chosen", role: "status" },
    el("p", {}, badge(error), " ", describe(error), "."),
    el(
      "dl",
      {},
      ...fact("Class", data.kinds[error.kind]),
      ...fact("Types", `${data.types[error.anaphorType]} → ${data.types[error.antecedentType]}`),
      ...wording(error).flatMap(([name, value]) => fact(name, value)),
      ...fact("Key", whereabouts(doc, -1, error)),
      ...fact(data.systems[error.system], whereabouts(doc, error.system, error)),
      ...fact(
        "Made by",
        makers.length
          ? `also ${makers.map((system) => data.systems[system]).join(", ")}`
          : "this system alone",
      ),
    ),
  );
}

const NAMING = new Set(["name", "noun", "untyped"]);

// What names and nouns have in common, and what a system would have to know to link them.
function wording(error) {
  if (![error.anaphorType, error.antecedentType].every((type) => NAMING.has(data.types[type]))) return [];
  const facts = [["In common", data.overlaps[error.overlap]]];
  if (error.hints.length) facts.push(["Hint", error.hints.map((hint) => data.hints[hint]).join(", ")]);
  return facts;
}

// From the list: also go to where the entity is first mentioned.
function findEntity(number, token) {
  chooseEntity(number);
  if (reader.entity !== null) wordAt(token)?.scrollIntoView({ block: "center", behavior: "instant" });
}

function whereabouts(doc, lane, error) {
  const [anaphor, antecedent] = [error.anaphor, error.antecedent].map((mention) =>
    entityWith(doc, lane, mention),
  );
  const name = (entity) =>
    entity
      ? `in ${entityLabel(doc, lane, entity[0])} (${plural(entity[1].length, "mention")})`
      : "not a mention";
  if (anaphor && anaphor[0] === antecedent?.[0]) return `both ${name(anaphor)}`;
  return `anaphor ${name(anaphor)}, antecedent ${name(antecedent)}`;
}

function badge(error) {
  return el(
    "span",
    { class: `badge ${data.sides[error.side]}` },
    `${letters[error.system]} ${SIDE_LETTERS[error.side]}`,
  );
}

function errorList() {
  const doc = openDoc();
  const here = errorsHere();
  if (!here.length) return el("p", { class: "hint" }, "No errors here, as filtered.");
  const item = (error) =>
    el(
      "li",
      { class: error === reader.error ? "current" : null },
      el(
        "a",
        {
          href: address({ doc: doc.id, error: error.index }),
          "aria-current": error === reader.error ? "true" : null,
        },
        badge(error),
        el(
          "span",
          {},
          shortened(textOf(doc, error.anaphor), 34),
          el("span", { class: "arrow" }, " → "),
          shortened(textOf(doc, error.antecedent), 34),
        ),
        el("small", {}, data.kinds[error.kind]),
      ),
    );
  return el("ol", { class: "errors" }, ...here.map(item));
}

function entityList() {
  const doc = openDoc();
  const rows = doc.key.map((mentions, place) => entityItem(doc, place + 1, mentions, -1));
  const extra = shownSystems().flatMap((system) =>
    doc.responses[system]
      .filter(([number]) => number > doc.key.length)
      .map(([number, mentions]) => entityItem(doc, number, mentions, system)),
  );
  const shown = (list) => list.filter((item) => item !== null);
  return el(
    "div",
    {},
    el("ul", { class: "entities" }, ...shown(rows)),
    extra.length ? el("h3", {}, "Only in a system") : null,
    el("ul", { class: "entities" }, ...shown(extra)),
  );
}

function entityItem(doc, number, mentions, lane) {
  if (!reader.singletons && mentions.length === 1) return null;
  const texts = mentions.map((mention) => textOf(doc, mention));
  const name = texts.reduce(
    (best, text) => (text.length > best.length && text.length < 40 ? text : best),
    shortened(texts[0], 40),
  );
  const partner = (system) => doc.responses[system].find(([other]) => other === number);
  const sizes =
    lane < 0
      ? shownSystems()
          .map((system) => `${letters[system]} ${partner(system)?.[1].length ?? "–"}`)
          .join("  ")
      : "";
  const hue = mentions.length === 1 ? "alone" : `hue${(number - 1) % 8}`;
  return el(
    "li",
    { class: reader.entity === number ? "current" : null },
    el(
      "button",
      {
        type: "button",
        "aria-pressed": String(reader.entity === number),
        onclick: () => findEntity(number, doc.mentions[mentions[0]][0]),
      },
      el("span", { class: `sample ${lane < 0 ? "key" : "response"} ${hue}` }, entityLabel(doc, lane, number)),
      el("span", {}, name),
      el("small", {}, `${plural(mentions.length, "mention")}${sizes ? ` · ${sizes}` : ""}`),
    ),
    reader.entity === number
      ? el("p", { class: "mentions" }, texts.map((text) => shortened(text, 60)).join(" · "))
      : null,
  );
}
