"""Layers that CoNLL-U files beside a corpus bring: tags, trees, names and speakers."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import referee
from camp_texts import parsed
from referee.cli import main
from referee.exceptions import FormatError
from referee.model import Document, Text
from referee.resolvers.camp.given_layers import GivenLayers, take_layers

ROWS = """# newdoc id = d
# speaker = Ann
1\tZorby\tZorby\tPROPN\tNNP\t_\t2\tnsubj\t_\tNER=S-PERSON
2\tsmiled\tsmile\tVERB\tVBD\t_\t0\troot\t_\t_
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

1\tHe\the\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\tleft\tleave\tVERB\tVBD\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_
"""
WORDS = ("Zorby", "smiled", ".", "He", "left", ".")


def document() -> Document:
    return Document(Text("d", WORDS, ((0, len(WORDS)),)), ())


def test_all_that_a_file_says_is_taken() -> None:
    layers = take_layers(document(), ROWS, "d.conllu").text.layers
    assert layers["pos"] == ("NNP", "VBD", ".", "PRP", "VBD", ".")
    assert layers["lemma"] == ("Zorby", "smile", ".", "he", "leave", ".")
    assert layers["head"] == ("1", "-", "1", "4", "-", "4")
    assert layers["deprel"] == ("nsubj", "root", "punct", "nsubj", "root", "punct")
    assert layers["entity"] == ("(PERSON)", "*", "*", "*", "*", "*")
    assert layers["speaker"] == ("Ann", "Ann", "Ann", "-", "-", "-")


def test_sentences_come_with_the_trees() -> None:
    assert take_layers(document(), ROWS, "d.conllu").text.sentences == ((0, 3), (3, 6))


def test_what_a_file_leaves_empty_is_not_taken() -> None:
    empty = ROWS.replace("NER=S-PERSON", "_").replace("# speaker = Ann\n", "").replace("\tNNP\t", "\t_\t")
    assert take_layers(document(), empty, "d.conllu").text.layers.keys() == {"lemma", "head", "deprel"}


def test_universal_tags_are_no_tags_for_the_rules() -> None:
    rows = ROWS.replace("NNP", "PROPN").replace("VBD", "VERB").replace("PRP", "PRON")
    assert "pos" not in take_layers(document(), rows, "d.conllu").text.layers


def test_a_file_of_other_words_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"d\.conllu: document 'd' has 'Zorby' where the key has 'Ann'"):
        take_layers(Document(Text("d", ("Ann", *WORDS[1:]), ((0, 6),)), ()), ROWS, "d.conllu")
    with pytest.raises(FormatError, match="no line of document 'd' looks like CoNLL-U"):
        take_layers(document(), "1 Zorby", "d.conllu")
    (tmp_path / "e.conllu").write_text(ROWS, encoding="utf-8")
    with pytest.raises(FormatError, match="no document 'other'"):
        GivenLayers(str(tmp_path)).of(Text("other", ("a",), ((0, 1),)))


def test_a_layer_by_name_must_be_there() -> None:
    parsed("Clara smiled.")  # skips without spaCy
    with pytest.raises(FormatError, match="has no layer 'lemma'"):
        referee.resolve(document(), corpus_layers=["lemma"])


def test_the_command_takes_a_folder_and_names(tmp_path: Path) -> None:
    """Zorby is no name that spaCy or the lists know: that he is a person, the file alone says."""
    parsed("Clara smiled.")  # skips without spaCy
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    lines = "\n".join(f"{number}\t{word}\t_" for number, word in enumerate(WORDS))
    key.write_text(f"# begin document d\n{lines}\n\n# end document\n", encoding="utf-8")
    (tmp_path / "layers").mkdir()
    (tmp_path / "layers" / "d.conllu").write_text(ROWS, encoding="utf-8")
    arguments = ["resolve", str(key), "-o", str(response)]
    result = CliRunner().invoke(main, [*arguments, "--layers", str(tmp_path / "layers")])
    assert result.exit_code == 0, result.output
    assert [len(cluster.mentions) for cluster in next(iter(referee.read(str(response)))).clusters] == [2]
    refused = CliRunner().invoke(main, [*arguments, "--corpus-layers", "speaker"])
    assert refused.exit_code == 1
    assert "has no layer 'speaker'" in refused.output
