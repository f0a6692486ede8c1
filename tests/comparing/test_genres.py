"""Groups of units by their genre."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import Protocol
from referee.comparing.breakdowns import group_labels
from referee.exceptions import FormatError, ProtocolError
from referee.scoring.genres import read_genres
from referee.scoring.result import Result
from systems import counts


def result(units: list[str], scope: str = "document") -> Result:
    rows = counts([1] * len(units), [2] * len(units), [2] * len(units))
    return Result("s", units, {"muc": rows}, Protocol(scope=scope))


def test_names_tell_or_a_file_does(tmp_path: Path) -> None:
    path = tmp_path / "genres.tsv"
    path.write_bytes("\ufeffplain\tfairy tale\n\nbc/cnn/1\tmine\n".encode())
    units = ["plain", "bc/cnn/1", "nw/wsj/2"]
    assert group_labels(result(units), "genre", read_genres(str(path))) == ["fairy tale", "mine", "nw"]
    with pytest.raises(ProtocolError, match="the name of plain does not say its genre; give genres="):
        group_labels(result(units), "genre")


def test_units_that_are_no_documents_have_no_genre() -> None:
    assert group_labels(result(["t1"], "topic"), "unit") == ["t1"]
    with pytest.raises(ProtocolError, match="the units are topics"):
        group_labels(result(["t1"], "topic"), "genre")


@pytest.mark.parametrize("content", [b"no tab here\n", b"a\t\n", b"\xff\xfe\n"])
def test_what_is_no_list_of_genres_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "genres.tsv"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=r"genres\.tsv"):
        read_genres(str(path))
