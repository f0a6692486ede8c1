// The report's value, and what can be told from it: tokens, texts of mentions, errors in one flat list.

const data = JSON.parse(byId("data").textContent);
const RECALL = 0;
const PRECISION = 1;
const SIDE_LETTERS = ["R", "P"];
const letters = data.systems.map((_, system) =>
  system < 26 ? String.fromCharCode(65 + system) : `S${system + 1}`,
);

const placeOfDocument = new Map(data.documents.map((doc, place) => [doc.id, place]));

const errors = data.documents.flatMap((doc, place) =>
  doc.errors.map(([system, side, kind, anaphor, antecedent, overlap, ...hints], index) => ({
    document: place,
    index,
    system,
    side,
    kind,
    anaphor,
    antecedent,
    overlap,
    hints,
    anaphorType: doc.types[anaphor],
    antecedentType: doc.types[antecedent],
    link: 0, // the same number for the same error of another system
    makers: 0n, // systems that make it, a bit each
  })),
);
shareErrors();

// Two systems make the same error if the same link is missed, or the same link is made, in the same document.
function shareErrors() {
  const links = new Map();
  const makers = [];
  for (const error of errors) {
    const link = `${error.document} ${error.side} ${error.anaphor} ${error.antecedent}`;
    if (!links.has(link)) links.set(link, makers.push(0n) - 1);
    error.link = links.get(link);
    makers[error.link] |= 1n << BigInt(error.system);
  }
  for (const error of errors) error.makers = makers[error.link];
}

const tokenCache = new Map();

function tokensOf(doc) {
  if (!tokenCache.has(doc)) tokenCache.set(doc, doc.tokens === "" ? [] : doc.tokens.split("\n"));
  return tokenCache.get(doc);
}

function lengthOf(doc) {
  return doc.sentences.at(-1) ?? 0;
}

const NO_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\u3000-\u303f\uff00-\uffef]/u;

// Whether a space stands between two tokens, as in running text. The tokens themselves are shown as they are.
function spaced(before, after) {
  if (/^([.,;:!?%)\]}’”…]|'s|'re|'ve|'ll|'d|'m|n't|''|-RRB-)$/i.test(after)) return false;
  if (NO_SPACES.test(before) && NO_SPACES.test(after)) return false;
  return !/^([([{$#“]|``|-LRB-)$/.test(before);
}

function textBetween(doc, start, end) {
  const tokens = tokensOf(doc);
  let text = "";
  if (end > tokens.length) return "(beyond the text)"; // a response whose tokens are not the key's
  for (let i = start; i < end; i++)
    text += (i > start && spaced(tokens[i - 1], tokens[i]) ? " " : "") + tokens[i];
  return text;
}

function textOf(doc, mention) {
  const parts = [];
  const spans = doc.mentions[mention];
  for (let i = 0; i < spans.length; i += 2) parts.push(textBetween(doc, spans[i], spans[i + 1]));
  return parts.join(" … ");
}

// The beginning and the end of a long text, cut between words where there are any.
function shortened(text, length = 48) {
  if (text.length <= length) return text;
  const start = text.slice(0, length / 2);
  const end = text.slice(-length / 2 + 3);
  return `${start.slice(0, start.lastIndexOf(" ")) || start} … ${end.slice(end.indexOf(" ") + 1) || end}`;
}

// The entities of one lane: the key's (lane -1) or a system's, as [number, mentions].
function entitiesOf(doc, lane) {
  return lane < 0 ? doc.key.map((mentions, place) => [place + 1, mentions]) : doc.responses[lane];
}

function entityLabel(doc, lane, number) {
  if (lane < 0) return String(number);
  return letters[lane] + (number > doc.key.length ? `(${number - doc.key.length})` : number);
}

function entityWith(doc, lane, mention) {
  return entitiesOf(doc, lane).find(([, mentions]) => mentions.includes(mention));
}
