"""Running texts with changes at random: other names and pronouns, lost quotation marks, lines elsewhere.

What follows names and speakers through a text gives the same on a few good texts when it looks one word too
far, and something else on one of these. The changes depend on a name and a number alone.
"""

from __future__ import annotations

import re

from chance import Chance
from referee.language import english
from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.neural.cutting import cut_raw
from referee.resolvers.people.names import name_occurrences
from stated_texts import ROOT, TEXTS

FERRY = (ROOT / "tests" / "data" / "texts" / "ferry.txt").read_text("utf-8")
RUNNING = {**TEXTS, "dialogue": FERRY}
PIECE = re.compile(r"\w+\.(?=\w)[\w.]*|[A-Z][a-z]{0,2}\.(?= [A-Z])|\w+|\s+|[^\w\s]")
_PRONOUNS = """
    he she it they I we you him her them me us his its their my your himself herself xe xem ze zir
"""
PRONOUNS = _PRONOUNS.split()
_NAMES = """
    Tom;Thomas;Mr. Reed;Mrs. Reed;Miss Reed;Ben;Ben Marsh;Benjamin Marsh;Nora;Nora Harlow;Lady Harlow;
    Mr. Harlow;Captain Harlow;Frederick;Fred Harlow;Aunt Clara;Clara Holt;Mrs. John Holt;Dr. Holt;Sir John;
    Colonel Brandon;J. Holt;John Holt;Anna;Ann Lee;Lizzy;Elizabeth Bennet;the Reeds;the German;the Brazilian;
    the 20-year-old;Holt;Bennet;Zorby;Leeds;Reed Street;Mr. de Marsh;the Artful Dodger;Jim;James;Madame Holt;
    Prof. Lee;Harlow House
"""
NAMES = [name.strip() for name in _NAMES.split(";")]
_SAYING = """
    said;asked;cried;replied Tom;said she;he whispered;Nora answered quietly;then asked the old man;
    said Mr. Reed slowly;she had said;the boy laughed;said poor Ben Marsh;Captain Harlow had then asked;wrote;
    I said
"""
SAYING = [said.strip() for said in _SAYING.split(";")]
_SPEECHES = """
    "I know, Tom," said Nora. "You never sleep."|"You are late, Mr. Reed," he said.|Tom said: "I am here."|
    "No!"|"Dear Ben, I must go -- now," she cried, "or never."|"Who is there?"|"It is I."|
    Nora smiled. "Come in, my dear."|“My sister and I,” said Captain Harlow, “will stay.”|
    He looked at Clara Holt. 'Go,' she said, 'and hurry.'|I told her that I was tired. I went home.|
    The old man, whose name was Ben, laughed: "Well, well."
"""
SPEECHES = [speech.strip() for speech in _SPEECHES.split("|")]
BEGINNING = english.DETERMINERS | {"one", "two", "some", "poor", "old", "others"}
OTHERS = {
    ".": ".!?:;,", ",": ".,;:", "!": "!.?", "?": "?.!", '"': '"“”\'', "“": '“"”', "”": '”"“', ":": ":.,",
    "-": "-—",
}  # fmt: skip


class Changes(Chance):
    """Changes of running texts, at random."""

    def running(self, name: str) -> str:
        """Change a text: one line in six, and one word in ten."""
        lines = RUNNING[name].splitlines()
        for _ in range(1 + len(lines) // 6):
            self._line(lines)
        return "".join(self._piece(found[0]) for found in PIECE.finditer("\n".join(lines))) + "\n"

    def _line(self, lines: list[str]) -> None:
        at, kind = self.below(len(lines)), self.below(6)
        if kind == 0 and len(lines) > 4:
            del lines[at]
        elif kind == 1:
            lines.insert(at, self.one(lines))
        elif kind == 2:
            lines.insert(at, "")
        elif kind == 3:
            lines.insert(at, self.one(self.one(list(RUNNING.values())).splitlines()))
        else:
            lines[at:at] = ["", self.one(SPEECHES), ""]

    def _piece(self, piece: str) -> str:
        if piece.isspace() or self.below(10):
            return piece
        if piece in OTHERS:
            others: list[str] = ["", *OTHERS[piece]]
            return self.one(others)
        if piece.lower() in PRONOUNS:
            other = self.one([*PRONOUNS, *NAMES])
            return other[:1].upper() + other[1:] if piece[0].isupper() else other
        if piece[0].isupper():
            return self.one(NAMES)
        if piece.endswith("ed") or piece == "said":
            return self.one(SAYING)
        return self.one([piece, "the", "dear", "then", "of", "and", *PRONOUNS[:6]])


def resolved_at_random(name: str, number: int, *, phrases: bool = False) -> Document:
    """Change a text; a name, a pronoun or an epithet is mostly in the entity of the last name.

    With `phrases` also what begins like a noun phrase is a mention at times, wherever it ends.
    """
    changes = Changes(f"{name} {number}")
    text = cut_raw(Text(name, (), (), running=changes.running(name)))
    begins = [False] * text.length
    for start, _ in text.sentences:
        begins[start] = True
    ends = {found.start: found.end for found in name_occurrences(text.words, begins)}
    clusters: dict[str, list[Mention]] = {}
    last = "nobody"
    for word, spelled in enumerate(text.words):
        end = ends.get(word, 0)
        if end and changes.below(5):
            last = text.words[end - 1]
        elif spelled == "the" and word + 2 < text.length and not changes.below(3):
            end = word + (2 if text.words[word + 1][0].isupper() else min(6, text.length - word))
        elif spelled.lower() in english.PERSONAL:
            end = word + 1
        elif phrases and spelled.lower() in BEGINNING:
            end = min(word + 2 + changes.below(4), text.length)
        if phrases and end and text.words[end - 1] != "." and not changes.below(6):
            end = min(end + 1 + changes.below(3), text.length)
        if end:
            entity = last if changes.below(3) or not clusters else changes.one([*clusters])
            clusters.setdefault(entity, []).append(Mention.at(word, end))
    return Document(text, tuple(Cluster(entity, tuple(each)) for entity, each in clusters.items()))
