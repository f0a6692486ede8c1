"""Writes CONLL-UA: documents that came from it byte for byte, as far as they still say the same.

Where annotation changed, IDENTITY, BRIDGING and DISCOURSE_DEIXIS are written again, and all other cells stay.
Entities that refer to nothing end in `-Pseudo`. A markable closes with `)`, or by its name in documents where
markables cross.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice, zip_longest
from typing import IO

from referee.exceptions import FormatError
from referee.formats.conllu.lines import is_document_line
from referee.formats.conllu.rows import UNKNOWN_VALUE, UPOS, XPOS
from referee.formats.conllua.markables import IDENTITY_COLUMN
from referee.formats.conllua.reading import (
    BRIDGING_COLUMN,
    COLUMNS_LINE,
    DEIXIS_COLUMN,
    PSEUDO,
    UA_LAYERS,
    parse_conllua,
)
from referee.model import NO_WORD, Cluster, Document, Mention, Relation, Span, Text
from referee.model.anaphora import nearest
from referee.model.layers import HEAD, POS, ROOT
from referee.model.mentions import BRIDGING, DEIXIS, SPLIT_ANTECEDENT

NEW_COLUMNS = (
    "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM"
)
EMPTY = "-Pseudo"  # the ending of entities that refer to nothing
FORBIDDEN = re.compile(r"[()|@=,\s]+")


def write(documents: Iterable[Document], file: IO[str]) -> None:
    """Write documents; all have the columns of the first one, as `columns_of` says."""
    some = iter(documents)
    start = list(islice(some, 2))
    header, before = "", "\n\n"
    for document in chain(start, some):
        text, columns = _document_text(document, alone=len(start) == 1)
        if not before.endswith(("\n\n", "\n\r\n")):
            file.write("\n" if before.endswith("\n") else "\n\n")
        if not header and COLUMNS_LINE.strip("# =") not in text:
            file.write(f"{COLUMNS_LINE}{columns}\n")
        file.write(text)
        header, before = columns, text


def columns_of(document: Document) -> str:
    """Say what columns a document is written with."""
    return " ".join(_document_text(document, alone=True)[1].split())


def _document_text(document: Document, *, alone: bool) -> tuple[str, str]:
    """Write a document; also say what columns it has."""
    lines, header = _new_lines(document), NEW_COLUMNS
    rows = [number for number, line in enumerate(lines) if line[:1].isdigit()]
    order = document.text.reading_order()
    line_of = {word: rows[at] for at, word in enumerate(order)}
    old, kept = "", tuple[str, ...]()
    if len(document.layout) == 2 and document.layout[0].startswith(COLUMNS_LINE):
        parsed = parse_conllua(document.id, document.layout[0].removeprefix(COLUMNS_LINE), document.layout[1])
        ours, theirs = document.text, parsed.document.text
        if (ours.words, ours.zeros, ours.sentences) == (theirs.words, theirs.zeros, theirs.sentences):
            header, old = document.layout[0].removeprefix(COLUMNS_LINE), document.layout[1]
            lines, line_of = old.split("\n"), dict(enumerate(parsed.lines))
            is_said = [_said(a) == _said(b) for a, b in _layers_of(document, parsed.document)]
            kept = (DEIXIS_COLUMN,) * is_said[1]
            if all(is_said):
                return _named(old, document, alone=alone), header
    _annotate(lines, line_of, header.upper().split(), document, kept)
    text = "\n".join(lines)
    _check(document, parse_conllua(document.id, header, text).document)
    return _named(text, document, alone=alone), header


def _layers_of(document: Document, other: Document) -> list[tuple[Document, Document]]:
    """Put the layers of two documents beside each other: identity, and discourse deixis."""
    return [(document, other), (document.of_layer(DEIXIS), other.of_layer(DEIXIS))]


def _said(document: Document) -> tuple[object, ...]:
    clusters = {c.id: Counter((m.spans, m.minimum) for m in c.mentions) for c in _entities(document)}
    return clusters, Counter(document.relations)


def _named(text: str, document: Document, *, alone: bool) -> str:
    """See that the document has its name."""
    lines = text.split("\n")
    begins = [number for number, line in enumerate(lines) if is_document_line(line)]
    named = is_document_line(lines[begins[0]]) if begins else None
    new = f"# newdoc id = {' '.join(document.id.split())}"
    if named and named[1] and named[1] != document.id:
        lines[begins[0]] = new
    elif not named and not alone:
        lines.insert(1 if lines[0].startswith(COLUMNS_LINE) else 0, new)
    return "\n".join(lines)


def _new_lines(document: Document) -> list[str]:
    """Lay out a document that came from another format; words are numbered through the document."""
    text = document.text
    name = re.sub(r"[\s/]+", "_", document.id)
    ids = _ids(text)
    sentence_of = {word: i for i, (start, end) in enumerate(text.sentences) for word in range(start, end)}
    sentence_of |= {text.length + i: zero.sentence for i, zero in enumerate(text.zeros)}
    lines = [f"# newdoc id = {' '.join(document.id.split())}"]
    latest = -1
    for word in text.reading_order():
        sentence = sentence_of.get(word, latest)
        if sentence != latest or latest < 0:
            lines += [""] if latest >= 0 else []
            spelled = " ".join(text.spelled(text.sentences[sentence : sentence + 1]).split())
            lines += [f"# sent_id = {name}-{sentence + 1}", f"# text = {spelled}"]
            latest = sentence
        lines.append("\t".join(_cells(text, ids, word)))
    return [*lines, "", ""]


def _ids(text: Text) -> list[str]:
    numbered = [str(word + 1) for word in range(text.length)]
    return numbered + [f"{zero.before}.{zero.ordinal}" for zero in text.zeros]


def _cells(text: Text, ids: Sequence[str], word: int) -> list[str]:
    cells = dict.fromkeys(NEW_COLUMNS.split(), UNKNOWN_VALUE)
    cells |= {"ID": ids[word], "FORM": re.sub(r"\s+", "_", text.words[word]) or UNKNOWN_VALUE}
    layers = {**UA_LAYERS, **({} if {UPOS, XPOS} & text.layers.keys() else {"XPOS": POS})}
    for name, layer in layers.items():
        value = text.layers[layer][word] if layer in text.layers else ""
        cells[name] = UNKNOWN_VALUE if value in ("", "-") else re.sub(r"\s+", "_", value)
    if HEAD in text.layers and word < text.length:
        head = text.layers[HEAD][word]
        cells["HEAD"] = "0" if head == ROOT else ids[int(head)]
    if word >= text.length:
        governors = text.zeros[word - text.length].governors
        named = [
            f"{'0' if governor == NO_WORD else ids[governor]}:{relation}" for governor, relation in governors
        ]
        cells["DEPS"] = "|".join(named) or UNKNOWN_VALUE
    return list(cells.values())


def _annotate(
    lines: list[str], line_of: Mapping[int, int], columns: Sequence[str], document: Document,
    kept: Sequence[str],
) -> None:  # fmt: skip
    """Put new cells into the columns of annotation, and leave the white space around them."""
    cells = {
        IDENTITY_COLUMN: _identity(document, "markable"),
        BRIDGING_COLUMN: _bridging(document),
        DEIXIS_COLUMN: _identity(document.of_layer(DEIXIS), "dd_markable"),
    }
    for name, by_word in cells.items():
        if name in kept:
            continue
        if name not in columns:
            if by_word:
                raise FormatError(f"document {document.id} needs the column {name}, which its file lacks")
            continue
        for word, number in line_of.items():
            line = lines[number].rstrip("\r")
            end = lines[number][len(line) :]
            pieces = re.split(r"(\t)" if line.count("\t") == len(columns) - 1 else r"(\s+)", line)
            at = 2 * columns.index(name)
            while len(pieces) <= at:
                pieces += ["\t", UNKNOWN_VALUE]
            pieces[at] = by_word.get(word, UNKNOWN_VALUE)
            lines[number] = "".join(pieces) + end


def _entities(document: Document) -> tuple[Cluster, ...]:
    """List all entities, those that refer to nothing last."""
    return (*document.clusters, *document.non_referring)


def _markables(document: Document, prefix: str = "markable") -> list[tuple[str, str, Mention]]:
    """Name all mentions: entity and markable."""
    listed = [(cluster.id, mention) for cluster in _entities(document) for mention in cluster.mentions]
    return [(id_, f"{prefix}_{number}", mention) for number, (id_, mention) in enumerate(listed, start=1)]


def _entity_names(document: Document) -> dict[str, str]:
    names: dict[str, str] = {}
    used: Counter[str] = Counter()
    for number, cluster in enumerate(_entities(document)):
        plain = FORBIDDEN.sub("_", cluster.id)
        ending = EMPTY if number >= len(document.clusters) else ""
        if PSEUDO.search(plain) and ending:
            ending = PSEUDO.findall(plain)[0]
        stem = name = PSEUDO.sub("", plain) or "e"
        while used[name + ending]:
            used[stem + ending] += 1
            name = f"{stem}_{used[stem + ending]}"
        used[name + ending] = 1
        names[cluster.id] = name + ending
    return names


def _identity(document: Document, prefix: str) -> dict[int, str]:
    """Write the brackets of all words that have any."""
    names, length = _entity_names(document), document.text.length
    element_of: dict[str, list[str]] = defaultdict(list)
    for relation in document.relations:
        if relation.kind == SPLIT_ANTECEDENT:
            for antecedent in relation.antecedents:
                element_of[antecedent].append(names.get(relation.anaphor, relation.anaphor))
    spans = []
    for id_, markable, mention in _markables(document, prefix):
        if mention.end > length and (len(mention.spans) > 1 or mention.end - mention.start > 1):
            raise _unholdable(document, id_, "a mention of a zero and other words")
        said = [f"EntityID={names[id_]}", f"MarkableID={markable}"]
        said += [f"Min={_minimum(mention.minimum)}"] if mention.minimum and len(mention.minimum) == 1 else []
        said += [f"ElementOf={','.join(element_of.pop(id_))}"] if id_ in element_of else []
        spans += [(start, -end, "(" + "|".join(said), markable) for start, end in mention.spans]
    if element_of:
        raise _unholdable(document, next(iter(element_of)), "a relation but no mention")
    spans.sort()
    by_name = _cross([(start, -end) for start, end, _, _ in spans])
    opened: dict[int, str] = defaultdict(str)
    closed: dict[int, list[str]] = defaultdict(list)
    for start, negative_end, chunk, markable in spans:
        last = -negative_end - 1
        opened[start] += f"{chunk})" if start == last else chunk
        if start != last:
            closed[last].insert(0, f"{markable})" if by_name else ")")
    return {word: "".join(closed[word]) + opened[word] for word in sorted({*opened, *closed})}


def _cross(spans: Iterable[tuple[int, int]]) -> bool:
    """Whether spans, sorted with the longest first, cross, so that a stack could not say which one ends.

    Those that end at a word close before others open there.
    """
    ends: list[int] = []
    for start, end in spans:
        while ends and ends[-1] <= start + 1:
            ends.pop()
        if end > start + 1:
            if ends and end > ends[-1]:
                return True
            ends.append(end)
    return False


def _minimum(spans: Sequence[Span]) -> str:
    first, last = spans[0][0] + 1, spans[0][1]
    return str(first) if first == last else f"{first},{last}"


def _bridging(document: Document) -> dict[int, str]:
    """Write bridging at the anaphor's mention, with the anchor's.

    Where none is named, it is the anaphor's first, and the anchor's last before the anaphor.
    """
    listed: dict[str, list[tuple[str, Mention]]] = {}
    named: dict[tuple[str, tuple[Span, ...]], tuple[str, Mention]] = {}
    for id_, markable, mention in _markables(document):
        listed.setdefault(id_, []).append((markable, mention))
        named.setdefault((id_, mention.spans), (markable, mention))
    names = _entity_names(document)
    cells: dict[int, str] = defaultdict(str)
    for relation in document.relations:
        if relation.kind != BRIDGING:
            continue
        if any(id_ not in listed for id_ in (relation.anaphor, *relation.antecedents)):
            raise _unholdable(document, relation.anaphor, "a relation to an entity without mentions")
        markable, mention = named.get((relation.anaphor, relation.anaphor_spans), listed[relation.anaphor][0])
        for antecedent, spans in zip_longest(relation.antecedents, relation.antecedent_spans):
            usual = listed[antecedent][nearest([anchor for _, anchor in listed[antecedent]], mention)]
            anchor, _ = named.get((antecedent, spans), usual)
            said = [f"MarkableID={markable}", *_label(relation), f"MentionAnchor={anchor}"]
            cells[mention.start] += f"({'|'.join(said)}|EntityAnchor={names[antecedent]})"
    return dict(cells)


def _label(relation: Relation) -> list[str]:
    return [f"Rel={FORBIDDEN.sub('_', relation.label)}"] if relation.label else []


def _unholdable(document: Document, id_: str, what: str) -> FormatError:
    return FormatError(
        f"document {document.id}: cluster {id_} has {what}, which CONLL-UA cannot hold; "
        "write jsonlines instead"
    )


def _check(document: Document, again: Document) -> None:
    """Read back what is to be written."""
    for one, other in _layers_of(document, again):
        names = _entity_names(one)
        meant, read = (
            Counter((name(c.id), m.spans) for c in _entities(some) for m in c.mentions)
            for some, name in ((one, names.__getitem__), (other, str))
        )
        if meant == read:
            continue
        lost = next(iter(sorted(meant - read)), ("?", ()))
        raise _unholdable(document, lost[0], f"a mention {lost[1]} that would be read differently")
