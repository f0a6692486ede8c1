"""Is a precision that is asked for the precision that links have? Prints both, for all resolvers.

    python bench/precision.py DATA [--resolver neural,camp,across] [--model FOLDER]

DATA has ontogum/dev, litbank (of which every eighth book from the fourth is read), fantasycoref,
craft/dev.jsonl and ecbplus/dev. Precision is MUC's, singletons left out; recall stands behind it. A star
marks a precision beyond what was measured: the resolver takes its strictest or its boldest setting, and
says so.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from referee import formats, score
from referee.matching.protocol import Protocol
from referee.model import Corpus, Document, DocumentCorpus
from referee.resolvers.base import Resolver, resolver_named
from referee.resolvers.camp.camp import Camp
from referee.resolvers.neural.models import model_named
from referee.resolvers.neural.running import open_model
from referee.resolvers.neural.tuning import Remembering

ASKED = (60, 70, 75, 80, 85, 90, 95)
WITHIN = Protocol(singletons="drop")
ACROSS = Protocol(scope="topic", singletons="drop", gaps="fill")
BOOKS = slice(3, None, 8)  # those that the English model was not trained on


class Measured(NamedTuple):
    """A corpus, how it is resolved, and how it is scored."""

    name: str
    corpus: Corpus
    settings: dict[str, Any]
    protocol: Protocol = WITHIN


def main() -> None:
    """Measure what is asked for on the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--resolver", default="neural,camp,across")
    parser.add_argument("--model", help="a model's folder; otherwise the one that is installed")
    given = parser.parse_args()
    model = {"model": given.model} if given.model else {}
    for name in given.resolver.split(","):
        print(f"\n{name:<34}" + "".join(f"{f'asked {asked}':>12}" for asked in ASKED))
        for measured in MEASURED[name](given.data):
            print(f"{measured.name:<34}" + "".join(cells(name, measured, model)), flush=True)


def cells(name: str, measured: Measured, model: dict[str, Any]) -> Iterator[str]:
    """Resolve a corpus for each precision; give precision and recall."""
    how = measured.settings | (model if name != "camp" else {})
    if name == "neural":  # the encoder runs once
        opened = open_model(model_named(given_model(how)).folder, 0)
        opened.session = Remembering(opened.session)
    corpus = parsed(measured.corpus, how) if name == "camp" else measured.corpus
    for asked in ASKED:
        resolver = resolver_named(name, precision=float(asked), **how)
        response = responses(resolver, corpus)
        muc = score(measured.corpus, response, protocol=measured.protocol).muc
        star = "*" if resolver.notices else " "
        yield f"{100 * muc.precision:>6.1f}{star}/{100 * muc.recall:>4.0f}"


def given_model(how: dict[str, Any]) -> str | None:
    """Name the model that settings have."""
    model: str | None = how.get("model")
    return model


def parsed(corpus: Corpus, how: dict[str, Any]) -> DocumentCorpus:
    """Parse a corpus once for all precisions."""
    texts = (document.text for document in corpus)
    return DocumentCorpus((Document(whole, ()) for _, whole in Camp(**how).parsed(texts)), corpus.name)


def responses(resolver: Resolver, corpus: Corpus) -> DocumentCorpus:
    """Resolve a corpus; camp takes the parses that it has."""
    if isinstance(resolver, Camp):
        return DocumentCorpus(map(resolver.resolve_parsed, (each.text for each in corpus)), "resolved")
    return resolver.respond_to_corpus(corpus)


def within(data: Path) -> Iterator[Measured]:
    """Read the corpora within documents; the last two were not looked at when anything was chosen."""
    yield Measured("OntoGUM dev", formats.read(data / "ontogum" / "dev" / "conllu"), {})
    books = sorted(formats.read(data / "litbank"), key=lambda book: book.id)[BOOKS]
    yield Measured("LitBank, ten books", DocumentCorpus(books, "litbank"), {"guidelines": "litbank"})
    yield Measured("FantasyCoref dev", formats.read(data / "fantasycoref"), {})
    yield Measured("CRAFT dev", formats.read(data / "craft" / "dev.jsonl"), {})


def across(data: Path) -> Iterable[Measured]:
    """Read the corpus across documents, by kind and mentions."""
    corpus = formats.read(data / "ecbplus" / "dev")
    for kind in ("events", "entities", "all"):
        for mentions in ("predicted", "gold"):
            how = {"kind": kind, "mentions": mentions, "scope": "topic"}
            yield Measured(f"ECB+ dev, {kind}, {mentions}", corpus.of_kind(kind), how, ACROSS)


MEASURED: dict[str, Callable[[Path], Iterable[Measured]]] = {
    "neural": within, "camp": within, "across": across,
}  # fmt: skip


if __name__ == "__main__":
    main()
