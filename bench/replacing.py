"""How good are texts with names instead of pronouns? Resolves corpora and judges each replacement by the key.

    python bench/replacing.py DATA [--model FOLDER] [--show N]

DATA has ontogum/dev/conllu, of which words and sentences are used to replace, and the tags to judge; and
litbank, of which every eighth book from the fourth is read. A replacement is right if the pronoun's cluster
in the key has a mention with all words of the name; it is judged where the key has the pronoun.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from referee import formats
from referee.language.english import ARTICLES
from referee.model import Document, Mention, Span
from referee.model.layers import POS
from referee.resolvers.base import resolver_named
from referee.resolvers.replacing.pronouns import Replaced, replace_pronouns, running_text

VERBS = ("V", "AUX", "MD")  # how tags of verbs begin
BOOKS = slice(3, None, 8)  # those that the English model was not trained on


def main() -> None:
    """Measure both corpora."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", help="a model's folder; otherwise the one that is installed")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N wrong ones")
    given = parser.parse_args()
    corpora: dict[str, tuple[Iterable[Document], dict[str, str]]] = {
        "OntoGUM dev": (formats.read(str(given.data / "ontogum" / "dev" / "conllu")), {}),
        "LitBank, ten books": (_books(given.data), {"guidelines": "litbank"}),
    }
    for name, (corpus, how) in corpora.items():
        resolver = resolver_named("neural", **how, **({"model": given.model} if given.model else {}))
        keys = list(corpus)
        found = [replace_pronouns(resolver.respond_to(_without_layers(key))) for key in keys]
        print(f"\n{name}\n{_report(keys, found, given.show)}")


def _books(data: Path) -> list[Document]:
    return [
        each for book in sorted((data / "litbank").glob("*.conll"))[BOOKS] for each in formats.read(str(book))
    ]


def _without_layers(document: Document) -> Document:
    return document.with_text(layers={}, running=None, characters=())


def _report(keys: Iterable[Document], found: Iterable[Replaced], show: int) -> str:
    verdicts: Counter[str] = Counter()
    left: Counter[str] = Counter()
    wrong = []
    for key, replaced in zip(keys, found, strict=True):
        places = {start: word for word, (start, _) in enumerate(running_text(_without_layers(key).text)[1])}
        clusters = {m.spans: number for number, c in enumerate(key.clusters) for m in c.mentions}
        left.update(each.reason for each in replaced.left)
        for change in replaced.changes:
            if change.source:
                verdict = _judged(key, places[change.start], change.source, clusters)
                verdicts.update(verdict)
                wrong += [f"{key.id}: {change.old} -> {change.new}"] * ("wrong" in verdict)
    count = verdicts["replaced"]
    lines = [f"{count} pronouns replaced, {sum(left.values())} left"]
    lines += [f"  left: {reason}: {number}" for reason, number in left.most_common()]
    right, judged = verdicts["right"], verdicts["right"] + verdicts["wrong"]
    lines += [f"  right: {right} of {judged} judged, {100 * right / max(judged, 1):.1f} %"]
    lines += [
        f"  {each}: {verdicts[each]}, {100 * verdicts[each] / max(count, 1):.1f} %"
        for each in ("a bare verb",)
    ]
    return "\n".join([*lines, *wrong[:show]])


def _judged(key: Document, pronoun: int, source: Span, clusters: dict[tuple[Span, ...], int]) -> set[str]:
    """Judge one replacement: by the words that its name is taken from, and the key's clusters."""
    verdict = {"replaced"}
    tags = key.layers.get(POS, ())
    start, end = source
    if tags and all(tags[word].startswith(VERBS) for word in range(start, end)):
        verdict.add("a bare verb")
    entity = clusters.get(((pronoun, pronoun + 1),))
    if entity is not None:
        verdict.add(
            "right" if any(_names(key, each, source) for each in key.clusters[entity].mentions) else "wrong"
        )
    return verdict


def _names(key: Document, mention: Mention, source: Span) -> bool:
    """Whether a mention of the key has all the words of a name."""
    words = [word.lower() for word in key.words[slice(*source)]]
    whole = [word.lower() for word in key.words[mention.start : mention.end]]
    return {*words} - ARTICLES <= {*whole}


if __name__ == "__main__":
    main()
