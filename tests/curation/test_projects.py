"""Projects of annotation tools: INCEpTION's folder for each document, and a folder for each annotator."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import referee
from referee.exceptions import FormatError
from referee.model import Cluster, Document, Mention

TEXTS = {"one": "Ann met Bea . She sang .", "two": "Bob slept . He snored ."}
ENTITIES = {
    ("one", "ann"): [[(0, 1), (4, 5)], [(2, 3)]],
    ("one", "bob"): [[(0, 1)], [(2, 3), (4, 5)]],
    ("one", "cy"): [[(0, 1), (4, 5)], [(2, 3)]],
    ("two", "ann"): [[(0, 1), (3, 4)]],
    ("two", "bob"): [[(0, 1), (3, 4)]],
}


def document(name: str, user: str, id_: str) -> Document:
    words = TEXTS[name].split()
    made = [
        Cluster(str(number), tuple(Mention.at(*span) for span in spans))
        for number, spans in enumerate(ENTITIES[name, user])
    ]
    return Document.of(id_, words, [(0, len(words))], made)


def exported(folder: Path, form: str, ending: str) -> Path:
    """Lay out a project as INCEpTION exports it."""
    for name, user in ENTITIES:
        place = folder / "annotation" / f"{name}.txt"
        place.mkdir(parents=True, exist_ok=True)
        bare = Document.of("x", TEXTS[name].split(), [], [])
        for file, each in ((user, document(name, user, user)), ("INITIAL_CAS", bare)):
            written = place / f"{file}{ending}"
            referee.write([each], written, form)
            written.rename(place / f"{file}{ending.removeprefix('.cas')}")  # as INCEpTION calls it
    (folder / "exportedproject.json").write_text("{}", encoding="utf-8")
    return folder


def found(made: referee.Corpus) -> dict[str, set[frozenset[str]]]:
    """Give the entities of each document, in words."""
    return {
        each.id: {frozenset(each.text.spelled(m.spans) for m in c.mentions) for c in each.clusters}
        for each in made
    }


MERGED = {
    "one.txt": {frozenset(["Ann", "She"]), frozenset(["Bea"])},
    "two.txt": {frozenset(["Bob", "He"])},
}


@pytest.mark.parametrize(("form", "ending"), [("webanno", ".tsv"), ("cas-json", ".cas.json")])
def test_inceptions_projects_are_read_and_written(form: str, ending: str, tmp_path: Path) -> None:
    made = referee.curate(exported(tmp_path / "project", form, ending))
    assert made.annotators == ("ann", "bob", "cy")
    assert found(made.merged) == MERGED
    assert any("cy: lacks 1 document" in notice for notice in made.notices)
    assert any("INITIAL_CAS left out" in notice for notice in made.notices)
    assert referee.convert(made.merged, tmp_path / "curated", to="webanno").documents == 2
    assert (
        found(referee.read(tmp_path / "curated"))
        == {name.removesuffix(".txt"): entities for name, entities in MERGED.items()}
        or found(referee.read(tmp_path / "curated")) == MERGED
    )


def test_brats_folders_are_annotators(tmp_path: Path) -> None:
    for name, user in ENTITIES:
        (tmp_path / "project" / user).mkdir(parents=True, exist_ok=True)
        referee.write([document(name, user, name)], tmp_path / "project" / user / f"{name}.ann")
    made = referee.curate(tmp_path / "project")
    assert made.annotators == ("ann", "bob", "cy")
    assert {name.removesuffix(".ann"): each for name, each in found(made.merged).items()} == {
        name.removesuffix(".txt"): each for name, each in MERGED.items()
    }
    assert made.agreement is not None
    assert made.agreement.documents == [id_ for id_ in made.merged.ids if "one" in id_]


def test_texts_that_are_cut_otherwise_are_cut_together(tmp_path: Path) -> None:
    text = "Ann's cats met.\n"
    for user, line in (("ann", "T1\tP 0 3\tAnn\nT2\tP 0 10\tAnn's cats\n"), ("bob", "T1\tP 6 9\tcat\n")):
        (tmp_path / user).mkdir()
        (tmp_path / user / "d.txt").write_text(text, encoding="utf-8")
        (tmp_path / user / "d.ann").write_text(line, encoding="utf-8")
    (merged,) = referee.curate(tmp_path, rule="union").merged
    assert {merged.text.spelled(m.spans) for m in merged.mentions} == {"Ann", "Ann's cats", "cat"}


@pytest.mark.parametrize("ending", [".zip", ".ser"])
def test_what_is_not_read_is_refused_in_words(ending: str, tmp_path: Path) -> None:
    place = tmp_path / "annotation" / "one.txt"
    place.mkdir(parents=True)
    (place / f"ann{ending}").write_bytes(b"PK")
    with pytest.raises(FormatError, match="export the project again, with the format WebAnno TSV"):
        referee.curate(tmp_path)


def test_one_annotator_alone_is_refused(tmp_path: Path) -> None:
    shutil.copy(Path(referee.__file__).parent / "sample" / "key.conll", tmp_path)
    with pytest.raises(FormatError, match="give two or more, or the folder of a project"):
        referee.curate(tmp_path)
