from __future__ import annotations

from pathlib import Path

import pytest

import join_changelog
import referee

ROOT = Path(__file__).parents[1]
LOG = "# Changelog\n\nWhat is new.\n\n## 0.1.0 (2026-01-01)\n\n- All of it.\n"
CODE = '"""A face."""\n\n__version__ = "0.1.0"\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "changelog.d").mkdir()
    (tmp_path / "changelog.d" / "README.md").write_text("The rule.\n")
    (tmp_path / "CHANGELOG.md").write_text(LOG)
    face = tmp_path / join_changelog.FACE
    face.parent.mkdir(parents=True)
    face.write_text(CODE)
    return tmp_path


def put(project: Path, **fragments: str) -> None:
    for name, text in fragments.items():
        (project / "changelog.d" / f"{name.replace('_', '.')}.md").write_text(text, encoding="utf-8")


def contents(project: Path) -> dict[str, str]:
    return {str(path.relative_to(project)): path.read_text() for path in project.rglob("*") if path.is_file()}


def test_fragments_are_joined_by_kind_then_name_and_deleted(project: Path) -> None:
    put(project, mark_fix="A mark.\n", b_new="Bees.\nThey hum.\n", a_new="Ants.\n", mina_score="50 → 60.\n")
    join_changelog.main(project, "0.2.0")
    log = (project / "CHANGELOG.md").read_text()
    day = log.split("## 0.2.0 (")[1].split(")")[0]
    assert log == (
        f"# Changelog\n\nWhat is new.\n\n## 0.2.0 ({day})\n\n"
        "### Scores that changed\n\n- 50 → 60.\n\n"
        "### New\n\n- Ants.\n- Bees.\n  They hum.\n\n"
        "### Fixed\n\n- A mark.\n\n"
        "## 0.1.0 (2026-01-01)\n\n- All of it.\n"
    )
    assert [path.name for path in (project / "changelog.d").iterdir()] == ["README.md"]
    assert (project / join_changelog.FACE).read_text() == CODE.replace("0.1.0", "0.2.0")


def test_the_readme_cites_the_version_that_it_is_of() -> None:
    assert f"version = {{{referee.__version__}}}" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("fragments", "version", "reason"),
    [
        ({}, "0.2.0", "nothing to release"),
        ({"a_new": "Ants.", "b_feature": "Bees."}, "0.2.0", "score, new, change, fix"),
        ({"a": "Ants."}, "0.2.0", "SLUG.KIND.md"),
        ({"a_new": " \n"}, "0.2.0", "empty"),
        ({"a_new": "Ants."}, "two", "three numbers"),
        ({"a_new": "Ants."}, "", "three numbers"),
        ({"a_new": "Ants."}, "0.1.0", "already"),
    ],
    ids=["empty folder", "unknown kind", "no kind", "empty fragment", "no version", "none", "old version"],
)
def test_what_is_wrong_is_refused_and_nothing_is_written(
    project: Path, fragments: dict[str, str], version: str, reason: str
) -> None:
    put(project, **fragments)
    before = contents(project)
    with pytest.raises(SystemExit, match=reason):
        join_changelog.main(project, version)
    assert contents(project) == before


def test_fragments_of_today_could_be_released() -> None:
    fragments = [path for path in (ROOT / "changelog.d").glob("*") if path.name != "README.md"]
    if fragments:
        assert join_changelog.section("9.9.9", fragments).startswith("## 9.9.9 (")
