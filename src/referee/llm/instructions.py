"""What a model is told: the task, the guidelines, the notation, and examples."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from io import StringIO
from os import PathLike

from referee.exceptions import SettingError
from referee.formats.catalogue import BRACKETS, CRAC, FORMATS, JSON, MARKDOWN, NOTATION_ENDINGS, TAGS
from referee.formats.io.opening import is_file, read_text
from referee.model import Cluster, Document, Mention

NOTATIONS = tuple(NOTATION_ENDINGS)
GUIDELINES = ("ontonotes", "gum", "litbank", "corefud")
TASK = (
    "You annotate coreference: which expressions of a text refer to the same person, thing, place, event or "
    "idea. All expressions that refer to the same one form an entity, and get the same id."
)
RULES: Mapping[str, str] = {
    TAGS: 'Write <m id="ID"> before each mention and </m> after it. Write & < > in words as in the text.',
    MARKDOWN: "Write each mention as a link to its entity: [the words](#ID). Keep backslashes of the text.",
    BRACKETS: (
        "Write each mention in brackets with its id at the end: [the words: ID]. Keep backslashes of the "
        "text."
    ),
    CRAC: (
        "Words are separated by blanks. Behind the first word of a mention write |[ID, behind its last word "
        "|ID], and behind a mention of one word |[ID]. Several tags of one word are separated by commas."
    ),
    JSON: (
        "Each word of the text has its number before it. Answer with a JSON object: its field clusters has a "
        "list of mentions for each id, and a mention is [number of its first word, number of its last word]."
    ),
}
COPY = (
    "Copy the whole text exactly as it is, word by word, and add nothing but the marks. Mentions may be "
    "nested, and {crossing}. Ids are numbers, from 1. Answer with the marked text only, without any comment."
)
NO_COPY = (
    "Mentions may be nested, and may cross. Ids are numbers, from 1. Answer with the JSON object only, "
    "without any comment."
)
STORY_WORDS = "The baker sold her old van to a neighbour . He likes it , and she misses it .".split()  # noqa: SIM905 is read more easily
STORY = Document.of(
    "story",
    STORY_WORDS,
    [(0, 10), (10, 19)],
    [
        Cluster("1", (Mention.at(0, 2), Mention.at(3, 4), Mention.at(15, 16))),
        Cluster("2", (Mention.at(3, 6), Mention.at(12, 13), Mention.at(17, 18))),
        Cluster("3", (Mention.at(7, 9), Mention.at(10, 11))),
    ],
)


def guideline_text(guidelines: str | PathLike[str]) -> str:
    """Read guidelines: those of a name, or of a file; `none` is none."""
    name = str(guidelines)
    if name == "none":
        return ""
    if name in GUIDELINES:
        return files("referee.llm").joinpath("texts", f"{name}.md").read_text(encoding="utf-8").strip()
    if not is_file(name):
        raise SettingError(f"guidelines='{name}' is neither {', '.join(GUIDELINES)} or none, nor a file")
    return read_text(name).strip()


def instructions(notation: str, guidelines: str, examples: Sequence[Document] = ()) -> str:
    """Write all that a model is told before the text, the same for all texts."""
    parts = [TASK]
    if guidelines:
        parts.append(f"# What to mark\n\n{guidelines}")
    parts.append(f"# How to mark it\n\n{RULES[notation]}\n\n{_manner(notation)}")
    parts.append(_example("A text shows the notation:", notation, STORY))
    if examples:
        parts.append("# Examples\n\nThese texts are annotated as yours should be.")
        parts += [
            _example(f"Example {number}:", notation, document) for number, document in enumerate(examples, 1)
        ]
    return "\n\n".join(parts) + "\n"


def _manner(notation: str) -> str:
    if notation == JSON:
        return NO_COPY
    return COPY.format(crossing="may cross" if notation == CRAC else "must not cross")


def _example(title: str, notation: str, document: Document) -> str:
    return f"{title}\n\n{shown_text(document, notation)}\n\nAnswer:\n\n{answer_for(document, notation)}"


def shown_text(document: Document, notation: str) -> str:
    """Write a text as a model is shown it: in the notation without any mark, or with numbered words."""
    if notation == JSON:
        words = [f"{number}:{word}" for number, word in enumerate(document.words[: document.text.length])]
        return "\n".join(" ".join(words[start:end]) for start, end in document.text.stretches)
    return answer_for(Document(document.text, ()), notation)


def answer_for(document: Document, notation: str) -> str:
    """Write the answer that would be right.

    Raises:
        CrossingError: If mentions cross that the notation cannot hold.
    """
    if notation == JSON:
        return json.dumps({"clusters": _offsets(document)})
    write = FORMATS[notation].write
    assert write is not None  # as all notations are written
    file = StringIO()
    write([document], file)
    return file.getvalue().rstrip("\n")


def _offsets(document: Document) -> dict[str, list[list[int]]]:
    written = document.text.length
    mentions = {
        cluster.id: [[m.start, min(m.end, written) - 1] for m in cluster.mentions if m.start < written]
        for cluster in document.clusters
    }
    return {id_: some for id_, some in mentions.items() if some}


def renumbered(clusters: Iterable[Cluster]) -> tuple[Cluster, ...]:
    """Number entities from 1 in the order of the text, as the instructions ask for it."""
    ordered = sorted(clusters, key=lambda cluster: min(cluster.mentions))
    return tuple(Cluster(str(number), cluster.mentions) for number, cluster in enumerate(ordered, 1))
