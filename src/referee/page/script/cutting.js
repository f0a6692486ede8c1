// A text cut into blocks: sentences, and long ones at full stops.

const LONG_BLOCK = 60; // words; longer ones are cut at full stops where a file marks no sentences
const LONGEST_BLOCK = 240; // words; a text without full stops is cut wherever no mention runs on

// Blocks as { start, end, sentence }, the sentence's number if it begins there. `ends` are where sentences end, and
// `insideOf` gives the words before which a mention runs on.
export function cutText(words, ends, insideOf) {
  const blocks = [];
  let start = 0;
  let inside = null;
  [...ends, words.length].forEach((end, index) => {
    const number = index < ends.length && ends.length > 1 ? index + 1 : null;
    if (end - start > LONG_BLOCK) {
      inside ??= insideOf();
      for (const [from, to] of cutAtStops(words, start, end, inside))
        blocks.push({ start: from, end: to, sentence: from === start ? number : null });
    } else if (end > start) blocks.push({ start, end, sentence: number });
    start = end;
  });
  return blocks;
}

// Words before which one of some mentions, each as [first, end), runs on.
export function runningOn(length, ranges) {
  const inside = new Uint8Array(length + 1);
  for (const [first, end] of ranges) inside.fill(1, first + 1, end);
  return inside;
}

function cutAtStops(words, start, end, inside) {
  const ranges = [];
  let from = start;
  for (let i = start + 1; i <= end; i++) {
    const stops = /^[.!?。！？؟]$/.test(words[i - 1]) && !/^["'”’)\]]+$/.test(words[i] ?? "");
    const long = i - from >= LONGEST_BLOCK;
    if (i === end || (!inside[i] && (stops || long))) {
      ranges.push([from, i]);
      from = i;
    }
  }
  return ranges;
}
