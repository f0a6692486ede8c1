"""Figures: there, with their fonts, the same each time; and what they show."""

from __future__ import annotations

import re
import sys
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee import score
from referee.cli import main
from referee.comparing.significance import compare_results
from referee.comparing.verdicts import Comparison, Plan
from referee.exceptions import FormatError, MissingExtra
from referee.model import DocumentCorpus
from referee.tables import figures as plots
from systems import documents, spoiled

pytest.importorskip("matplotlib", reason="figures need the extra 'plot'")


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    key = documents(30)
    results = [
        replace(score(DocumentCorpus(key), DocumentCorpus(spoiled(key, rate, 1))), system=f"s{i}")
        for i, rate in enumerate((0.2, 0.1, 0.19))
    ]
    return compare_results(results, Plan(samples=300))


SIGNS = {".pdf": b"%PDF", ".png": b"\x89PNG", ".svg": b"<?xml"}


def test_every_figure_in_every_format(comparison: Comparison, tmp_path: Path) -> None:
    found = plots.save_plots(comparison, str(tmp_path / "new"), plots.ENDINGS)
    assert sorted(path.name for path in found) == sorted(
        f"{name}{ending}" for name in ("scores", "ranks", "length") for ending in plots.ENDINGS
    )
    for path in found:
        assert path.read_bytes().startswith(SIGNS[path.suffix])


def test_fonts_are_embedded_as_truetype(comparison: Comparison, tmp_path: Path) -> None:
    for path in plots.save_plots(comparison, str(tmp_path), [".pdf"]):
        words = path.read_bytes()
        streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", words, re.DOTALL)
        unpacked = words + b"".join(_unpacked(stream) for stream in streams)
        assert b"/FontFile2" in unpacked
        assert b"/Type3" not in unpacked


def _unpacked(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""


def test_no_text_of_an_svg_needs_a_font(comparison: Comparison, tmp_path: Path) -> None:
    for path in plots.save_plots(comparison, str(tmp_path), [".svg"]):
        assert "<text" not in path.read_text(encoding="utf-8")


def test_the_same_figure_has_the_same_bytes(comparison: Comparison, tmp_path: Path) -> None:
    pairs = [plots.save_plots(comparison, str(tmp_path / name), [".svg", ".pdf"]) for name in ("a", "b")]
    for first, second in zip(*pairs, strict=True):
        assert first.read_bytes() == second.read_bytes()


def test_scores_are_drawn_where_they_are(comparison: Comparison) -> None:
    (axes,) = plots.score_figure(comparison).axes
    drawn = [container.lines[0].get_xdata() for container in axes.containers]  # type: ignore[attr-defined]
    for verdict, points in zip(comparison.verdicts, drawn, strict=True):
        expected = [100 * found.f1 for found in verdict.values()]
        assert list(points)[::-1] == pytest.approx(expected)
    assert axes.get_yticklabels()[0].get_text() == "CoNLL"


def test_ranks_fill_the_bars(comparison: Comparison) -> None:
    (axes,) = plots.rank_figure(comparison).axes
    widths = [[bar.get_width() for bar in container] for container in axes.containers]
    assert [sum(row) for row in zip(*widths, strict=True)] == pytest.approx([100] * 3)
    assert axes.get_yticklabels()[-1].get_text() == "s1"


def test_every_document_has_a_point(comparison: Comparison) -> None:
    (axes,) = plots.length_figure(comparison).axes
    clouds = [cloud for cloud in axes.collections if len(cloud.get_offsets()) == 30]  # type: ignore[arg-type]
    assert len(clouds) == 3


def test_without_lengths_there_is_no_figure_of_them(comparison: Comparison, tmp_path: Path) -> None:
    unknown = replace(comparison, results=[replace(result, lengths=()) for result in comparison.results])
    assert {path.stem for path in plots.save_plots(unknown, str(tmp_path))} == {"scores", "ranks"}


def test_unknown_formats_and_bad_folders_are_refused(comparison: Comparison, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"cannot draw \.gif"):
        plots.save_plots(comparison, str(tmp_path), [".gif"])
    blocked = tmp_path / "file"
    blocked.touch()
    with pytest.raises(FormatError, match="file"):
        plots.save_plots(comparison, str(blocked))


def test_a_missing_matplotlib_is_one_line(comparison: Comparison, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"referee-coref\[plot\]"):
        plots.score_figure(comparison)


def test_the_command_says_what_it_drew(tmp_path: Path) -> None:
    from referee import formats

    key = documents(8)
    formats.write(key, tmp_path / "key.conll")
    formats.write(spoiled(key, 0.1, 1), tmp_path / "a.conll")
    formats.write(spoiled(key, 0.3, 2), tmp_path / "b.conll")
    paths = [str(tmp_path / f"{name}.conll") for name in ("key", "a", "b")]
    drawn = str(tmp_path / "figures")
    shown = CliRunner().invoke(
        main, ["compare", *paths, "--plot", drawn, "--plot-format", "png", "--samples", "200"]
    )
    assert shown.exit_code == 0
    assert "scores.png" in shown.stderr
    assert (tmp_path / "figures" / "length.png").exists()
