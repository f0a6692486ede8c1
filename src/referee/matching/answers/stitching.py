"""Joins answers about the windows of a document: one set of entities in the document's words.

**Which window decides.** Where two windows overlap, the earlier one decides up to the middle of what they
share and the later one from there on, so that each mention is decided where more of the text around it is
seen. A mention that reaches beyond the earlier window is the later one's. A window without an answer decides
nothing.

**Which entities are the same.** An id that the window's prompt listed is the entity that it stood for then.
Any other id is an entity that was found before if most of the mentions that it shares with one, in the
overlap, are that entity's; otherwise it is new, and is renamed if its id is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from referee.exceptions import FormatError
from referee.formats.marked.manifest import ANSWERED, CUT, Carried, digest_of
from referee.formats.marked.markings import abridged
from referee.formats.marked.text import Answer
from referee.formats.marked.windowed import WindowAnswer, WindowedAnswers
from referee.formats.validation import DOCUMENT, Problem
from referee.matching.answers.losses import (
    ANOTHER_TEXT,
    UNPARSABLE,
    LostMention,
    LostWindow,
    TextLoss,
    joined_losses,
    loss_notices,
)
from referee.matching.answers.placing import document_problems, loss_problems, place_answer
from referee.matching.pairing import pair_documents
from referee.model import Cluster, Corpus, Document, DocumentCorpus, Mention, Text, Window

NUMBERED = re.compile(r"(\D{0,40})(\d{1,12})")
MORE = "one of several answers, of which the longest is read"


@dataclass(slots=True)
class Stitching:
    """The entities that the windows of a document have had so far."""

    text: Text
    entities: dict[str, list[Mention]] = field(default_factory=dict)  # in the order of their first windows
    end: int = 0  # of the words that have been answered
    taken: int = 0  # ids that a window gave to a new entity although another has them
    found_in: dict[tuple[str, str], str] = field(default_factory=dict)  # an answer and an id in it → entity

    def add(self, window: Window, clusters: Sequence[Cluster], answer: WindowAnswer) -> None:
        """Join the clusters of the next window."""
        found = {each.id: [window.in_whole(mention) for mention in each.mentions] for each in clusters}
        names = self._names(found, answer.carried)
        self.found_in |= {(answer.prompt.name, id_): names[id_] for id_ in found}
        middle = self._middle(window)
        for id_, mentions in list(self.entities.items()):
            self.entities[id_] = [mention for mention in mentions if self._place(mention) < middle]
        for id_, mentions in found.items():
            entity = self.entities.setdefault(names[id_], [])
            entity += [each for each in mentions if self._place(each) >= middle or each.end > self.end]
        self.end = max(self.end, window.end)

    def clusters(self) -> tuple[Cluster, ...]:
        """List the entities that have mentions."""
        return tuple(Cluster(id_, tuple(sorted(some))) for id_, some in self.entities.items() if some)

    def next_id(self) -> str:
        """Name the first id that is free, with and after all numbers that are in use: e7 after e6.

        >>> Stitching(Text("d", (), ()), {"e6": [], "x": []}).next_id()
        'e7'
        """
        parts = [match for id_ in self.entities if (match := NUMBERED.fullmatch(id_))]
        prefix = Counter(match[1] for match in parts).most_common(1)[0][0] if parts else ""
        return f"{prefix}{max((int(match[2]) for match in parts), default=0) + 1}"

    def carried(self, ids: Iterable[str]) -> Carried:
        """Say in which answers some entities were found, and under which ids."""
        wanted: dict[str, list[tuple[str, str]]] = {id_: [] for id_ in ids}
        for place, entity in self.found_in.items():
            if entity in wanted:
                wanted[entity].append(place)
        return wanted

    def _names(self, found: dict[str, list[Mention]], carried: Carried) -> dict[str, str]:
        """Say which entity each id of a window stands for."""
        listed = {id_: self._latest(carried[id_]) for id_ in found if id_ in carried}
        names = {id_: entity for id_, entity in listed.items() if entity is not None}
        owners = {mention: id_ for id_, mentions in self.entities.items() for mention in mentions}
        votes: list[tuple[int, str, str]] = []
        for id_ in found.keys() - names.keys():
            shared = Counter(owners[mention] for mention in found[id_] if mention in owners)
            votes += [(-count, id_, entity) for entity, count in shared.items()]
        for _, id_, entity in sorted(votes):
            if id_ not in names and entity not in names.values():
                names[id_] = entity
        fresh = [id_ for id_ in found if id_ not in names]
        names |= {id_: id_ for id_ in fresh if id_ not in self.entities}
        self.entities |= {id_: [] for id_ in fresh if id_ in names}
        for id_ in fresh:
            if id_ not in names:  # it is another entity's
                self.taken += bool(carried)
                names[id_] = self.next_id()
                self.entities[names[id_]] = []
        return names

    def _latest(self, places: Sequence[tuple[str, str]]) -> str | None:
        """Find the entity of the latest of some answers that still count."""
        return next((self.found_in[place] for place in reversed(places) if place in self.found_in), None)

    def _middle(self, window: Window) -> int:
        """Choose the word from which on a window decides: the beginning of a sentence near the middle."""
        if window.start >= self.end:
            return window.start
        middle = (window.start + self.end) / 2
        inside = [start for start, _ in self.text.sentences if window.start < start < self.end]
        return min(inside, key=lambda start: abs(start - middle), default=int(middle))

    def _place(self, mention: Mention) -> int:
        """Say before which word a mention begins; a zero is where it would be written."""
        start = mention.start
        return start if start < self.text.length else self.text.zeros[start - self.text.length].before


def fitted_windows(
    key: Corpus, answers: WindowedAnswers, *, strict: bool
) -> tuple[DocumentCorpus, list[str], list[TextLoss]]:
    """Put answers about windows on the key's words, and report what is lost."""
    pairs, _ = pair_documents(key, answers, strict=strict)
    documents = [Document(Text(id_, (), ()), ()) for id_ in answers.ids]
    losses = []
    for k, r in pairs:
        if r is not None:
            document, loss = stitched(key.document(k), answers.windows(r), str(answers.folder))
            documents[r] = document.with_text(id=answers.ids[r])
            losses.append(loss)
    changed = [loss for loss in losses if not loss.is_whole]
    told = list(loss_notices(answers.name, losses))
    if changed and strict:
        raise FormatError(f"{changed[0].where}: {told[0]}; protocol='strict' refuses that")
    corpus = DocumentCorpus(documents, answers.name)
    corpus.cut = key.cut
    corpus.notices = list(answers.notices)
    return corpus, told, losses


