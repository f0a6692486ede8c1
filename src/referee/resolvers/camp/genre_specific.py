"""Genre-specific coreference: posts, transcripts, letters, e-mails, news, lists.

Each rule looks for the marks of its genre, such as a byline or lines that begin with a name and a colon, and
finds nothing in other texts.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from referee.model.mentions import Span
from referee.resolvers.camp.discourse import Discourse
from referee.resolvers.camp.markables import Kind, Markable
from referee.resolvers.camp.parse_view import NAME_TAGS, NOBODY, Parse

ENDS = frozenset((".", "!", "?", "…", ":", ";", ",", '"', "”", "''"))
BULLETS = frozenset(("-", "–", "—", "*", "•", "·", "◦"))
MAIL_HEADS = {"from": "first_pronouns", "to": "you_pronouns"}
SIGNS = ("@", "#")


def match_genre(discourse: Discourse) -> None:
    """Try each rule; one whose genre this is not finds nothing."""
    _match_handles(discourse)
    _match_labels(discourse)
    _match_letter(discourse)
    match_mail(discourse)
    match_news(discourse)
    match_bylines(discourse)
    match_items(discourse)


def _match_handles(discourse: Discourse) -> None:
    """Posts: @ann and #Athens are Ann and Athens, and #NoraFinch is Nora Finch."""
    names: dict[str, tuple[Markable, bool]] = {}
    for markable in discourse.markables:
        written = "".join(markable.words)
        before = discourse.parse.words[markable.start - 1] if markable.start else ""
        tagged = written[:1] in SIGNS or before in SIGNS
        if markable.kind is Kind.NAME or tagged:
            plain = written.lstrip("".join(SIGNS))
            other, was_tagged = names.setdefault(plain, (markable, tagged))
            if tagged != was_tagged:
                discourse.link(markable, other, "handle", f"{written} ~ {' '.join(other.words)}")


def _match_labels(discourse: Discourse) -> None:
    """Transcripts: a name and a colon at the beginning of a line say who speaks until the next such line."""
    parse, limits = discourse.parse, discourse.lexicon.limits
    labels = {  # sentence → the name that it begins with
        sentence: label
        for sentence in range(len(parse.sentences))
        if (label := _label(parse, sentence, limits))
    }
    counted = Counter(labels.values())
    rare = len(labels) * limits["longest turn"] < len(parse.sentences)  # colons of a book are no transcript
    if len(labels) < limits["speaker labels"] or not 1 < len(counted) < len(labels) or rare:
        return
    speaker = NOBODY
    first_of: dict[str, Markable] = {}
    for sentence, (start, end) in enumerate(parse.sentences):
        if sentence in labels:
            speaker = labels[sentence]
            for markable in discourse.by_sentence[sentence]:
                if (markable.start, markable.kind) == (start, Kind.NAME) and parse.words[
                    markable.end : markable.end + 1
                ] == [":"]:
                    other = first_of.setdefault(speaker, markable)
                    discourse.link(markable, other, "speaker label", speaker)
        parse.speakers[start:end] = [speaker] * (end - start)
    _link_speakers(discourse, first_of)


def _label(parse: Parse, sentence: int, limits: Mapping[str, float]) -> str:
    """Give the words before a colon near the beginning of a line, whatever a parser takes them for."""
    start, end = parse.sentences[sentence]
    near = range(start + 1, min(start + int(limits["label"]) + 1, end))
    colon = next((word for word in near if parse.words[word] == ":"), None)
    return "" if colon is None or not parse.words[start][:1].isupper() else " ".join(parse.lower[start:colon])


def _link_speakers(discourse: Discourse, labels: dict[str, Markable]) -> None:
    """Link the first I of each speaker with the label."""
    seen: dict[str, list[Markable]] = defaultdict(list)
    for markable in discourse.markables:
        if markable.is_pronoun and markable.head_word in discourse.lexicon["first_pronouns"]:
            seen[discourse.parse.speakers[markable.head]].append(markable)
    for speaker, label in labels.items():
        if seen[speaker] and discourse.compatible(seen[speaker][0], label):
            discourse.link(seen[speaker][0], label, "speaker label", speaker)


