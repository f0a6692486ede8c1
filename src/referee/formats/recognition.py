"""Recognises formats by the first bytes of a file: one function for each, in the order of the catalogue.

They are together here, not in the modules that read, so that a file is recognised without loading the
readers of all formats. Each function is asked only if all before it said no.
"""

from __future__ import annotations

import re

MARK_AND_SPACE = b"\xef\xbb\xbf \t\r\n"  # a byte order mark and white space, behind which a file begins
DOCUMENT_MARK = re.compile(
    rb"^(?:\xef\xbb\xbf)?#[ \t]*(begin|end)[ \t]+document\b[ \t]*([^\r\n]*)", re.MULTILINE
)  # of CoNLL; where files were joined, a byte order mark may come before any of them
GLOBAL_COLUMNS = re.compile(rb"^#[ \t]*global\.columns[ \t]*=[ \t]*([^\r\n]+)", re.MULTILINE)
TABS_OF_CONLLU = 9
FIRST_ROWS = 50  # by which tables are recognised, so that one that is damaged does not decide
FLAGS_OF_CROSSDOC_CONLL = (b"True", b"False")
WIDTHS_OF_CROSSDOC_CONLL = (6, 7, 8)  # without topic and subtopic; without subtopic; in full
# Clusters by name, or whose mentions are strings or objects: those of JSON lines are lists of offsets.
CLUSTERS_OF_ANSWERS = re.compile(
    rb'"(?:predicted_)?clusters"\s*:\s*(?:\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*["{\[]|\[\s*(?:\{|\[\s*["{]))'
)
WORDS_OF_JSONLINES = frozenset({"sentences", "tokens", "text", "doc_ids", "flatten_tokens"})
# Of long JSON what is cut short: lists of strings, lists of pairs, strings.
STRING = rb'"(?:[^"\\]|\\.)*"'
PAIR = rb"\[\s*-?\d+\s*,\s*-?\d+\s*\]"
LONG_PARTS = re.compile(
    rb"(%(s)b)(?:\s*,\s*%(s)b){3,}|(%(p)b)(?:\s*,\s*%(p)b){3,}|%(s)b" % {b"s": STRING, b"p": PAIR}, re.DOTALL
)
LONGEST_STRING = 200  # bytes
HEADS_OF_GAP = b"ID\tText\tPronoun\tPronoun-offset"
HEADS_OF_DECISIONS = b"ID\tA-coref\tB-coref"


def _begins(head: bytes, *starts: bytes) -> bool:
    return head.lstrip(MARK_AND_SPACE).startswith(starts)


def _first_line(head: bytes) -> bytes:
    return head.lstrip(MARK_AND_SPACE).split(b"\n", 1)[0]


def is_long_json(head: bytes) -> bool:
    """Whether a file that has more begins with a value of JSON that does not end here."""
    return _begins(head, b"{", b"[") and not _first_line(head).rstrip().endswith((b"}", b"},"))


def abridged_json(head: bytes) -> bytes:
    r"""Cut long strings and lists short, so that the names of all fields are near the beginning.

    >>> abridged_json(b'{"tokens": ["a", "b", "c", "d"], "clusters": [[1, 2], [3, 4], [5, 6], [7, 8]]}')
    b'{"tokens": ["a"], "clusters": [[1, 2]]}'
    """

    def short(part: re.Match[bytes]) -> bytes:
        kept = part[1] or part[2] or part[0]
        return kept if len(kept) <= LONGEST_STRING else b'"\xe2\x80\xa6"'

    return LONG_PARTS.sub(short, head)


def is_docbin(head: bytes) -> bool:
    """Zlib, and in it a msgpack mapping that begins as DocBin's do."""
    import zlib  # few files come so far

    if len(head) < 2 or head[0] != 0x78 or int.from_bytes(head[:2], "big") % 31:
        return False
    try:
        start = zlib.decompressobj().decompress(head, 64)
    except zlib.error:
        return False
    return b"\xa7version" in start and b"\xa5attrs" in start


