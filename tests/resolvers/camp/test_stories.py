"""What camp finds in whole texts stays what it is: each mention, each link and each near miss."""

from __future__ import annotations

import pytest

from camp_stories import EXPECTED, STORIES, blocks, found


@pytest.mark.parametrize("name", STORIES)
def test_what_is_found_in_a_story(name: str) -> None:
    assert list(found(STORIES[name])) == blocks(EXPECTED)[name].splitlines()
