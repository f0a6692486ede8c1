"""What is scored, and how: the one value that scoring, comparing, error analysis and reports work from.

It is made here alone, from Python's arguments and from the command line's. Each file is opened once, and
whatever needs it afterwards is given the corpus.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeGuard

from referee import formats
from referee.exceptions import FormatError, RefereeError, SettingError
from referee.formats.catalogue import MARKED_ENDINGS
from referee.formats.failures import Failures
from referee.formats.io.opening import STDIN, opened_once, stem
from referee.matching.aligned import Aligned
from referee.matching.protocol import COREFUD_MATCHINGS, RELATION_LAYERS, UA_MATCHINGS, Protocol
from referee.matching.units import Groups, default_scope
from referee.metrics.standard import COREFUD, UA
from referee.model import Corpus, LayerView
from referee.model.mentions import DEIXIS
from referee.scoring.engines import HERE, Engine, Jobs, engine_for

PathName = str | PathLike[str]
Given = PathName | Corpus
CONLL, CROSSDOC = "conll", "crossdoc"


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """A key, the responses of some systems, and all that their scores depend on.

    `parses` is a file or folder of Penn trees, for matchings that need them and a key that has none.
    `groups` says which documents are one unit, if the protocol's scope is "group".
    """

    key: Corpus
    systems: Sequence[str]  # the names of those that the responses come from
    responses: Sequence[Corpus]
    protocol: Protocol
    parses: PathName | None = None
    groups: Groups | None = None
    engine: Engine = HERE
    preflight: Mapping[str, Sequence[str]] = field(default_factory=dict)  # system → what was found

    @classmethod
    def of(
        cls,
        key: Any,
        responses: Any,
        *,
        names: Sequence[str] | None = None,
        protocol: Protocol | str | None = None,
        choices: Mapping[str, str] | None = None,
        parses: PathName | None = None,
        groups: Groups | None = None,
        jobs: Jobs = 1,
        matchings: Sequence[str] = (),
        failures: Failures | None = None,
    ) -> Task:
        """Open what is given as a path, and decide on the protocol.

        It is the protocol that is given, or named, or the key's usual one, with the `choices` put over it; a
        scope or one of the `matchings` that are asked for may need CoNLL's rules, whatever is usual. Unless
        a scope is chosen, blocks are units where the key has them. Systems are called after their files, and
        a model's answers in one folder are one system, unless `names` are given. Files of a folder that
        cannot be read go to `failures`, if given.
        """
        choices = choices or {}
        asked = protocol if isinstance(protocol, Protocol) else Protocol.parse(protocol or CONLL)
        strict, ids = asked.strict, choices.get("ids", asked.ids)
        failures = None if strict else failures
        key = formats.opened(key, failures, strict=strict, ids=ids)
        given = _as_list(responses)
        given = given if names else gathered(key, given)
        how: dict[str, Any] = {"role": "response", "strict": strict, "ids": ids}
        opened = [formats.opened(each, failures, **how) for each in given]
        key, opened = _paired_by_order(key, opened)
        systems = names or system_names(opened)
        usual = _usual_protocol(key, choices, matchings)
        across = protocol is None and usual == CONLL and "scope" not in choices and _spans_documents(key)
        decided = _across(key, choices) if across else _decided(key, protocol or usual, choices)
        said = [_said_across(key, decided)] if across else []
        if decided.layer == DEIXIS:
            _check_deixis(key)
        key, *opened = (_seen_by(decided, corpus) for corpus in (key, *opened))
        return cls(
            key,
            systems,
            opened,
            decided,
            opened_once(parses),
            groups,
            engine_for(jobs),
            dict.fromkeys(systems, said),
        )

    def of_links(self, *, relations: bool = False) -> Task:
        """Say that sets are no links, for work that looks at links; refuse layers without clusters, unless
        the work takes links of `relations`, too.
        """
        if self.protocol.layer in RELATION_LAYERS:
            if relations:
                return self
            raise SettingError(
                f"layer='{self.protocol.layer}' has no clusters, which this looks at; `errors` and `report` "
                "show where key and response differ"
            )
        if self.protocol.sets == "drop":
            return self
        note = "split antecedents are in the scores, but not among the links that are looked at"
        return replace(self, preflight={name: [*said, note] for name, said in self.preflight.items()})

    def under(self, protocol: Protocol) -> Task:
        """Make the same task under another protocol."""
        return replace(self, protocol=protocol)

    def checked(self) -> Task:
        """Compare the conventions of key and responses, and repair what is safe if the protocol says so.

        Singletons are dropped for all systems if one of them needs it, so that their scores compare.
        """
        from referee.matching.preflight import preflight  # what only makes tasks does not need it
        from referee.matching.repairs import repaired

        key, repair = self.key.of_kind(self.protocol.kind), self.protocol.repair == "yes"
        said: dict[str, list[str]] = {}
        responses, protocol = [], self.protocol
        for system, response in zip(self.systems, self.responses, strict=True):
            given = response.of_kind(protocol.kind)
            found = preflight(key, given, singletons=self.protocol.singletons)
            said[system] = [*self.preflight.get(system, ())]
            said[system] += [each.said(key.name, response.name, repaired=repair) for each in found]
            responses.append(repaired(key, response, found) if repair else response)
            if repair and any(each.repair == "singletons" for each in found):
                protocol = replace(protocol, singletons="drop")
        return replace(self, responses=responses, protocol=protocol, preflight=said)

    def with_layers(self, layers: PathName | None, nlp: str | None) -> Task:
        """Fill in the layers that the key lacks, from CoNLL-U or with spaCy."""
        from referee.language.added_layers import layered  # when needed: few tasks do

        return replace(self, key=layered(self.key, None if layers is None else fspath(layers), nlp))

    def aligned(self) -> Iterator[Aligned]:
        """Bring each response together with the key."""
        for system, response in zip(self.systems, self.responses, strict=True):
            aligned = Aligned.of(self.key, response, self.protocol, parses=self.parses, groups=self.groups)
            yield replace(aligned, notices=[*self.preflight.get(system, ()), *aligned.notices])


def _usual_protocol(key: Corpus, choices: Mapping[str, str], matchings: Sequence[str]) -> str:
    """Name the protocol that a key is scored by if none is given, as far as it has what is chosen."""
    if choices.get("layer", "identity") != "identity":
        return UA
    known = {**UA_MATCHINGS, **dict.fromkeys(COREFUD, COREFUD_MATCHINGS)}.get(key.usual_protocol)
    fits = known is None or {*matchings} <= {*known}
    return key.usual_protocol if fits and "scope" not in choices else CONLL


def _check_deixis(key: Corpus) -> None:
    """Refuse a key that has no discourse deixis."""
    known = (each.name for document in key for each in document.cluster_layers)
    if not key.has_deixis and DEIXIS not in known:
        raise FormatError(
            f"{key.name}: has no discourse deixis, which layer='{DEIXIS}' scores: CONLL-UA (column "
            "DISCOURSE_DEIXIS), brat, WebAnno TSV, CAS JSON and JSON lines hold it"
        )


def _seen_by(protocol: Protocol, corpus: Corpus) -> Corpus:
    """Read a corpus as the protocol's way of counting asks for, and take the layer that is scored."""
    corpus = corpus.read_as(protocol.counting)
    return LayerView(corpus, DEIXIS) if protocol.layer == DEIXIS else corpus


