"""Brings what a model wrote to the key: which document an answer is about, and where its mentions are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.exceptions import FormatError
from referee.formats.marked.atoms import StringFinder, atoms_of
from referee.formats.marked.markings import NOT_FOUND, OUTSIDE_TEXT, Marking, abridged
from referee.formats.marked.text import Answer, MarkedCorpus
from referee.formats.marked.windowed import WindowedAnswers
from referee.formats.validation import DOCUMENT, LOST, WORDS, Problem
from referee.matching.answers.losses import LostMention, TextLoss, loss_notices, percentage
from referee.matching.answers.text_alignment import AlignedText, KeyText, align_text
from referee.matching.pairing import Pair, pair_documents, plain_name
from referee.model import Cluster, Corpus, Document, DocumentCorpus, Mention, Span, Text, joined_spans

SEPARATORS = re.compile(r"[/\\:]")
Placed = dict[str, list[Mention]]  # cluster → mentions on the key's words


def file_name_of(id_: str) -> str:
    """Write a document's name as a file's: `bc/x; part 1` has no slash then.

    >>> file_name_of("(bc/cctv_0001); part 002")
    'bc_cctv_0001_2'
    """
    return SEPARATORS.sub("_", plain_name(id_))


def names_of_documents(ids: Sequence[str]) -> dict[str, str]:
    """List what files about documents may be called, and the documents; their own names go first."""
    short = {id_.rsplit("/", 1)[-1]: id_ for id_ in ids}
    return short | {file_name_of(id_): id_ for id_ in ids} | {id_: id_ for id_ in ids}


def named_after_key(key: Corpus, answers: MarkedCorpus) -> tuple[MarkedCorpus, list[str]]:
    """Say which of the key's documents answers are about, where they do not say it themselves."""
    if answers.named:
        return answers, []
    names = names_of_documents(key.ids)
    files = answers.by_file()
    if any(id_ in names for id_ in files.ids):
        return _renamed(files, [names.get(id_, id_) for id_ in files.ids]), []
    if len(files) == len(key) == 1:
        told = f"{files.answers[0].path}: taken for document {key.ids[0]}, the only one of the key"
        return _renamed(files, key.ids), [told]
    if len(files) == 1 and len(answers) == len(key):
        told = f"{answers.name}: its {len(answers)} lines are taken for the key's documents, in their order"
        return _renamed(answers, key.ids), [told]
    if not len(key):
        raise FormatError(f"{key.name}: the key has no documents")
    raise FormatError(
        f"{answers.name}: its files are not named after documents of the key, which has {len(key)} (the "
        f"first is {key.ids[0]}), and it does not have as many lines; name each file after its document"
    )


def _renamed(corpus: MarkedCorpus, ids: Sequence[str]) -> MarkedCorpus:
    answers = [replace(answer, id=id_) for answer, id_ in zip(corpus.answers, ids, strict=True)]
    return corpus.changed(answers, named=True)


def fitted_answers(
    key: Corpus, response: Corpus, *, strict: bool
) -> tuple[Corpus, list[str], Sequence[TextLoss]]:
    """Put what a model wrote on the key's words; other responses stay as they are."""
    if isinstance(response, WindowedAnswers):
        from referee.matching.answers.stitching import fitted_windows  # which places windows by this module

        return fitted_windows(key, response, strict=strict)
    if not isinstance(response, MarkedCorpus):
        return response, [], []
    answers, assumed = named_after_key(key, response)
    pairs, _ = pair_documents(key, answers, strict=strict)
    fitted, told, losses = fit_answers(key, answers, pairs)
    changed = [loss for loss in losses if not loss.is_whole]
    if changed and strict:
        raise FormatError(f"{changed[0].where}: {told[0]}; protocol='strict' refuses that")
    return fitted, assumed + told, losses


def fit_answers(
    key: Corpus, answers: MarkedCorpus, pairs: Sequence[Pair]
) -> tuple[DocumentCorpus, list[str], list[TextLoss]]:
    """Put the mentions of answers on the key's words, and report what is lost."""
    documents = [Document(Text(id_, (), ()), ()) for id_ in answers.ids]
    losses = []
    for k, r in pairs:
        if r is not None:
            documents[r], loss = place_answer(key.document(k), answers.answers[r])
            losses.append(loss)
    unlike = [loss for loss in losses if loss.is_another_text]
    if losses and len(unlike) == len(losses):
        raise FormatError(
            f"{unlike[0].where}: only {percentage(unlike[0].share)} of the words of document "
            f"{unlike[0].document} were found; give an answer about that text"
        )
    corpus = DocumentCorpus(documents, answers.name, cross_document=answers.cross_document)
    corpus.cut = key.cut
    corpus.notices = [notice for notice in answers.notices if notice != answers.about[0]]  # said below, too
    return corpus, list(loss_notices(answers.name, losses)), losses


def answer_problems(key: Corpus, answers: MarkedCorpus | WindowedAnswers) -> Iterator[Problem]:
    """List all that is lost of answers about a key's documents: words first, then mention by mention."""
    if isinstance(answers, WindowedAnswers):
        from referee.matching.answers.stitching import window_problems  # which places windows by this module

        yield from window_problems(key, answers)
        return
    answers, _ = named_after_key(key, answers)
    pairs, differences = pair_documents(key, answers, strict=False)
    yield from document_problems(differences)
    for k, r in pairs:
        if r is not None:
            yield from loss_problems(place_answer(key.document(k), answers.answers[r])[1])