def _match_letter(discourse: Discourse) -> None:
    """Letters: Dear Ann is you, and the name in the last line is I."""
    greeted = _greeted(discourse)
    if greeted is None:
        return
    first, last = (_first_pronoun(discourse, name) for name in ("you_pronouns", "first_pronouns"))
    if first and discourse.compatible(first, greeted):
        discourse.link(first, greeted, "letter", "who is greeted")
    start, end = discourse.parse.sentences[-1]
    signed = [m for m in discourse.by_sentence[-1] if m.kind is Kind.NAME and m.end >= end - 1]
    if (
        last
        and signed
        and end - start <= discourse.lexicon.limits["label"] + 2
        and discourse.compatible(last, signed[0])
    ):
        discourse.link(signed[0], last, "letter", "who signs")


def _greeted(discourse: Discourse) -> Markable | None:
    """Find the name behind Dear, at the beginning of a letter."""
    parse = discourse.parse
    for markables in discourse.by_sentence[: int(discourse.lexicon.windows["headline"])]:
        for markable in markables:
            before = parse.lower[markable.start - 1] if markable.start else ""
            if markable.kind is Kind.NAME and "dear" in (before, markable.words[0]):
                return markable
    return None


def _first_pronoun(discourse: Discourse, name: str) -> Markable | None:
    words = discourse.lexicon[name]
    return next((m for m in discourse.markables if m.is_pronoun and m.head_word in words), None)


def match_mail(discourse: Discourse) -> None:
    """From: Clara Holt … To: Peter Moss: who writes is I, who gets it is you."""
    parse, longest = discourse.parse, int(discourse.lexicon.limits["e-mail"])
    heads = list(_mail_heads(parse, longest))
    if {head for head, _ in heads} != MAIL_HEADS.keys():
        return
    for head, colon in heads:
        near = (m for m in discourse.markables if colon < m.start <= colon + longest)
        name = next((m for m in near if m.kind is Kind.NAME and not m.coordinated), None)
        if name and parse.tags[name.head] in NAME_TAGS:
            _link_first(discourse, name, MAIL_HEADS[head], "e-mail")


def _mail_heads(parse: Parse, longest: int) -> Iterator[tuple[str, int]]:
    """Find From: and To: at the beginning of a text, each with its colon."""
    seen: set[str] = set()
    for word in range(min(len(parse.words) - 1, 10 * longest)):
        head = parse.lower[word]
        if head in MAIL_HEADS and head not in seen and parse.words[word + 1] == ":":
            seen.add(head)
            yield head, word + 1


def match_news(discourse: Discourse) -> None:
    """Link what a headline or a slug names with the phrases that introduce it in the text."""
    headline, sentences = _headline(discourse), discourse.lexicon.windows["headline"]
    if headline is None:
        return
    body = [m for m in discourse.markables if 0 < m.sentence <= sentences and not m.coordinated]
    for markable in discourse.by_sentence[0]:
        bare = markable.determiner is None and markable.possessor is None
        if bare and not markable.label and (markable.start, markable.end) == headline:
            _link_slug(discourse, markable, body)
        elif bare and not markable.label and not markable.is_pronoun:
            _link_headline(discourse, markable, body)


def _headline(discourse: Discourse) -> Span | None:
    """Find what may be a headline: the first sentence, if it is short and ends in no mark."""
    parse, longest = discourse.parse, discourse.lexicon.limits["headline"]
    start, end = parse.sentences[0]
    return (start, end) if 0 < end - start <= longest and parse.words[end - 1] not in ENDS else None


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
    for sentence in range(min(int(discourse.lexicon.windows["headline"]), len(parse.sentences))):
        start, end = parse.sentences[sentence]
        named = [m for m in discourse.by_sentence[sentence] if m.kind is Kind.NAME and m.start == start + 1]
        if parse.lower[start] == "by" and named and named[0].end == end:
            _link_first(discourse, named[0], "first_pronouns", "byline")
            return


def _link_first(discourse: Discourse, name: Markable, pronouns: str, rule: str) -> None:
    """Link the first pronoun of a person, outside of quotations, with a name."""
    words = discourse.lexicon[pronouns]
    for markable in discourse.markables:
        speaks = markable.is_pronoun and markable.head_word in words and not discourse.quoted[markable.head]
        if speaks and markable.start >= name.end:
            if discourse.compatible(markable, name):
                discourse.link(markable, name, rule, " ".join(name.words))
            return


def match_items(discourse: Discourse) -> None:
    """In a list of people, he and she are whom their item begins with: * Clara Holt. She paints."""
    begins = list(_items(discourse.parse))
    if len(begins) < discourse.lexicon.limits["list items"]:
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
