"""Resolves texts with any resolver: what Python gives, or many texts, in this process or in several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar, overload

from referee.exceptions import ProtocolError, RefereeError, SettingError
from referee.formats.failures import Failure, Failures, failure_of, is_of_the_run, refuse_if_none_is_left
from referee.model import Corpus, Document, DocumentCorpus, SelectedDocuments, Text
from referee.resolvers.base import (
    LINKER,
    Resolver,
    default_resolver,
    linking_resolver,
    raw_text,
    resolver_within,
)
from referee.resolvers.notices import Choice, warned
from referee.resolvers.raw_texts import RawTexts
from referee.resolvers.resolved import Resolved, ResolvedCorpus, ResolvedTexts
from referee.scoring.engines import Engine, Jobs, OneProcess, Processes, engine_for

Given = str | Text | Document


@overload
def resolve(
    texts: Given, resolver: str | None = None, *, strict: bool = False, **settings: Any
) -> Resolved: ...
@overload
def resolve(
    texts: Sequence[Given], resolver: str | None = None, *, strict: bool = False, **settings: Any
) -> ResolvedTexts: ...
@overload
def resolve(
    texts: Corpus, resolver: str | None = None, *, strict: bool = False, **settings: Any
) -> ResolvedCorpus: ...
def resolve(
    texts: Given | Sequence[Given] | Corpus,
    resolver: str | None = None,
    *,
    strict: bool = False,
    **settings: Any,
) -> Resolved | ResolvedTexts | ResolvedCorpus:
    """Find the coreference of one text, of several, or of a corpus, whose words and sentences stay.

    Each text is resolved alone: `link` finds who and what occurs in several. If one of several fails, the
    others are resolved, and a `FailureWarning` names it. In the list that is returned it keeps its place: its
    `Resolved` has no clusters, and its `failure` gives the reason. A corpus that is returned lacks it, and
    lists it in `failures`, as the list does.

    Args:
        texts: A string, which is running text; a text or document; a list of these; or a corpus.
        resolver: `neural`, `camp`, or what installed packages add; otherwise the best that is installed.
        strict: Whether the first text that fails ends the work with its error.
        **settings: Those that the resolver declares.

    Returns:
        A `Resolved` for one text, a list of them for several, and a corpus for a corpus.

    Raises:
        SettingError: If there is no such resolver or setting, or the resolver links documents.
        MissingExtra: If the resolver needs a package that is not installed.
        RefereeError: If the only text fails, or all of them do.

    Examples:
        >>> import referee
        >>> referee.resolve("Tom slept. He snored.", resolver="camp").clusters  # doctest: +SKIP
        [[(0, 1), (3, 4)]]
    """
    name = resolver or default_resolver(settings)
    chosen = warned(resolver_within(name, **settings))
    failures = Failures(strict)
    if isinstance(texts, Corpus):
        found = ResolvedCorpus(resolve_all(chosen, texts, failures=failures), f"{texts.name} by {name}")
        return _with_failures(found, failures, len(found))
    if isinstance(texts, str | Text | Document):
        return Resolved(_resolved(chosen, texts, 0), choice=_choice(chosen, texts, 0))
    results = [_resolved_or_failed(chosen, text, number, failures) for number, text in enumerate(texts)]
    done = sum(not result.failure for result in results)
    return _with_failures(ResolvedTexts(results), failures, done)


@overload
def link(
    texts: Sequence[Given], resolver: str = LINKER, *, strict: bool = False, jobs: Jobs = 1, **settings: Any
) -> ResolvedTexts: ...
@overload
def link(
    texts: Corpus, resolver: str = LINKER, *, strict: bool = False, jobs: Jobs = 1, **settings: Any
) -> ResolvedCorpus: ...
def link(
    texts: Sequence[Given] | Corpus,
    resolver: str = LINKER,
    *,
    strict: bool = False,
    jobs: Jobs = 1,
    **settings: Any,
) -> ResolvedTexts | ResolvedCorpus:
    """Link mentions of the same thing across texts, or across the documents of a corpus.

    If a text fails, the others are linked without it, and it is reported as by `resolve`.

    Args:
        texts: A list of strings, which are running texts, of texts or of documents; or a corpus.
        resolver: `across`, or what installed packages add.
        strict: Whether the first text that fails ends the work with its error.
        jobs: The number of processes, or an engine, such as a `DaskEngine`; the clusters are the same.
        **settings: Those that the resolver declares.

    Returns:
        A list of `Resolved`, in which an entity has the same id in each text that mentions it; its method
            `recurring` lists who and what is in several, and `joins` what was joined to what, and why. For a
            corpus, a corpus, which has `joins`, too.

    Raises:
        SettingError: If there is no such resolver or setting, or there is one text alone.
        MissingExtra: If the resolver needs a package that is not installed.
        EngineError: If a process is killed.

    Examples:
        >>> import referee
        >>> texts = ["Ann Lee won.", "Ann Lee lost."]
        >>> [entity.name for entity in referee.link(texts).recurring()]  # doctest: +SKIP
        ['Ann Lee']
    """
    chosen = warned(linking_resolver(resolver, **settings))
    failures = Failures(strict)
    if isinstance(texts, Corpus):
        linked = link_all(chosen, texts, failures, jobs=jobs)
        named = ResolvedCorpus(linked, f"{texts.name} by {resolver}", cross_document=linked.cross_document)
        named.source = linked
        return _with_failures(named, failures, len(named))
    if isinstance(texts, str | Text | Document):
        raise SettingError("texts= to be linked are several: give a list of them, or call referee.resolve()")
    given = [_document(text, number) for number, text in enumerate(texts)]
    corpus = LocatedTexts(given, "texts", [document.id for document in given])
    linked = link_all(chosen, corpus, failures, jobs=jobs)
    documents = {document.id: document for document in linked}
    reasons = dict(failures.found)
    results = [
        Resolved(documents.get(each.id, replace(each, clusters=())), reasons.get(each.id, ""))
        for each in given
    ]
    found = ResolvedTexts(results, linked=True)
    found.source = linked
    return _with_failures(found, failures, len(documents))


class LocatedTexts(DocumentCorpus):
    """Texts without clusters, each with where it is: in a file, or by its name if a program gave it."""

    def __init__(self, documents: Sequence[Document], name: str, locations: Sequence[str]) -> None:
        """Keep the documents, and the location of each."""
        super().__init__(documents, name)
        self.locations = list(locations)

    @classmethod
    def of_files(cls, texts: RawTexts, name: str) -> LocatedTexts:
        """Take running texts."""
        return cls([Document(text, ()) for text in texts], name, texts.files)

    def location(self, number: int, word: int | None = None) -> str:
        """Name the file or the document."""
        del word
        return self.locations[number]

    def some(self, numbers: Sequence[int]) -> LocatedTexts:
        """Choose some of them."""
        return LocatedTexts(
            [self.documents[number] for number in numbers],
            self.name,
            [self.locations[number] for number in numbers],
        )


T = TypeVar("T", ResolvedTexts, ResolvedCorpus)


def _with_failures(results: T, failures: Failures, done: int) -> T:
    """Keep the failures with the results, and warn of them; refuse results of which there are none."""
    refuse_if_none_is_left(done, failures.found)
    failures.warn()
    results.failures = tuple(failures.found)
    return results


def _resolved(chosen: Resolver, given: Given, number: int) -> Document:
    if isinstance(given, Document):
        return chosen.respond_to(given)
    return next(iter(chosen.resolve([_text(given, number)])))


def _choice(chosen: Resolver, given: Given, number: int) -> Choice | None:
    return chosen.choice_for(_document(given, number).text)


def _resolved_or_failed(chosen: Resolver, given: Given, number: int, failures: Failures) -> Resolved:
    """Resolve one of several texts; one that fails keeps its text, without clusters."""
    document = _document(given, number)
    try:
        return Resolved(_resolved(chosen, given, number), choice=_choice(chosen, given, number))
    except Exception as error:
        failures.add(document.id, error)
        return Resolved(replace(document, clusters=()), failures.found[-1].reason)


def _document(given: Given, number: int) -> Document:
    return given if isinstance(given, Document) else Document(_text(given, number), ())


def _text(given: str | Text, number: int) -> Text:
    return raw_text(str(number), given) if isinstance(given, str) else given


@dataclass(frozen=True, slots=True)
class Resolving:
    """What is done with a batch of texts; it travels to other processes, where the resolver is opened."""

    resolver: Resolver
    texts: Sequence[Text] | Corpus
    strict: bool = True

    def __call__(self, batch: range) -> tuple[list[Document | Failure], Sequence[str]]:
        """Resolve some of the texts, and give the notices that there are after reading them.

        Unless it is strict, a text that cannot be resolved is a failure.
        """
        results = [self._document(number) for number in batch]
        return results, self.texts.notices if isinstance(self.texts, Corpus) else ()

    def _document(self, number: int) -> Document | Failure:
        try:
            given = self.texts.document(number) if isinstance(self.texts, Corpus) else self.texts[number]
            if isinstance(given, Document):
                return self.resolver.respond_to(given)
            return next(iter(self.resolver.resolve([given])))
        except Exception as error:
            if is_of_the_run(error):
                raise
            failure = self._failure(number, error)
            if self.strict:
                raise RefereeError(str(failure)) from error
            return failure

    def _failure(self, number: int, error: Exception) -> Failure:
        """Say in which file or line the document is; a resolver's message names the document alone."""
        texts = self.texts
        if isinstance(texts, Corpus):
            id_, where = texts.ids[number], texts.location(number)
        else:
            id_ = texts[number].id
            where = texts.files[number] if isinstance(texts, RawTexts) else id_
        named = (
            RefereeError(str(error).removeprefix(f"{id_}: ")) if isinstance(error, RefereeError) else error
        )
        return failure_of(where, named)


