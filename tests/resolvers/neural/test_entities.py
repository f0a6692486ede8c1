"""What is known of spans and of entities as they grow."""

from referee.resolvers.neural.entities import (
    FEMALE,
    MALE,
    NO_SCORE,
    NOUN,
    OTHER_TITLE,
    Entity,
    Facts,
    PairScores,
    alone,
    fit,
    log_sum,
)
from toy_facts import facts


def compared(known: Facts, *entity: int, each: tuple[float, ...] = (1.0,)) -> list[float]:
    """Compare the last span with an entity of others."""
    built = Entity(known, entity[0])
    for span in entity[1:]:
        built.add(known, span)
    return fit(known, len(known.start) - 1, built, PairScores(each, log_sum(each), NO_SCORE, NO_SCORE))


def test_gender_is_seen_in_titles_names_nouns_and_pronouns() -> None:
    text = "Mrs. Holt met Peter Voss , Dr. Anna Lee , the old king , her aunts and him and Morgan"
    known = facts(text, (0, 1), (3, 4), (6, 8), (10, 12), (14, 14), (14, 15), (17, 17), (19, 19))
    assert known.gender == [FEMALE, MALE, FEMALE, MALE, FEMALE, FEMALE, MALE, 0]
    assert known.title == [FEMALE, 0, OTHER_TITLE, 0, 0, 0, 0, 0]
    assert known.plural == [False, False, False, False, False, True, False, False]
    assert known.is_name == [True, True, True, False, False, False, False, True]


def test_a_noun_that_begins_like_a_man_is_none() -> None:
    assert facts("the song and her sons", (0, 1), (3, 4)).gender == [0, MALE]


def test_content_words_are_those_of_the_head_without_who_owns_it() -> None:
    known = facts(
        "Norway 's Erik Dahl , who left , and the King of Norway 's men and they", (0, 7), (9, 12), (16, 16)
    )
    assert known.words == [frozenset({"erik", "dahl"}), frozenset({"king"}), frozenset()]
    assert known.gender[0] == MALE
    assert known.is_name == [True, True, False]


def test_an_entity_counts_its_mentions_by_class() -> None:
    known = facts("Ann saw the doctor and she told him", (0, 0), (2, 3), (5, 5), (7, 7))
    entity = Entity(known, 0)
    entity.add(known, 2)
    entity.add(known, 1)
    assert entity.counts[0] == entity.counts[NOUN] == 1
    assert sum(entity.counts) == 3
    assert entity.genders[FEMALE] == 2
    assert (sum(entity.genders), sum(entity.titles), entity.single, entity.plural) == (3, 1, 2, 0)
    assert (entity.last, entity.last_noun, entity.mentions) == (1, 1, [0, 2, 1])
    assert entity.names == {frozenset({"ann"}): 1}


def test_turns_are_remembered_with_what_is_in_them() -> None:
    text = '" I know you , " said Tom . " You do ? " said Ann .'
    known = facts(text, (1, 1), (3, 3), (7, 7), (10, 10), (15, 15))
    tom = Entity(known, 0)
    tom.add(known, 2)
    tom.add(known, 3)
    assert (tom.spoken_turns, tom.said, tom.spoke, tom.spoken_to) == ({1}, {1}, {1}, {2})
    ann = Entity(known, 1)
    ann.add(known, 4)
    assert (ann.spoken_turns, ann.said, ann.spoke, ann.spoken_to) == (set(), {2}, {2}, {1})


def test_who_speaks_is_remembered_of_i_and_of_labels() -> None:
    """Where a text names its speakers, an entity has those of its I, and not those who speak of it."""
    known = facts("I saw her and I left", (0, 0), (2, 2), (4, 4), speakers=("a", "a", "a", "a", "b", "b"))
    one, other, third = (Entity(known, span) for span in range(3))
    assert other.speakers == set()
    assert len(one.speakers) == len(third.speakers) == 1
    assert one.speakers != third.speakers
    one.add(known, 2)
    assert one.speakers > third.speakers


def test_every_comparison_has_the_same_length() -> None:
    text = "Ann Lee and the girl : she said that Lee left"
    kinds = [compared(facts(text, (0, 1), (3, 4), last), 0, 1) for last in ((6, 6), (9, 9), (3, 4))]
    assert len({len(kind) for kind in kinds}) == 1


def test_what_differs_is_seen() -> None:
    """Each pair of texts differs in one respect between the last span and the entity."""
    one, two = (0, 0), (2, 2)
    for different, same in (
        ("he and she", "she and she"),  # gender
        ("they and she", "she and she"),  # number
        ("Ann and Eve", "Ann and Ann"),  # names
    ):
        assert compared(facts(different, one, two), 0) != compared(facts(same, one, two), 0)
    titles = [compared(facts(f"{title} Holt and Mrs. Holt", (0, 1), (3, 4)), 0) for title in ("Mr.", "Mrs.")]
    assert titles[0] != titles[1]
    nested = (
        compared(facts("her aunt slept", (0, 1), (0, 0)), 0),
        compared(facts("her aunt slept", (0, 1), (2, 2)), 0),
    )
    assert nested[0][-2:] != nested[1][-2:]


def test_scores_of_pairs_come_first() -> None:
    known = facts("Ann saw Ann and Ann", (0, 0), (2, 2), (4, 4))
    described = compared(known, 0, 1, each=(1.0, 3.0))
    assert described[:4] == [log_sum((1.0, 3.0)), 3.0, 2.0, 1.0]
    assert described[4] == 1.0


def test_a_name_is_compared_with_every_name_of_the_entity() -> None:
    text = "Tom Holt and Tom and Eve and Holt"
    known = facts(text, (0, 1), (3, 3), (5, 5), (7, 7))
    with_holt, without = compared(known, 0, 1), compared(known, 1, 2)
    assert with_holt != without
    assert 0.5 in with_holt  # of two names one shares a word, and half of its words are Holt


def test_a_mention_alone_is_described_by_its_own() -> None:
    known = facts("Ann saw her", (0, 0), (2, 2))
    assert alone(known, 0, 1.5, 1.0)[:2] == [1.5, 1.0]
    assert alone(known, 0, 1.5, 1.0) != alone(known, 1, 1.5, 1.0)
