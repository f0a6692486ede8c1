"""Headlines, bylines, slugs, items of lists, heads of e-mails: each where a text is of its genre."""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.model.mentions import Span
from referee.resolve.camp.discourse import Discourse
from referee.resolve.camp.markables import Kind, Markable
from referee.resolve.camp.parse_view import NAME_TAGS, Parse

ENDS = frozenset((".", "!", "?", "…", ":", ";", ",", '"', "”", "''"))
LONGEST_HEADLINE = 14  # words
BODY = 3  # sentences behind a headline in which its things are introduced
LONGEST_HEAD = 8  # words between From: and the name
BULLETS = frozenset(("-", "–", "—", "*", "•", "·", "◦"))
LEAST_ITEMS = 2
MAIL_HEADS = {"from": "first_pronouns", "to": "you_pronouns"}


def match_news(discourse: Discourse) -> None:
    """Link what a headline or a slug names with the phrases that introduce it in the text."""
    headline = _headline(discourse.parse)
    if headline is None:
        return
    body = [m for m in discourse.markables if 0 < m.sentence <= BODY and not m.coordinated]
    for markable in discourse.by_sentence[0]:
        bare = markable.determiner is None and markable.possessor is None
        if bare and not markable.label and (markable.start, markable.end) == headline:
            _link_slug(discourse, markable, body)
        elif bare and not markable.label and not markable.is_pronoun:
            _link_headline(discourse, markable, body)


def _headline(parse: Parse) -> Span | None:
    """Find a headline: the first sentence of several, if it is short and ends in no mark."""
    start, end = parse.sentences[0]
    short = len(parse.sentences) > 1 and 0 < end - start <= LONGEST_HEADLINE
    return (start, end) if short and parse.words[end - 1] not in ENDS else None


def _link_headline(discourse: Discourse, markable: Markable, body: list[Markable]) -> None:
    """Mayor quits … The mayor of Carrow: headlines leave articles out."""
    other = next((m for m in body if m.kind is Kind.NOMINAL and m.lemma == markable.lemma), None)
    said = other.modifiers | other.complements if other else frozenset()
    if other and markable.modifiers <= said and discourse.compatible(markable, other):
        discourse.link(other, markable, "headline", " ".join(markable.words))


def _link_slug(discourse: Discourse, markable: Markable, body: list[Markable]) -> None:
    """CARROW-HARBOUR … the harbour of Carrow: a slug is made of the words that a text is about."""
    words = {part for word in markable.words for part in re.split("[-_]", word) if part.isalpha()}
    other = next((m for m in body if words <= set(m.words) and m.head_word in words), None)
    if len(words) > 1 and other and discourse.compatible(markable, other):
        discourse.link(other, markable, "slug", " ".join(markable.words))


def match_bylines(discourse: Discourse) -> None:
    """By Clara Holt: who wrote a text is who says I in it."""
    parse = discourse.parse
    for sentence in range(min(BODY, len(parse.sentences))):
        start, end = parse.sentences[sentence]
        named = [m for m in discourse.by_sentence[sentence] if m.kind is Kind.NAME and m.start == start + 1]
        if parse.lower[start] == "by" and named and named[0].end == end:
            _link_first(discourse, named[0], "first_pronouns", "byline")
            return


def match_mail(discourse: Discourse) -> None:
    """From: Clara Holt … To: Peter Moss: who writes is I, who gets it is you."""
    parse = discourse.parse
    heads = list(_mail_heads(parse))
    if {head for head, _ in heads} != MAIL_HEADS.keys():
        return
    for head, colon in heads:
        near = (m for m in discourse.markables if colon < m.start <= colon + LONGEST_HEAD)
        name = next((m for m in near if m.kind is Kind.NAME and not m.coordinated), None)
        if name and parse.tags[name.head] in NAME_TAGS:
            _link_first(discourse, name, MAIL_HEADS[head], "e-mail")


def _mail_heads(parse: Parse) -> Iterator[tuple[str, int]]:
    """Find From: and To: at the beginning of a text, each with its colon."""
    seen: set[str] = set()
    for word in range(min(len(parse.words) - 1, 10 * LONGEST_HEAD)):
        head = parse.lower[word]
        if head in MAIL_HEADS and head not in seen and parse.words[word + 1] == ":":
            seen.add(head)
            yield head, word + 1


def _link_first(discourse: Discourse, name: Markable, pronouns: str, rule: str) -> None:
    """Link the first pronoun of a person, outside of quotations, with a name."""
    words = discourse.lexicon[pronouns]
    for markable in discourse.markables:
        own = markable.is_pronoun and markable.head_word in words and not discourse.quoted[markable.head]
        if own and markable.start >= name.end:
            if discourse.compatible(markable, name):
                discourse.link(markable, name, rule, " ".join(name.words))
            return


def match_items(discourse: Discourse) -> None:
    """In a list of people, he and she are whom their item begins with: * Clara Holt. She paints."""
    begins = list(_items(discourse.parse))
    if len(begins) < LEAST_ITEMS:
        return
    for start, end in zip(begins, [*begins[1:], len(discourse.parse.words)], strict=True):
        inside = [m for m in discourse.markables if start < m.start < end]
        name = next((m for m in inside if m.start == start + 1 and m.kind is Kind.NAME), None)
        for markable in inside if name else ():
            if (
                markable.is_pronoun
                and markable.person == 3
                and markable.properties.number.value == "singular"
            ):
                if name and discourse.compatible(markable, name):
                    discourse.link(markable, name, "list item", " ".join(name.words))
                break


def _items(parse: Parse) -> Iterator[int]:
    """List the marks that items begin with: the first word of a sentence, or the last of the one before."""
    starts = {start for start, _ in parse.sentences}
    for word, written in enumerate(parse.words[:-1]):
        marked = written in BULLETS and parse.words[word + 1][:1].isupper()
        if marked and (word in starts or word + 1 in starts):
            yield word
