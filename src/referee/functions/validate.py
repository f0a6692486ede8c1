"""referee.validate: all that is wrong with some files."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import Any

from referee import formats
from referee.exceptions import FormatError
from referee.formats.failures import Failure, Failures
from referee.formats.marked.text import MarkedCorpus
from referee.formats.marked.windowed import WindowedAnswers
from referee.formats.reading import salvaged
from referee.formats.validation import ANNOTATION, UNREADABLE, Problem, problem_of, problems
from referee.matching.answers.placing import answer_problems
from referee.model import Corpus
from referee.scoring.task import gathered


def validate(*files: Any, key: Any = None) -> list[Problem]:
    """Find every problem of files: brackets, mentions, sentences, names of documents.

    Args:
        *files: Paths of files or folders, corpora, documents, or what else `read` takes.
        key: Compare documents and words with this corpus.

    Returns:
        The problems, each with where it is and what it is; an empty list if there are none.

    Raises:
        FormatError: If the key cannot be read. A file that cannot be read is a problem.

    Examples:
        >>> import referee
        >>> words = ["Ann", "said", "she", "slept", "."]
        >>> ann = referee.Cluster("1", (referee.Mention.at(0, 1), referee.Mention.at(2, 3)))
        >>> key = referee.Document.of("d", words, [(0, 5)], [ann])
        >>> referee.validate(key)
        []
        >>> other = referee.Document.of("e", words, [(0, 5)], [ann])
        >>> [problem.what for problem in referee.validate(other, key=key)]
        ['the key has no document e', 'document d of the key is missing']
    """
    return [problem for _, _, found in validated(files, key) for problem in found]


def validated(files: Any, key: Any = None) -> Iterator[tuple[str, int, list[Problem]]]:
    """Go through corpora, each with its name, the number of its documents and its problems."""
    key_corpus = None if key is None else formats.opened(key)
    for each in gathered(key_corpus, files) if key_corpus else files:
        found: list[Problem] = []
        try:
            corpus = _salvaged(each, found)
            found.extend(_problems(corpus, key_corpus))
        except FormatError as error:
            yield str(each), 0, [*found, problem_of(str(error), UNREADABLE)]
            continue
        yield corpus.name, len(corpus), found


def _salvaged(given: Any, found: list[Problem]) -> Corpus:
    """Read what can be read, and note why the rest cannot."""
    if not isinstance(given, str | PathLike):
        return formats.opened(given, role="response")
    failures = Failures()
    corpus = salvaged(given, failures)
    found += [_unreadable(failure) for failure in failures.found]
    return corpus


def _unreadable(failure: Failure) -> Problem:
    line, said, rest = failure.reason.partition(": ")
    if said and line.startswith("line "):
        return Problem(f"{failure.document}:{line.removeprefix('line ')}", UNREADABLE, rest)
    return Problem(failure.document, UNREADABLE, failure.reason)


def _problems(corpus: Corpus, key: Corpus | None) -> Iterator[Problem]:
    """List the problems of a corpus; a model's copy of a text is aligned to the key first."""
    if key and isinstance(corpus, MarkedCorpus | WindowedAnswers):
        return answer_problems(key, corpus)
    if isinstance(corpus, WindowedAnswers):
        return (Problem(where, ANNOTATION, what) for where, what in corpus.faults())
    return problems(corpus, key)
