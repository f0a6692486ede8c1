"""Which texts are added to a store, in which batches, and what is said of those that are not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from referee.display import Rows, number_of
from referee.exceptions import FormatError, RefereeError, SettingError
from referee.formats.failures import Failure, Failures, is_of_the_run
from referee.model import Corpus, Document, Text
from referee.resolvers.across import across
from referee.resolvers.across.explaining import ExplainedJoin, MentionKey
from referee.resolvers.across.mentions import AcrossScorer
from referee.resolvers.across.store import files
from referee.resolvers.across.store.adding import add_texts
from referee.resolvers.across.store.contents import Contents, digest_of
from referee.resolvers.across.store.decisions import MERGE, SPLIT, Decision, write_decisions
from referee.resolvers.neural.cutting import cut_raw
from referee.resolvers.neural.models import linking_model

BATCH = 250  # texts that are linked at once; each batch is kept when it is done
WEIGHTS = ("across.safetensors", "across.json", "reader.safetensors", "compatibility.safetensors")
GIVEN = -1  # instead of the number of a text in the store: it is among those to be added
Given = str | Text | Document


@dataclass(frozen=True, repr=False)
class Addition(Rows):
    """What adding texts did."""

    added: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    same: tuple[tuple[str, str], ...] = ()  # texts that were there already, and under which name
    joins: tuple[ExplainedJoin, ...] = ()
    taken_back: tuple[ExplainedJoin, ...] = ()  # joins of before that new texts have shown to be wrong
    failures: tuple[Failure, ...] = ()
    notices: tuple[str, ...] = ()

    _output = "store:addition_output"

    def to_dict(self) -> dict[str, Any]:
        """Give it in plain values."""
        return {
            "added": list(self.added), "replaced": list(self.replaced),
            "same": [{"text": text, "as": other} for text, other in self.same],
            "joins": [join.to_dict() for join in self.joins],
            "taken back": [join.to_dict() for join in self.taken_back],
            "failures": [failure._asdict() for failure in self.failures], "notices": list(self.notices),
        }  # fmt: skip


@dataclass(frozen=True)
class Incoming:
    """A text to be added, and the number of the one that it replaces."""

    text: Text
    whole: Sequence[str]  # all words of it, also those that are not annotated
    replaces: int | None = None


@dataclass
class Growth:
    """A store while texts are added; its lock is held."""

    folder: Path
    manifest: files.Manifest
    scorer: AcrossScorer
    failures: Failures
    progress: Callable[[int], None] | None = None
    done: Addition = field(default_factory=Addition)

    def __post_init__(self) -> None:
        """Read the store."""
        self.contents = Contents.read(self.folder, self.manifest)

    def add(self, texts: Sequence[Given] | Corpus, *, update: bool) -> Addition:
        """Add texts that are new, batch by batch."""
        incoming, same = self._sorted(texts, update=update)
        for begin in range(0, len(incoming), BATCH):
            self._add(incoming[begin : begin + BATCH])
        return replace(self.done, same=tuple(same), failures=tuple(self.failures.found))

    def _sorted(
        self, texts: Sequence[Given] | Corpus, *, update: bool
    ) -> tuple[list[Incoming], list[tuple[str, str]]]:
        """Say which texts are new, and which are there; what has the name of another is a failure."""
        contents, incoming, same = self.contents, list[Incoming](), list[tuple[str, str]]()
        names = {**contents.numbers}
        known = {contents.digests[number]: name for name, number in names.items()}
        for count, given in enumerate(texts):
            text = _text(given, len(contents.texts) + count)
            digest, number = digest_of(text), names.get(text.id)
            if digest in known:
                same.append((text.id, known[digest]))
            elif number is not None and (number == GIVEN or not update):
                self.failures.add(text.id, RefereeError(_taken(number)))
            else:
                whole = texts.all_words(count) if isinstance(texts, Corpus) else ()
                incoming.append(Incoming(text, whole or text.words, number))
                names[text.id], known[digest] = GIVEN, text.id
        return incoming, same

    def _add(self, batch: Sequence[Incoming]) -> None:
        """Add a batch; if that fails, its texts one by one, so that the others are added."""
        texts, gone = [each.text for each in batch], [n for each in batch if (n := each.replaces) is not None]
        try:
            whole = [each.whole for each in batch]
            manifest = add_texts(self.contents, texts, whole, self.scorer, gone, self.progress)
        except Exception as error:
            if is_of_the_run(error) or isinstance(error, FormatError):
                raise
            if len(batch) == 1:
                self.failures.add(texts[0].id, error)
            else:
                for one in batch:
                    self._add([one])
            return
        self.contents = Contents.read(self.folder, manifest)
        notices = self._follow(texts, gone) if gone and self.contents.decisions else []
        done, joins = self.done, self.contents.explained(manifest.additions)
        self.done = replace(
            done,
            added=(*done.added, *(each.text.id for each in batch if each.replaces is None)),
            replaced=(*done.replaced, *(each.text.id for each in batch if each.replaces is not None)),
            joins=(*done.joins, *joins), notices=(*done.notices, *notices),
            taken_back=(*done.taken_back, *self.contents.explained_taken_back(manifest.additions)),
        )  # fmt: skip

    def _follow(self, texts: Sequence[Text], gone: Sequence[int]) -> list[str]:
        """Lead what people decided about texts that were replaced to the same words of the new ones."""
        contents = self.contents
        old = {contents.texts[number].id: contents.texts[number] for number in gone}
        new = {text.id: text for text in texts}
        named = {key for decision in contents.decisions for key in decision.keys if key.text in old}
        moves = {key: _same_words(key, old[key.text], new[key.text], contents.known) for key in named}
        followed = [_moved(decision, moves) for decision in contents.decisions]
        write_decisions([each for each in followed if each], self.folder / files.DECISIONS)
        self.contents = Contents.read(self.folder, contents.manifest)
        lost = sum(each is None for each in followed)
        said = "of people about words that the new texts do not have"
        return (
            [f"{number_of(lost, 'decision')} {said} {'is' if lost == 1 else 'are'} dropped"] if lost else []
        )


def opened_growth(
    folder: Path, settings: Mapping[str, Any], failures: Failures, progress: Callable[[int], None] | None
) -> Growth:
    """Open a store's model, which must be the one that the store was made with."""
    manifest = files.read_manifest(folder)
    scorer = across.opened_scorer(settings["model"], settings["threads"])
    name, digest = model_facts(settings["model"])
    new = files.Manifest(model=name, digest=digest, kind=settings["kind"], threshold=settings["threshold"])
    if manifest and manifest.digest != digest:
        raise SettingError(
            f"{folder}: made with the model {manifest.model}, and this is {name}, whose vectors are others; "
            "give model=, or link the texts into a new store"
        )
    for setting, usual in (("kind", "all"), ("threshold", None)):
        if manifest and settings[setting] not in (usual, getattr(manifest, setting)):
            made = getattr(manifest, setting)
            raise SettingError(f"{folder}: made with {setting}={made!r}, so it cannot take another")
    return Growth(folder, manifest or new, scorer, failures, progress)