def window_problems(key: Corpus, answers: WindowedAnswers) -> Iterator[Problem]:
    """List all that is lost of answers about windows: documents, windows, words, then mention by mention."""
    pairs, differences = pair_documents(key, answers, strict=False)
    yield from document_problems(differences)
    for k, r in pairs:
        if r is not None:
            _, loss = stitched(key.document(k), answers.windows(r), str(answers.folder))
            yield from (
                Problem(
                    lost.where, DOCUMENT, f"document {loss.document}: window {lost.window}: {lost.reason}"
                )
                for lost in loss.lost_windows
            )
            yield from loss_problems(loss)


def stitched(key: Document, answers: Sequence[WindowAnswer], folder: str) -> tuple[Document, TextLoss]:
    """Join the answers about a document's windows."""
    stitching, losses = Stitching(key.text), list[TextLoss]()
    for answer in answers:
        window = window_of(key, answer, folder)
        document, loss = placed_window(window, answer, folder)
        losses.append(loss)
        if document:
            stitching.add(window, document.clusters, answer)
    loss = replace(joined_losses(key.id, losses), taken_ids=stitching.taken)
    return Document(key.text, stitching.clusters()), loss


def window_of(key: Document, answer: WindowAnswer, folder: str) -> Window:
    """Cut the window of an answer out of the key, unless its words are others than those asked about."""
    prompt = answer.prompt
    if prompt.end > key.text.length or prompt.words != words_digest(key, prompt.start, prompt.end):
        raise FormatError(
            f"{folder}: document {key.id}, words {prompt.start + 1} to {prompt.end}: the prompt was made of "
            "another text than the key's; give the corpus that the prompts were made of"
        )
    return Window.of(key, prompt.start, prompt.end)


def placed_window(window: Window, answer: WindowAnswer, folder: str) -> tuple[Document | None, TextLoss]:
    """Put an answer on the words of its window; None if there is nothing to read."""
    prompt = answer.prompt
    where = f"{folder}/{prompt.name}"  # without a line, if there is no file
    if answer.outcome not in (ANSWERED, CUT) or not answer.answers:
        return None, _unread(window, answer, where)
    read = max(answer.answers, key=_marks)
    document, loss = place_answer(window.document, read)
    if not _marks(read) and loss.is_another_text:
        return None, _unread(window, answer, where)
    reason = CUT if answer.outcome == CUT else ANOTHER_TEXT if loss.is_another_text else ""
    lost = [LostMention(f"{each.path}:{each.line}", MORE, abridged(each.marking.text))
            for each in answer.answers if each is not read]  # fmt: skip
    windows = [LostWindow(loss.where, prompt.window, reason)] if reason else []
    return document, replace(loss, lost=[*loss.lost, *lost], lost_windows=windows, windows=1)


def _marks(answer: Answer) -> int:
    return len(answer.marking.marks) + len(answer.marking.wanted)


def _unread(window: Window, answer: WindowAnswer, where: str) -> TextLoss:
    """Describe a window of which nothing was read."""
    reason = UNPARSABLE if answer.outcome == ANSWERED else answer.outcome
    if answer.answers:
        where = f"{answer.answers[0].path}:{answer.answers[0].line}"
    lost = LostWindow(where, answer.prompt.window, reason)
    id_ = window.document.id
    return TextLoss(id_, where, "", 0, 0, 0, 0, 0, 0, 0, (), has_text=False, windows=1, lost_windows=[lost])


def words_digest(document: Document, start: int, end: int) -> str:
    """Sum up some words of a document."""
    return digest_of(document.words[start:end])
