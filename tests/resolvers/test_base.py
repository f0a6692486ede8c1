"""Resolvers declare their settings once: what is unknown, foreign or mistyped is refused in words."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from dataclasses import MISSING, fields, replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

import referee
from made_packages import make_module
from referee import registry
from referee.exceptions import PluginWarning, RefereeError, SettingError
from referee.registry import Registry
from referee.resolvers import base
from referee.resolvers.across.across import Across
from referee.resolvers.base import ResolverEntry, Setting, raw_text, resolver_named, resolvers
from referee.resolvers.camp.camp import Camp
from referee.resolvers.camp.given_layers import LAYER_NAMES
from referee.resolvers.neural.neural import Neural

MAKERS: dict[str, Any] = {"neural": Neural, "camp": Camp, "across": Across}


@pytest.mark.parametrize("name", MAKERS)
def test_what_is_declared_is_what_the_resolver_takes(name: str) -> None:
    taken = {field.name: field.default for field in fields(MAKERS[name]) if field.default is not MISSING}
    assert taken == {setting.name: setting.default for setting in resolvers()[name].settings}


def test_settings_of_one_name_mean_the_same() -> None:
    known: dict[str, tuple[object, ...]] = {}
    for entry in resolvers().values():
        for own in entry.settings:
            meaning = own.type, own.help, own.value
            assert known.setdefault(own.name, meaning) == meaning


def test_defaults_are_accepted_and_words_are_whole() -> None:
    for entry in resolvers().values():
        for setting in entry.settings:
            assert setting.accepts(setting.default)
            assert setting.help.endswith(".")
    (layers,) = (setting for setting in resolvers()["camp"].settings if setting.name == "corpus_layers")
    assert ", ".join(LAYER_NAMES) in layers.help


@pytest.mark.parametrize(
    ("resolver", "settings", "said"),
    [
        ("camp", {"precision": "8"}, "precision='8' must be a number from 0 to 100 for the resolver camp"),
        ("camp", {"precision": 101}, "precision=101 must be a number from 0 to 100 for the resolver camp"),
        ("camp", {"precision": True}, "precision=True must be a number from 0 to 100 for the resolver camp"),
        ("camp", {"recall": "yes"}, "recall='yes' must be True or False for the resolver camp"),
        ("camp", {"recall": None}, "recall=None must be True or False for the resolver camp"),
        ("camp", {"only": [1]}, "only=[1] must be a list of names for the resolver camp"),
        ("camp", {"rules": 3}, "rules=3 must be the path of a file for the resolver camp"),
        ("camp", {"layers": 3}, "layers=3 must be the path of a file or folder for the resolver camp"),
        ("camp", {"corpus_layers": "spaeker"}, "corpus_layers='spaeker' is not a layer that rules read"),
        ("camp", {"layers": ".", "corpus_layers": "pos"}, "give it or corpus_layers=, not both"),
        ("neural", {"singletons": True}, "singletons=True must be one of keep, drop for the resolver neural"),
        ("neural", {"mentions": "x"}, "mentions='x' must be one of predicted, gold for the resolver neural"),
        ("neural", {"threads": 1.5}, "threads=1.5 must be a whole number from 0 for the resolver neural"),
        ("neural", {"threshold": "0"}, "threshold='0' must be a number for the resolver neural"),
        ("across", {"scope": 3}, "scope=3 must be one of document, block, subtopic, topic, corpus, "),
        ("across", {"kind": "verbs"}, "kind='verbs' must be one of all, events, entities for the resolver"),
        ("neural", {"only": ["names"]}, "only= is a setting of the resolver camp, not of neural"),
        ("neural", {"least": 1.0}, "the resolver neural has no setting least=; there are model, "),
        ("camp", {"untill": "names"}, "did you mean until?"),
        ("camp", {"guidelines": "litbnk"}, "guidelines='litbnk' must be one of ontonotes, gum, litbank for"),
        ("camp", {"guidelines": "litbnk"}, "did you mean litbank?"),
        ("neural", {"guidelines": "gum"}, "for the resolver neural; resolver='camp' takes it"),
        ("camp", {"precision": 90, "recall": True}, "recall= and precision= exclude each other"),
        ("camp", {"threshold": 2.0}, "threshold=2.0 must be a number from 0 to 1 for the resolver camp"),
        ("neural", {"precision": 90, "threshold": 1.0}, "precision= and threshold= exclude each other"),
        ("across", {"precision": 90, "threshold": 0.5}, "precision= and threshold= exclude each other"),
        ("across", {"threshold": 0.0}, "threshold=0.0 must be a number from 0.01 to 1 for the resolver"),
    ],
)  # fmt: skip
def test_what_a_resolver_does_not_take_is_refused_in_words(
    resolver: str, settings: dict[str, Any], said: str
) -> None:
    with pytest.raises(SettingError) as refused:
        list(resolver_named(resolver, **settings).resolve([raw_text("a", "Clara left.")]))
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"scope": "topic"}, "scope= is a setting of the resolver across: call referee.link()"),
        ({"only": ["names"], "singletons": "keep"}, "no resolver has all of only= (camp), singletons= "),
        ({"modle": "x"}, "no resolver has a setting modle=; did you mean model?"),
    ],
)
def test_settings_that_no_default_has_are_refused_in_words(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingError) as refused:
        referee.resolve("Clara left.", **settings)
    assert said in str(refused.value)


def test_without_any_resolver_both_ways_to_install_one_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = {name: replace(entry, is_ready=lambda: False) for name, entry in resolvers().items()}
    monkeypatch.setattr(base, "resolvers", lambda: missing)
    with pytest.raises(
        RefereeError, match=r"'referee-coref\[resolve\]' referee-coref-en .*'referee-coref\[nlp"
    ):
        base.default_resolver()
    assert base.default_resolver(["only"]) == "camp"
    assert base.default_resolver(["model"]) == "neural"


def test_names_may_be_given_in_a_string() -> None:
    chosen = Camp(only="names, quotes", skip=["quotes"])
    assert chosen._components == ("names",)


CODE = """
from referee.model import Cluster, Document, Mention
from referee.resolvers.base import Resolver, ResolverEntry, Setting

