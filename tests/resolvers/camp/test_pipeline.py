"""The last component: medium entities of one name are merged, the smaller with the largest."""

from __future__ import annotations

from camp_texts import by_hand, spelled
from referee.resolvers.camp.camp import boldness_for
from referee.resolvers.camp.discourse import Discourse
from referee.resolvers.camp.lexicon import guidelines_named, lexicon
from referee.resolvers.camp.pipeline import discourse_of, run_components


def discourse(*names: str, entity: str = "(PERSON)") -> Discourse:
    """Make a text of sentences, "Name left", each with a pronoun that is linked with the name."""
    table = "\n\n".join(
        f"{name} NNP {name} 2 nsubj {entity}\nleft VBD leave 0 ROOT\nit PRP it 2 dobj" for name in names
    )
    made = discourse_of(by_hand(table), lexicon(), guidelines_named("ontonotes"), boldness_for(recall=True))
    for name, pronoun in zip(made.markables[::2], made.markables[1::2], strict=True):
        made.entity_of[pronoun].properties = made.entity_of[name].properties
        made.link(pronoun, name, "made")
    return made


def test_medium_entities_of_one_name_are_merged() -> None:
    made = discourse("Brook", "Holt", "Brook", "Brook")
    run_components(made, ["growing"])
    assert spelled(made) == [["Brook", "it", "Brook", "it", "Brook", "it"], ["Holt", "it"]]
    grown = [link for link in made.links if link.component == "growing"]
    assert [(link.rule, link.anaphor.start, link.antecedent.start) for link in grown] == [
        ("entities of one name", 6, 0), ("entities of one name", 9, 0),
    ]  # fmt: skip


def test_small_entities_names_without_a_type_and_several_names_do_not_grow() -> None:
    joined = discourse("Brook", "Brook")
    for markable in joined.markables:
        markable.coordinated = True
    for made in (discourse("Brook", "Brook", entity="*"), _without_pronouns(), joined):
        run_components(made, ["growing"])
        assert not [link for link in made.links if link.component == "growing"]


def _without_pronouns() -> Discourse:
    table = "\n\n".join(["Brook NNP Brook 2 nsubj (PERSON)\nleft VBD leave 0 ROOT"] * 2)
    return discourse_of(by_hand(table), lexicon(), guidelines_named("ontonotes"), boldness_for(recall=True))
