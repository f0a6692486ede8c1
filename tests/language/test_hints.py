"""Lexical overlap, knowledge hints, and the reader of WordNet's files."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.exceptions import FormatError
from referee.language import wordnet
from referee.language.hints import hints
from referee.language.mention_types import Described, describe
from referee.language.overlap import is_indefinite, overlap
from referee.language.wordnet import WordNet
from referee.model import Document, Mention

# Ten synsets, laid out as in WordNet's data.noun; a number after the words is the line of a hypernym.
SYNSETS = [
    ("entity", None, "@"),
    ("person individual", 0, "@"),
    ("minister", 1, "@"),
    ("papandreou", 2, "@i"),
    ("city metropolis", 0, "@"),
    ("paris", 4, "@i"),
    ("car automobile", 0, "@"),
    ("new_york", 4, "@i"),
    ("woman", 1, "@"),
]


@pytest.fixture(scope="module")
def small_wordnet(tmp_path_factory: pytest.TempPathFactory) -> WordNet:
    """Write a few synsets in WordNet's own format."""
    folder = tmp_path_factory.mktemp("dict")
    lines: list[str] = []
    offsets: list[int] = []
    for words, parent, pointer in SYNSETS:
        offsets.append(sum(map(len, lines)))
        lemmas = words.split()
        above = [] if parent is None else [f"{pointer} {offsets[parent]:08d} n 0000"]
        cells = [f"{offsets[-1]:08d} 03 n {len(lemmas):02x}", *(f"{lemma} 0" for lemma in lemmas)]
        lines.append(" ".join([*cells, f"{len(above):03d}", *above, "| a gloss; with @ and n"]) + "\n")
    (folder / "data.noun").write_text("".join(lines))
    index = {
        lemma: offset for (words, *_), offset in zip(SYNSETS, offsets, strict=True) for lemma in words.split()
    }
    licence = "  1 This software is licensed\n"
    body = "".join(f"{lemma} n 1 1 @ 1 0 {offset:08d}  \n" for lemma, offset in sorted(index.items()))
    (folder / "index.noun").write_text(licence + body)
    (folder / "noun.exc").write_text("women woman\n")
    return WordNet(folder)


def described(words: str, tags: str, label: str = "") -> Described:
    tokens = tuple(words.split())
    entity = ("*",) * len(tokens) if not label else (f"({label}*", *["*"] * (len(tokens) - 2), "*)")
    if label and len(tokens) == 1:
        entity = (f"({label})",)
    layers = {"pos": tuple(tags.split()), "entity": entity}
    document = Document.of(words, tokens, ((0, len(tokens)),), (), layers)
    (found,) = describe(document, [Mention.at(0, len(tokens))])
    return found


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        (("China 's", "NNP POS"), ("China", "NNP"), "complete match"),
        (("the Cole", "DT NNP"), ("The cole", "DT NNP"), "complete match"),
        (("the USS Cole", "DT NNP NNP"), ("the Cole", "DT NNP"), "head match"),
        (("Ocean Park", "NNP NNP"), ("Park Avenue", "NNP NNP"), "shared token"),
        (("the NHL", "DT NNP"), ("the National Ice Hockey League", "DT NNP NNP NNP NNP"), "acronym"),
        (("U.S.", "NNP"), ("the United States", "DT NNP NNPS"), "acronym"),
        (("the factory", "DT NN"), ("the refinery", "DT NN"), "none"),
    ],
)
def test_overlap(one: tuple[str, str], other: tuple[str, str], kind: str) -> None:
    assert overlap(described(*one), described(*other)) == kind
    assert overlap(described(*other), described(*one)) == kind