def model_facts(model: str | None) -> tuple[str, str]:
    """Name a model, and say by which its vectors are recognised."""
    found = linking_model(model)
    digest = blake2b(digest_size=16)
    for name in WEIGHTS:
        path = found.folder / name
        digest.update(path.read_bytes() if path.exists() else b"")
    return f"{found.name} {found.version}".strip(), digest.hexdigest()


def _taken(number: int) -> str:
    if number == GIVEN:
        return "another text of this name is given, too; rename it"
    return "another text of this name is in the store; update=True replaces it, or rename it"


def _text(given: Given, number: int) -> Text:
    text = given.text if isinstance(given, Document) else given
    text = Text(str(number), (), (), running=text) if isinstance(text, str) else text
    if text.zeros:  # which are the last words, and no mentions of the linker
        text = replace(text, words=text.words[: text.length], zeros=())
    return cut_raw(text) if text.running is not None and not text.words else text


Moves = Mapping[MentionKey, MentionKey | None]


def _same_words(key: MentionKey, old: Text, new: Text, known: Mapping[MentionKey, int]) -> MentionKey | None:
    """Find the mention of the new text that says the same, the nearest one."""
    words = old.words[key.start : key.end]
    fitting = [
        other for other in known if other.text == new.id and new.words[other.start : other.end] == words
    ]
    return min(fitting, key=lambda other: abs(other.start - key.start), default=None)


def _moved(decision: Decision, moves: Moves) -> Decision | None:
    """Name the mentions of new texts in a decision, as far as there are any; None if too few are left."""
    mentions, others = (
        tuple(found for key in keys if (found := moves.get(key, key)))
        for keys in (decision.mentions, decision.others)
    )
    needed = 2 if decision.kind == MERGE else 1
    if len(mentions) < needed or (decision.kind == SPLIT and not others):
        return None
    return replace(decision, mentions=mentions, others=others)
