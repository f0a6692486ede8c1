"""Stands in for the files that a reader of the pages would have: small ones, under the names in commands."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

import referee
from corrected_journals import write_corrected
from llm_server import answered, right_answers
from referee import formats
from referee.cli import main as command_line
from referee.llm.prompts import PromptSet
from referee.matching.answers.placing import file_name_of
from referee.model import Cluster, DocumentCorpus
from referee.model.layers import PARSE
from referee.resolvers.replacing.pseudonyms import KIND
from small_corpora import cat_xml, write_ecbplus, write_gap
from toy_encoder import write_encoder
from toy_story import story

DATA = Path(__file__).parent / "data"
SYSTEMS = {"a": "alpha", "better": "alpha"}  # of a response's name, the sample's file that it is; else beta
EVENT, COREFERENT = "ACTION_OCCURRENCE", "CROSS_DOC_COREF"


def lay_out(words: Sequence[str]) -> None:
    """Make in the current folder what a command reads, as far as it is not there: `words` are its own."""
    paths = [re.sub(r"^\w+=", "", word) for word in words[1:]]
    names = [path for path in paths if re.search(r"/|\.[a-z]\w*$", path) or path in FOLDERS]
    for folder in FOLDERS:
        if any(Path(name).parts[0] == folder for name in names) and not Path(folder).exists():
            FOLDERS[folder](Path(folder), words)
    key = Path(words[1]) if len(words) > 1 else Path()  # `referee models` reads nothing
    if key.name.startswith("gap-"):
        write_gap(key)
    for name in names:
        path = Path(name)
        if "*" in name:
            path.parent.mkdir(exist_ok=True)
            if path.suffix == ".txt":
                _answers(path.parent)
                continue
            if any(Path().glob(name)):  # its folder was made with all that is in it
                continue
            if path.suffix == ".conllu":
                formats.write(formats.read("key.conll"), path.parent / "one.conllu")
                continue
            for system in ("a", "b"):
                _save_result(path.parent / f"{system}.json")
        elif not path.exists() and not _is_written(name, words):
            _response(path, key)


def _is_written(name: str, words: Sequence[str]) -> bool:
    """Whether a command writes a file: what it is told to, and the second of a conversion."""
    outputs = ("-o", "--plot", "--decisions", "--pseudonyms", "--cases", "--into")
    after = [word for before, word in pairwise(words) if before in outputs]
    return name in after or (words[0] == "convert" and name == words[2])


def _response(path: Path, key: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".csv":
        path.write_text("document,kind,decision,mentions\n", encoding="utf-8")
    elif path.suffix == ".tsv":
        path.write_text("v-1\tTRUE\tFALSE\n", encoding="utf-8")
    elif path.name == "token.txt":
        path.write_text("a-token-of-the-readers\n", encoding="utf-8")
    elif path.name == "names.json":
        path.write_text(json.dumps({"about": KIND, "changes": []}), encoding="utf-8")
    elif path.suffix == ".json":
        _save_result(path)
    elif path.suffix == ".txt":
        formats.write(formats.read("beta.conll"), path, "markdown")
    elif not key.exists() or key.name == "key.conll" or key.suffix == ".txt":
        sample = Path(SYSTEMS.get(path.stem, "beta") + ".conll")
        formats.write(formats.read(sample), path)
    else:
        corpus = formats.read(key)
        formats.write(corpus, path, cross_document=corpus.cross_document)


def _answers(folder: Path) -> None:
    """Write what a model might have answered, a file a document."""
    for document in formats.read("beta.conll"):
        formats.write([document], folder / f"{file_name_of(document.id)}.txt", "markdown")


def _save_result(path: Path) -> None:
    system = SYSTEMS.get(path.stem, "beta") + ".conll"
    words = ["score", "key.conll", system, "--format", "json", "-o", str(path)]
    assert CliRunner().invoke(command_line, words).exit_code == 0


def _ecbplus(folder: Path, words: Sequence[str]) -> None:
    del words
    text = ["Police arrested two men .", "The arrest came late ."]
    files = {}
    for topic in (1, 2):
        for number in (1, 2):
            mentions = [(EVENT, (2,)), (EVENT, (7,))]
            relations = [(COREFERENT, (1, 2), f"ACT{topic}")]
            files[f"{topic}_{number}ecb"] = cat_xml(text, mentions, relations)
    write_ecbplus(folder, files, [(name, sentence) for name in files for sentence in (0, 1)])


def _ontogum(folder: Path, words: Sequence[str]) -> None:
    folder.mkdir()
    shutil.copy("key.conll", folder)
    _trees(folder, words)


def _gum(folder: Path, words: Sequence[str]) -> None:
    """Write the sample with a type for each entity."""
    del words
    (folder / "dev").mkdir(parents=True)
    documents = [
        replace(document, clusters=tuple(_typed(cluster) for cluster in document.clusters))
        for document in formats.read("key.conll")
    ]
    formats.write(DocumentCorpus(documents), folder / "dev" / "sample.conllu")


def _typed(cluster: Cluster) -> Cluster:
    kind = ("person", "place")[int(cluster.id) % 2]
    mentions = tuple(replace(mention, type=kind) for mention in cluster.mentions)
    return replace(cluster, type=kind, mentions=mentions)


def _ontogum_dev(folder: Path, words: Sequence[str]) -> None:
    """Lay out the development part as OntoGUM does: texts, trees and dependencies apart."""
    folder.mkdir()
    _one_file(folder / "conll", words)
    _trees(folder / "ptb", words)
    _dependencies(folder / "conllu", words)


def _trees(folder: Path, words: Sequence[str]) -> None:
    """Write the trees of the key as files of brackets."""
    folder.mkdir(exist_ok=True)
    key = Path(words[1]) if len(words) > 1 else Path()  # `referee models` reads nothing
    if (DATA / key.parts[0]).is_dir():
        shutil.copy(next((DATA / key.parts[0]).glob("*.ptb")), folder)
        return
    for document in formats.read("key.conll"):
        rows = zip(document.layers[PARSE], document.layers["pos"], document.words, strict=True)
        pieces = [parse.replace("*", f" ({tag} {word}) ") for parse, tag, word in rows]
        trees = [" ".join(pieces[start:end]) for start, end in document.sentences]
        (folder / f"{name_of_file(document.id)}.ptb").write_text("\n".join(trees) + "\n", encoding="utf-8")


def name_of_file(id_: str) -> str:
    """Name the file of a CoNLL-2012 document: the last part of its name."""
    return re.sub(r"\);.*", "", id_).rsplit("/", 1)[-1]


def _dependencies(folder: Path, words: Sequence[str]) -> None:
    del words
    folder.mkdir()
    for document in formats.read("key.conll"):
        lines = [f"# newdoc id = {document.id}\n"]
        for start, end in document.sentences:
            for word in range(start, end):
                form, tag = document.words[word], document.layers["pos"][word]
                head = 0 if word == start else 1
                lines.append(f"{word - start + 1}\t{form}\t_\tX\t{tag}\t_\t{head}\tdep\t_\t_\n")
            lines.append("\n")
        (folder / f"{name_of_file(document.id)}.conllu").write_text("".join(lines), encoding="utf-8")


def _copied(name: str, *without: str) -> None:
    shutil.copytree(DATA / name, name, ignore=shutil.ignore_patterns(*without))


def _annotated(folder: Path, words: Sequence[str]) -> None:
    del words
    formats.write(formats.read("key.conll"), folder, "brat")


def _responses(folder: Path, words: Sequence[str]) -> None:
    """A response to each key of a command that has many, or saved results."""
    folder.mkdir()
    if any(word.endswith(".conllu") for word in words):
        formats.write(formats.read("beta.conll"), folder / "one.conllu")


def _project(folder: Path, words: Sequence[str]) -> None:
    """Make a folder for each of two annotators."""
    del words
    for name in ("alpha", "beta"):
        (folder / name).mkdir(parents=True)
        formats.write(formats.read(f"{name}.conll"), folder / name, "brat")


def _one_file(folder: Path, words: Sequence[str]) -> None:
    del words
    folder.mkdir()
    shutil.copy("key.conll", folder)


def _parts(folder: Path, words: Sequence[str]) -> None:
    """Write a corpus of three parts that a toy can learn; examples of a prompt are other documents."""
    for part in ("train", "dev", "books"):
        (folder / part).mkdir(parents=True)
        formats.write([story()], folder / part / "story.conll")
    if "--examples" in words:
        shutil.copy("key.conll", folder / "train")


def _encoder(folder: Path, words: Sequence[str]) -> None:
    del words
    pytest.importorskip("safetensors", reason="training needs torch: pip install 'referee-coref[train]'")
    write_encoder(folder)


def _trained(folder: Path, words: Sequence[str]) -> None:
    """Train a toy, unless that is what the command does; one that goes on has a run to go on with."""
    is_made = words[0] == "train" and Path(words[words.index("-o") + 1]) == folder
    if is_made and "--resume" not in words:
        return
    pytest.importorskip("torch", reason="training needs torch: pip install 'referee-coref[train]'")
    plain = f"train corpus/train --dev corpus/dev --encoder e5-small/ -o {folder}/ --epochs 1".split()
    if is_made:
        plain = [word for word in words if word != "--resume"]
    lay_out(plain)
    assert CliRunner().invoke(command_line, plain).exit_code == 0


def _journal(folder: Path, words: Sequence[str]) -> None:
    """Write what somebody corrected."""
    del words
    texts = [story().with_text(id=f"story {number}") for number in range(4)]
    write_corrected(folder, zip(texts, texts, strict=True))


def _crawl(folder: Path, words: Sequence[str]) -> None:
    del words
    folder.mkdir()
    for number in (1, 2):
        (folder / f"{number}.txt.gz").write_bytes(gzip.compress(Path("story.txt").read_bytes()))


def _resolved(folder: Path, words: Sequence[str]) -> None:
    if "-o" not in words:
        folder.mkdir()
        formats.write(formats.read("beta.conll"), folder / "one.jsonl")


def _prompts(folder: Path, words: Sequence[str]) -> None:
    """Write prompts about the corpus of a page, unless the command does that."""
    if not _is_output(folder, words):
        _asked().save(folder)


def _given_answers(folder: Path, words: Sequence[str]) -> None:
    """Write what a model has answered to these prompts: right, but for the first."""
    if not (_is_output(folder, words) or "*" in " ".join(words)):  # files of answers are not a run's
        prompts = _asked()
        right = right_answers(prompts, formats.read("corpus/dev"))
        texts = {name: right[text] for name, text in prompts.texts.items()}
        answered(prompts, folder, texts | {next(iter(texts)): "I am sorry."})


def _asked() -> PromptSet:
    if not Path("corpus").exists():
        _parts(Path("corpus"), ())
    return referee.llm_prompt("corpus/dev", window=30, overlap=5)


def _is_output(folder: Path, words: Sequence[str]) -> bool:
    return "-o" in words and Path(words[words.index("-o") + 1]) == folder


def _new(folder: Path, words: Sequence[str]) -> None:
    """Write texts that come later."""
    del words
    folder.mkdir()
    (folder / "friday.txt").write_text("Cook closed the shop in Oslo on Friday.\n", "utf-8")


def _store(folder: Path, words: Sequence[str]) -> None:
    """Link two texts into a store, unless the command does that."""
    if "--into" in words:
        return
    texts = {
        "monday": "Apple said on Monday that Tim Cook will open a shop in Oslo. Its chief praised the town.",
        "tuesday": "Tim Cook opened the shop of Apple in Oslo on Tuesday.",
    }
    store = referee.open_store(folder)
    store.add([referee.raw_text(name, text) for name, text in texts.items()])
    if "apply" in words:
        Path("decided.jsonl").write_text('{"referee": "decisions", "version": 1}\n', "utf-8")


FOLDERS = {
    "new": _new,
    "store": _store,
    "corpus": _parts,
    "e5-small": _encoder,
    "mpnet": _encoder,
    "my-model": _trained,
    "teacher": _trained,
    "story.txt.journal": _journal,
    "prompts": _prompts,
    "answers": _given_answers,
    "project": _project,
    "repairs": _prompts,
    "crawl": _crawl,
    "resolved": _resolved,
    "annotated": _annotated,
    "key": _one_file,
    "response": _one_file,
    "runs": _responses,
    "ecbplus": _ecbplus,
    "muc": lambda folder, _: _copied(folder.name, "response.sgm"),
    "arrau": lambda folder, _: _copied(folder.name),
    "gum": _gum,
    "ontogum": _ontogum,
    "ontogum-dev": _ontogum_dev,
    "litbank-ten": _one_file,
    "conllu": _dependencies,
    "trees": _trees,
}
