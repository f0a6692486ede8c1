"""Documents are fitted to formats: crossing mentions are left out; with loss allowed nothing is refused."""

from __future__ import annotations

import random
import warnings
from pathlib import Path

import pytest
from click.testing import CliRunner

import referee
from referee import Cluster, Document, DocumentCorpus, FormatError, Mention, formats
from referee.cli import main
from referee.exceptions import FailureWarning, LossWarning
from referee.formats.fitting import file_name
from referee.model import Relation, Text, Zero, cut_text
from referee.model.mentions import BRIDGING, joined_spans

WORDS = ("Ann", "he", "slept", "a b", "", "##x", "(0)", "|", "<b>", "\udce9x", "é", "[x]", "-", "\ud83d")
NAMES = ("d", ".", "..", "a/b", "x y", "é" * 60, "n" * 300, "\n", "", "(bc/x); part 002", "\udcff", " lead")
IDS = ("0", "e 1", "(a)", "x|y", "é", "", "1.5", "a,b", "@")


def odd_mention(draw: random.Random, length: int) -> Mention:
    edges = sorted(draw.sample(range(length + 1), min(draw.choice((2, 2, 2, 4)), length + 1)))
    spans = joined_spans(list(zip(edges[::2], edges[1::2], strict=False)))
    head = spans[0][0] if draw.random() < 0.2 else None
    minimum = ((spans[0][0], spans[0][0] + 1),) if draw.random() < 0.2 else None
    return Mention(spans, minimum=minimum, head=head, type=draw.choice((None, "person", "x y")))


