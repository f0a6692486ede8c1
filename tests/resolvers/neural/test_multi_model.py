"""The model in several languages resolves the texts of the page about languages as the page shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import referee
from referee.cli import main
from referee.language.recognition import recognised

for library in ("onnxruntime", "py3langid", "pythainlp", "safetensors", "sudachipy", "tokenizers"):
    pytest.importorskip(library, reason=f"{library} is not installed")

TOP = Path(__file__).parents[3]
FOLDER = TOP / "models" / "multi" / "referee_coref_multi"
CODES = {"German": "de", "Dutch": "nl", "French": "fr", "Hungarian": "hu", "Japanese": "ja", "Thai": "th"}
ROW = re.compile(r"\| (\w+) \| ([^|]{40,}) \| ([^|]+) \| ([^|]+) \|")
ROWS = [
    found.groups()[:3]
    for line in (TOP / "docs" / "languages.md").read_text("utf-8").splitlines()
    if (found := ROW.fullmatch(line)) and found[1] in CODES
]
pytestmark = pytest.mark.skipif(not (FOLDER / "encoder.onnx").exists(), reason="the weights are not here")


def test_the_page_has_two_texts_for_each_language() -> None:
    assert sorted(name for name, _, _ in ROWS) == sorted([*CODES] * 2)


@pytest.mark.parametrize(("name", "text", "found"), ROWS, ids=[row[1][:12] for row in ROWS])
def test_a_text_is_resolved_as_the_page_shows(name: str, text: str, found: str) -> None:
    assert recognised(text) == CODES[name]
    result = referee.resolve(text, "neural", model=str(FOLDER), threads=1)
    assert result.choice is not None
    assert result.choice.language == name
    assert [", ".join(cluster) for cluster in result.get_clusters()] == found.split(" · ")


def test_the_people_of_a_play_are_told_apart_by_who_speaks() -> None:
    play = (
        "KARL. Ich habe den Schlüssel verloren.\nMARTHA (ohne aufzusehen). Du verlierst noch deinen Kopf.\n"
        "KARL. Du redest wie Vater.\nMARTHA. Er hat nie einen Schlüssel verloren.\n"
        "KARL. Du hast ihn hereingelassen.\nMARTHA. Ich lasse alle herein.\nKARL. Auch mich?\n"
    )
    result = referee.resolve(play, "neural", model=str(FOLDER), threads=1, language="de")
    of = {name: set(map(str, cluster)) for cluster in result.get_clusters() for name in cluster[:1]}
    karl = next(cluster for first, cluster in of.items() if first.startswith("KARL"))
    martha = next(cluster for first, cluster in of.items() if first.startswith("MARTHA"))
    assert {"Ich", "deinen", "mich"} <= karl
    assert "Du" in martha
    assert not any(word.startswith("MARTHA") for word in karl)


def test_the_page_of_a_text_in_another_language_is_written_and_names_no_entity_by_a_pronoun(
    tmp_path: Path,
) -> None:
    letter, page = tmp_path / "brief.txt", tmp_path / "brief.html"
    letter.write_text(
        "Gestern war Herr Özdemir bei mir. Er erzählte, dass seine Tochter Leyla ihre Stelle verloren hat. "
        "Sie sucht jetzt Arbeit in der Stadt.",
        "utf-8",
    )
    run = CliRunner().invoke(main, ["resolve", str(letter), "--model", str(FOLDER), "-o", str(page)])
    assert run.exit_code == 0, run.output
    assert "Özdemir" in page.read_text("utf-8")
    result = referee.resolve(letter.read_text("utf-8"), "neural", model=str(FOLDER), threads=1)
    names = [entity.name for entity in result.entities]
    assert any("Leyla" in name for name in names)
    assert not {"Er", "Sie", "ihre"} & set(names)
