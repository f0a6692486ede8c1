"""Which wrong spans are the same mention: small texts, and a slow reading of the rules."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.analysis.span_pairing import constituent_heads, pair_spans, tool_heads, trimmed
from referee.language.mention_types import Described, describe
from referee.model import Document, Mention

LENGTH = 8


def mention(start: int, end: int, head: int | None, document: str = "d") -> Described:
    return Described(document, Mention.at(start, end), head=head)


def slow_pairs(missing: Sequence[Described], extra: Sequence[Described]) -> set[tuple[int, int]]:
    """Follow the rule as it is told: same head, else same begin, else same end; and no third has it."""
    pairs: set[tuple[int, int]] = set()

    def value(each: Described, rule: str) -> object:
        if rule == "head":
            return None if each.head is None else (each.document_id, each.head)
        return (each.document_id, getattr(each.mention, rule)) if each.head is None else None

    for rule in ("head", "start", "end"):
        left = [i for i in range(len(missing)) if i not in {ours for ours, _ in pairs}]
        right = [i for i in range(len(extra)) if i not in {theirs for _, theirs in pairs}]
        for i in left:
            wanted = value(missing[i], rule)
            same_left = [k for k in left if value(missing[k], rule) == wanted]
            same_right = [k for k in right if value(extra[k], rule) == wanted]
            if wanted is not None and len(same_left) == len(same_right) == 1:
                pairs.add((i, same_right[0]))
    return pairs


mentions = st.lists(
    st.builds(
        lambda start, size, known, document: mention(start, start + size, start if known else None, document),
        st.integers(0, 4), st.integers(1, 3), st.booleans(), st.sampled_from("de"),
    ),
    max_size=7,
)  # fmt: skip


@given(mentions, mentions)
def test_pairs_are_those_of_the_rule(missing: list[Described], extra: list[Described]) -> None:
    ours, theirs = pair_spans(missing, extra, as_the_tool=False)
    pairs = list(zip(ours.tolist(), theirs.tolist(), strict=True))
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == slow_pairs(missing, extra)


@given(mentions, mentions)
def test_the_tool_pairs_equal_spans_where_they_first_occur_and_then_heads_that_are_there_once(
    missing: list[Described], extra: list[Described]
) -> None:
    pairs: set[tuple[int, int]] = set()
    free = [[*range(len(missing))], [*range(len(extra))]]
    heads = {
        each: each.head for each in (*missing, *extra) if each.head is not None
    }  # of equal mentions alike
    for once in (False, True):
        values: list[dict[tuple[str, object], list[int]]] = [{}, {}]
        for side, left, found in zip((missing, extra), free, values, strict=True):
            for number in left:
                each = side[number]
                value = heads.get(each) if once else each.mention
                if value is not None:
                    found.setdefault((each.document_id, value), []).append(number)
        for value, ours in values[0].items():
            theirs = values[1].get(value, [])
            if not once or len(ours) == len(theirs) == 1:
                pairs |= {*zip(ours[:1], theirs, strict=False)}
        free = [[n for n in left if n not in {pair[i] for pair in pairs}] for i, left in enumerate(free)]
    found_pairs = pair_spans(missing, extra, as_the_tool=True)
    assert {*zip(*(some.tolist() for some in found_pairs), strict=True)} == pairs


def test_the_same_head_in_another_document_is_another() -> None:
    ours, _ = pair_spans([mention(0, 2, 1, "d")], [mention(0, 3, 1, "e")], as_the_tool=False)
    assert not ours.size


WORDS = ("the", "old", "mill", "'s", ",", "``", "wheel", "X")


@pytest.mark.parametrize(
    ("span", "left"),
    [((0, 3), (1, 3)), ((0, 4), (1, 3)), ((0, 5), (1, 3)), ((4, 7), (5, 7)), ((0, 1), (0, 1)),
     ((7, 8), (7, 8)), ((4, 6), (5, 6)), ((6, 8), (6, 8)), ((3, 4), (3, 4)), ((4, 5), (4, 5))],
)  # fmt: skip
def test_edges_that_do_not_count_for_the_tool(span: tuple[int, int], left: tuple[int, int]) -> None:
    document = Document.of("d", WORDS, ((0, LENGTH),), ())
    assert trimmed(Described("d", Mention.at(*span), document=document)) == left


def test_edges_of_a_mention_whose_words_are_not_known_stay() -> None:
    assert trimmed(mention(2, 5, None)) == (2, 5)


def parsed(*cells: tuple[str, str, str]) -> Document:
    words, tags, bits = zip(*cells, strict=True)
    return Document.of("d", words, ((0, len(words)),), (), {"pos": tags, "parse": bits})


APPOSITION = parsed(
    ("Ann", "NNP", "(TOP(S(NP(NP*)"), (",", ",", "*"), ("the", "DT", "(NP*"), ("mayor", "NN", "*)"),
    (",", ",", "*)"), ("slept", "VBD", "(VP*)"), (".", ".", "*))"),
)  # fmt: skip
CUT = parsed(
    ("the", "DT", "(TOP(NP(NP*"), ("mayor", "NN", "*)"), ("of", "IN", "(PP*"), ("a", "DT", "(NP*"),
    ("port", "NN", "*)))"), (".", ".", "*)"),
)  # fmt: skip


def heads_of(document: Document, *spans: tuple[int, int]) -> list[int]:
    described = describe(document, [Mention.at(*span) for span in spans])
    heads = tool_heads(described)
    return [heads[each] for each in described]


def test_the_tool_takes_the_last_part_of_an_apposition() -> None:
    assert heads_of(APPOSITION, (0, 5), (0, 1), (2, 4)) == [3, 0, 3]


def test_the_tool_takes_the_last_word_of_what_is_no_constituent() -> None:
    assert heads_of(CUT, (0, 5), (0, 2), (0, 4), (1, 5)) == [1, 1, 3, 4]


def test_the_lowest_of_several_phrases_counts() -> None:
    document = parsed(("rain", "NN", "(TOP(FRAG(NP*"), ("falling", "VBG", "*"), ("down", "RB", "*)))"))
    assert constituent_heads(document)[0, 3] == 0  # FRAG takes its last child's head, NP a noun


def test_possessives_and_other_phrases() -> None:
    document = parsed(
        ("her", "PRP$", "(TOP(S(NP(NP*"), ("aunt", "NN", "*"), ("'s", "POS", "*)"), ("car", "NN", "*)"),
        ("broke", "VBD", "(VP*"), ("down", "RP", "(PRT*)"), ("in", "IN", "(PP*"), ("May", "NNP", "(NP*))))"),
        (".", ".", "*)"),
    )  # fmt: skip
    heads = constituent_heads(document)
    assert (heads[0, 3], heads[0, 4], heads[6, 8], heads[4, 8]) == (2, 3, 6, 4)


@pytest.mark.parametrize(
    ("label", "tags", "head"),
    [
        ("VP", ("VBD", "CC", "VBD"), 2),  # from the right
        ("ADVP", ("RB", "CC", "RB"), 0),  # from the left
        ("VP", ("VBD", "TO", "VBD"), 1),  # the first kind on the list, wherever it is
        ("UCP", ("NN", "CC", "JJ"), 0),  # nothing on the list: the end where the search begins
        ("INTJ", ("UH", ",", "UH"), 2),
        ("ODD", ("NN", "NN", "JJ"), 2),  # no rule
        ("NX", ("NN", "CC", "NN"), 2),
        ("WHNP", ("WP$", "RB", "NN"), 0),
    ],
)
def test_the_tools_searches(label: str, tags: tuple[str, str, str], head: int) -> None:
    bits = (f"(TOP({label}*", "*", "*))")
    document = parsed(*zip("abc", tags, bits, strict=True))
    assert constituent_heads(document)[0, 3] == head


def test_without_trees_the_tools_heads_are_ours() -> None:
    document = Document.of("d", ("a", "dog", "here"), ((0, 3),), (), {"pos": ("DT", "NN", "RB")})
    assert heads_of(document, (0, 2), (0, 3)) == [1, 1]
    assert tool_heads([mention(0, 2, None)]) == {}
