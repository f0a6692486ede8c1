"""The pre-flight: for each rule a pair that sets it off, and one just below that does not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from referee.matching import preflight as room
from referee.matching.preflight import preflight
from referee.matching.repairs import repaired
from referee.model import Cluster, Document, DocumentCorpus, Mention

Spans = Sequence[tuple[int, int]]
LENGTH = 2_000
PLAIN = [f"w{number % 97}" for number in range(LENGTH)]
PAIRS = [((5 * n, 5 * n + 2), (5 * n + 1000, 5 * n + 1001)) for n in range(150)]  # 300 mentions


def corpus(
    clusters: Sequence[Spans], words: Sequence[str] = PLAIN, id_: str = "d", name: str = "made"
) -> DocumentCorpus:
    made = [Cluster(str(n), tuple(Mention.at(*span) for span in spans)) for n, spans in enumerate(clusters)]
    return DocumentCorpus([Document.of(id_, words, [(0, len(words))], made)], name)


def rules(key: DocumentCorpus, response: DocumentCorpus, singletons: str = "keep") -> list[str]:
    found, turned = (
        [finding.rule for finding in preflight(*sides, singletons=singletons)]
        for sides in ((key, response), (response, key))
    )
    assert sorted(found) == sorted(turned)  # whichever side it is on
    return found


def with_words(words: dict[int, str]) -> list[str]:
    return [words.get(place, word) for place, word in enumerate(PLAIN)]


def test_one_convention_is_silent() -> None:
    assert rules(corpus(PAIRS), corpus(PAIRS)) == []


@pytest.mark.parametrize(("theirs", "found"), [("out/{}.conll", ["names"]), ("other{}", [])])
def test_names(theirs: str, found: list[str]) -> None:
    ours, others = (
        DocumentCorpus([corpus(PAIRS, id_=named.format(name)).document(0) for name in names], "made")
        for named, names in (("{}", "de"), (theirs, "DE"))
    )
    assert rules(ours, others) == found


def test_case() -> None:
    upper = [word.upper() for word in PLAIN]
    assert rules(corpus(PAIRS), corpus(PAIRS, upper)) == ["case"]
    assert rules(corpus(PAIRS), corpus(PAIRS, [*upper, "more"])) == []  # not as many words


def test_other_words() -> None:
    assert rules(corpus(PAIRS), corpus(PAIRS, ["x", *PLAIN[1:]])) == ["words"]
    (finding,) = preflight(corpus(PAIRS), corpus(PAIRS, [f"x{word}" for word in PLAIN]))
    assert "SAME TEXT" in finding.advice
    assert "word 0: 'xw0' for 'w0'" in finding.measured


@pytest.mark.parametrize(("alone", "found"), [(17, ["singletons"]), (16, [])])
def test_singletons(alone: int, found: list[str]) -> None:
    more = [*PAIRS, *([(place, place + 1)] for place in range(900, 900 + alone))]
    assert rules(corpus(PAIRS), corpus(more)) == found
    assert rules(corpus(PAIRS), corpus(more), singletons="drop") == []


@pytest.mark.parametrize(("exact", "found"), [(100, ["offsets"]), (201, [])])
def test_offsets(exact: int, found: list[str]) -> None:
    mentions = [span for pair in PAIRS for span in pair]
    moved = [(a, b if number < exact else b + 1) for number, (a, b) in enumerate(mentions)]
    assert rules(corpus([mentions]), corpus([moved])) == found


@pytest.mark.parametrize(
    ("move", "advice"),
    [
        ((0, 1), "the response's ends seem to include the last word"),
        ((0, -1), "the response's ends seem to be one word beyond the end"),
        ((-1, -1), "the response seems to count words from 1"),
        ((1, 1), "the key seems to count words from 1"),
        ((-1, 0), "the response seems to count starts from 1, with ends included"),
        ((1, 0), "the response's spans seem to be shifted"),
    ],
)
def test_offsets_are_repaired(move: tuple[int, int], advice: str) -> None:
    """The first mention would leave the text if starts moved down, and the last one if ends moved up."""
    wide = [[(a + 9, b + 10), (c + 9, c + 12)] for (a, b), (c, _) in PAIRS]
    at_edges = [[(0, 1), (LENGTH - 1, LENGTH)], *wide]
    key = corpus(at_edges)
    inside = [[(a - move[0], b - move[1]) for a, b in spans] for spans in at_edges[1:]]
    response = corpus([at_edges[0], *inside])
    (finding,) = preflight(key, response)
    assert finding.move == move
    assert finding.advice.startswith(f"{advice}: ")
    mended = repaired(key, response, [finding]).document(0)
    assert mended.clusters[1:] == key.document(0).clusters[1:]
    first, last = mended.clusters[0].mentions
    assert (first.start, first.end) == at_edge((0, 1), move)
    assert (last.start, last.end) == at_edge((LENGTH - 1, LENGTH), move)


def at_edge(span: tuple[int, int], move: tuple[int, int]) -> tuple[int, int]:
    """Move a mention, unless it would leave the text or have no words."""
    start, end = span[0] + move[0], span[1] + move[1]
    return (start, end) if 0 <= start < end <= LENGTH else span


def test_names_are_folded_if_that_finds_half_of_the_key() -> None:
    def named(*names: str) -> DocumentCorpus:
        return DocumentCorpus([corpus(PAIRS, id_=name).document(0) for name in names], "made")

    key = named("a", "b", "c")
    assert preflight(key, named("out/a.conll", "x", "y")) == []
    (finding,) = preflight(key, named("y", "c", "out/b.conll", "out/a.conll"))
    assert (finding.rule, finding.repair) == ("names", "names")
    assert finding.measured.startswith(
        "'out/a.conll' is 'a' in the key; 1 of 3 documents found by name, 3 without"
    )


@pytest.mark.parametrize(("trimmed", "found"), [(31, ["articles"]), (29, [])])
def test_articles(trimmed: int, found: list[str]) -> None:
    words = with_words({5 * number: "the" for number in range(100)})
    short = [((a + (n < trimmed), b), other) for n, ((a, b), other) in enumerate(PAIRS)]
    assert rules(corpus(PAIRS, words), corpus(short, words)) == found


@pytest.mark.parametrize(("cases", "found"), [(20, ["articles"]), (19, [])])
def test_articles_need_twenty_cases(cases: int, found: list[str]) -> None:
    words = with_words({5 * number: "the" for number in range(cases)})
    short = [((a + 1, b), other) for (a, b), other in PAIRS]
    assert rules(corpus(PAIRS, words), corpus([*short[:cases], *PAIRS[cases:]], words)) == found


@pytest.mark.parametrize(("owners", "found"), [(40, ["possessive 's"]), (39, [])])
def test_owners_on_one_side_only(owners: int, found: list[str]) -> None:
    words = with_words({5 * number + 2: "'s" for number in range(owners)})
    elsewhere = [((a + 3, b + 2), other) for (a, b), other in PAIRS[:owners]]
    assert rules(corpus(PAIRS, words), corpus([*elsewhere, *PAIRS[owners:]], words)) == found


@pytest.mark.parametrize(("inside", "found"), [(26, ["possessive 's"]), (25, [])])
def test_owners(inside: int, found: list[str]) -> None:
    words = with_words({5 * number + 2: "'s" for number in range(100)})
    wide = [((a, b + (n < inside)), other) for n, ((a, b), other) in enumerate(PAIRS)]
    assert rules(corpus(PAIRS, words), corpus(wide, words)) == found


@pytest.mark.parametrize(("inner", "found"), [(13, ["nested mentions"]), (12, [])])
def test_nested(inner: int, found: list[str]) -> None:
    more = [(*pair, (pair[0][0] + 1, pair[0][1])) if n < inner else pair for n, pair in enumerate(PAIRS)]
    assert rules(corpus(PAIRS), corpus(more)) == found


@pytest.mark.parametrize(("short", "found"), [(38, ["spans"]), (37, [])])
def test_spans(short: int, found: list[str]) -> None:
    long = [((a, a + 4 if n < 50 else b), other) for n, ((a, b), other) in enumerate(PAIRS)]
    cut = [((a, a + 2 if n < short else b), other) for n, ((a, b), other) in enumerate(long)]
    assert rules(corpus(long), corpus(cut)) == found


@pytest.mark.parametrize(
    ("cases", "short", "found"), [(30, 30, ["spans"]), (29, 29, []), (40, 30, []), (40, 31, ["spans"])]
)
def test_spans_need_thirty_cases_and_more_than_three_in_four(
    cases: int, short: int, found: list[str]
) -> None:
    long = [((a, a + 4 if n < cases else b), other) for n, ((a, b), other) in enumerate(PAIRS)]
    cut = [((a, a + 3 if n < short else b), other) for n, ((a, b), other) in enumerate(long)]
    assert rules(corpus(long), corpus(cut)) == found
    three = [((a, a + 3 if n < cases else b), other) for n, ((a, b), other) in enumerate(PAIRS)]
    two = [((a, a + 2 if n < short else b), other) for n, ((a, b), other) in enumerate(three)]
    assert rules(corpus(three), corpus(two)) == []  # three words are not long


@pytest.mark.parametrize(("rule", "word"), [("appositions", ","), ("predicates", "is")])
@pytest.mark.parametrize(("count", "loud"), [(20, True), (19, False)])
def test_linked(rule: str, word: str, count: int, loud: bool) -> None:
    words = with_words({5 * number + 2: word for number in range(count)})
    spans = [(5 * n + shift, 5 * n + shift + size) for n in range(150) for shift, size in ((0, 2), (3, 1))]
    linked = [spans[2 * n : 2 * n + 2] for n in range(150)]
    apart = [[spans[2 * n], spans[(2 * n + 3) % 300]] for n in range(150)]
    assert rules(corpus(linked, words), corpus(apart, words)) == [rule] * loud


@pytest.mark.parametrize(("count", "loud"), [(3, True), (2, False)])
def test_of_many_mentions_a_share_must_be_linked(
    count: int, loud: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three in a thousand, where these are more than twenty; here more than one."""
    monkeypatch.setattr(room, "LINKED", 2)
    words = [
        ("," if number % 4 == 1 and number < 4 * count else f"w{number % 97}") for number in range(2_000)
    ]
    spans = [(2 * n, 2 * n + 1) for n in range(1_000)]
    linked = [spans[2 * n : 2 * n + 2] for n in range(500)]
    apart = [[spans[2 * n], spans[(2 * n + 3) % 1_000]] for n in range(500)]
    assert rules(corpus(linked, words), corpus(apart, words)) == ["appositions"] * loud