def is_conllua(head: bytes) -> bool:
    """A comment names the columns, and there is one of identity."""
    named = GLOBAL_COLUMNS.search(head) if b"global.columns" in head else None
    return named is not None and b"IDENTITY" in named[1].upper().split()


def is_korkor(head: bytes) -> bool:
    """A comment names the columns, and there is one of antecedents."""
    named = GLOBAL_COLUMNS.search(head) if b"global.columns" in head else None
    return named is not None and b"COREFHEAD" in named[1].upper().split()


def is_litbank(head: bytes) -> bool:
    """The first line is a mention."""
    return re.match(rb"MENTION\tT\d+(?:\t\d+){4}\t", head.lstrip(MARK_AND_SPACE)) is not None


def is_conllu_plus(head: bytes) -> bool:
    """A comment names the columns."""
    return b"global.columns" in head and bool(re.search(rb"(?m)^#[ \t]*global\.columns[ \t]*=", head))


def has_old_line_ends(head: bytes) -> bool:
    """Lines end in a carriage return alone, and the text is neither JSON nor markup."""
    alone = head.count(b"\r") - head.count(b"\r\n")
    return alone > head.count(b"\n") and head.lstrip(MARK_AND_SPACE)[:1] not in (b"{", b"<")


def is_conllu(head: bytes) -> bool:
    """Comments of CoNLL-U come before a row of ten columns."""
    if b"# " not in head or DOCUMENT_MARK.search(head):
        return False
    announced = False
    for line in head.split(b"\n"):
        if line.startswith(b"#"):
            announced |= re.match(rb"# (?:newdoc|newpar|sent_id|text|global)\b", line) is not None
        elif announced and re.match(rb"\d[\d.-]*\t", line) and line.count(b"\t") == TABS_OF_CONLLU:
            return True
        else:
            announced = False
    return False


def is_brat(head: bytes) -> bool:
    """The first line is one of brat's annotations."""
    start = head.lstrip(MARK_AND_SPACE)
    return start[:1] in b"TR*EAMN#" and bool(
        re.match(
            rb"T\d+\t\S+ \d+ \d+(;\d+ \d+)*(\t|\r?$)|R\d+\t\S+ \S+:[TE]\d+ |\*\t\S+ [TE]\d+|E\d+\t\S+:T\d+"
            rb"|[AM]\d+\t\S+ [TERN]\d+|N\d+\t\S+ T\d+|#\d*\t\S+ [TERANM]\d+",
            start,
            re.MULTILINE,
        )
    )


def is_webanno(head: bytes) -> bool:
    """The first line says so, or one that names a layer."""
    return _begins(head, b"#FORMAT=WebAnno TSV 3.") or re.search(rb"(?m)^#T_(?:SP|CH|RL)=", head) is not None


def is_cas_json(head: bytes) -> bool:
    """An object with the names of its parts."""
    return _begins(head, b"{") and (b'"%TYPES"' in head or b'"%FEATURE_STRUCTURES"' in head)


def is_label_studio(head: bytes) -> bool:
    """Lists of annotations and their regions or data; or JSON-MIN, which has no relations."""
    if not _begins(head, b"[", b"{"):
        return False
    if _begins(head, b"[") and b'"annotation_id"' in head and b'"annotator"' in head:
        return True
    has_regions = b'"from_name"' in head and b'"to_name"' in head
    return bool(re.search(rb'"(annotations|completions|predictions)"\s*:\s*\[', head)) and (
        has_regions or bool(re.search(rb'"data"\s*:\s*\{', head))
    )


