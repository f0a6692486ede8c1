"""Draws the pictures of the pages, one for each term of the glossary: `make refresh-docs` writes them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path

from drawing import COLOURS, GREY, INK, LETTER, Picture
from guide_pictures import GUIDES
from referee import score

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"


def agreement() -> Picture:
    """Three annotators, and the pairs of them."""
    picture = Picture("Three annotators mark the same five mentions; two of them agree")
    marked = {"Ann": "abc de", "Bob": "abc de", "Cem": "ab cde"}
    for annotator, clusters in marked.items():
        picture.clusters(annotator, clusters)
    lists = {annotator: list(map(list, clusters.split())) for annotator, clusters in marked.items()}
    pairs = [
        f"{one}–{other} {score(lists[one], lists[other]).b_cubed.f1:.2f}"
        for one, other in combinations(marked, 2)
    ]
    return picture.note("   ".join([*pairs, "(B³)"]))


def anaphor_and_antecedent() -> Picture:
    """A pronoun, and what it goes back to."""
    picture = Picture("In “Ann slept. She snored.” the anaphor She leads back to its antecedent Ann")
    left, right = picture.words("[Ann]1 slept . [She]1 snored .")[1]
    picture.link(left, right)
    picture.down(22)
    return picture.note("antecedent    anaphor")


def b_cubed() -> Picture:
    """Of each mention the share of its cluster."""
    picture = Picture("B³: each mention's share of its key cluster: two thirds, two thirds, one third")
    picture.clusters("key", "abc").clusters("response", "ab c")
    return picture.bar("a", 2 / 3, "2/3").bar("b", 2 / 3, "2/3").bar("c", 1 / 3, "1/3")


def baseline() -> Picture:
    """A system and what it is measured against."""
    picture = Picture("A score is worth what it adds to a simple rule's")
    picture.bar("same string", 0.42, "42", GREY)
    return picture.bar("our system", 0.61, "61: 19 more than a rule finds")


def blanc() -> Picture:
    """Pairs together, and pairs apart."""
    picture = Picture("BLANC looks at coreferent and non-coreferent pairs")
    picture.clusters("", "ab c")
    return picture.note("coreferent: ab    not coreferent: ac, bc")


def bootstrap() -> Picture:
    """Documents drawn again."""
    picture = Picture("The bootstrap draws documents with replacement, many times")
    picture.boxes("1", "2", "3", joined=False).note("drawn:")
    for draw in ("2 2 3", "1 3 3", "1 1 2"):
        picture.text(150, picture.top + 17, "→ a score", GREY)
        picture.boxes(*draw.split(), x=30, joined=False, colour=COLOURS[1])
    return picture


def bridging() -> Picture:
    """A door of a house."""
    picture = Picture("Bridging: the door is the house's, but is not the house")
    middles = picture.words("They saw [a house]1 . [The door]2 was open .")
    picture.link(middles[1][0], middles[2][0], "part of")
    return picture.down(26)


def ceaf() -> Picture:
    """Entities paired one to one."""
    picture = Picture("CEAF pairs entities one to one: one of the two response entities is left out")
    picture.clusters("key", "abcd")
    x = 8 + 9 * LETTER
    picture.line(
        f"M {x + 48:.1f} {picture.top - 10:.1f} L {x + 26:.1f} {picture.top + 22:.1f}", INK, arrow=True
    )
    picture.down(22)
    picture.clusters("response", "ab cd")
    return picture.note("{c d} has no partner: it counts for nothing")


def conll_average() -> Picture:
    """The mean of three."""
    picture = Picture("The CoNLL average is the mean F1 of MUC, B³ and CEAFe")
    picture.bar("MUC", 0.731, "73.1").bar("B³", 0.716, "71.6").bar("CEAFe", 0.805, "80.5")
    return picture.bar("CoNLL", 0.751, "75.1", COLOURS[1])


def coreference() -> Picture:
    """Two expressions, one thing."""
    picture = Picture("In “Ann lost her key”, Ann and her mean the same person")
    left, right = picture.words("[Ann]1 lost [her]1 key .")[1]
    picture.link(left, right, "one person", depth=26)
    return picture.down(30)


def cross_document() -> Picture:
    """Two newspapers, one event."""
    picture = Picture("Two newspapers report the same event")
    one = picture.words("The bridge [fell]1 on Monday .", label="paper 1")[1][0]
    picture.down(14)
    other = picture.words("After [the collapse]1 traffic stopped .", label="paper 2")[1][0]
    picture.line(f"M {other:.1f} {picture.top - 36:.1f} L {one:.1f} {picture.top - 58:.1f}", INK, arrow=True)
    return picture


def document() -> Picture:
    """A text and its annotation."""
    picture = Picture("A document is a text with one annotation of it")
    picture.words("Ann lost her key .", label="text")
    picture.words("[Ann]1 lost [her]1 key .", label="with it")
    return picture


def entity() -> Picture:
    """Three names of one set."""
    picture = Picture("Ann, her and she are one entity: a cluster of three mentions, a chain in the text")
    first, second, third = picture.words("[Ann]1 lost [her]1 key . [She]1 found it .")[1]
    picture.link(first, second)
    picture.link(second, third)
    return picture.down(20)


def gold_mentions() -> Picture:
    """Given, or found."""
    picture = Picture("With gold mentions a system only links; with predicted ones it has to find them")
    picture.words("[Ann]6 met [a man]6 with [a dog]6 .", label="gold")
    picture.words("[Ann]6 met a man with [a dog .]6", label="found")
    return picture


def head_match() -> Picture:
    """The same head word."""
    picture = Picture("Head match: both mentions have the head word captain")
    picture.words("the old [captain]1", label="key")
    picture.words("the [captain]1 of the ferry", label="response")
    return picture


def holm() -> Picture:
    """Five p-values."""
    picture = Picture("Holm's correction: the smallest of five p-values is multiplied by 5, the next by 4")
    for p, times in ((0.002, 5), (0.011, 4), (0.03, 3)):
        corrected = p * times
        sign = "significant" if corrected < 0.05 else "not significant"
        picture.note(f"p = {p:.3f} × {times} = {corrected:.3f}  {sign}", colour=INK)
    return picture


def interval() -> Picture:
    """Two scores with their ends."""
    picture = Picture("Two scores with their intervals: that of few documents is wide")
    picture.interval("300 docs", 0.60, 0.68, 0.76, "79.7 [77.4, 82.1]")
    return picture.interval("20 docs", 0.25, 0.6, 0.95, "78.9 [67.2, 90.3]")


def key_and_response() -> Picture:
    """What annotators and a system say."""
    picture = Picture("The key is what annotators say, the response what a system says")
    picture.words("[Ann]1 met [Eve]2 . [She]1 smiled .", label="key")
    picture.words("[Ann]1 met [Eve]2 . [She]2 smiled .", label="response")
    return picture


def lea() -> Picture:
    """One of three links."""
    picture = Picture("LEA: of the three links of a, b and c, one is found")
    picture.clusters("key", "abc").clusters("response", "ab")
    return picture.note("links: ab  ac  bc    found: ab    3 · 1/3 of 3")


def link() -> Picture:
    """All links of three mentions."""
    picture = Picture("Three mentions have three links; two hold them together")
    a, b, c = picture.words("[Ann]1 … [her]1 … [she]1")[1]
    picture.link(a, b)
    picture.link(b, c)
    picture.link(a, c, depth=44)
    return picture.down(32)


def match() -> Picture:
    """Same, or not."""
    picture = Picture("Whether two mentions are the same depends on the match: exact says no, head says yes")
    picture.words("[the old captain]1 of the ferry slept", label="key")
    picture.words("[the old captain of the ferry]1 slept", label="response")
    return picture.note("exact: two mentions    mina, head: the same one")


def mention() -> Picture:
    """Spans of words."""
    picture = Picture("Mentions: a name, a noun phrase with a pronoun in it")
    picture.words("[Ann]1 lost [the key]2 of [her]1 house .")
    return picture


def mention_detection() -> Picture:
    """Found, and not."""
    picture = Picture("Mention detection: a and c are found, b is missing")
    picture.clusters("key", "ab c", missing="b").clusters("response", "ac")
    return picture.note("recall 2/3, precision 2/2, whatever the entities")


def micro_and_macro() -> Picture:
    """Two ways to the mean."""
    picture = Picture("Micro adds counts and then divides; macro takes the mean of the documents' scores")
    picture.bar("document 1", 0.5, "1 of 2").bar("document 2", 1, "8 of 8")
    return picture.bar("micro", 0.9, "9 of 10", COLOURS[1]).bar("macro", 0.75, "(1/2 + 8/8) / 2", COLOURS[2])


def minimum() -> Picture:
    """As annotators marked it."""
    picture = Picture("MIN: the annotators say that the word head must be found")
    picture.words("the former [head]2 of the authority", label="MIN")
    picture.words("[the former head of the authority]1", label="mention")
    return picture


def minimum_span() -> Picture:
    """As the tree gives it."""
    picture = Picture("The minimum span of a long mention, taken from its tree")
    picture.words("[an extensive presence]2 , of course in this country", label="minimum")
    picture.words("[an extensive presence , of course in this country]1", label="mention")
    return picture


def muc() -> Picture:
    """Links that hold a cluster together."""
    picture = Picture("MUC: a, b and c need two links; the response keeps one")
    picture.clusters("key", "abc").clusters("response", "ab", missing="c")
    return picture.note("3 − 2 parts = 1 of 3 − 1 = 2 links")


def permutation_test() -> Picture:
    """Outputs that change sides."""
    picture = Picture("The permutation test swaps the outputs of two systems on some documents")
    picture.note("document    1    2    3    4")
    for label, letters in (("system A", "A B A A"), ("system B", "B A B B")):
        x = picture.text(8, picture.top + 17, f"{label:<11}", GREY)
        for letter in letters.split():
            picture.frame(x, 24, COLOURS[0] if letter == "A" else COLOURS[1])
            picture.text(x + 8, picture.top + 17, letter)
            x += 5 * LETTER
        picture.down()
    return picture.note("document 2 is swapped: is the difference still as large?")


def protocol() -> Picture:
    """Choices, and a score."""
    picture = Picture("A protocol is all choices that change a number")
    picture.boxes("match", "singletons", "scope", "mentions", joined=False)
    return picture.boxes("key + response", "protocol", "score + signature")


def recall_precision() -> Picture:
    """Two questions."""
    picture = Picture("Recall 0.9 and precision 0.1 have the F1 0.18")
    return (
        picture.bar("recall", 0.9, "of the key, how much?")
        .bar("precision", 0.1, "of the response, how much?")
        .bar("F1", 0.18, "near the smaller one", COLOURS[1])
    )


def scope() -> Picture:
    """Two singletons, or one cluster."""
    picture = Picture(
        "Mentioned once in each of two documents: two singletons at document scope,"
        " one cluster at topic scope"
    )
    picture.clusters("document", "a b").clusters("topic", "ab")
    return picture


def signature() -> Picture:
    """The line beside a score."""
    picture = Picture("A signature names every choice")
    return picture.boxes("match:exact", "singletons:keep", "scope:document", "…").note(
        "conll-f1|…|version = 75.08"
    )


def singleton() -> Picture:
    """One mention alone."""
    picture = Picture("c and d are singletons: entities that are mentioned once")
    return picture.clusters("kept", "ab c d").clusters("dropped", "ab")


def span() -> Picture:
    """Numbers of words."""
    picture = Picture("The span (0, 2) is the first two words")
    picture.note("0     1     2    3")
    picture.words("[the   cat]1   sat  .")
    return picture


def spanning_tree() -> Picture:
    """Enough links, and no more."""
    picture = Picture("Four mentions, three links: enough to hold them together")
    a, b, c, d = picture.words("[Ann]1 … [her]1 … [she]1 … [Ann]1")[1]
    picture.link(a, b)
    picture.link(b, c)
    picture.link(a, d, depth=44)
    return picture.down(32)


def split_antecedent() -> Picture:
    """They are two."""
    picture = Picture("They are Ann and Bob together")
    middles = picture.words("[Ann]1 met [Bob]2 . [They]3 talked .")
    picture.link(middles[1][0], middles[3][0], depth=40)
    picture.link(middles[2][0], middles[3][0])
    return picture.down(26)


def topic_and_subtopic() -> Picture:
    """Two earthquakes."""
    picture = Picture("A topic has subtopics: earthquakes, and two of them")
    return picture.boxes("earthquakes", "Haiti 2010", "paper 1, paper 2").boxes(
        "earthquakes", "Chile 2010", "paper 3, paper 4"
    )


def twinless() -> Picture:
    """Only on one side."""
    picture = Picture("c is missing in the response, x is spurious")
    return picture.clusters("key", "abc", missing="c").clusters("response", "abx", missing="x")


def unit() -> Picture:
    """What is scored as one."""
    picture = Picture("At document scope there are three units, at corpus scope one")
    return picture.clusters("document", "a b c", plain=True).clusters("corpus", "abc", plain=True)


def zero() -> Picture:
    """Not written, but meant."""
    picture = Picture("A zero: the subject of llegó is meant and not written")
    first, second = picture.words("[Juan]1 salió y [Ø]1 llegó tarde .")[1]
    picture.link(first, second)
    return picture.down(20)


PICTURES: dict[str, Callable[[], Picture]] = {  # heading of the glossary → its picture
    "Agreement": agreement, "Anaphor and antecedent": anaphor_and_antecedent, "B³": b_cubed,
    "Baseline": baseline, "BLANC": blanc, "Bootstrap": bootstrap, "Bridging": bridging, "CEAF": ceaf,
    "CoNLL average": conll_average, "Coreference": coreference, "Cross-document": cross_document,
    "Document": document, "Entity, cluster, chain": entity, "Gold and predicted mentions": gold_mentions,
    "Head match": head_match, "Holm's correction": holm, "Interval": interval,
    "Key and response": key_and_response, "LEA": lea, "Link": link, "Match": match, "Mention": mention,
    "Mention detection": mention_detection, "Micro and macro": micro_and_macro, "MIN": minimum,
    "Minimum span": minimum_span, "MUC": muc, "Permutation test": permutation_test, "Protocol": protocol,
    "Recall, precision, F1": recall_precision, "Scope": scope, "Signature": signature,
    "Singleton": singleton, "Span": span, "Spanning tree": spanning_tree,
    "Split antecedent": split_antecedent, "Topic and subtopic": topic_and_subtopic,
    "Twinless mention": twinless, "Unit": unit, "Zero": zero,
}  # fmt: skip


def file_of(heading: str) -> str:
    """Name the file of a heading's picture.

    >>> file_of("Recall, precision, F1"), file_of("B³")
    ('recall-precision-f1.svg', 'b3.svg')
    """
    plain = heading.lower().replace("³", "3").replace(",", "").replace("'", "")
    return plain.replace(" ", "-") + ".svg"


def drawn() -> dict[str, str]:
    """Draw all pictures, by their files' names."""
    pictures = {file_of(heading): draw for heading, draw in PICTURES.items()}
    pictures |= {f"{name}.svg": draw for name, draw in GUIDES.items()}
    return {name: draw().svg() for name, draw in pictures.items()}


if __name__ == "__main__":
    for name, svg in drawn().items():
        (FOLDER / name).write_text(svg, encoding="utf-8")
