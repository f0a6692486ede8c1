"""referee tune across documents, with a scorer that looks at words alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.exceptions import FormatError, SettingError
from referee.functions import tune as across_tuning
from referee.resolvers.across.threshold_search import THRESHOLDS
from referee.resolvers.tuned import tuned_resolver
from small_corpora import cat_xml, write_ecbplus
from surface_scorer import SurfaceScorer
from toy_model import write_toy


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(across_tuning, "opened_scorer", lambda _folder: SurfaceScorer())
    text = ["Police arrested two men .", "The arrest came late ."]
    mentions = [("ACTION_OCCURRENCE", (2,)), ("ACTION_OCCURRENCE", (7,))]
    files = {
        f"{topic}_{number}ecb": cat_xml(text, mentions, [("CROSS_DOC_COREF", (1, 2), f"ACT{topic}")])
        for topic in (1, 2)
        for number in (1, 2)
    }
    write_ecbplus(tmp_path / "ecbplus", files, [(name, sentence) for name in files for sentence in (0, 1)])
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "across.json").write_text(
        '{"events": {"spans_per_word": 0.25, "mention_threshold": 0.1}}'
    )
    return tmp_path


def run(folder: Path, *arguments: str) -> Result:
    words = ["tune", str(folder / "model"), "--dev", str(folder / "ecbplus"), *arguments]
    return CliRunner().invoke(main, words)


def facts(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "model" / "across.json").read_text("utf-8"))
    return found


def test_the_best_threshold_is_written_into_the_model(folder: Path) -> None:
    result = run(folder, "--kind", "events", "--mentions", "gold")
    assert result.exit_code == 0, result.output
    assert "all mentions" in result.output
    assert "best: τ 0.98, CoNLL 100.00" in result.output
    precision = {"gold": {"threshold": [*THRESHOLDS], "precision": [100.0] * len(THRESHOLDS)}}
    chosen = {"spans_per_word": 0.25, "mention_threshold": 0.1, "threshold": 0.98, "precision": precision}
    assert facts(folder) == {"events": chosen}


def test_precision_alone_is_measured_and_thresholds_stay(folder: Path) -> None:
    result = run(folder, "--kind", "events", "--keep-thresholds", "--format", "json")
    assert result.exit_code == 0, result.output
    changed = facts(folder)["events"]
    assert "threshold" not in changed
    assert changed["precision"]["predicted"]["threshold"] == [*THRESHOLDS]
    assert "gold" not in changed["precision"]
    assert run(folder, "--kind", "events", "--keep-thresholds", "--mentions", "gold").exit_code == 0
    assert set(facts(folder)["events"]["precision"]) == {"predicted", "gold"}


def test_spans_that_are_kept_are_tuned_too_and_a_dry_run_writes_nothing(folder: Path) -> None:
    before = facts(folder)
    result = run(folder, "--kind", "entities", "--dry-run", "--format", "json")
    assert result.exit_code == 0, result.output
    assert '"spans_per_word": 0.4' in result.output
    assert facts(folder) == before
    assert run(folder, "--kind", "all").exit_code == 0
    assert set(facts(folder)["all"]) == {"spans_per_word", "threshold", "precision"}


def test_one_dev_corpus_at_a_time(folder: Path) -> None:
    result = run(folder, "--dev", str(folder / "ecbplus"))
    assert result.exit_code == 2
    assert "one --dev" in result.output


def test_what_is_tuned_is_seen_from_the_model(folder: Path) -> None:
    model, topics = folder / "model", str(folder / "ecbplus")
    plain = folder / "plain.conll"
    plain.write_text("#begin document (x); part 000\nHe (1)\nhe (1)\n#end document\n", encoding="utf-8")
    assert tuned_resolver(model, [str(plain)]) == "across"
    with pytest.raises(SettingError, match=r"resolver='neural' needs model\.json, which"):
        tuned_resolver(model, [topics], "neural")
    (model / "model.json").write_text("{}")
    assert tuned_resolver(model, [topics]) == "across"
    assert tuned_resolver(model, [str(plain)]) == "neural"
    assert tuned_resolver(model, [f"litbank={topics}"]) == "neural"
    assert tuned_resolver(model, [topics], "neural") == "neural"
    (model / "across.json").unlink()
    assert tuned_resolver(model, [topics]) == "neural"
    (model / "model.json").unlink()
    with pytest.raises(FormatError, match=r"not a model: it has neither model\.json nor across\.json"):
        tuned_resolver(model, [topics])


def test_settings_of_the_other_resolver_are_refused(folder: Path) -> None:
    result = run(folder, "--threads", "2")
    assert result.exit_code == 2
    assert "--threads is a setting of the resolver neural, not of across" in result.output
    (folder / "model" / "model.json").write_text("{}")
    for option in ("--kind", "events"), ("--mentions", "gold"):
        refused = run(folder, "--resolver", "neural", *option)
        assert refused.exit_code == 2
        assert f"{option[0]} is a setting of the resolver across, not of neural" in refused.output


KEY = """#begin document (d); part 000
d\t0\t0\tClara\t(0)
d\t0\t1\tsmiled\t-

d\t0\t0\tShe\t(0)
d\t0\t1\tsaw\t-
d\t0\t2\thim\t-

#end document
"""


def test_a_model_within_documents_keeps_its_thresholds_too(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    model, key = write_toy(tmp_path, threshold=0.5), tmp_path / "key.conll"
    key.write_text(KEY, "utf-8")
    before = json.loads((model / "model.json").read_text("utf-8"))
    words = ["tune", str(model), "--dev", str(key), "--keep-thresholds"]
    refused = CliRunner().invoke(main, [*words, "--plot", "x.svg"])
    assert (refused.exit_code, "--keep-thresholds tries nothing" in refused.output) == (2, True)
    shown = CliRunner().invoke(main, words)
    assert shown.exit_code == 0, shown.output
    assert "MUC precision of links on dev" in shown.output
    after = json.loads((model / "model.json").read_text("utf-8"))
    measured = after.pop("precision")["ontonotes"]
    assert after == before
    assert (measured["predicted"]["precision"][0], measured["gold"]["precision"][0]) == (50.0, 100.0)