def resolve_all(
    resolver: Resolver,
    texts: Sequence[Text] | Corpus,
    jobs: Jobs = 1,
    failures: Failures | None = None,
) -> Iterator[Document]:
    """Resolve texts one by one, in order; those that fail go to `failures`, or else end the work."""
    if resolver.across_documents:
        raise ProtocolError("clusters across documents are made of all texts at once: respond_to_corpus")
    failures = failures or Failures(strict=True)
    batches = [range(number, number + 1) for number in range(len(texts))]
    engine = _afresh(engine_for(jobs))
    for results, notices in engine.map(Resolving(resolver, texts, failures.strict), batches):
        if isinstance(texts, Corpus):
            texts.note(notices)  # those of another process are not known here
        for result in results:
            if isinstance(result, Failure):
                failures.found.append(result)
            else:
                yield result


def link_all(
    resolver: Resolver,
    corpus: Corpus,
    failures: Failures,
    progress: Callable[[int], None] | None = None,
    jobs: Jobs = 1,
) -> DocumentCorpus:
    """Link the documents of a corpus; if that fails, without those that cannot be resolved alone either."""
    respond = _responding(resolver, jobs)
    try:
        return respond(corpus, progress)
    except Exception as error:
        if is_of_the_run(error):
            raise
        fine = [number for number in range(len(corpus)) if _works_alone(resolver, corpus, number, failures)]
        if len(fine) == len(corpus):
            raise
    refuse_if_none_is_left(len(fine), failures.found)
    return respond(_some_documents(corpus, fine), None)


