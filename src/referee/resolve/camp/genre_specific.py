"""Genre-specific coreference: posts, transcripts, letters, mail, news, lists, each where it is the genre."""

from __future__ import annotations

from collections import Counter, defaultdict

from referee.resolve.camp.discourse import Discourse
from referee.resolve.camp.markables import Kind, Markable
from referee.resolve.camp.news_and_mail import match_bylines, match_items, match_mail, match_news
from referee.resolve.camp.parse_view import NOBODY

SIGNS = ("@", "#")
LEAST_LABELS = 3  # lines that begin with a name and a colon, in a text of speakers
LONGEST_LABEL = 3  # words


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
    parse = discourse.parse
    labels: dict[int, Markable] = {}  # sentence → its label
    for sentence, markables in enumerate(discourse.by_sentence):
        start = parse.sentences[sentence][0]
        label = next((m for m in markables if m.start == start and m.kind is Kind.NAME), None)
        if label and label.end - start <= LONGEST_LABEL and parse.words[label.end : label.end + 1] == [":"]:
            labels[sentence] = label
    counted = Counter(label.words for label in labels.values())
    if len(labels) < LEAST_LABELS or len(counted) < 2:
        return
    speaker = NOBODY
    first_of: dict[str, Markable] = {}
    for sentence, (start, end) in enumerate(parse.sentences):
        if sentence in labels:
            speaker = " ".join(labels[sentence].words)
            other = first_of.setdefault(speaker, labels[sentence])
            discourse.link(labels[sentence], other, "speaker label", speaker)
        parse.speakers[start:end] = [speaker] * (end - start)
    _link_speakers(discourse, first_of)


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
    if last and signed and end - start <= LONGEST_LABEL + 2 and discourse.compatible(last, signed[0]):
        discourse.link(signed[0], last, "letter", "who signs")


def _greeted(discourse: Discourse) -> Markable | None:
    """Find the name behind Dear, at the beginning of a letter."""
    parse = discourse.parse
    for markables in discourse.by_sentence[:3]:
        for markable in markables:
            before = parse.lower[markable.start - 1] if markable.start else ""
            if markable.kind is Kind.NAME and "dear" in (before, markable.words[0]):
                return markable
    return None


def _first_pronoun(discourse: Discourse, name: str) -> Markable | None:
    words = discourse.lexicon[name]
    return next((m for m in discourse.markables if m.is_pronoun and m.head_word in words), None)
