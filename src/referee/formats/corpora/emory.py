"""Emory's Character Identification (Zhou and Choi 2018): dialogue with the characters that mentions refer to.

    {"season_id": "s01", "episodes": [{"episode_id": "s01_e01", "scenes": [{"scene_id": "s01_e01_c01",
      "utterances": [{"speakers": ["Ann Lee"], "tokens": [["I", "told", "mom", "."]],
        "character_entities": [[[0, 1, "Ann Lee"], [2, 3, "Eve Lee"]]]}]}]}]}

A scene is a document, named by its `scene_id`; its sentences are those of the utterances, whose speakers are
a layer. A mention is [start, end, CHARACTER, …] in words of its sentence, the end excluded. A cluster has the
name of its character, which means the same in all scenes (`ids='corpus'`). A mention of several characters is
in a cluster of theirs together, tied to them as a split antecedent. `#GENERAL#`, `#OTHER#` and their like
name nobody: a mention of nothing else is a singleton.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from referee.exceptions import FormatError
from referee.formats.format import Reading
from referee.formats.io.json_file import json_value
from referee.formats.io.opening import SeekableFile
from referee.formats.ledger import Ledger
from referee.model import Cluster, Document, DocumentCorpus, Mention, Relation, Text
from referee.model.layers import SPEAKER
from referee.model.mentions import SPLIT_ANTECEDENT

NOBODY = "#"  # how labels begin that name no character
TOGETHER = " + "  # between characters that a mention has together


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> DocumentCorpus:
    """Read the scenes of all files."""
    del reading
    ledger = Ledger()
    corpus = DocumentCorpus([scene for file in files for scene in _scenes(file, ledger)], name)
    ledger.close(corpus)
    return corpus


def _scenes(file: SeekableFile, ledger: Ledger) -> Iterator[Document]:
    value = json_value(file)
    file.close()
    for episode in _listed(value, "episodes", file.path):
        for fields in _listed(episode, "scenes", file.path):
            scene = _Scene(f"{file.path}: scene {fields.get('scene_id')}")
            for utterance in _listed(fields, "utterances", scene.where):
                scene.take(utterance)
            ledger.leave_out(
                "a mention of nobody in particular is a singleton", *[f"{file.path}:1"] * scene.alone
            )
            yield scene.document(str(fields.get("scene_id")))


def _listed(fields: Any, name: str, where: str) -> list[dict[str, Any]]:
    listed = fields.get(name) if isinstance(fields, dict) else None
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        raise FormatError(f"{where}: {name} must be a list of objects")
    return listed


@dataclass(slots=True)
class _Scene:
    """What has been read of a scene."""

    where: str
    words: list[str] = field(default_factory=list)
    speakers: list[str] = field(default_factory=list)
    edges: list[int] = field(default_factory=lambda: [0])
    clusters: dict[str, list[Mention]] = field(default_factory=dict)
    together: dict[str, tuple[str, ...]] = field(default_factory=dict)  # cluster → its characters
    alone: int = 0

    def take(self, utterance: dict[str, Any]) -> None:
        """Read an utterance."""
        sentences, entities = utterance.get("tokens"), utterance.get("character_entities")
        if (
            not isinstance(sentences, list)
            or not isinstance(entities, list)
            or len(sentences) != len(entities)
        ):
            raise FormatError(f"{self.where}: tokens and character_entities must be lists of the same length")
        said_by = utterance.get("speakers")
        speaker = TOGETHER.join(map(str, said_by)) if isinstance(said_by, list) and said_by else "-"
        for words, mentions in zip(sentences, entities, strict=True):
            if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
                raise FormatError(f"{self.where}: a sentence must be a list of words")
            for mention in mentions:
                self._mention(mention, len(words))
            self.words += words
            self.speakers += [speaker] * len(words)
            self.edges.append(len(self.words))

    def _mention(self, value: Any, length: int) -> None:
        match value:
            case [int(start), int(end), str(), *_] if 0 <= start < end <= length:
                names = tuple(sorted(set(map(str, value[2:]))))
            case _:
                raise FormatError(f"{self.where}: expected [start, end, CHARACTER], not {str(value)[:60]}")
        characters = [name for name in names if not name.startswith(NOBODY)]
        cluster = TOGETHER.join(names)
        if not characters:
            self.alone += 1
            cluster = f"{cluster} {self.alone}"
        elif len(names) > 1:
            self.together[cluster] = tuple(characters)
        first = self.edges[-1]
        self.clusters.setdefault(cluster, []).append(Mention.at(first + start, first + end))

    def document(self, id_: str) -> Document:
        """Put the scene together."""
        sentences = tuple(edge for edge in pairwise(self.edges) if edge[0] < edge[1])
        text = Text(id_, tuple(self.words), sentences, {SPEAKER: tuple(self.speakers)})
        clusters = tuple(Cluster(name, tuple(sorted(some))) for name, some in self.clusters.items())
        relations = tuple(
            Relation(SPLIT_ANTECEDENT, whole, known)
            for whole, parts in self.together.items()
            if (known := tuple(part for part in parts if part in self.clusters))
        )
        return Document(text, clusters, relations)