def _responding(
    resolver: Resolver, jobs: Jobs
) -> Callable[[Corpus, Callable[[int], None] | None], DocumentCorpus]:
    """Say how a resolver links documents: in this process, or with an engine if it takes one."""
    engine = _afresh(engine_for(jobs))
    if isinstance(engine, OneProcess):
        return resolver.respond_to_corpus
    if not resolver.takes_engines:
        raise SettingError("jobs= needs a resolver that divides its work: this one links all texts at once")
    respond: Any = resolver.respond_to_corpus  # of one that takes engines
    return partial(respond, engine=engine)


def _afresh(engine: Engine) -> Engine:
    """Start processes afresh: the threads of a model that is open here cannot fork."""
    return replace(engine, start="spawn") if isinstance(engine, Processes) else engine


def _some_documents(corpus: Corpus, numbers: Sequence[int]) -> Corpus:
    if isinstance(corpus, LocatedTexts):
        return corpus.some(numbers)
    if type(corpus) is DocumentCorpus:  # whose texts may not be cut into words yet, which views cannot be
        return DocumentCorpus([corpus.documents[number] for number in numbers], corpus.name)
    return SelectedDocuments(corpus, numbers, [corpus.ids[number] for number in numbers])


def _works_alone(resolver: Resolver, corpus: Corpus, number: int, failures: Failures) -> bool:
    """Resolve one document; if that fails it is a failure, but what it lacks when alone is not."""
    try:
        resolver.respond_to_corpus(_some_documents(corpus, [number]))
    except ProtocolError:
        return True
    except Exception as error:
        failures.add(corpus.location(number), error)
        return False
    return True
