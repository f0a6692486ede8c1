"""WebAnno TSV with coreference as a layer of relations between spans."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import Corpus, Document, FormatError, read
from referee.model import Relation
from tool_specimens import put

LAYERS = """#T_SP=webanno.custom.Referent|entity|infstat
#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent"""
ROWS = """#Text=Ann took her hat .
1-1\t0-3\tAnn\tperson\tnew\tcoref\t1-3[0_0]\t
1-2\t4-8\ttook\t_\t_\t_\t_\t
1-3\t9-12\ther\tperson|object[1]\tgiv|new[1]\tbridge|ana\t1-4[1_0]|2-1\t
1-4\t13-16\that\tobject[1]\tnew[1]\t_\t_\t
1-5\t17-18\t.\t_\t_\t_\t_\t

#Text=She liked it .
2-1\t19-22\tShe\tperson\tgiv\t_\t_\t
2-2\t23-28\tliked\t_\t_\t_\t_\t
2-3\t29-31\tit\t*\tgiv\t_\t_\t
2-4\t32-33\t.\t_\t_\t_\t_\t
"""


def opened(folder: Path, rows: str = ROWS, layers: str = LAYERS) -> Corpus:
    return read(put(folder, "a.tsv", f"#FORMAT=WebAnno TSV 3.2\n{layers}\n\n\n{rows}"))


def spelled(document: Document) -> list[list[tuple[str, str | None]]]:
    return [[(document.text.spelled(m.spans), m.type) for m in c.mentions] for c in document.clusters]


def test_spans_that_are_called_coreference_and_not_read_are_noted(tmp_path: Path) -> None:
    layers = LAYERS.replace("Referent", "CorefSpan")
    assert not any("span layer" in notice for notice in opened(tmp_path, layers=layers).notices)
    other = layers.replace("custom.Coref|", "custom.PartOf|")
    alone = opened(tmp_path, ROWS.replace("\tcoref\t", "\tx\t"), other)
    assert not next(iter(alone)).clusters
    (notice,) = (notice for notice in alone.notices if "span layer" in notice)
    said = "the span layer 'CorefSpan' is called after coreference, but is not read"
    assert notice.startswith(f"{tmp_path / 'a.tsv'}:7: {said}: only ")
    assert notice.endswith(": lines 7, 9-10, 14, 16")
    assert notice not in alone.about


def test_spans_that_are_linked_are_clusters_and_others_singletons(tmp_path: Path) -> None:
    (document,) = opened(tmp_path)
    assert spelled(document) == [
        [("Ann", "person"), ("her", "person"), ("She", "person")],
        [("her hat", "object")],
        [("it", "giv")],
    ]
    assert document.relations == (Relation("bridging", "2", ("1",), "bridge", ((2, 4),), (((2, 3),),)),)


def test_values_of_split_antecedents(tmp_path: Path) -> None:
    (document,) = opened(tmp_path, ROWS.replace("bridge|ana", "bridge:aggr|ana"))
    assert document.relations == (Relation("split antecedent", "2", ("1",), "", ((2, 4),), (((2, 3),),)),)


def test_layers_of_another_name_count_by_their_values(tmp_path: Path) -> None:
    other = LAYERS.replace("custom.Coref", "custom.Link")
    (document,) = opened(tmp_path, ROWS.replace("ana", "same-as"), other)
    assert [len(cluster) for cluster in spelled(document)] == [3, 1, 1]
    none = opened(tmp_path, ROWS.replace("coref", "part").replace("ana", "whole"), other)
    assert not none[0].clusters
    assert none.notices[0].startswith(f"{tmp_path / 'a.tsv'}:")
    assert "the relation 'part' does not mean coreference: kept but not read" in none.notices[0]
    path = put(tmp_path, "c.tsv", (tmp_path / "a.tsv").read_text())
    assert [len(cluster) for cluster in spelled(read(path, identity=["part", "whole"])[0])] == [3, 1, 1]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1-3[0_0]", "1-9", r"a\.tsv:7: a relation ends at 1-9, where nothing is marked"),
        ("1-3[0_0]", "here", r"a\.tsv:7: expected a token such as 1-3"),
        ("took", "gave", "the token is 'took', but the text has 'gave'"),
    ],
)
def test_what_does_not_fit_is_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message):
        opened(tmp_path, ROWS.replace(old, new, 1))


def test_a_token_in_other_case_is_a_notice(tmp_path: Path) -> None:
    corpus = opened(tmp_path, ROWS.replace("took", "Took", 1))
    assert corpus[0].words[1] == "Took"
    assert "the token is 'took', but the text, which counts, has 'Took'" in corpus.notices[0]


def test_it_comes_back_as_it_came(tmp_path: Path) -> None:
    from referee import write

    corpus = opened(tmp_path)
    write(corpus, tmp_path / "b.tsv", "webanno")
    assert (tmp_path / "b.tsv").read_bytes() == (tmp_path / "a.tsv").read_bytes()
