"""Makes small pairs of CoNLL-U files with whatever is awkward in CorefUD, the same pair for the same seed.

Nested, crossing and repeated mentions, gaps, several heads on one span, zeros that are moved, missing,
doubled or many, IDs such as 1.10, several enhanced parents, parents that are zeros, empty documents,
and ties.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import pairwise

HEADER = "# global.Entity = eid-etype-head-other"
RELATIONS = ("nsubj", "obj", "obl:por")
Node = tuple[int, int]  # words before it in the sentence, itself included; ordinal, 0 for a written word
NAMES = ("e1", "e2", "e10", "b", "a")


@dataclass
class Marked:
    """A mention: nodes of one sentence, and which of them is the head, from 1; 0 for none."""

    entity: str
    nodes: list[Node]
    head: int


@dataclass
class Sentence:
    """Words, zeros with their parents, and mentions."""

    words: int
    zeros: dict[Node, list[tuple[Node, str]]] = field(default_factory=dict)
    mentions: list[Marked] = field(default_factory=list)

    @property
    def nodes(self) -> list[Node]:
        """List all nodes in order."""
        return sorted([(word, 0) for word in range(1, self.words + 1)] + list(self.zeros))


Files = list[list[Sentence]]  # documents of sentences


def nasty_pair(seed: int) -> tuple[str, str]:
    """Write a key and a response."""
    chance = random.Random(seed)
    key = [
        [_sentence(chance) for _ in range(chance.randint(1, 3))]
        for _ in range(chance.choice((1, 1, 1, 2, 3)))
    ]
    return _written(key), _written([[_changed(own, chance) for own in document] for document in key])


def _sentence(chance: random.Random) -> Sentence:
    sentence = Sentence(chance.randint(1, 7))
    for _ in range(chance.choice((0, 0, 1, 2, 3, 4))):
        _add_zero(sentence, chance)
    _tidy(sentence)
    _set_parents(sentence, chance)
    for _ in range(chance.choice((0, 2, 4, 6, 9))):
        _add_mention(sentence, chance)
    return sentence


def _add_zero(sentence: Sentence, chance: random.Random) -> None:
    before = chance.randint(0, sentence.words)
    ordinals = [ordinal for place, ordinal in sentence.zeros if place == before]
    skip = chance.choice((1, 1, 1, 1, 2, 10))
    sentence.zeros[before, max(ordinals, default=0) + skip] = []


def _tidy(sentence: Sentence) -> None:
    """Leave out zeros whose IDs have another order as decimal numbers, as the official scorer reads them."""
    latest = (-1, "")
    for before, ordinal in sorted(sentence.zeros):
        digits = str(ordinal).rstrip("0")
        if (before, digits) <= latest:
            del sentence.zeros[before, ordinal]
        else:
            latest = (before, digits)


def _set_parents(sentence: Sentence, chance: random.Random) -> None:
    for zero in sentence.zeros:
        parents: list[Node] = [(chance.randint(0, min(sentence.words, 3)), 0)]
        while chance.random() < 0.25:
            others = [node for node in sentence.nodes if node != zero]
            parents.append(chance.choice(others))
        parents = [node for node in parents if node[1] < 10]
        sentence.zeros[zero] = sorted({(node, chance.choice(RELATIONS)) for node in parents})


def _add_mention(sentence: Sentence, chance: random.Random) -> None:
    entity = chance.choice(NAMES[: chance.randint(1, len(NAMES))])
    nodes = sentence.nodes
    if sentence.mentions and chance.random() < 0.25:  # the words of another mention
        words = list(chance.choice(sentence.mentions).nodes)
    elif sentence.zeros and chance.random() < 0.35:
        words = [chance.choice(list(sentence.zeros))]
    else:
        first = chance.randrange(len(nodes))
        words = nodes[first : first + chance.choice((1, 1, 2, 3, 4, 6))]
    if len(words) > 2 and chance.random() < 0.2:
        words = words[:1] + words[2:] if chance.random() < 0.7 else words[:-2] + words[-1:]
    if _parts(sentence, words) > 1 and _is_mixed(sentence, entity, words):
        return
    least = 0 if _parts(sentence, words) == 1 else 1  # the last part of several has to say the head
    sentence.mentions.append(Marked(entity, words, chance.randint(least, len(words))))


def _parts(sentence: Sentence, words: list[Node]) -> int:
    index = {node: number for number, node in enumerate(sentence.nodes)}
    return 1 + sum(index[b] - index[a] > 1 for a, b in pairwise(words))


def _is_mixed(sentence: Sentence, entity: str, words: list[Node]) -> bool:
    """Whether the entity has another mention with gaps there, which could not be told apart."""
    return (
        any(
            other.entity == entity
            and set(other.nodes) & set(sentence.nodes)
            and _parts(sentence, other.nodes) > 1
            for other in sentence.mentions
        )
        or not words
    )


def _is_crossed(sentence: Sentence, mention: Marked) -> bool:
    """Whether part of a mention crosses another one of its entity: their brackets would be mixed up."""
    return any(
        other.entity == mention.entity
        and other is not mention
        and other.nodes[0] <= mention.nodes[-1]
        and mention.nodes[0] <= other.nodes[-1]
        and len(other.nodes) > 1
        for other in sentence.mentions
    )


def _changed(own: Sentence, chance: random.Random) -> Sentence:
    """Make a response to a sentence."""
    sentence = Sentence(own.words)
    moved: dict[Node, Node] = {}
    shift = chance.random() < 0.3  # a zero more, so that others come later
    for zero in sorted(own.zeros):
        if chance.random() < 0.15:
            continue
        before = zero[0] if chance.random() < 0.8 else chance.randint(0, own.words)
        ordinal = zero[1] + shift
        while (before, ordinal) in sentence.zeros:
            ordinal += 1
        sentence.zeros[before, ordinal] = []
        moved[zero] = (before, ordinal)
    if chance.random() < 0.15:
        _add_zero(sentence, chance)
    _tidy(sentence)
    moved = {zero: there for zero, there in moved.items() if there in sentence.zeros}
    _set_parents(sentence, chance)
    for zero, parents in own.zeros.items():
        if zero in moved and chance.random() < 0.75:
            kept = [(moved.get(p) if p[1] else p, relation) for p, relation in parents]
            known = [(p, relation) for p, relation in kept if p is not None and p[1] < 10]
            sentence.zeros[moved[zero]] = sorted(known) or sentence.zeros[moved[zero]]
    _copy_mentions(own, sentence, moved, chance)
    return sentence


def _copy_mentions(own: Sentence, sentence: Sentence, moved: dict[Node, Node], chance: random.Random) -> None:
    for mention in own.mentions:
        if chance.random() < 0.12:
            continue
        there = {node if not node[1] else moved.get(node) for node in mention.nodes}
        nodes = [node for node in sentence.nodes if node in there]
        if nodes and chance.random() < 0.25:
            all_nodes = sentence.nodes
            first = max(all_nodes.index(nodes[0]) - chance.choice((0, 0, 1)), 0)
            last = min(all_nodes.index(nodes[-1]) + chance.choice((0, 1, -1, 2)), len(all_nodes) - 1)
            nodes = all_nodes[first : last + 1]
        entity = mention.entity if chance.random() < 0.85 else chance.choice(NAMES)
        if not nodes or (_parts(sentence, nodes) > 1 and _is_mixed(sentence, entity, nodes)):
            continue
        head = min(mention.head, len(nodes)) if chance.random() < 0.8 else chance.randint(0, len(nodes))
        head = max(head, 1) if _parts(sentence, nodes) > 1 else head
        sentence.mentions.append(Marked(entity, nodes, head))
    for _ in range(chance.choice((0, 0, 1, 2))):
        _add_mention(sentence, chance)


def _written(documents: Files) -> str:
    lines: list[str] = []
    for number, document in enumerate(documents, start=1):
        lines.append(f"# newdoc id = d{number}")
        lines += [HEADER] * (number == 1)
        for index, sentence in enumerate(document, start=1):
            lines.append(f"# sent_id = d{number}-s{index}")
            lines += [_row(sentence, node, cell) for node, cell in _cells(sentence, number).items()]
            lines.append("")
    return "\n".join(lines) + "\n"


def _row(sentence: Sentence, node: Node, cell: str) -> str:
    misc = f"Entity={cell}" if cell else "_"
    if node[1]:
        deps = "|".join(f"{_id(parent)}:{relation}" for parent, relation in sentence.zeros[node]) or "_"
        return "\t".join([_id(node), "_", "_", "PRON", "_", "_", "_", "_", deps, misc])
    head = 0 if node[0] == 1 else node[0] - 1
    relation = "dep" if head else "root"
    return "\t".join(
        [_id(node), f"w{node[0]}", "_", "X", "_", "_", str(head), relation, f"{head}:{relation}", misc]
    )


def _id(node: Node) -> str:
    return f"{node[0]}.{node[1]}" if node[1] else str(node[0])


def _cells(sentence: Sentence, document: int) -> dict[Node, str]:
    """Write the brackets: those that close, those that open, longest first, and single words."""
    order = {node: number for number, node in enumerate(sentence.nodes)}
    closing, opening, single = ({node: [] for node in order} for _ in range(3))  # type: ignore[var-annotated]
    for mention in sentence.mentions:
        if _parts(sentence, mention.nodes) > 1 and _is_crossed(sentence, mention):
            continue
        runs: list[list[Node]] = []
        for node in mention.nodes:
            if runs and order[node] == order[runs[-1][-1]] + 1:
                runs[-1].append(node)
            else:
                runs.append([node])
        for number, run in enumerate(runs, start=1):
            name = f"{mention.entity}x{document}" + (f"[{number}/{len(runs)}]" if len(runs) > 1 else "")
            chunk = f"({name}--{mention.head}" if mention.head else f"({name}"
            if len(run) == 1:
                single[run[0]].append(f"{chunk})")
            else:
                opening[run[0]].append((-len(run), chunk))
                closing[run[-1]].append((len(run), f"{name})"))
    return {
        node: "".join(text for _, text in sorted(closing[node], key=lambda part: part[0]))
        + "".join(text for _, text in sorted(opening[node], key=lambda part: part[0]))
        + "".join(single[node])
        for node in order
    }
