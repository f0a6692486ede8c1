"""CONLL-UA, the exploded format of Universal Anaphora (CODI-CRAC, ARRAU): CoNLL-U Plus with more columns.

`# global.columns = ID FORM … IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM` names the columns, which
tabs or runs of blanks part. What is read, by Universal Anaphora's proposal 1.1 and its scorer:
* IDENTITY: `(EntityID=3|MarkableID=markable_7|Min=4,5|ElementOf=9` opens a markable, `)` closes the one that
  was opened last, `markable_7)` that one; between two there may be an `@`. A MarkableID that opens again is
  another part of a discontinuous mention. `Min` counts words from 1 through the document: one, or the first
  and the last;
* entities that end in `-Pseudo` refer to nothing, and are no mentions;
* the entities of markables that are ElementOf=9 are together the split antecedent of 9;
* BRIDGING: `(MarkableID=markable_7|Rel=poss|MentionAnchor=markable_1|EntityAnchor=1)`;
* rows with the ID 5.1 are zeros: mentions by themselves, and no part of those around them; rows with the ID 0
  describe a scene, and are no words.

DISCOURSE_DEIXIS and the columns after it have entities of their own: they are kept in the layout.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.formats.conllu.reading import ConlluCorpus
from referee.formats.conllua.markables import ParsedConllua, parse_conllua
from referee.formats.format import (
    Reading,
)
from referee.formats.io.opening import SeekableFile
from referee.formats.recognition import GLOBAL_COLUMNS


class ConlluaCorpus(ConlluCorpus):
    """The documents of one or more files of CONLL-UA."""

    header_line = GLOBAL_COLUMNS
    mark = b"EntityI"
    ids_hold_across = False

    def scanned(self, number: int) -> None:
        """Read all columns: there is no other way."""

    def parse(self, id_: str, header: str, text: str) -> ParsedConllua:
        """Read the lines of a document."""
        return parse_conllua(id_, header, text)


def read(files: Sequence[SeekableFile], name: str, reading: Reading) -> ConlluaCorpus:
    """Find the documents of all files."""
    return ConlluaCorpus(files, name, strict=reading.strict)
