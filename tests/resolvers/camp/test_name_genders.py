"""The gender of a name that no list has, by the pronouns that follow it."""

from __future__ import annotations

import pytest

from camp_texts import by_hand, discourse_by_rules
from referee.resolvers.camp.lexicon import lexicon
from referee.resolvers.camp.name_genders import told_genders

LOST = "Zorin NNP Zorin 2 nsubj (PERSON)\nlost VBD lose 0 ROOT\n"
HIS, HER = (f"{word} PRP$ {word} 4 poss\nhat NN hat 2 dobj" for word in ("his", "her"))
NOBODYS = "the DT the 4 det\nhat NN hat 2 dobj"
# Somebody else comes before the pronoun, who may be the one that it means.
KINGS, WOMANS, TOMS = (
    f"{words}\n's POS 's 3 case\nhat NN hat 2 dobj\nin IN in 5 prep\n"
    "his PRP$ his 8 poss\nhouse NN house 6 pobj"
    for words in ("kings NNS king 5 poss", "women NNS woman 5 poss", "Tom NNP Tom 5 poss")
)


@pytest.mark.parametrize(
    ("said", "gender"),
    [
        ([HIS] * 3, "masculine"),
        ([HER] * 3, "feminine"),
        ([HIS] * 2, None),  # too few
        ([HIS] * 2 + [NOBODYS] * 3, None),
        ([HIS] * 8 + [HER] * 2, "masculine"),  # four of five
        ([HIS] * 7 + [HER] * 2, None),
        ([HER] * 3 + [HIS], None),
        ([HIS] * 2 + [KINGS], None),
        ([HIS] * 2 + [WOMANS], None),
        ([HIS] * 2 + [TOMS], None),
        ([HIS] * 3 + [KINGS, WOMANS, TOMS], "masculine"),
    ],
)
def test_a_name_is_of_the_gender_that_most_pronouns_next_behind_it_have(
    said: list[str], gender: str | None
) -> None:
    text = by_hand("\n\n".join(LOST + behind for behind in said))
    parse = discourse_by_rules(text, only=["names"]).parse
    assert told_genders(parse, lexicon()).get("zorin") == gender