def odd_document(draw: random.Random) -> Document:
    """Make a document with all that formats find difficult."""
    length = draw.randint(0, 8)
    words = [draw.choice(WORDS if draw.random() < 0.3 else WORDS[:3]) for _ in range(length)]
    zeros = [Zero(draw.randint(0, length), number + 1) for number in range(draw.choice((0, 0, 2)))]
    zeros = zeros if length else []
    total = length + len(zeros)
    clusters = [
        Cluster(id_, tuple(sorted({odd_mention(draw, total) for _ in range(draw.randint(1, 4))})))
        for id_ in (draw.sample(IDS, draw.randint(0, 4)) if total else ())
    ]
    relations = [Relation(BRIDGING, clusters[0].id, (clusters[1].id,))] if len(clusters) > 1 else []
    name = draw.choice(NAMES) if draw.random() < 0.4 else "d"
    sentences = ((0, length // 2), (length // 2, length)) if length > 1 else ((0, length),) * (length > 0)
    text = Text(name, (*words, *("_" for _ in zeros)), sentences, zeros=tuple(zeros))
    return Document(text, tuple(clusters), tuple(relations))


@pytest.mark.parametrize("name", formats.WRITABLE)
def test_nothing_is_refused_if_loss_is_allowed(name: str, tmp_path: Path) -> None:
    form = formats.FORMATS[name]
    for seed in range(25):
        draw = random.Random(seed)
        documents = [odd_document(draw) for _ in range(3)]
        target = tmp_path / f"{seed}{'' if form.contents else next(iter(form.suffixes), '')}"
        try:
            made = referee.convert(DocumentCorpus(documents, "odd"), target, to=name, lossy=True)
        except referee.MissingExtra as missing:
            pytest.skip(str(missing))
        assert (made.documents, made.failures) == (3, ())


def test_without_loss_each_document_is_written_or_a_failure(tmp_path: Path) -> None:
    documents = [cut_text(name, "Ann slept.") for name in ("a", "A", "n" * 300, ".", "caf\udce9")]
    odd = cut_text("odd", "caf\udce9")
    with pytest.warns(FailureWarning, match=r"^3 documents failed: A: two documents are called 'A'"):
        made = referee.convert([*documents, odd], tmp_path / "out", to="brat")
    assert sorted(path.name for path in (tmp_path / "out").iterdir() if path.suffix == ".ann") == [
        "%2E.ann", "a.ann", "caf%E9.ann",
    ]  # fmt: skip
    assert [failure.document for failure in made.failures] == ["A", "n" * 300, "odd"]
    assert "its name has 304 bytes" in made.failures[1].reason
    assert made.documents == 3
    assert sorted(referee.read(tmp_path / "out").ids)[:2] == [".", "a"]
    with pytest.raises(FormatError, match="two documents are called"):
        referee.convert(documents, tmp_path / "strict", to="brat", strict=True)


def test_if_all_fail_nothing_is_written(tmp_path: Path) -> None:
    odd = [cut_text(name, "caf\udce9") for name in "ab"]
    with pytest.raises(referee.RefereeError, match=r"^all 2 documents failed; the first: a: .*not UTF-8"):
        referee.convert(odd, tmp_path / "out", to="webanno")
    assert not (tmp_path / "out").exists()


def test_names_that_are_changed_are_counted(tmp_path: Path) -> None:
    documents = [cut_text(name, "Ann slept.") for name in ("a", "A", "n" * 300)]
    made = referee.convert(documents, tmp_path / "out", to="cas-json", lossy=True)
    assert made.left_out == {"names of documents, which are changed": 2}
    ids = sorted(referee.read(tmp_path / "out").ids)
    assert len({id_.casefold() for id_ in ids}) == 3


def test_crossing_mentions_are_counted_and_the_first_stays(tmp_path: Path) -> None:
    """As GENTLE's poem has them: a line and the sentence that runs over its end."""
    words = ["the", "silken", "sad", "uncertain", "rustling", "of", "each", "curtain"]
    same = [Cluster("1", (Mention.at(0, 4), Mention.at(2, 6))), Cluster("2", (Mention.at(5, 8),))]
    poem = Document.of("raven", words, [(0, 8)], same)
    for form, kept, left in (("conll", 2, 1), ("conllu", 2, 1), ("tags", 2, 1), ("jsonlines", 3, 0)):
        path = tmp_path / f"poem.{form}"
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            formats.write([poem, Document.of("other", ["Ann"], [(0, 1)], [])], path, form)
        assert [f"({left})" in str(warning.message) for warning in caught] == [True] * left
        assert not {warning.category for warning in caught} - {LossWarning}
        if form != "tags":  # whose texts are not cut yet
            assert len(formats.read(path)[0].mentions) == kept
        made = referee.convert([poem], path, to=form)
        assert sum((made.left_out or {}).values()) >= left


def test_only_files_compare_names_without_case(tmp_path: Path) -> None:
    documents = [Document.of(name, ["Ann"], [(0, 1)], []) for name in ("a", "A")]
    formats.write(documents, tmp_path / "out.conll", "corpus-conll")
    assert referee.read(tmp_path / "out.conll").ids == ["a", "A"]
    with pytest.warns(FailureWarning, match="^1 document failed: a: two documents are called 'a'"):
        made = referee.convert([*documents, documents[0]], tmp_path / "out.conll", to="corpus-conll")
    assert made.documents == 2


def test_names_of_files_are_visible_and_inside_of_the_folder() -> None:
    assert [file_name(name) for name in (".", "..", "a/b", ".x", "caf\udce9", "\ud83d")] == [
        "%2E", "%2E.", "a%2Fb", "%2Ex", "caf%E9", "%ED%A0%BD",
    ]  # fmt: skip


def test_a_document_of_other_columns_is_a_failure_and_the_others_are_written(tmp_path: Path) -> None:
    """A file of CONLL-UA names its columns once."""
    rows = "# newdoc id = {}\n# sent_id = {}\n1\tAnn\t_\t(EntityID=1-Pseudo)"
    (tmp_path / "in").mkdir()
    for name, more in (("a", ""), ("b", " NOM_SEM"), ("c", "")):
        cell = "\t_" if more else ""
        (tmp_path / "in" / f"{name}.conllua").write_text(
            f"# global.columns = ID FORM LEMMA IDENTITY{more}\n{rows.format(name, name)}{cell}\n\n", "utf-8"
        )
    shown = CliRunner().invoke(main, ["convert", str(tmp_path / "in"), str(tmp_path / "out.conllua")])
    assert shown.exit_code == 1
    assert "1 document failed:\n  b  it has the columns 'ID FORM LEMMA IDENTITY NOM_SEM'" in shown.stderr
    assert formats.read(tmp_path / "out.conllua").ids == ["a", "c"]
