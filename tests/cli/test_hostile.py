"""A sample of the hostile inputs that `bench/fuzz.py` makes by thousands: no seed may find a fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from hostile import Specimen, copied_specimen, make_specimens, run_seed
from referee.cli import COMMANDS
from small_corpora import cat_xml, write_ecbplus, write_gap

SEEDS = range(240)
PARTS = 6  # tests that share the seeds
DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def specimens(tmp_path_factory: pytest.TempPathFactory) -> list[Specimen]:
    """Make the sample in every format, and corpora with files beside them."""
    folder = tmp_path_factory.mktemp("specimens")
    sources = tmp_path_factory.mktemp("sources")
    cat = cat_xml(["The tremor hit"], [("ACTION_OCCURRENCE", [2])], [("CROSS_DOC_COREF", [1], "ACT1")])
    (sources / "ecb").mkdir()
    write_ecbplus(sources / "ecb", {"1_1ecb": cat, "1_2ecbplus": cat}, [("1_1ecb", 0), ("1_2ecbplus", 0)])
    copies = [
        copied_specimen(folder, "mmax2", DATA / "arrau"),
        copied_specimen(folder, "muc", DATA / "muc" / "key.sgm", "key.sgm"),
        copied_specimen(folder, "ecbplus", sources / "ecb"),
        copied_specimen(folder, "gap", write_gap(sources / "gap.tsv"), "gap.tsv"),
    ]
    return [*make_specimens(folder), *(copy for copy in copies if copy)]


def test_every_format_has_a_specimen(specimens: list[Specimen]) -> None:
    assert len({specimen.format for specimen in specimens}) >= 24
    assert any(len(list(specimen.folder.rglob("*"))) > 2 for specimen in specimens)  # files beside a corpus


@pytest.mark.parametrize("part", range(PARTS))
def test_no_input_ends_badly(part: int, specimens: list[Specimen], tmp_path: Path) -> None:
    runs = [run_seed(seed, specimens, tmp_path / str(seed)) for seed in SEEDS[part::PARTS]]
    assert not [run for run in runs if run.fault]
    assert {run.words[0] for run in runs} <= COMMANDS.keys()