def is_crossdoc_conll(head: bytes) -> bool:
    """Rows with the flag True or False before the coreference cell."""
    if not any(flag in head for flag in FLAGS_OF_CROSSDOC_CONLL):
        return False
    lines = [line.rstrip() for line in head.splitlines()[:FIRST_ROWS] if line[:1] not in (b"", b"#")]
    rows = [line.split(b"\t") if b"\t" in line else line.split() for line in lines]
    flagged = [
        row for row in rows if len(row) in WIDTHS_OF_CROSSDOC_CONLL and row[-2] in FLAGS_OF_CROSSDOC_CONLL
    ]
    return 2 * len(flagged) > len(rows)


def is_doccano(head: bytes) -> bool:
    """An object with the names of doccano's fields."""
    return (
        _begins(head, b"{")
        and bool(re.search(rb'"entities"\s*:\s*\[', head))
        and bool(re.search(rb'"start_offset"|"relations"\s*:\s*\[', head))
    )


def is_prodigy(head: bytes) -> bool:
    """An object with the names of Prodigy's fields."""
    only_prodigy = rb'"head_span"|"token_start"|"_task_hash"|"tokens"\s*:\s*\[\s*\{\s*"text"'
    return (
        _begins(head, b"{")
        and bool(re.search(rb'"(spans|relations)"\s*:\s*\[', head))
        and bool(re.search(only_prodigy, head))
    )


def is_mention_list(head: bytes) -> bool:
    """A list of mentions with the ids of their words; an empty one is of a system that found nothing."""
    start = head.strip(MARK_AND_SPACE)
    if start.startswith(b"[") and not start.strip(b"[] \t\r\n"):
        return True
    return start.startswith(b"[") and b'"tokens_ids"' in head and b'"doc_id"' in head


def is_documents_of_mention_list(head: bytes) -> bool:
    """An object whose first value is a list of rows: sentence, word, its characters."""
    first_row = rb'\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*\[\s*\d+\s*,\s*\d+\s*,\s*"'
    return re.match(first_row, head.lstrip(MARK_AND_SPACE)) is not None


def is_wec(head: bytes) -> bool:
    """A list of mentions with their paragraphs."""
    return _begins(head, b"[") and b'"coref_chain"' in head and b'"mention_context"' in head


def is_gvc(head: bytes) -> bool:
    """Rows of documents' dates, titles and bodies, a date among them."""
    if not re.search(rb"(?m)^\S+\.DCT[\t ]", head):
        return False
    rows = [line for line in head.splitlines()[:FIRST_ROWS] if line[:1] not in (b"", b"#")]
    row = rb"\S+\.DCT[\t ]+\S+[\t ]+DCT\b|\S+\.\S+\.\d+[\t ]+\S+[\t ]+(?:TITLE|BODY)[\t ]"
    return 2 * sum(re.match(row, line) is not None for line in rows) > len(rows)


def is_token_table(head: bytes) -> bool:
    """The columns of the mentions of FCC or HyperCoref."""
    first = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0]
    columns = set(first.decode("utf-8", "replace").strip().split(","))
    return "sentence-idx" in columns and any(
        {document, event} <= columns
        for document in ("doc-id", "url-normalized")
        for event in ("event", "to-url-normalized")
    )


def is_parquet(head: bytes) -> bool:
    """The four letters that Parquet begins with."""
    return head.startswith(b"PAR1")


def is_crossdoc_jsonlines(head: bytes) -> bool:
    """An object with several documents."""
    return _begins(head, b"{") and (b'"doc_ids"' in head or b'"flatten_tokens"' in head)


def is_gap(head: bytes) -> bool:
    """The heads of GAP's data."""
    return _begins(head, HEADS_OF_GAP)


def is_gap_decisions(head: bytes) -> bool:
    """A name and two decisions, as a system writes them, or their heads."""
    row = rb"(?i)[^\t\r\n]+\t(?:TRUE|FALSE)\t(?:TRUE|FALSE)\s*$"
    first = _first_line(head)
    return b"\t" in first and (re.match(row, first) is not None or first.rstrip() == HEADS_OF_DECISIONS)


