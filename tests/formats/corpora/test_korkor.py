"""KorKor: words that lead to their antecedents."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import Cluster, FormatError, Mention, read
from referee.model import Relation

TEXT = """# global.columns = ID FORM LEMMA XPOS UPOS HEAD COREFHEAD COREFTYPE
# sent_id = 1
1\tAnn\tAnn\tN\tPROPN\t2\t_\t_
2\taludt\talszik\tV\tVERB\t???\t_\t_

# sent_id = 2
1\tŐ\tő\tN\tPRON\t2\t1:1\tprs
2\tmaga\tmaga\tN\tPRON\t2\t2:1\trefl
3\tkeze\tkéz\tN\tNOUN\t2\t1:1\tholo
4\taz\taz\tN\tPRON\t2\t???\tdem
5\tki\tki\tN\tPRON\t2\t\tarb
"""


def test_links_become_clusters_and_parts_bridging(tmp_path: Path) -> None:
    path = tmp_path / "huwiki_1.conllup"
    path.write_text(TEXT, encoding="utf-8")
    corpus = read(path)
    (document,) = corpus
    assert (document.id, document.sentences) == ("huwiki_1", ((0, 2), (2, 7)))
    assert document.words == ("Ann", "aludt", "Ő", "maga", "keze", "az", "ki")
    assert document.clusters == (
        Cluster("0", (Mention.at(0, 1), Mention.at(2, 3), Mention.at(3, 4))),
        Cluster("4", (Mention.at(4, 5),)),
        Cluster("5", (Mention.at(5, 6),)),
        Cluster("6", (Mention.at(6, 7),)),
    )
    assert document.relations == (Relation("bridging", "4", ("0",), "holo", ((4, 5),), (((0, 1),),)),)
    assert document.layers["pos"] == ("PROPN", "VERB", "PRON", "PRON", "NOUN", "PRON", "PRON")
    assert any(":10: antecedents that are not words of the text" in notice for notice in corpus.notices)


def test_rows_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.conllup"
    path.write_text(TEXT.replace("\tprs", ""), encoding="utf-8")
    with pytest.raises(
        FormatError, match=r"a\.conllup:7: the line has 7 columns, but global\.columns names 8"
    ):
        read(path)