class First(Resolver):
    def __init__(self, words=1):
        self.words = words

    def resolve(self, texts):
        for text in texts:
            yield Document(text, (Cluster("0", tuple(Mention.at(n, n + 1) for n in range(self.words))),))

FIRST = ResolverEntry("the first words", First, (Setting("words", int, "How many words.", 1, bounds=(1, 9)),))
WRONG = 3
"""
UNDECLARED = """
from referee.resolvers.base import ResolverEntry
ODD = ResolverEntry('odd', list, ('words',))
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry[ResolverEntry]:
    offers = {"referee.resolvers": {"first": "FIRST", "wrong": "WRONG"}}
    make_module(tmp_path, "first", CODE, offers)
    make_module(tmp_path, "odd", UNDECLARED, {"referee.resolvers": {"odd": "ODD"}})
    monkeypatch.syspath_prepend(str(tmp_path))
    made = Registry("referee.resolvers", resolvers().ours, ResolverEntry)
    monkeypatch.setattr(base, "resolvers", lambda: made)
    monkeypatch.setattr(registry, "SKIPPED", [])  # so that commands of other tests do not report it
    return made


def test_an_installed_package_adds_a_resolver(installed: Registry[ResolverEntry]) -> None:
    with pytest.warns(PluginWarning) as warned:
        assert list(installed)[-1] == "first"
    said = [str(warning.message) for warning in warned]
    assert any(
        "odd of referee.resolvers is skipped: TypeError: 'words' is not a Setting" in one for one in said
    )
    assert any("made_first:WRONG is a int, not a ResolverEntry" in one for one in said)
    document = referee.Document.of("d", ["Clara", "left"], [(0, 2)], [])
    assert referee.resolve(document, resolver="first", words=2).get_clusters() == [["Clara", "left"]]
    with pytest.raises(SettingError, match="words=0 must be a whole number from 1 to 9 for the"):
        resolver_named("first", words=0)


def test_a_type_that_no_face_shows_is_refused() -> None:
    with pytest.raises(TypeError, match="the setting words has the type <class 'list'>"):
        Setting("words", list, "Some words.")


@pytest.mark.parametrize("module", ["resolvers.base", "resolvers.resolving", "resolvers"])
def test_resolve_is_a_function_whatever_was_imported_before(module: str) -> None:
    code = f"import referee.{module}, referee, types; assert type(referee.resolve) is types.FunctionType"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_spacy_finds_the_component_by_its_entry_point() -> None:
    pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'referee-coref[nlp]'")
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    ((name, value),) = project["entry-points"]["spacy_factories"].items()
    assert name == "referee"
    assert callable(EntryPoint(name, value, "spacy_factories").load())
