"""What the English models learn from: texts, names, and the command line of the scripts that train them."""

from __future__ import annotations

import argparse
import tomllib
from itertools import pairwise
from pathlib import Path

from referee import formats
from referee.formats.corpora.gap import GapCorpus
from referee.model import Document, Text
from referee.resolvers.neural.cutting import cut_sentences, cut_words

VOCABULARY = 27_896  # of the vocabulary: 25 million parameters in all
PART = 900  # words of a text without annotation that are shown as one
SIZES = {"span": 384, "hidden": 256, "products": 16, "factors": 64}
NAMES = {  # those that are exchanged while training
    name: words.replace("\n", " ").split("," if "," in words else None)
    for name, words in tomllib.loads(Path(__file__).with_name("names.toml").read_text("utf-8")).items()
}


def command_line(description: str | None) -> argparse.ArgumentParser:
    """List what the scripts take that train a model for texts by themselves."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    for name in ("--mpnet", "--e5"):
        parser.add_argument(name, type=Path, required=True, help="an encoder's folder")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--texts", type=Path, help="running texts without annotation")
    parser.add_argument("--tiny", action="store_true", help="a few steps on a few documents")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    return parser


def gap_texts(path: Path) -> GapCorpus:
    """Read GAP's texts."""
    corpus = formats.read(path)
    if not isinstance(corpus, GapCorpus):
        raise SystemExit(f"{path}: not GAP's texts")
    return corpus


def with_speakers(data: Path, part: str) -> list[Document]:
    """Read OntoGUM; who speaks is in the comments of GUM's files."""
    documents = []
    for document in formats.read(data / "ontogum" / part / "conllu"):
        speakers = speakers_in(data / "gum" / part / f"{document.id}.conllu")
        layers = {**document.layers, "speaker": tuple(speakers[: document.text.length])}
        documents.append(document.with_text(layers=layers))
    return documents


def speakers_in(path: Path) -> list[str]:
    """Name the speaker of each word of a file, '' for nobody."""
    speakers, speaker = [], ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# sent_id"):
            speaker = ""
        elif line.startswith("# speaker"):
            speaker = line.partition("=")[2].strip()
        elif line.split("\t")[0].isdigit():
            speakers.append(speaker)
    return speakers


def parts_of(path: Path) -> list[Document]:
    """Cut a text into documents of whole sentences."""
    text = path.read_text(encoding="utf-8")
    words = [text[start:end] for start, end in cut_words(text)]
    sentences = cut_sentences(words)
    begins = [0, *(n for n in range(1, len(words)) if sentences[n] != sentences[n - 1]), len(words)]
    documents, start = [], 0
    for number, end in enumerate(begins[1:], 1):
        if end - start >= PART or number == len(begins) - 1:
            own = [edge for edge in begins if start <= edge <= end]
            spans = tuple((a - start, b - start) for a, b in pairwise(own))
            documents.append(Document(Text(f"{path.stem}.{start}", tuple(words[start:end]), spans), ()))
            start = end
    return documents
