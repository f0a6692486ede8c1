// Where marks stand before anything is drawn: a text cut into blocks, and mentions stacked so that none overlap.

const LONG_BLOCK = 60; // tokens; longer ones are cut at full stops where a file marks no sentences

function blocksOf(doc) {
  const tokens = tokensOf(doc);
  const blocks = [];
  let start = 0;
  for (const end of [...doc.sentences, tokens.length]) {
    if (end - start > LONG_BLOCK) blocks.push(...cutAtStops(doc, start, end));
    else if (end > start) blocks.push([start, end]);
    start = end;
  }
  return blocks;
}

// Who begins to speak in a block; nobody if the same person goes on.
function speakerOf(doc, [start, end]) {
  const turn = doc.speakers.find(([token]) => token >= start && token < end);
  return turn && turn[1] !== "-" ? turn[1].replaceAll("_", " ") : null;
}

function cutAtStops(doc, start, end) {
  const tokens = tokensOf(doc);
  const inside = new Set();
  for (const spans of doc.mentions) for (let i = spans[0] + 1; i < spans.at(-1); i++) inside.add(i);
  const blocks = [];
  let from = start;
  for (let i = start + 1; i <= end; i++) {
    const closes = /^[.!?]$/.test(tokens[i - 1]) && !inside.has(i) && !/^["'”’)\]]+$/.test(tokens[i] ?? "");
    if (closes || i === end) {
      blocks.push([from, i]);
      from = i;
    }
  }
  return blocks;
}

// The marks of one lane, block by block: pieces of mentions, each on a level, the innermost nearest to the text.
function marksByBlock(doc, lane, entities, blocks) {
  const found = blocks.map(() => []);
  const blockOf = blocks.flatMap(([start, end], place) => Array(end - start).fill(place));
  for (const [number, mentions] of entities) {
    for (const mention of mentions) {
      const [first, last] = [doc.mentions[mention][0], doc.mentions[mention].at(-1)];
      for (let place = blockOf[first]; blocks[place]?.[0] < last; place++) {
        const [from, to] = [Math.max(first, blocks[place][0]), Math.min(last, blocks[place][1])];
        found[place].push({ lane, number, mention, size: mentions.length, from, to, level: 0 });
      }
    }
  }
  return found.map(stacked);
}

function stacked(marks) {
  const order = [...marks].sort(
    (one, other) => one.to - one.from - (other.to - other.from) || one.from - other.from,
  );
  order.forEach((mark, place) => {
    for (const inner of order.slice(0, place)) {
      if (inner.from < mark.to && mark.from < inner.to) mark.level = Math.max(mark.level, inner.level + 1);
    }
  });
  return order;
}

function depth(marks) {
  return marks.reduce((most, mark) => Math.max(most, mark.level + 1), 0);
}

// A mention's spans inside a block, as [from, to] pairs.
function pieces(doc, mark) {
  const spans = doc.mentions[mark.mention];
  const found = [];
  for (let i = 0; i < spans.length; i += 2) {
    const from = Math.max(spans[i], mark.from);
    const to = Math.min(spans[i + 1], mark.to);
    if (from < to) found.push([from, to]);
  }
  return found;
}
