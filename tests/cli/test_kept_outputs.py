"""The numbers of all commands that score and study, on the sample and on noisy sets, stay as they were."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

import kept
import referee
from noisy_anaphora import noisy, random_document
from referee import formats
from referee.cli import main
from referee.model import Cluster, Document

SAMPLE = Path(referee.__file__).parent / "sample"
KEY, ALPHA, BETA = "key.conll", "alpha.conll", "beta.conll"
UA, OTHER_UA = "key.conllua", "response.conllua"
CF, OTHER_CF = "key.conllu", "response.conllu"
METRICS = "mentions,muc,b_cubed,ceaf_m,ceaf_e,blanc,lea"
COMMANDS = [
    f"score {KEY} {ALPHA} {BETA} --match exact,mina,head --metric {METRICS}",
    f"score {KEY} {ALPHA} --by document --singletons drop --metric muc,ceaf_e,blanc",
    f"score {KEY} {ALPHA} {BETA} --by genre --ci",
    f"score {KEY} {ALPHA} --by mention-type",
    f"score {KEY} {ALPHA} --by distance --match mina-coval",
    f"score {KEY} {ALPHA} --by entity-size --match head",
    f"score {KEY} {ALPHA} --by entity-span",
    f"score {KEY} {ALPHA} --ids corpus --scope corpus --metric links,lea,ceaf_e",
    f"score {KEY} {ALPHA} --protocol strict --metric mentions,ceaf_e",
    f"compare {KEY} {ALPHA} {BETA} --samples 200 --documents 3",
    f"compare {KEY} {ALPHA} {BETA} --samples 200 --test bootstrap --by mention-type --seed 5",
    f"compare {KEY} {ALPHA} {BETA} --samples 200 --by genre --correction none --baseline beta",
    f"errors {KEY} {ALPHA} {BETA} --table all",
    f"errors {KEY} {ALPHA} --match head --list --limit 12",
    f"errors {KEY} {ALPHA} {BETA} --common --by distance --singletons drop",
    f"errors {KEY} {ALPHA} {BETA} --made-by alpha --not-made-by beta --list --context --draw 9",
    f"stats {KEY}",
    f"spans {KEY} --stats",
    f"validate {KEY} {ALPHA} --key {KEY}",
    f"agree {KEY} {ALPHA} {BETA}",
    f"score {UA} {OTHER_UA}",
    f"score {UA} {OTHER_UA} --match partial --by document --metric muc,ceaf_e",
    f"score {UA} {OTHER_UA} --match craft --sets drop --singletons drop",
    f"score {UA} {OTHER_UA} --layer bridging",
    f"score {UA} {OTHER_UA} --sets only --metric muc,lea,ceaf_e",
    f"score {CF} {OTHER_CF}",
    f"score {CF} {OTHER_CF} --match exact --singletons keep",
    f"score {CF} {OTHER_CF} --match partial --protocol crac --by document --metric muc,ceaf_e",
    f"score {CF} {OTHER_CF} --zeros linear --sets keep",
    f"errors {CF} {OTHER_CF}",
    f"stats {UA}",
    f"compare {KEY} {ALPHA} {BETA} --samples 200 --by length",
    f"compare {KEY} {ALPHA} {BETA} --samples 200 --by entity-size --level 0.9",
    f"compare {KEY} {BETA} {ALPHA} --samples 200 --by distance --match head",
    f"compare {KEY} {ALPHA} {BETA} --samples 200 --by entity-type --types entity",
    f"score {KEY} {ALPHA} --by entity-type --types entity --ci",
    f"score {KEY} {BETA} --by unit --ids corpus --scope corpus --metric muc",
    f"errors {KEY} {ALPHA} {BETA} --by entity-type --types entity --spanning-tree distance",
    f"errors {KEY} {ALPHA} --classes kummerfeld-klein --by distance",
    f"agree {KEY} {BETA} --singletons drop",
    f"errors {KEY} {ALPHA} --by genre --genres genres.tsv",
    f"score {KEY} {ALPHA} --by genre --genres genres.tsv --metric muc",
    f"score {UA} twice.conllua --metric muc",
    f"score twice.conllua {UA} --metric muc --sets drop",
    f"stats {CF}",
]


def cut(name: str, folder: Path) -> None:
    """Write the first documents of a file of the sample."""
    documents = list(formats.read(str(SAMPLE / name)))[:3]
    formats.write(documents, folder / name)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("kept")
    for name in (KEY, ALPHA, BETA):
        cut(name, made)
    chance = Random(3)
    keys, responses = [], []
    for number in range(3):
        key = random_document(chance)
        words = tuple(f"w{at % 7}" for at in range(key.text.length))
        text = replace(key.text, id=f"d{number}", words=words)
        keys.append(Document(text, key.clusters, key.relations))
        responses.append(noisy(keys[-1], chance))
    (made / "genres.tsv").write_text("(nw/sample/harbour); part 000\tports\n", encoding="utf-8")
    first = keys[0].clusters[0]
    again = (*keys[0].clusters, Cluster("again", first.mentions[:1]))
    formats.write([Document(keys[0].text, again), *keys[1:]], made / "twice.conllua")
    for name, documents in ((UA, keys), (OTHER_UA, responses), (CF, keys), (OTHER_CF, responses)):
        formats.write(documents, made / name)
    return made


@pytest.mark.filterwarnings("ignore::referee.exceptions.LossWarning")
@pytest.mark.parametrize("number", range(len(COMMANDS)))
def test_numbers(number: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(main, [*shlex.split(COMMANDS[number]), "--format", "json"])
    assert result.exit_code == 0, result.output
    plain = re.sub(r'version:[^|"]*', "version", result.stdout)
    said = json.loads(plain, object_hook=kept.without_version)
    kept.check(f"command_{number:02}", {COMMANDS[number]: said, "notices": result.stderr.splitlines()})