@pytest.mark.parametrize(("few", "loud"), [(2, True), (3, False)])
def test_a_side_that_links_a_tenth_as_much_does_not_link(few: int, loud: bool) -> None:
    words = with_words({5 * number + 2: "," for number in range(20)})
    spans = [(5 * n + shift, 5 * n + shift + size) for n in range(150) for shift, size in ((0, 2), (3, 1))]
    linked = [spans[2 * n : 2 * n + 2] for n in range(150)]
    apart = [linked[n] if n < few else [spans[2 * n], spans[(2 * n + 3) % 300]] for n in range(150)]
    assert rules(corpus(linked, words), corpus(apart, words)) == ["appositions"] * loud


@pytest.mark.parametrize(
    ("word", "count", "found"),
    [("she", 106, ["pronouns"]), ("she", 105, []), ("we", 30, ["pronouns"]), ("we", 29, [])],
)
def test_pronouns(word: str, count: int, found: list[str]) -> None:
    words = with_words({1800 + number: word for number in range(count)})
    theirs = [(a, (n + 1800, n + 1801) if n < count else b) for n, (a, b) in enumerate(PAIRS)]
    assert rules(corpus(PAIRS, words), corpus(theirs, words)) == found


@pytest.mark.parametrize(
    ("word", "many", "few"), [("we", 40, 2), ("my", 60, 3), ("'s", 40, 4), ("'s", 60, 6)]
)
def test_a_side_that_has_just_the_share_has_enough(word: str, many: int, few: int) -> None:
    words = with_words({5 * number + 2: word for number in range(many)})
    at, behind = ((2, 3), (3, 4)) if word != "'s" else ((0, 2), (3, 4))

    def having(count: int) -> DocumentCorpus:
        places = [at if n < count else behind for n in range(many)]
        return corpus(
            [[(5 * n + a, 5 * n + b), PAIRS[n][1]] for n, (a, b) in enumerate(places)]
            + [[*pair] for pair in PAIRS[many:]],
            words,
        )

    rule = "possessive 's" if word == "'s" else "pronouns"
    assert rule not in rules(having(many), having(few))
    assert rule in rules(having(many), having(few - 1))