def is_sacr(head: bytes) -> bool:
    """A brace, a chain's name and a feature; or several chains of the names that the tool gives."""
    if len(re.findall(rb"\{M\d+[ :]", head)) > 1:
        return True
    return re.search(rb'\{[^\s{}:"]+:[^\s{}=:,"]+=(?:"[^"{}\n]*"|[^\s{}=,"]+)[, \n]', head) is not None


def is_knowtator(head: bytes) -> bool:
    """A project of Knowtator 2."""
    return _begins(head, b"<") and b"<knowtator-project" in head


def is_emory(head: bytes) -> bool:
    """An object with episodes and the characters of their mentions."""
    return _begins(head, b"{") and b'"episodes"' in head and b'"character_entities"' in head


def is_dataset_rows(head: bytes) -> bool:
    """Sentences that are objects, or fields that only rows of data sets have."""
    return _begins(head, b"{", b"[") and bool(
        re.search(rb'"sentences"\s*:\s*\[\s*\{', head)
        or re.search(rb'"(?:coref_chains|coref_spans|corefs|part_id|cased_words|mention_clusters)"\s*:', head)
    )


def is_marked_text(head: bytes) -> bool:
    """Tags of some notation, or JSON that is not JSON lines."""
    start = head.lstrip(MARK_AND_SPACE)
    others = rb"(?i)<\?xml|<!DOCTYPE|<COREF\s|<DOC(?:ID|NO)?>|<Document|<words"
    if DOCUMENT_MARK.search(head) or re.search(others, start[:2000]):
        return False
    first = _first_line(head)
    if start.startswith(b"{") and _has_fields_of_jsonlines(first) and not CLUSTERS_OF_ANSWERS.search(start):
        return False
    if first.count(b"\t") > 1:
        return False
    from referee.formats.marked.text import notation_of  # few files come so far

    return notation_of(head.decode("utf-8", "replace")) is not None


def _has_fields_of_jsonlines(line: bytes) -> bool:
    """Whether a line has words or a text of its own; the mentions of an answer may have a text each."""
    import json  # few files come so far

    try:
        fields = json.loads(line)
    except ValueError:  # a long line is cut off here
        return re.search(rb'"(?:sentences|tokens|text|doc_ids|flatten_tokens)"\s*:', line) is not None
    return isinstance(fields, dict) and not WORDS_OF_JSONLINES.isdisjoint(fields)


def is_tagged_answer(head: bytes) -> bool:
    """Tags of MUC's name without the rest of MUC: of a response, a model's answer."""
    start = head.lstrip(MARK_AND_SPACE)
    return re.search(rb"(?i)<COREF\s", start) is not None and not re.search(
        rb"(?i)<\?xml|<!DOCTYPE|<DOC(?:ID|NO)?\b|\sMIN\s*=", start
    )


def is_jsonlines(head: bytes) -> bool:
    """An object."""
    return _begins(head, b"{")


def is_conll(head: bytes) -> bool:
    """A begin line, or rows that end in a coreference cell."""
    if DOCUMENT_MARK.search(head):
        return True
    from referee.formats.conll.lines import CELL  # few files are without begin lines

    rows = [line.split() for line in head.splitlines()[:FIRST_ROWS] if line.strip()]
    plain = [row for row in rows if not row[0].startswith(b"#")] or rows
    return bool(rows) and all(len(row) > 1 for row in plain) and any(CELL.fullmatch(row[-1]) for row in plain)


def is_ecbplus(head: bytes) -> bool:
    """A CAT document."""
    return _begins(head, b"<?xml", b"<Document", b"<!DOCTYPE") and b"<Document" in head


def is_mmax2(head: bytes) -> bool:
    """A file of words."""
    return _begins(head, b"<") and b"<words" in head


def is_muc(head: bytes) -> bool:
    """Markup, and a COREF tag or a MUC document's head."""
    return _begins(head, b"<") and re.search(rb"(?i)<COREF\s|<DOC(ID|NO)?>", head) is not None
