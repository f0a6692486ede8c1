"""What can be seen of words, spans and pairs, on small texts."""

import numpy as np

from referee.arrays import IntArray
from referee.resolvers.neural import features as surface
from referee.resolvers.neural.features import PairFeatures, SpanFeatures, describe_words

TEXT = 'Dr. Ada Byron met the old man of Bath . " I know him , " said Byron \'s friend . The old man left .'


def spans_of(
    text: str, *pairs: tuple[int, int], sentences: IntArray | None = None, **given: object
) -> SpanFeatures:
    words = text.split()
    numbers = np.zeros(len(words), np.int64) if sentences is None else sentences
    columns = describe_words(words, numbers, **given)  # type: ignore[arg-type]
    start, end = np.array(pairs).T
    return surface.describe_spans(np, columns, np.r_[0, columns.form.cumsum()], start, end)


def pairs_of(text: str, *pairs: tuple[int, int], **given: object) -> PairFeatures:
    spans = spans_of(text, *pairs, **given)  # type: ignore[arg-type]
    words = text.split()
    columns = describe_words(words, np.zeros(len(words), np.int64))
    blank = np.zeros((len(pairs), surface.BUCKETS + 1), np.float32)
    bags = surface.fill_bags(np, columns, spans, np.arange(30), blank)
    sizes = bags.sum(1)
    order = np.arange(len(pairs))
    apart = np.maximum(order[:, None] - order, 0)
    return surface.describe_pairs(np, spans, spans, surface.Common(bags @ bags.T, sizes, sizes), apart)


def match(text: str, *pairs: tuple[int, int]) -> int:
    return int(pairs_of(text, *pairs).match[1, 0]) // 4


def test_the_head_is_the_last_word_before_a_break() -> None:
    spans = spans_of(TEXT, (4, 8), (0, 2), (17, 19))
    forms = describe_words(TEXT.split(), np.zeros(26, np.int64)).form
    assert spans.head.tolist() == [forms[6], forms[2], forms[19]]


def test_a_determiner_and_a_final_s_do_not_make_another_string() -> None:
    assert match("the old man saw old man 's dog", (0, 2), (4, 6)) == 7
    assert match("the old man saw old men", (0, 2), (4, 5)) == 2


def test_how_alike_two_spans_are() -> None:
    assert match("red car hit blue car", (0, 1), (3, 4)) == 1
    assert match("Ada Byron met Byron", (0, 1), (3, 3)) == 3
    assert match("Byron met Ada Byron", (0, 0), (2, 3)) == 4
    assert match("Durham University in Durham", (0, 1), (3, 3)) == 5
    assert match("king Henry saw Henry king", (0, 1), (3, 4)) == 7  # the order of words is not looked at
    assert match("the dog saw the cat", (0, 1), (3, 4)) == 0
    assert match("he saw he", (0, 0), (2, 2)) == 0  # pronouns are told apart by their class


def test_categories_of_pairs() -> None:
    pairs = pairs_of(
        "Ada said she likes her cat and the cat likes him", (0, 0), (2, 2), (4, 4), (4, 5), (7, 8), (10, 10)
    )
    assert pairs.category[1:, 0].tolist() == [2, 2, 5, 5, 2]
    assert pairs.category[2, 1] == 0
    assert pairs.category[5, 2] == 1
    assert pairs.category[3, 2] == 2
    assert pairs.category[4, 3] == 3


def test_nested_spans_speakers_and_quotes() -> None:
    text = '" I like my cat , " Ada said . " I see , " said Bo'
    speakers = ["A"] * 10 + ["B"] * 7
    pairs = pairs_of(text, (1, 1), (3, 3), (3, 4), (7, 7), (11, 11), (16, 16), speakers=speakers)
    nested, speaker, quote = pairs.relation // 12, pairs.relation // 4 % 3, pairs.relation % 4
    assert nested[2, 1] == 2
    assert nested[1, 0] == 0
    assert (speaker[1, 0], speaker[4, 0]) == (1, 2)
    assert (quote[1, 0], quote[4, 0], quote[3, 0], quote[5, 3]) == (1, 2, 3, 0)


def test_a_quotation_that_is_never_closed_is_none() -> None:
    words = ['"', *["word"] * 500, "“", "Yes", "”"]
    quotes = describe_words(words, np.zeros(len(words), np.int64)).quote
    assert quotes.nonzero()[0].tolist() == [501, 502, 503]


def test_distances_are_in_classes() -> None:
    distances = np.array([0, 1, 4, 5, 7, 8, 15, 16, 300])
    assert surface.bucket(np, distances, 12).tolist() == [0, 1, 4, 5, 5, 6, 6, 7, 11]
    assert surface.bucket(np, distances, 8).tolist() == [0, 1, 4, 5, 5, 6, 6, 7, 7]


def test_capitals_at_the_beginning_of_a_sentence_are_told_apart() -> None:
    words = describe_words(["The", "man", "saw", "Ada", ".", "Bo", "ran"], np.array([0, 0, 0, 0, 0, 1, 1]))
    assert words.capital.tolist() == [2, 0, 0, 1, 0, 2, 0]


def test_common_words_are_those_of_the_bags() -> None:
    words = TEXT.split()
    columns = describe_words(words, np.zeros(len(words), np.int64))
    spans = spans_of(TEXT, *((start, end) for start in range(26) for end in range(start, min(start + 9, 26))))
    blank = np.zeros((len(spans.start), surface.BUCKETS + 1), np.float32)
    bags = surface.fill_bags(np, columns, spans, np.arange(30), blank)
    content = surface.content_words(columns, spans)
    assert content.sizes.tolist() == bags.sum(1).tolist()
    ours, theirs = np.arange(40, 90), np.r_[3, 30, 7:90]
    common = surface.common_words(content, ours, theirs)
    assert common.tolist() == (bags[ours] @ bags[theirs].T).tolist()
    assert common.max() > 3


def test_far_is_as_far_from_some_distance_on() -> None:
    def far(spans: int, sentences: int) -> int:
        return int(surface.distance_class(np, np.array(spans), np.array(sentences)))

    assert far(255, 0) < far(256, 0) == far(10_000, 0)
    assert far(0, 15) < far(0, 16) == far(0, 10_000)
    assert far(256, 16) == surface.DISTANCES - 1


def test_pairs_have_as_many_numbers_as_the_network_has_rows() -> None:
    pairs = pairs_of('Ada met Ada . " I , " said Ada', (0, 0), (2, 2), (2, 2))
    assert pairs.match.max() == surface.MATCHES - 1
    assert pairs_of("the dog saw a cat", (0, 1), (3, 4)).category[1, 0] == surface.CATEGORIES - 1
    assert surface.RELATIONS == 3 * 3 * 4  # nested or not, whose words they are, in which quotation


def test_every_pronoun_makes_a_pair_of_a_pronoun() -> None:
    for pronoun in ("I", "me", "you", "he", "she", "it", "we", "they", "this", "who", "himself"):
        text = f"the dog saw {pronoun} and the cat"
        assert pairs_of(text, (0, 1), (3, 3), (5, 6)).category[1, 0] == 2
        assert pairs_of(text, (0, 1), (3, 3), (5, 6)).category[2, 1] == 2
