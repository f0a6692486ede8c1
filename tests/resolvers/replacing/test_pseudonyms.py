"""Every person has one invented name in all of its forms, and a table gives the text back, to the byte."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import referee
from marked_cases import Case, cases_in, document_of
from referee.exceptions import FormatError
from referee.resolvers.replacing.edits import edited
from referee.resolvers.replacing.inventing import Inventor, invented_names
from referee.resolvers.replacing.pseudonyms import IN_ADDRESS, Pseudonymised, _in_case, pseudonymise
from referee.resolvers.replacing.restoring import read_table, restored, save_table, table_in

CASES = cases_in(Path(__file__).parents[2] / "data" / "replacing" / "pseudonyms.txt")
FAMILY = "[1 Ann Lee] met [2 Tom Lee]. [1 Ms. Lee] liked [2 Tom]; [2 he] liked [1 her]."


class InOrder(random.Random):
    """Draws names in the order of the lists, so that cases can say which are expected."""

    def sample(self, names: list[str], count: int) -> list[str]:  # type: ignore[override]
        return list(names)[:count]


@pytest.fixture
def in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.resolvers.replacing.inventing.random.Random", InOrder)


@pytest.mark.parametrize(
    ("like", "name"),
    [
        ("ANNA", "LENA"),
        ("AL", "LENA"),
        ("A", "Lena"),
        ("A.", "Lena"),
        ("AL.", "Lena"),
        ("Anna", "Lena"),
        ("anna", "Lena"),
    ],
)
def test_a_name_is_in_capitals_where_the_old_one_was(like: str, name: str) -> None:
    assert _in_case("Lena", like) == name


@pytest.mark.parametrize("address", ["lee@post.org", "ann.lee@post.org", "x.lee@post.org"])
def test_a_name_in_an_address_is_reported_with_the_address_alone(address: str) -> None:
    made = pseudonymise(document_of(f"[1 Ann Lee] writes as {address} to us."))
    assert [(each.text, each.reason) for each in made.left] == [(address, IN_ADDRESS)]


@pytest.mark.usefixtures("in_order")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.heading}: {case.marked[:50]}")
def test_the_cases_that_people_can_read(case: Case) -> None:
    given = document_of(case.marked)
    made = pseudonymise(given)
    running = given.text.running
    expected = "\n".join(line[2:] for line in case.expected if line[0] == ">")
    assert made.text == (expected or running)
    left = [line[2:] for line in case.expected if line[0] == "!"]
    assert [f"{each.text}: {each.reason}" for each in made.left] == left
    assert edited(made.text, made.undoing) == running


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 65


def made_of(marked: str, seed: int = 0) -> tuple[str, Pseudonymised]:
    given = document_of(marked)
    return given.text.running or "", pseudonymise(given, seed)


def test_a_word_may_be_a_surname_in_one_mention_and_a_first_name_in_another() -> None:
    running, made = made_of("[1 [2 Mr. John] Holt] left, and [2 she] smiled at [1 him].")
    assert edited(made.text, made.undoing) == running
    assert "John" not in made.text
    assert "Holt" not in made.text


def test_the_same_seed_gives_the_same_names_and_another_one_others() -> None:
    texts = [made_of(FAMILY, seed)[1].text for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.parametrize("seed", range(20))
def test_invented_names_are_not_in_the_text_and_differ(seed: int) -> None:
    names = [name for kind in ("women", "men", "surnames") for name in invented_names()[kind][:50]]
    running = " ".join(names)
    inventor = Inventor(running, seed)
    drawn = [inventor.first("f") for _ in range(90)] + [inventor.first("m") for _ in range(30)]
    assert len(set(drawn)) == 120
    parts = [part.casefold() for name in drawn for part in name.split("-")]
    assert not [part for part in parts if part in running.casefold()]


def test_lists_have_no_name_twice() -> None:
    every = [name for names in invented_names().values() for name in names]
    assert len(every) == len(set(every))


@pytest.mark.parametrize("ending", [".json", ".csv"])
@pytest.mark.parametrize("text", [FAMILY, "“[1 Ann],”\r\n  she\tsaid — [1 Ann’s] café.\r\n", "[1 it] rained"])
def test_a_table_gives_the_text_back_to_the_byte(text: str, ending: str, tmp_path: Path) -> None:
    running, made = made_of(text)
    save_table(made, str(tmp_path / f"t{ending}"))
    back = referee.restore(made.text, tmp_path / f"t{ending}")
    assert (back.text, back.exact, back.replaced) == (running, True, len(made.changes))
    assert not back.notices


def test_an_answer_is_restored_name_by_name(tmp_path: Path) -> None:
    _, made = made_of(FAMILY)
    save_table(made, str(tmp_path / "t.json"))
    ann, lee = made.people[0].invented.split()
    back = referee.restore(f"Dear {ann} {lee}, {ann}x and {lee}'s dog", tmp_path / "t.json")
    assert back.text == f"Dear Ann Lee, {ann}x and Lee's dog"
    assert (back.exact, back.replaced) == (False, 3)
    assert "restored name by name" in back.notices[0]


def test_a_name_that_stands_for_two_is_said() -> None:
    _, made = made_of("[1 Thomas Reed] won. [1 Tom] smiled. [1 Tom] sang.")
    invented = made.people[0].invented.split()[0]
    back = restored(f"{invented}!", table_in(made.table))
    assert back.text == "Tom!"
    assert back.notices[1] == f"{invented} stands for Tom, Thomas: the first was put everywhere"


def test_a_text_without_the_names_is_said_to_have_none() -> None:
    _, made = made_of(FAMILY)
    assert "none of the invented names is in the text" in referee.restore("Nobody.", made.table).notices


def test_names_that_are_changed_at_one_place_are_not_taken_for_the_text(tmp_path: Path) -> None:
    _, made = made_of(FAMILY)
    save_table(made, str(tmp_path / "t.csv"))
    assert not referee.restore(f" {made.text}", tmp_path / "t.csv").exact
    assert not referee.restore(f"{made.text} ", made.table).exact  # by its hash


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.json", "[]"),
        ("t.json", "{}"),
        ("t.json", '{"about": "referee pseudonyms", "changes": [{"start": 1}]}'),
        ("t.json", '{"about": "referee pseudonyms", "changes": [7]}'),
        ("t.csv", "start,end,invented,original\n5,2,Maria,Ann\n"),
        ("t.csv", "start,end,invented,original\n0,2,,Ann\n"),
        ("t.csv", "start,end,invented,original\nx,2,Maria,Ann\n"),
        ("t.csv", ""),
        ("t.csv", f"start,end,invented,original\n0,5,{'x' * 200_000},Ann\n"),
        ("t.csv", "start,end,invented,original\n0,5\n"),
        ("t.json", '{"about": "referee pseudonyms", "changes": [{"start": 1, "end": 1e999}]}'),
        ("t.json", '{"about": "referee pseudonyms", "changes": 7}'),
        ("t.csv", "start,end,invented,original\n0,5,Maria,Ann\n3,8,Maria,Ann\n"),
        ("t.csv", "start,end,invented,original\n-1,5,Maria,Ann\n"),
        ("t.csv", "start,end,invented,original\n5,5,Maria,Ann\n"),
    ],
)
def test_a_file_that_is_no_table_is_refused(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(FormatError, match=str(tmp_path / name)):
        read_table(str(tmp_path / name))


def test_the_table_says_who_is_who() -> None:
    _, made = made_of(FAMILY)
    table = json.loads(json.dumps(made.table))
    assert [each["original"] for each in table["people"]] == ["Ann Lee", "Tom Lee"]
    assert table["people"][0]["invented"].split()[1] == table["people"][1]["invented"].split()[1]
    assert {change["original"] for change in table["changes"]} == {"Ann", "Lee", "Tom"}
