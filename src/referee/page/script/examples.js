// Errors one after the other, with the words around them.

const MORE = 20; // examples drawn at a time
const AROUND = 9; // words of context on either side

function exampleList() {
  const list = el("ol", { class: "examples" });
  const found = linksOf(visibleErrors());
  const more = el("button", { type: "button", id: "more" });
  let shown = 0;
  const add = () => {
    list.append(...found.slice(shown, shown + MORE).map(example));
    shown = Math.min(shown + MORE, found.length);
    more.textContent = `${MORE} more of ${grouped(found.length - shown)}`;
    more.hidden = shown === found.length;
  };
  more.addEventListener("click", add);
  add();
  return el("div", {}, found.length ? list : el("p", {}, "No errors to show."), more);
}

// Errors that are the same link, together.
function linksOf(list) {
  const links = new Map();
  for (const error of list) {
    if (!links.has(error.link)) links.set(error.link, []);
    links.get(error.link).push(error);
  }
  return [...links.values()];
}

// One link, and the systems that get it wrong.
function example(same) {
  const error = same[0];
  const doc = data.documents[error.document];
  const kinds = [...new Set(same.map(({ kind }) => data.kinds[kind]))].join(", ");
  const type = `${data.types[error.anaphorType]} → ${data.types[error.antecedentType]}`;
  return el(
    "li",
    {},
    el("span", { class: "badges" }, ...same.map(badge)),
    el(
      "div",
      {},
      el("q", {}, ...context(doc, error)),
      el(
        "small",
        {},
        `${kinds} · ${type} · `,
        el("a", { href: address({ doc: doc.id, error: error.index }) }, doc.id),
      ),
    ),
  );
}

// Antecedent and anaphor with the words around them: the antecedent underlined, the anaphor bold.
function context(doc, error) {
  const range = (mention) => [doc.mentions[mention][0], doc.mentions[mention].at(-1)];
  const [antecedent, anaphor] = [range(error.antecedent), range(error.anaphor)];
  const length = lengthOf(doc);
  if (Math.max(antecedent[1], anaphor[1]) > length) return [describe(error)];
  const marked = [
    ["u", antecedent],
    ["b", anaphor],
  ];
  if (anaphor[0] < antecedent[1])
    return [
      ...passage(doc, antecedent, marked.slice(0, 1)),
      " ⟨",
      ...passage(doc, anaphor, marked.slice(1), 0),
      "⟩",
    ];
  const near = anaphor[0] - antecedent[1] <= 2 * AROUND;
  if (near) return passage(doc, [antecedent[0], anaphor[1]], marked);
  return [...passage(doc, antecedent, marked.slice(0, 1)), " ", ...passage(doc, anaphor, marked.slice(1))];
}

// The words from a little before a range to a little after it, some of them marked.
function passage(doc, [start, end], marked, around = AROUND) {
  const [from, to] = [Math.max(0, start - around), Math.min(lengthOf(doc), end + around)];
  const tokens = tokensOf(doc);
  const cuts = [from, ...marked.flatMap(([, range]) => range), to];
  const parts = cuts.slice(1).flatMap((cut, place) => {
    const first = cuts[place];
    if (first === cut) return [];
    const text = textBetween(doc, first, cut);
    const gap = first > from && spaced(tokens[first - 1], tokens[first]) ? " " : "";
    return place % 2 ? [gap, el(marked[(place - 1) / 2][0], {}, text)] : [gap + text];
  });
  return [from && around ? "… " : "", ...parts, to < lengthOf(doc) && around ? " …" : ""];
}
