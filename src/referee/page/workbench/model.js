// An open document: its words, and its mentions and entities as they are now.

import { cutText, runningOn } from "../script/cutting.js";
import { glued, shortened, spaced } from "../script/texts.js";

const PARAGRAPH = 110; // words of a running text that are drawn together

// Mentions in the order of the text: by their first word, the longer one first.
function inOrder(one, other) {
  return (
    one.spans[0][0] - other.spans[0][0] ||
    other.spans.at(-1)[1] - one.spans.at(-1)[1] ||
    (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)
  );
}

export const first = (mention) => mention.spans[0][0];
export const end = (mention) => mention.spans.at(-1)[1];

export class OpenDocument {
  constructor(data) {
    Object.assign(this, data);
    this.zeros = new Set(data.zeros ?? []);
    this.turns = new Map((data.speakers ?? []).filter(([, name]) => name && name !== "-"));
    this.mentions = new Map(data.mentions.map((mention) => [mention.id, mention]));
    this.entities = new Map(data.entities.map((entity) => [entity.id, entity]));
    this.members = new Map(data.entities.map((entity) => [entity.id, []]));
    this.order = [...data.mentions].sort(inOrder);
    for (const mention of this.order) this.members.get(mention.entity).push(mention);
    this.cut(false);
  }

  // Cuts the text into blocks: sentences, or pieces of a running text.
  cut(running) {
    const ranges = () => this.order.map((mention) => [first(mention), end(mention)]);
    const ends = this.sentences.map(([, last]) => last);
    this.pieces ??= cutText(this.words, ends, () => runningOn(this.words.length, ranges()));
    const blocks = running
      ? this.joined(this.pieces)
      : this.pieces.map((piece) => ({ ...piece, starts: [piece] }));
    this.blocks = blocks.map((block) => ({ ...block, mentions: new Set() }));
    this.starts = Int32Array.from(this.blocks, (block) => block.start);
    for (const mention of this.order) this.enter(mention);
  }

  // Sentences follow each other in a block until it is long enough, or somebody else speaks.
  joined(blocks) {
    const paragraphs = [];
    for (const block of blocks) {
      const last = paragraphs.at(-1);
      if (last && !this.turns.has(block.start) && block.end - last.start <= PARAGRAPH) {
        last.end = block.end;
        last.starts.push(block);
      } else paragraphs.push({ start: block.start, end: block.end, starts: [block] });
    }
    return paragraphs;
  }

  blockOf(word) {
    let [low, high] = [0, this.starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] > word) high = middle;
      else low = middle + 1;
    }
    return Math.max(0, low - 1);
  }

  // Enters a mention into the blocks that it runs over, or takes it out of them, and says which these are.
  enter(mention, gone = false) {
    const touched = [];
    const stop = Math.min(end(mention), this.words.length);
    for (let index = this.blockOf(first(mention)); this.blocks[index]?.start < stop; index++) {
      if (gone) this.blocks[index].mentions.delete(mention.id);
      else this.blocks[index].mentions.add(mention.id);
      touched.push(index);
    }
    return touched;
  }

  // Puts what the server says is now over what was; returns the blocks and the entities that look otherwise.
  patch(delta) {
    const changes = delta.changes;
    const gone = [...(changes.removed_mentions ?? []), ...changes.mentions.map((each) => each.id)];
    const [blocks, entities] = [new Set(), new Set(changes.removed_entities ?? [])];
    const before = new Set(gone.map((id) => this.mentions.get(id)).filter(Boolean));
    for (const mention of before) {
      for (const block of this.enter(mention, true)) blocks.add(block);
      entities.add(mention.entity);
      this.mentions.delete(mention.id);
    }
    for (const id of changes.removed_entities ?? []) this.entities.delete(id);
    for (const entity of changes.entities) {
      this.entities.set(entity.id, entity);
      entities.add(entity.id);
    }
    for (const mention of changes.mentions) {
      this.mentions.set(mention.id, mention);
      entities.add(mention.entity);
      for (const block of this.enter(mention)) blocks.add(block);
    }
    this.reorder(before, changes.mentions, entities);
    for (const name of ["revision", "undo", "redo", "done", "changed", "score"])
      if (name in delta) this[name] = delta[name];
    // the numbers of an entity are grey while it has one mention, so all its mentions are drawn again
    for (const id of entities)
      for (const mention of this.members.get(id) ?? [])
        for (const block of this.enter(mention)) blocks.add(block);
    return { blocks, entities };
  }

  // Few mentions change at a time among many, so each finds its place alone.
  reorder(before, now, entities) {
    const lists = [[this.order, () => true]];
    for (const id of entities) {
      if (!this.entities.has(id)) this.members.delete(id);
      else {
        if (!this.members.has(id)) this.members.set(id, []);
        lists.push([this.members.get(id), (mention) => mention.entity === id]);
      }
    }
    for (const [list, belongs] of lists) {
      const rest = before.size ? list.filter((mention) => !before.has(mention)) : [...list];
      const added = now.filter(belongs).sort(inOrder);
      let from = 0;
      list.length = 0;
      for (const mention of rest) {
        while (from < added.length && inOrder(added[from], mention) < 0) list.push(added[from++]);
        list.push(mention);
      }
      while (from < added.length) list.push(added[from++]);
    }
  }

  // The mentions that a word is in, the innermost first.
  mentionsAt(word) {
    const block = this.blocks[this.blockOf(word)];
    const length = (mention) => mention.spans.reduce((sum, [from, to]) => sum + to - from, 0);
    return [...(block?.mentions ?? [])]
      .map((id) => this.mentions.get(id))
      .filter((mention) => mention.spans.some(([from, to]) => from <= word && word < to))
      .sort((one, other) => length(one) - length(other) || inOrder(one, other));
  }

  // The mention of exactly these words.
  mentionOf(spans) {
    const wanted = JSON.stringify(spans);
    return this.mentionsAt(spans[0][0]).find((mention) => JSON.stringify(mention.spans) === wanted);
  }

  spacedAt(word) {
    if (this.space_after) return Boolean(this.space_after[word - 1]);
    return spaced(this.words[word - 1], this.words[word]);
  }

  gluedAt(word) {
    if (this.space_after?.[word - 1]) return false;
    return glued(this.words[word - 1], this.words[word]);
  }

  wordAt(word) {
    const written = this.words[word] ?? "";
    return this.zeros.has(word) && /^_?$/.test(written) ? "∅" : written;
  }

  text(from, to) {
    let text = "";
    for (let i = Math.max(0, from); i < Math.min(to, this.words.length); i++)
      text += (i > from && this.spacedAt(i) ? " " : "") + this.wordAt(i);
    return text;
  }

  textOf({ spans }) {
    return spans.map(([from, to]) => this.text(from, to)).join(" … ");
  }

  said(mention, length = 40) {
    return shortened(this.textOf(mention), length);
  }

  entityOf(mention) {
    return this.entities.get(mention.entity);
  }

  sizeOf(entity) {
    return this.members.get(entity.id)?.length ?? 0;
  }

  nameOf(entity) {
    return entity.name || entity.label || `entity ${entity.color}`;
  }

  // Where a word is, in words; a text that is not cut into sentences has no such places.
  placeOf(word) {
    return this.sentences.length ? `sentence ${this.sentenceOf(word)}` : "";
  }

  sentenceOf(word) {
    let [low, high] = [0, this.sentences.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sentences[middle][1] > word) high = middle;
      else low = middle + 1;
    }
    return low + 1;
  }

  // The first mention at or after a word, as a position in the order of all.
  positionAt(word) {
    let [low, high] = [0, this.order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (first(this.order[middle]) < word) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