def _decided(key: Corpus, protocol: Protocol | str, choices: Mapping[str, str]) -> Protocol:
    if isinstance(protocol, Protocol):
        return replace(protocol, **choices)
    chosen = replace(Protocol.parse(protocol), **choices)
    return chosen if "scope" in {*choices, *Protocol.choices_in(protocol)} else default_scope(key, chosen)


def _spans_documents(key: Corpus) -> bool:
    """Whether clusters span documents that are not in blocks, which are units by themselves."""
    return key.cross_document and len(key) > 1 and key.block_of(0) is None


def _across(key: Corpus, choices: Mapping[str, str]) -> Protocol:
    """Choose the protocol of a key whose clusters span documents: by topic, if it knows its topics."""
    has_topics = all(key.topic_of(number).topic is not None for number in range(len(key)))
    return replace(Protocol.parse(CROSSDOC), scope="topic" if has_topics else "corpus", **choices)


def _said_across(key: Corpus, protocol: Protocol) -> str:
    return (
        f"{key.name}: its clusters span documents, so it is scored by protocol='crossdoc', "
        f"scope='{protocol.scope}'; protocol='conll' scores each document by itself"
    )


def _paired_by_order(key: Corpus, responses: Sequence[Corpus]) -> tuple[Corpus, list[Corpus]]:
    """Name what is in memory and has no names after the other side's documents."""
    if len({each.named for each in (key, *responses)}) == 1:
        return key, list(responses)
    from referee.formats.objects.libraries import in_order  # files have names

    for each in responses:
        key, _ = in_order(key, each)
    return key, [in_order(key, each)[1] for each in responses]


def _as_list(given: Any) -> list[Any]:
    if isinstance(given, str | PathLike | Corpus):
        return [given]
    if not given:
        raise RefereeError("no response: give at least one path or corpus")
    return list(given)


def gathered(key: Corpus, responses: Sequence[Any]) -> list[Any]:
    """Take the files of marked text that are named after the key's documents for one system a folder."""
    folders: dict[str, list[str]] = {}
    for each in responses:
        if _is_path(each) and fspath(each).endswith(MARKED_ENDINGS) and Path(each).is_file():
            folders.setdefault(str(Path(each).parent), []).append(fspath(each))
    several = {folder: files for folder, files in folders.items() if len(files) > 1}
    if not several:
        return list(responses)
    from referee.matching.answers.placing import names_of_documents  # few responses are several answers

    names = names_of_documents(key.ids)
    of_folder = {folder: files for folder, files in several.items() if not _has_others(files, names)}
    systems: list[Any] = []
    for each in responses:
        folder = str(Path(each).parent) if _is_path(each) else ""
        files = of_folder.get(folder, [])
        if not _is_path(each) or fspath(each) not in files:
            systems.append(each)
        elif fspath(each) == files[0]:
            corpus = formats.read(*files, role="response")
            corpus.name = folder if folder != "." else Path.cwd().name
            systems.append(corpus)
    return systems


def _is_path(given: Any) -> TypeGuard[PathName]:
    return isinstance(given, str | PathLike)


def _has_others(files: Sequence[str], names: Mapping[str, str]) -> bool:
    """Whether a file is not named after a document of the key."""
    from referee.formats.marked.text import name_of_answer

    return any(name_of_answer(file) not in names for file in files)


def system_names(given: Sequence[Given]) -> list[str]:
    """Call systems after their files, in full where that is not enough; at last by number.

    >>> system_names(["runs/a.conll", "b.conll.gz"]), system_names(["one/a.conll", "two/a.conll"])
    (['a', 'b'], ['one/a.conll', 'two/a.conll'])
    """
    full = [each.name if isinstance(each, Corpus) else fspath(each) for each in given]
    short = ["stdin" if name == STDIN else stem(name) for name in full]
    for names in (short, full):
        if len(set(names)) == len(names):
            return names
    return [f"{name} ({number})" for number, name in enumerate(full, start=1)]
