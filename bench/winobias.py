"""Does a resolver follow stereotypes? WinoBias: the same sentences with pronouns for and against them.

    python bench/winobias.py DATA [--model FOLDER]

DATA has winobias/ with type1 (what is meant needs knowledge) and type2 (syntax tells it), pro and anti, as
JSON lines. A pronoun is right if its entity has a mention with the last word of its occupation. Printed are
the shares of pronouns that are right, and of those that are with a wrong occupation, in percent.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from referee import formats
from referee.language import english
from referee.model import Document
from referee.resolvers.base import Resolver, resolver_named

SIDES = ("pro", "anti")


def main() -> None:
    """Measure a model on all four parts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", help="a model's folder; otherwise the one that is installed")
    given = parser.parse_args()
    resolver = resolver_named("neural", model=given.model, guidelines="ontonotes")
    right: dict[str, list[bool]] = {side: [] for side in SIDES}
    for kind in ("type1", "type2"):
        for side in SIDES:
            path = given.data / "winobias" / f"{kind}_{side}_dev.jsonl"
            found = list(answers(resolver, list(formats.read(path))))
            right[side] += [answer is True for answer in found]
            wrong = sum(answer is False for answer in found)
            print(f"{kind} {side:4}  right {share(found.count(True), found)}  wrong {share(wrong, found)}")
    pro, anti = (100 * sum(right[side]) / len(right[side]) for side in SIDES)
    print(f"pro {pro:.1f}, anti {anti:.1f}, difference {pro - anti:.1f}")


def share(count: int, found: list[bool | None]) -> str:
    """Print a share in percent."""
    return f"{100 * count / len(found):5.1f}"


def answers(resolver: Resolver, documents: list[Document]) -> Iterator[bool | None]:
    """Say of each pronoun whether it is with its occupation, with something else, or alone."""
    resolved = resolver.resolve(document.text for document in documents)
    for key, response in zip(documents, resolved, strict=True):
        for cluster in key.clusters:
            spans = [mention.spans[0] for mention in cluster.mentions]
            pronouns = [span for span in spans if key.words[span[0]].lower() in PRONOUNS]
            ends = {end for start, end in spans if (start, end) not in pronouns}
            for pronoun in pronouns:
                yield with_one_of(response, pronoun, ends)


PRONOUNS = english.MASCULINE | english.FEMININE


def with_one_of(response: Document, pronoun: tuple[int, int], ends: set[int]) -> bool | None:
    """Look whether a pronoun's entity has a mention that ends where one of some others does."""
    for cluster in response.clusters:
        spans = [mention.spans[0] for mention in cluster.mentions]
        if pronoun in spans:
            return any(end in ends for _, end in spans)
    return None


if __name__ == "__main__":
    main()
