"""Makes markables of spans: their kind, the type of their name, and the words around their head."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from referee.model.mentions import Span
from referee.resolve.camp.detection import PRONOUN_LISTS, is_pronoun_word
from referee.resolve.camp.lexicon import Guidelines, Lexicon
from referee.resolve.camp.markables import Kind, Markable
from referee.resolve.camp.parse_view import NAME_TAGS, NOUN_TAGS, Parse
from referee.resolve.camp.properties import NameKnowledge, believe

NAME_LABELS = frozenset(("PERSON", "ORG", "GPE", "LOC", "FAC", "PRODUCT", "EVENT", "WORK_OF_ART", "NORP"))
BEFORE_HEAD = frozenset(("compound", "amod", "nmod", "nummod", "poss"))
NAME_WORD_TAGS = frozenset(("NNP", "NNPS", "CD", "NN", "JJ", "NNS"))
BEHIND_HEAD = frozenset(("prep", "relcl", "acl", "appos"))


def make_markables(
    parse: Parse, spans: Mapping[Span, int], lexicon: Lexicon, guidelines: Guidelines
) -> list[Markable]:
    """Describe spans in the order of the text, the longer first."""
    labels = _voted_labels(parse)
    known = NameKnowledge(parse, lexicon)
    markables: list[Markable] = []
    for (start, end), head in sorted(spans.items(), key=lambda item: (item[0][0], -item[0][1])):
        label = _label(parse, head, labels)
        markable = _described(parse, (start, end), head, label, lexicon)
        markable.number = len(markables)
        believe(markable, parse, known)
        markables.append(markable)
    named = _with_roles(parse, markables) if guidelines.loose_clauses else markables
    _nest(named)
    return named


def _with_roles(parse: Parse, markables: list[Markable]) -> list[Markable]:
    """Join a role and the name behind it: of her nephew Tom, Tom is no mention of its own."""
    outer = {markable.head: markable for markable in markables if markable.kind is Kind.NOMINAL}
    kept = []
    for markable in markables:
        noun = outer.get(parse.heads[markable.head])
        if markable.relation == "appos" and markable.kind is Kind.NAME and noun and _is_role(noun, markable):
            noun.kind, noun.label, noun.name = Kind.NAME, markable.label, markable.name
            noun.properties.take(markable.properties)
        else:
            kept.append(markable)
    for number, markable in enumerate(kept):
        markable.number = number
    return kept


def _is_role(noun: Markable, name: Markable) -> bool:
    """Whether nothing stands between a noun and a name that ends its phrase."""
    return noun.head + 1 == name.start and noun.end == name.end and name.label == "PERSON"


def _voted_labels(parse: Parse) -> Mapping[str, Counter[str]]:
    """Count the types that names with a last word were given: taggers change their mind within a text."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for name in parse.names:
        votes[parse.lower[name.end - 1]][name.label] += 1 + (name.end - name.start > 1)
    return votes


def _label(parse: Parse, head: int, votes: Mapping[str, Counter[str]]) -> str:
    """Give the type of the name that a word ends: the one that most of its kind in the text were given."""
    name = parse.name_at.get(head)
    label = name.label if name else ""
    counted = votes.get(parse.lower[head])
    if counted and parse.tags[head] in NAME_TAGS and (not label or label in NAME_LABELS):
        return counted.most_common(1)[0][0]
    return label


def _described(parse: Parse, span: Span, head: int, label: str, lexicon: Lexicon) -> Markable:
    start, end = span
    children = parse.children[head]
    conjuncts = [child for child in children if parse.relations[child] == "conj"]
    core = [
        word
        for word in range(start, head + 1)
        if word == head or (parse.heads[word] == head and parse.relations[word] in BEFORE_HEAD)
    ]
    titles = lexicon["titles"] | lexicon["masculine_titles"] | lexicon["feminine_titles"]
    named = [parse.lower[word] for word in core if parse.tags[word] in NAME_WORD_TAGS]
    determiner = next((c for c in children if parse.relations[c] in ("det", "predet")), None)
    return Markable(
        number=0,
        start=start,
        end=end,
        head=head,
        sentence=parse.sentence_of[head],
        kind=_kind(parse.lower[head], parse.tags[head], label, lexicon),
        label=label,
        words=tuple(parse.lower[start:end]),
        lemma=parse.lemmas[head],
        relation=parse.relations[head],
        determiner=None if determiner is None else parse.lower[determiner],
        possessor=parse.child(head, "poss"),
        coordinated=bool(conjuncts) and end > max(conjuncts),
        name=tuple(word for word in named if word not in titles),
        titles=tuple(word for word in named if word in titles),
        modifiers=frozenset(parse.lemmas[w] for w in core if w != head and parse.tags[w] != "PRP$"),
        complements=_complements(parse, head),
    )


def _kind(word: str, tag: str, label: str, lexicon: Lexicon) -> Kind:
    if any(is_pronoun_word(word, tag, lexicon[name]) for name in PRONOUN_LISTS):
        return Kind.PRONOUN
    if tag == "DT":
        return Kind.DEMONSTRATIVE
    return Kind.NAME if tag in NAME_TAGS or label in NAME_LABELS else Kind.NOMINAL


def _complements(parse: Parse, head: int) -> frozenset[str]:
    """List the lemmas behind a head that narrow what it means."""
    behind = [c for c in parse.children[head] if c > head and parse.relations[c] in BEHIND_HEAD]
    return frozenset(
        parse.lemmas[word]
        for child in behind
        for word in parse.below(child)
        if parse.tags[word] in NOUN_TAGS or parse.tags[word][:1] == "V" or parse.tags[word] in ("JJ", "CD")
    )


def _nest(markables: list[Markable]) -> None:
    """Tell markables what is around them and inside them; they come in order, the outer before the inner."""
    around: list[Markable] = []
    for markable in markables:
        around = [outer for outer in around if outer.end > markable.start]
        for outer in around:
            if outer.end >= markable.end:
                outer.nested.append(markable)
                markable.nested.append(outer)
                markable.depth += 1
        around.append(markable)
