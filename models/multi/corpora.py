"""What the multilingual model learns from: corpora of nine languages, each with guidelines of its own."""

from __future__ import annotations

import csv
import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from referee import formats
from referee.language.cutting.texts import cut_raw
from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.neural.cutting import cut_sentences, sentence_numbers, speakers_of, words_of
from referee.resolvers.neural.features import describe_words
from referee.resolvers.neural.subwords import SubwordTokenizer
from referee.resolvers.neural.zeros import zeros_placed
from referee.training.data.examples import Example, known_mentions

Record = dict[str, Any]
FREE = frozenset(("cc-by/pd", "by-sa"))  # classes of licences of OntoGUM's texts
DEV_BOOKS = 8, 3  # of LitBank's sorted books every eighth is for dev, beginning with the fourth


@dataclass(frozen=True)
class Corpus:
    """A corpus: where it lies, and how often it is seen in an epoch (its words grow by this factor)."""

    guidelines: str
    language: str
    name: str
    licence: str
    train: str
    dev: str
    often: float = 1.0
    speakers: float = 0.5  # how often its documents are shown with their speakers
    cut_by_rule: float = 0.25  # how often sentences are cut by rule, as those of running text are
    may_ship: bool = True  # whether weights that learnt from it may be given away without asking first


# The order of guidelines is part of the model. The smallest corpora are seen more often, the many short
# leads in Japanese less. NARC's annotation is CC0, but its authors ask that its texts are not published
# again; until they were asked what that means for weights, it is left out unless `prepare` is told otherwise.
# So its guidelines are the last: a model without it has the same numbers.
CORPORA = (
    Corpus("ontonotes", "en", "OntoGUM", "CC-BY-4.0, texts CC-BY, CC-BY-SA or in the public domain",
           "ontogum/train/conllu", "ontogum/dev/conllu", 1.5),
    Corpus("litbank", "en", "LitBank", "CC-BY-4.0", "litbank", "litbank"),
    Corpus("gerdracor", "de", "GerDraCor-Coref", "CC0-1.0",
           "languages/de_gerdracor/train.jsonl", "languages/de_gerdracor/dev.jsonl",
           0.8, 0.95, 0.1),
    Corpus("openboek", "nl", "OpenBoek", "CC-BY-4.0",
           "languages/nl_openboek/train", "languages/nl_openboek/dev", 2.0),
    Corpus("korkor", "hu", "KorKor", "CC-BY-4.0",
           "languages/hu_korkor/train.jsonl", "languages/hu_korkor/dev.jsonl", 4.0),
    Corpus("fr-litbank", "fr", "fr-litbank", "CC-BY-SA",
           "languages/fr_litbank/train.jsonl", "languages/fr_litbank/dev.jsonl", 1.2),
    Corpus("han-coref", "th", "Han-Coref", "CC-BY-3.0",
           "languages/th_hancoref/train.jsonl", "languages/th_hancoref/dev.jsonl",
           1.0, 0.0),
    Corpus("ja-wikipedia", "ja", "Wikipedia Annotated Corpus", "CC-BY-SA-4.0",
           "languages/ja_wikipedia/train.jsonl", "languages/ja_wikipedia/dev.jsonl",
           0.5, 0.0, 0.1),
    Corpus("narc-nb", "nb", "NARC (Bokmål)", "CC0-1.0, texts not to be published",
           "languages/nb_narc/train.jsonl", "languages/nb_narc/dev.jsonl", may_ship=False),
    Corpus("narc-nn", "nn", "NARC (Nynorsk)", "CC0-1.0, texts not to be published",
           "languages/nn_narc/train.jsonl", "languages/nn_narc/dev.jsonl", may_ship=False),
)  # fmt: skip
GUIDELINES = tuple(corpus.guidelines for corpus in CORPORA)
LANGUAGES = {corpus.guidelines: corpus.language for corpus in CORPORA}


def documents_of(corpus: Corpus, data: Path, part: str) -> list[Document]:
    """Read a part of a corpus, train or dev."""
    path = data / (corpus.train if part == "train" else corpus.dev)
    if corpus.guidelines == "litbank":
        books = sorted(formats.read(path), key=lambda book: book.id)
        step, first = DEV_BOOKS
        return [book for n, book in enumerate(books) if (n % step == first) == (part == "dev")]
    if corpus.language == "th":
        return list(thai_documents(path))
    documents = list(formats.read(path))
    if corpus.language != "en":  # for which no model reads what is not written
        documents = [zeros_placed(document) for document in documents]
    if corpus.guidelines == "ontonotes":
        documents = [with_speakers(d, data / "gum" / part / f"{d.id}.conllu") for d in documents]
        if part == "train":
            free = free_texts(data / "ontogum" / "licences.tsv")
            documents = [document for document in documents if document.id in free]
    return documents