def test_indefinite() -> None:
    assert is_indefinite(described("A dog", "DT NN"))
    assert not is_indefinite(described("the dog", "DT NN"))


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        (("NHL", "NNP"), ("National Hockey League", "NNP NNP NNP"), ("acronym",)),
        (("Bill Clinton", "NNP NNP"), ("William Clinton", "NNP NNP"), ()),  # the heads match
        (("Bill", "NNP"), ("William Clinton", "NNP NNP"), ("nickname",)),
        (("Bob", "NNP"), ("William Clinton", "NNP NNP"), ()),
        (("the French", "DT NNPS"), ("France", "NNP"), ("demonym",)),
        (("Canadians", "NNPS"), ("Canada", "NNP"), ("demonym",)),
        (("Iraqi", "NNP"), ("Iraq", "NNP"), ("demonym",)),
        (("1989", "CD", "DATE"), ("last year", "JJ NN", "DATE"), ("date",)),
        (("the year", "DT NN"), ("2004", "CD"), ("date",)),
        (("Hsiachuotzu", "NNP"), ("Hsiachuotsu", "NNP"), ("spelling variant",)),
        (("Café Müller", "NNP NNP"), ("Cafe Muller", "NNP NNP"), ("spelling variant",)),
        (("Australian", "NNP"), ("Australia", "NNP"), ("demonym",)),
        (("Steve", "NNP"), ("Steven", "NNP"), ("nickname", "spelling variant")),
        (("Yucatan", "NNP"), ("Yucatán", "NNP"), ("spelling variant",)),
        (("the Olsens", "DT NNPS"), ("Ashley Olsen", "NNP NNP"), ()),
        (("he", "PRP"), ("Bill", "NNP"), ()),
        (("South Africa", "NNP NNP"), ("Pretoria", "NNP"), ()),
    ],
)
def test_hints_without_wordnet(
    one: tuple[str, ...], other: tuple[str, ...], found: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wordnet, "installed", lambda: None)
    assert hints(described(*one), described(*other)) == found


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        (("the city", "DT NN"), ("Paris", "NNP"), ("hypernymy",)),
        (("the metropolis", "DT NN"), ("New York", "NNP NNP"), ("hypernymy",)),
        (("the car", "DT NN"), ("an automobile", "DT NN"), ("synonymy",)),
        (("the minister", "DT NN"), ("Mr. Smith", "NNP NNP"), ("role",)),
        (("the minister", "DT NN"), ("Smith", "NNP", "PERSON"), ("role",)),
        (("the minister", "DT NN"), ("Papandreou", "NNP"), ("hypernymy", "role")),
        (("the minister", "DT NN"), ("Smith", "NNP", "ORG"), ()),
        (("the women", "DT NNS"), ("a person", "DT NN"), ("hypernymy",)),
        (("the city", "DT NN"), ("the car", "DT NN"), ()),
    ],
)
def test_hints_with_wordnet(
    one: tuple[str, ...],
    other: tuple[str, ...],
    found: tuple[str, ...],
    small_wordnet: WordNet,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wordnet, "installed", lambda: small_wordnet)
    assert hints(described(*one), described(*other)) == found


def test_plural_and_irregular_forms(small_wordnet: WordNet) -> None:
    assert small_wordnet.senses("cities") == small_wordnet.senses("city") != ()
    assert small_wordnet.senses("Women") == small_wordnet.senses("woman") != ()
    assert small_wordnet.senses("zzz") == small_wordnet.senses("aaa") == ()


def test_ancestors(small_wordnet: WordNet) -> None:
    (papandreou,) = small_wordnet.senses("papandreou")
    above = {small_wordnet.senses(word)[0] for word in ("minister", "person", "entity")}
    assert small_wordnet.ancestors(papandreou) == above


def test_a_folder_without_wordnet(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="No such file"):
        WordNet(tmp_path)


def test_wordnet_is_found_where_one_says(
    small_wordnet: WordNet, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "dict").mkdir()
    for name in ("index.noun", "data.noun"):
        (tmp_path / "dict" / name).write_bytes((small_wordnet._folder / name).read_bytes())
    monkeypatch.setenv("WNHOME", str(tmp_path))
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    wordnet.installed.cache_clear()
    found = wordnet.installed()
    wordnet.installed.cache_clear()
    assert found is not None
    assert found.senses("paris")


def test_the_whole_of_wordnet_if_it_is_installed() -> None:
    net = wordnet.installed()
    if net is None:
        pytest.skip("WordNet is absent; the extra 'wordnet' has it")
    assert net.person in net.ancestors(net.senses("minister")[0]) | net.ancestors(net.senses("minister")[1])
    assert set(net.senses("car")) & set(net.senses("automobile"))
    assert net.senses("entity")
    assert any(city in net.ancestors(paris) for city in net.senses("city") for paris in net.senses("paris"))