@pytest.mark.parametrize(("clusters", "found"), [(59, 0), (60, 0), (126, 1), (125, 0)])
def test_number(clusters: int, found: int) -> None:
    few = [((n, n + 1), (n + 500, n + 501)) for n in range(100)]
    many = [((n, n + 1), (n + 500, n + 501)) for n in range(2 * clusters)]
    key, response = corpus(few), corpus(many)
    assert [f.rule for f in preflight(key, response)] == ["number"] * found


def documents(counts: Sequence[int], until: int = 600) -> DocumentCorpus:
    texts = []
    for number, count in enumerate(counts):
        spans = [Mention.at(place * until // count, place * until // count + 1) for place in range(count)]
        texts.append(
            Document.of(str(number), PLAIN[:600], [(0, 600)], [Cluster("0", tuple(spans))][: len(spans)])
        )
    return DocumentCorpus(texts, "made")


def test_cut_off() -> None:
    key = documents([20] * 20)
    assert [f.rule for f in preflight(key, documents([20] * 18 + [0] * 2))] == ["cut off"]
    assert preflight(key, documents([20] * 19 + [0])) == []
    assert [f.rule for f in preflight(key, documents([20] * 20, until=410))] == ["cut off"]
    assert preflight(key, documents([20] * 20, until=430)) == []


def test_a_rule_about_mentions_needs_enough_of_them() -> None:
    alone = [[(place, place + 1)] for place in range(900, 960)]
    assert rules(corpus(PAIRS[:99]), corpus([*PAIRS[:99], *alone])) == []
    assert rules(corpus(PAIRS[:100]), corpus([*PAIRS[:100], *alone])) == ["singletons"]


# ------------------------------------------------------------- shares that are just as large as a threshold
def test_a_share_of_singletons_is_more_than_a_tenth() -> None:
    ten = [[(place, place + 1)] for place in range(900, 910)]
    pairs = [((5 * n, 5 * n + 2), (5 * n + 1000, 5 * n + 1001)) for n in range(140)]
    assert rules(corpus(pairs[:90]), corpus([*pairs[:90], *ten])) == []  # 10 of 100, but too few mentions
    more = [[(place, place + 1)] for place in range(800, 820)]
    triples = [(*pair, (5 * n + 1001, 5 * n + 1002)) for n, pair in enumerate(pairs)]
    assert rules(corpus(triples[:135]), corpus([*triples[:135], *more[:15]])) == []  # 15 of 150
    assert rules(corpus(triples[:134]), corpus([*triples[:134], *more[:15]])) == ["singletons"]


def test_singletons_are_left_out_where_they_are_fewer_than_fifteen_in_a_thousand() -> None:
    alone = [[(place, place + 1)] for place in range(1500, 1530)]
    triples = [tuple((n * 7 + k, n * 7 + k + 1) for k in range(3)) for n in range(197)]
    many = [*triples[:170], *alone]
    assert rules(corpus([*triples, *alone[:3]]), corpus(many)) == []  # 3 of 200 are 0.015
    assert rules(corpus([*triples, *alone[:2]]), corpus(many)) == ["singletons"]


@pytest.mark.parametrize(
    ("counts", "empty", "found"),
    [([20] * 10, 1, ["cut off"]), ([20] * 11, 1, []), ([10] * 10, 1, ["cut off"]), ([9] * 10, 1, [])],
)
def test_a_tenth_of_the_documents_that_count(counts: list[int], empty: int, found: list[str]) -> None:
    response = documents([0] * empty + counts[empty:])
    assert [finding.rule for finding in preflight(documents(counts), response)] == found


def test_a_response_without_any_mention_is_not_cut_off() -> None:
    assert preflight(documents([20] * 4), documents([0] * 4)) == []


def ending(ends: Sequence[int], length: int = 400) -> DocumentCorpus:
    """Documents with twelve mentions each, of which the last ends somewhere."""
    texts = []
    for number, end in enumerate(ends):
        places = [*range(11), end - 1]
        cluster = Cluster("0", tuple(Mention.at(place, place + 1) for place in places))
        texts.append(Document.of(str(number), PLAIN[:length], [(0, length)], [cluster]))
    return DocumentCorpus(texts, "made")


@pytest.mark.parametrize(
    ("length", "ends", "found"),
    [
        (400, [279, 400], ["cut off"]),  # one of two
        (400, [280, 400], []),  # 0.7 of the text
        (400, [279, 400, 400], []),
        (399, [200, 200], []),
    ],
)
def test_the_last_part_of_long_texts(length: int, ends: list[int], found: list[str]) -> None:
    key = ending([length] * len(ends), length)
    assert [finding.rule for finding in preflight(key, ending(ends, length))] == found


def test_what_is_said_of_documents_that_are_cut_off() -> None:
    (finding,) = preflight(ending([400] * 2), ending([100, 400]))
    assert (
        finding.measured == "1 of 2 documents have no mention in the last part of the text, but in the key: 0"
    )


def pronominal(count: int, of: int) -> DocumentCorpus:
    """Mentions of one word, some of them pronouns, by where they are."""
    words = with_words(dict.fromkeys(range(300), "she"))
    spans = [(number, number + 1) for number in range(count)]
    spans += [(number, number + 1) for number in range(400, 400 + of - count)]
    return corpus([spans], words)


@pytest.mark.parametrize(
    ("few", "many", "found"),
    [
        ((90, 200), (161, 200), []),  # 45 and 80.5 %: neither is beyond the other thresholds
        ((6, 200), (200, 500), []),  # 3 and 40 %
        ((5, 200), (200, 500), ["pronouns"]),  # 2.5 and 40 %
        ((100, 200), (170, 200), []),  # 50 and 85 %
        ((99, 200), (171, 200), ["pronouns"]),  # 49.5 and 85.5 %
        ((169, 200), (194, 200), []),  # 84.5 and 97 %
        ((169, 200), (195, 200), ["pronouns"]),
        ((170, 200), (195, 200), []),
        ((103, 200), (172, 200), []),  # 51.5 and 86 %: 34.5 points
    ],
)
def test_shares_of_pronouns(few: tuple[int, int], many: tuple[int, int], found: list[str]) -> None:
    key, response = pronominal(*few), pronominal(*many)
    assert [f.rule for f in preflight(key, response) if f.rule == "pronouns"] == found


def nested(count: int, of: int) -> DocumentCorpus:
    """Mentions of one or two words, some of them inside others."""
    outer = [(2 * number, 2 * number + 2) for number in range(count)]
    inner = [(start, start + 1) for start, _ in outer]
    alone = [(number, number + 1) for number in range(2 * count, of)]
    return corpus([[*outer, *inner, *alone]], [f"word{number}" for number in range(600)])


@pytest.mark.parametrize(
    ("few", "many", "found"),
    [
        ((0, 200), (8, 200), ["nested mentions"]),  # 4 %
        ((0, 200), (7, 200), []),
        ((1, 500), (20, 500), []),  # 0.2 %
        ((1, 501), (30, 501), ["nested mentions"]),
    ],
)
def test_shares_of_mentions_inside_others(
    few: tuple[int, int], many: tuple[int, int], found: list[str]
) -> None:
    shown = preflight(nested(*few), nested(*many))
    assert [f.rule for f in shown if f.rule == "nested mentions"] == found


def test_documents_that_one_side_lacks_hide_nothing_in_the_others() -> None:
    both = [corpus(PAIRS, id_=id_).document(0) for id_ in "ab"]
    assert rules(DocumentCorpus(both, "both"), DocumentCorpus(both[:1], "one")) == []
    upper = corpus(PAIRS, [word.upper() for word in PLAIN], id_="a")
    assert [finding.rule for finding in preflight(DocumentCorpus(both, "both"), upper)] == ["case"]