def free_texts(path: Path) -> set[str]:
    """Name the texts of OntoGUM whose licence allows any use, if what is made of them is shared alike."""
    with path.open(encoding="utf-8", newline="") as file:
        return {row["document"] for row in csv.DictReader(file, delimiter="\t") if row["class"] in FREE}


def with_speakers(document: Document, path: Path) -> Document:
    """Add who speaks, which is in the comments of GUM's files."""
    speakers, speaker = [], ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# sent_id"):
            speaker = ""
        elif line.startswith("# speaker"):
            speaker = line.partition("=")[2].strip()
        elif line.split("\t")[0].isdigit():
            speakers.append(speaker)
    layers = {**document.layers, "speaker": tuple(speakers[: document.text.length])}
    return document.with_text(layers=layers)


def thai_documents(path: Path) -> Iterator[Document]:
    """Read Thai texts, cut as running text is; a mention has all words that it touches."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        row: dict[str, Any] = json.loads(line)
        text = cut_raw(Text(f"th{number}", (), (), running=row["text"]), "th")
        starts, ends = ([span[side] for span in text.characters] for side in (0, 1))
        clusters = []
        for name, spans in enumerate(row["clusters"]):
            inside = [(bisect_right(ends, first), bisect_left(starts, stop)) for first, stop in spans]
            mentions = tuple(Mention.at(a, b) for a, b in dict.fromkeys(inside) if a < b)
            clusters.append(Cluster(str(name), mentions))
        yield Document(text, tuple(cluster for cluster in clusters if cluster.mentions))


def record_of(document: Document, corpus: Corpus, part: str, entities: Document | None = None) -> Record:
    """Write down what is learnt of a document, so that it can be carried in one small file."""
    return {
        "id": f"{corpus.guidelines}/{document.id}",
        "part": part,
        "guidelines": corpus.guidelines,
        "words": "\n".join(words_of(document.text)),
        "sentences": runs(sentence_numbers(document.text, corpus.language).tolist()),
        "speakers": runs(speakers_of(document.text)),
        "mentions": known_mentions(document, entities).tolist(),
    }


def runs(values: Sequence[Any]) -> list[tuple[Any, int]]:
    """Count neighbours that are equal.

    >>> runs(["a", "a", "b"])
    [('a', 2), ('b', 1)]
    """
    return [(value, len(list(several))) for value, several in groupby(values)]


def unrolled(counted: Iterable[tuple[Any, int]]) -> list[Any]:
    """Repeat what was counted.

    >>> unrolled([("a", 2), ("b", 1)])
    ['a', 'a', 'b']
    """
    return [value for value, count in counted for _ in range(count)]


def records(data: Path, *, asked: bool = False) -> Iterator[Record]:
    """Read all corpora; of OntoGUM's texts GUM has all entities, also those that are mentioned once.

    Those that need asking first are read only if somebody was `asked`.
    """
    for corpus in CORPORA:
        if not (corpus.may_ship or asked):
            continue
        for part in ("train", "dev"):
            entities: dict[str, Document] = {}
            if corpus.guidelines == "ontonotes" and part == "train":
                entities = {document.id: document for document in formats.read(data / "gum" / part)}
            for document in documents_of(corpus, data, part):
                if document.text.length:
                    yield record_of(document, corpus, part, entities.get(document.id))


def example_of(record: Record, tokenizer: SubwordTokenizer) -> Example:
    """Make an example of a document, in the words of its language."""
    corpus = CORPORA[GUIDELINES.index(record["guidelines"])]
    words, speakers = record["words"].split("\n"), unrolled(record["speakers"])
    given = np.array(unrolled(record["sentences"]), np.int64)
    cut = cut_sentences(words, language=corpus.language)
    number = GUIDELINES.index(corpus.guidelines)
    columns = tuple(
        describe_words(words, sentences, speakers, number, corpus.language) for sentences in (given, cut)
    )
    mentions = np.array(record["mentions"], np.int64).reshape(-1, 6)
    return Example(record["id"], columns, *tokenizer.cut(words), mentions, np.zeros(len(words), np.int64))
