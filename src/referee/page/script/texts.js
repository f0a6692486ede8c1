// Words: the tokens of a document, the text of a mention, the sentence of a token.

const tokenCache = new Map();

export function tokensOf(doc) {
  if (!tokenCache.has(doc)) tokenCache.set(doc, doc.tokens === "" ? [] : doc.tokens.split("\n"));
  return tokenCache.get(doc);
}

export function lengthOf(doc) {
  return doc.sentences.at(-1) ?? 0;
}

// The sentence of a token, from 1.
export function sentenceOf(doc, token) {
  let [low, high] = [0, doc.sentences.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (doc.sentences[middle] > token) high = middle;
    else low = middle + 1;
  }
  return low + 1;
}

const NO_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\u3000-\u303f\uff00-\uffef]/u;

// Whether a space is between two tokens, as in running text. The tokens themselves are shown as they are.
export function spaced(before, after) {
  if (/^([.,;:!?%)\]}’”…]|'s|'re|'ve|'ll|'d|'m|n't|''|-RRB-)$/i.test(after)) return false;
  if (NO_SPACES.test(before) && NO_SPACES.test(after)) return false;
  return !/^([([{$#“]|``|-LRB-)$/.test(before);
}

// Whether no line may end between two tokens: a full stop stays with its word, if that is not too long.
export function glued(before, after) {
  if (spaced(before, after) || before.length + after.length > 30) return false;
  return !(NO_SPACES.test(before) && NO_SPACES.test(after));
}

export function textBetween(doc, start, end) {
  const tokens = tokensOf(doc);
  let text = "";
  if (end > tokens.length) return "(beyond the text)"; // a response whose tokens are not the key's
  for (let i = start; i < end; i++)
    text += (i > start && spaced(tokens[i - 1], tokens[i]) ? " " : "") + tokens[i];
  return text;
}

export function textOf(doc, mention) {
  const parts = [];
  const spans = doc.mentions[mention];
  for (let i = 0; i < spans.length; i += 2) parts.push(textBetween(doc, spans[i], spans[i + 1]));
  return parts.join(" … ");
}

// The beginning and the end of a long text, cut between words where there are any.
export function shortened(text, length = 48) {
  if (text.length <= length) return text;
  const start = text.slice(0, length / 2);
  const end = text.slice(-length / 2 + 3);
  return `${start.slice(0, start.lastIndexOf(" ")) || start} … ${end.slice(end.indexOf(" ") + 1) || end}`;
}