def document_problems(differences: Sequence[str]) -> Iterator[Problem]:
    """List documents that are missing or too many, as `pair_documents` says it."""
    parts = (said.partition(": ") for said in differences)
    return (Problem(where, DOCUMENT, what) for where, _, what in parts)


def loss_problems(loss: TextLoss) -> Iterator[Problem]:
    """List what a document has lost: words first, then mention by mention."""
    if loss.kept < loss.words or loss.added:
        yield Problem(loss.where, WORDS, f"document {loss.document}: {loss.of_text}")
    yield from (Problem(lost.where, LOST, f"'{lost.shown}': {lost.reason}") for lost in loss.lost)


def place_answer(key: Document, answer: Answer) -> tuple[Document, TextLoss]:
    """Put the mentions of an answer on the words of a document."""
    marking = answer.marking
    text = KeyText(key.words[: key.text.length])
    lost: list[LostMention] = []
    placed: Placed = {}
    if not marking.has_text:
        kept, changed, moved, dropped, added = text.length, 0, 0, 0, 0
        _place_wanted(marking, text, answer, placed, lost)
        lost += _faults(answer, None)
    else:
        edges = [edge for mark in marking.marks for edge in (mark.start, mark.end)]
        aligned = align_text(text, atoms_of(marking.text, edges))
        kept, changed, moved, dropped, added = aligned.counts
        _place_marks(key.text, aligned, answer, placed, lost)
        lost += _faults(answer, aligned)
    clusters = tuple(Cluster(id_, tuple(sorted(mentions))) for id_, mentions in placed.items())
    loss = TextLoss(
        key.id,
        f"{answer.path}:{answer.line}",
        answer.notation,
        text.length,
        kept,
        changed,
        moved,
        dropped,
        added,
        sum(map(len, placed.values())) + len(lost),
        sorted(lost, key=lambda mention: _line(mention.where)),
        marking.has_text,
    )
    return Document(replace(key.text, id=answer.id), clusters), loss


def _line(where: str) -> int:
    return int(where.rsplit(":", 1)[1])


def _faults(answer: Answer, aligned: AlignedText | None) -> list[LostMention]:
    """List tags that went wrong, without brackets that the key's text has too."""
    return [
        LostMention(answer.where(fault.position), fault.reason, fault.shown)
        for fault in answer.marking.faults
        if fault.sign is None or aligned is None or not aligned.has_sign(fault.sign)
    ]


def _place_marks(
    key: Text, aligned: AlignedText, answer: Answer, placed: Placed, lost: list[LostMention]
) -> None:
    """Place mentions that are marked in a text."""
    zeros = _zeros_of(key, aligned, answer.marking)
    for mark in sorted(answer.marking.marks, key=lambda mark: mark.position):
        spans: list[Span] = []
        if mark.start < mark.end and (span := aligned.place(mark.start, mark.end)):
            spans.append(span)
        if not spans and mark.start < mark.end:
            zero_spans: list[Span] = []
        else:
            zero_spans = [(zeros[zero], zeros[zero] + 1) for zero in mark.zeros if zero in zeros]
        if spans or zero_spans:
            placed.setdefault(mark.id, []).append(Mention(joined_spans([*spans, *zero_spans])))
        else:
            lost.append(LostMention(answer.where(mark.position), NOT_FOUND, answer.marking.shown(mark)))


def _zeros_of(key: Text, aligned: AlignedText, marking: Marking) -> dict[int, int]:
    """Find each zero of an answer among the key's: one that depends on the word before it, or is there."""
    if marking.words is None:
        return {}
    free: dict[
        int, list[int]
    ] = {}  # the key's written words before → zeros, which come after or depend there
    for number, zero in enumerate(key.zeros):
        for before in {*(word + 1 for word, _ in zero.governors if word >= 0), zero.before}:
            free.setdefault(before, []).append(number)
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    ends = [end for _, end in marking.words]
    for number, (words, _) in enumerate(marking.zeros):
        before = aligned.word_at(ends[words - 1]) if words else 0
        options = [zero for zero in free.get(before, ()) if zero not in taken]
        governed = [z for z in options if any(word + 1 == before for word, _ in key.zeros[z].governors)]
        if options:
            pairs[number] = key.length + (governed or options)[0]
            taken.add((governed or options)[0])
    return pairs


def _place_wanted(
    marking: Marking, key: KeyText, answer: Answer, placed: Placed, lost: list[LostMention]
) -> None:
    """Place mentions that are strings, or numbers of the key's words."""
    finder = StringFinder(key.atoms)
    for wanted in marking.wanted:
        target = wanted.target
        if isinstance(target, str):
            span = finder.find(wanted.id, target)
            words = (int(key.owner[span[0]]), int(key.owner[span[1] - 1]) + 1) if span else None
            reason, shown = NOT_FOUND, abridged(target)
        else:
            words = (target[0], target[1] + 1) if 0 <= target[0] <= target[1] < key.length else None
            reason, shown = OUTSIDE_TEXT, str(list(target))
        if words:
            placed.setdefault(wanted.id, []).append(Mention.at(*words))
        else:
            lost.append(LostMention(answer.where(wanted.position), reason, shown))
