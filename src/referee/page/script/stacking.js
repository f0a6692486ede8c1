// Marks of mentions stacked so that none overlap, and the colours of entities.

// Gives each mark, which runs over the words [from, to), a level; the innermost is nearest to the text.
export function stacked(marks) {
  const order = [...marks].sort(
    (one, other) => one.to - one.from - (other.to - other.from) || one.from - other.from,
  );
  order.forEach((mark, index) => {
    for (const inner of order.slice(0, index)) {
      if (inner.from < mark.to && mark.from < inner.to) mark.level = Math.max(mark.level, inner.level + 1);
    }
  });
  return order;
}

export function depth(marks) {
  return marks.reduce((most, mark) => Math.max(most, mark.level + 1), 0);
}

// The colour of an entity; those of one mention are grey.
export function hueOf(number, size) {
  return size === 1 ? "alone" : `hue${(number - 1) % 8}`;
}
