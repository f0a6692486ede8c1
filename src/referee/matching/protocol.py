"""How a score was made: every choice is a field, and the fields print themselves as a signature."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from referee import __version__
from referee.exceptions import SettingError, did_you_mean
from referee.formats.reading import IDS
from referee.matching.matchings import FROM_TREES, MATCHINGS
from referee.matching.units import SCOPES
from referee.metrics.standard import COREFUD, UA, UA_2021

COREFUD_MATCHINGS = ("exact", "head", "partial")  # of the CorefUD scorer, under its ways of counting
# Of Universal Anaphora's scorer, version 2 and version 1.
UA_MATCHINGS = {UA: ("exact", "partial", "craft"), UA_2021: ("exact", "min")}
RELATION_LAYERS = ("bridging", "non-referring")  # what is scored there is no clusters
CHOICES: dict[str, tuple[str, ...]] = {
    "match": (*MATCHINGS, "partial", "craft"),
    "singletons": ("keep", "drop"),
    "scope": SCOPES,
    "kind": ("all", "events", "entities"),
    "input": ("conll", "strict"),
    "bad_parses": ("refuse", "skip"),
    "gaps": ("keep", "fill"),
    "ids": IDS,
    "counting": ("conll", "crac", "corefud", UA, UA_2021),
    "zeros": ("dependent", "linear", "drop"),
    "heads": ("given", "tree"),
    "repair": ("no", "yes"),
    "sets": ("drop", "keep", "only"),
    "layer": ("identity", "deixis", *RELATION_LAYERS),
}

# What a score was made with besides choices: named in its signature by a short hash, where it was used.
DATA = ("trees", "groups")
HASH = re.compile(r"[0-9a-f]{6,}")


def signature_of(settings: Mapping[str, str]) -> str:
    """Write settings as a signature.

    >>> signature_of({"match": "exact", "version": "1.0"})
    'match:exact|version:1.0'
    """
    return "|".join(f"{name}:{value}" for name, value in settings.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """The choices behind a score.

    match: when a key mention and a response mention are the same.
    singletons: whether clusters of one mention count.
    scope: what is scored as one partition.
    kind: which mentions count, where a corpus distinguishes events and entities.
    input: what to do with ill-formed input: as the reference scorer does, or refuse it.
    bad_parses: what to do with trees that cannot be read: refuse them, or score the mentions of their
        sentences by maximum spans. The signature has it where the matching reads trees.
    gaps: whether a mention of several spans is these spans, or reaches from its first word to its last, in
        key and response alike. The signature has it where gaps are filled.
    ids: whether a cluster's id means the same in all documents where a format cannot say so. The signature
        has it if so.
    counting: whose rules say which mentions are the same and what is counted: the CoNLL reference scorer's,
        the official CorefUD scorer's with all its oddities (crac), CorefUD's without them, or those of
        Universal Anaphora's scorer, version 2 (ua) or 1 (ua-2021). The signature has it unless it is the
        reference scorer's.
    zeros: whether words that are not written are the same by what they depend on, or by their position, or
        are left out. The signature has it, and the next, where they are a choice.
    heads: whether mentions have the heads that files give them, or those of the key's dependency trees.
    repair: whether the pre-flight may make key and response follow one convention where that is safe. The
        signature has it if so.
    sets: whether split antecedents count, as one more mention of their entity, or they alone do. The
        signature has it if so.
    layer: what is scored: identity, discourse deixis, bridging, or non-referring expressions. The signature
        has it if it is not identity.

    Examples:
        >>> import referee
        >>> referee.Protocol(singletons="drop").signature.split("|")[:2]
        ['match:exact', 'singletons:drop']
    """

    match: str = "exact"
    singletons: str = "keep"
    scope: str = "document"
    kind: str = "all"
    input: str = "conll"
    bad_parses: str = "refuse"
    gaps: str = "keep"
    ids: str = "document"
    counting: str = "conll"
    zeros: str = "dependent"
    heads: str = "given"
    repair: str = "no"
    sets: str = "drop"
    layer: str = "identity"

    def __post_init__(self) -> None:
        """Refuse values that do not exist."""
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                raise SettingError(
                    f"{name} must be {' or '.join(choices)}, not '{value}'{did_you_mean(value, choices)}"
                )
        if self.bad_parses != "refuse" and not self.needs_trees:
            raise SettingError(f"bad_parses:{self.bad_parses} does not apply to match:{self.match}")
        self._check_beyond_identity()
        if self.by_corefud:
            self._check_corefud()
        elif self.by_ua:
            self._check_ua()
        elif self.match not in MATCHINGS:
            named = "'crac', 'corefud' or 'ua'" if self.match in COREFUD_MATCHINGS else "'ua'"
            raise SettingError(f"match='{self.match}' goes with protocol={named}")
        else:
            for name, usual in (("zeros", "dependent"), ("heads", "given")):
                if getattr(self, name) != usual:
                    value = getattr(self, name)
                    raise SettingError(f"{name}='{value}' needs protocol='crac' or 'corefud'")

    def _check_corefud(self) -> None:
        """Refuse what CorefUD's rules do not have."""
        if self.match not in COREFUD_MATCHINGS:
            raise SettingError(
                f"match='{self.match}' is not one of CorefUD's ({', '.join(COREFUD_MATCHINGS)}); "
                "give protocol='conll' with it"
            )
        if self.scope != "document":
            raise SettingError(f"scope='{self.scope}': by CorefUD's rules documents are scored one by one")
        if self.zeros == "drop":
            raise SettingError("zeros='drop' needs protocol='ua'")

    def _check_ua(self) -> None:
        """Refuse what the rules of Universal Anaphora's scorer do not have."""
        known = UA_MATCHINGS[self.counting]
        if self.match not in known:
            raise SettingError(
                f"match='{self.match}' is not one of those of protocol='{self.counting}': {', '.join(known)}"
            )
        if self.scope != "document":
            raise SettingError(f"scope='{self.scope}': Universal Anaphora's rules score documents one by one")
        if self.zeros == "dependent" or (self.zeros == "drop" and self.counting == UA_2021):
            raise SettingError(
                f"zeros='{self.zeros}' is not one of the choices of protocol='{self.counting}'"
            )
        if self.heads != "given":
            raise SettingError(f"heads='{self.heads}' needs protocol='crac' or 'corefud'")

    def _check_beyond_identity(self) -> None:
        """Refuse sets and layers where they are not defined."""
        if self.sets != "drop" and self.singletons == "drop" and not self.by_ua:  # there it depends on files
            raise SettingError(
                f"sets='{self.sets}' needs singletons='keep': the elements of a set may be singletons"
            )
        if self.sets != "drop" and (self.scope != "document" or self.match == "mina-coval"):
            what = "match='mina-coval'" if self.scope == "document" else f"scope='{self.scope}'"
            raise SettingError(f"sets='{self.sets}' does not go with {what}; give sets='drop'")
        if self.layer in RELATION_LAYERS and not self.by_ua:
            raise SettingError(
                f"layer='{self.layer}' is scored by Universal Anaphora's rules; give protocol='ua' with it"
            )
        if self.layer in RELATION_LAYERS and self.sets == "only":
            raise SettingError(f"sets='only' does not go with layer='{self.layer}', which counts no sets")

    @property
    def by_ua(self) -> bool:
        """Whether all is counted as Universal Anaphora's scorer does."""
        return self.counting in UA_MATCHINGS

    @property
    def by_corefud(self) -> bool:
        """Whether CorefUD's rules say which mentions are the same."""
        return self.counting in COREFUD

    @property
    def official(self) -> bool:
        """Whether all is counted as the official CorefUD scorer does."""
        return self.counting == "crac"

    @property
    def needs_trees(self) -> bool:
        """Whether mentions are matched by way of the key's parse trees."""
        return self.match in FROM_TREES and self.counting == "conll"

    @property
    def strict(self) -> bool:
        """Whether ill-formed input is refused."""
        return self.input == "strict"

    @property
    def choices(self) -> dict[str, str]:
        """Every choice that says something, by its name."""
        unsaid = {
            "bad_parses": not self.needs_trees,
            "gaps": self.gaps == "keep",
            "ids": self.ids == "document",
            "counting": self.counting == "conll",
            "zeros": not (self.by_corefud or self.by_ua),
            "heads": not self.by_corefud,
            "repair": self.repair == "no",
            "sets": self.sets == "drop",
            "layer": self.layer == "identity",
        }
        shown = [field.name for field in fields(self) if not unsaid.get(field.name)]
        return {name: getattr(self, name) for name in shown}

    @property
    def signature(self) -> str:
        """Name every choice and the version, so that a score can be made again from its line."""
        return signature_of(self.choices | {"version": __version__})

    @classmethod
    def parse(cls, text: str) -> Protocol:
        """Read a preset's name or a signature; a signature's version must be ours.

        The hashes of trees and groups in a signature name data, which a protocol does not choose: they are
        ignored if they are hashes. Two results with other trees or groups differ in them.

        >>> Protocol.parse("strict").signature.split("|")[4]
        'input:strict'
        >>> Protocol.parse("singletons:drop").singletons
        'drop'
        """
        return PRESETS[text] if text in PRESETS else replace(cls(), **cls.choices_in(text))

    @classmethod
    def choices_in(cls, text: str) -> dict[str, str]:
        """List the choices that a preset's name or a signature makes; the others are left to their defaults.

        >>> Protocol.choices_in("crossdoc")
        {'singletons': 'drop', 'scope': 'topic', 'gaps': 'fill'}
        """
        if text in PRESETS:
            chosen, usual = PRESETS[text].choices, cls().choices
            return {name: value for name, value in chosen.items() if value != usual.get(name)}
        values: dict[str, str] = {}
        for part in text.split(" = ")[0].split("|"):
            name, colon, value = part.strip().partition(":")
            if name in CHOICES and colon:
                values[name] = value
            elif name == "version" and value != __version__:
                raise SettingError(f"the signature is of version {value}, but this is Referee {__version__}")
            elif name in DATA and not HASH.fullmatch(value):
                raise SettingError(f"{name} in a signature are named by a hash, not '{value}'")
            elif colon and name not in (*DATA, "version"):
                raise SettingError(f"a signature has no field '{name}'; fields: {', '.join(CHOICES)}")
        if not values:
            near = did_you_mean(text, PRESETS)
            raise SettingError(f"'{text}' is neither a protocol ({', '.join(PRESETS)}) nor a signature{near}")
        return values


PRESETS = {
    "conll": Protocol(),
    "strict": Protocol(input="strict"),
    # Cattan et al. 2021, §3; their code takes mentions from first to last word; `score` adds the corpus
    "crossdoc": Protocol(scope="topic", singletons="drop", gaps="fill"),
    "crac": Protocol(match="head", singletons="drop", counting="crac"),  # the shared task's since 2023
    "corefud": Protocol(match="head", singletons="drop", counting="corefud"),
    UA: Protocol(counting=UA, zeros="linear", sets="keep"),  # "UA scorer 2.0" with sets, singletons and zeros
    UA_2021: Protocol(counting=UA_2021, zeros="linear", sets="keep"),  # CODI-CRAC 2021 and 2022
}
