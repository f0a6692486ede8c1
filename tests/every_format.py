"""One small corpus in every format that is read: two documents, whose words all differ.

A word that occurs once can be looked for: in what was read, or on the lines that a notice names.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path

from referee import Cluster, Document, Mention, formats
from referee.formats.catalogue import FORMATS, OURS, WRITABLE
from small_corpora import cat_xml, write_ecbplus

WORDS = [f"qu{first}{second}" for first in "abcdefgh" for second in "aeiou"]
HALF = 12  # words of a document, six in each sentence
NAMES = ("1_1ecb", "1_2ecb")
REFUSED = ("conllu-plus", "old-line-ends", "parquet", "gap-decisions")  # recognised, and never read


def words_of(number: int) -> list[str]:
    """Give the words of the first document, or of the second."""
    return WORDS[number * HALF : (number + 1) * HALF]


def documents() -> list[Document]:
    """Make the documents: a chain of two mentions and one alone in each; the chain spans both."""
    clusters = (
        Cluster("1", (Mention.at(0, 2), Mention.at(7, 8))),
        Cluster("2", (Mention.at(3, 4),)),
    )
    return [
        Document.of(name, words_of(number), ((0, 6), (6, HALF)), clusters, topic="1", subtopic="ecb")
        for number, name in enumerate(NAMES)
    ]


def _written(form: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        target = folder / f"a{next(iter(FORMATS[form].suffixes), '.conll')}"
        given = documents()
        if FORMATS[form].contents is not None:  # one document in a file
            given = given[:1]
        formats.write(given, target, form, cross_document=FORMATS[form].across)
        return target

    return write


def _put(name: str, content: str) -> Callable[[Path], Path]:
    def put(folder: Path) -> Path:
        (folder / name).write_text(content, encoding="utf-8")
        return folder / name

    return put


def _korkor(folder: Path) -> Path:
    rows = ["# global.columns = ID FORM LEMMA XPOS UPOS COREFHEAD COREFTYPE", "# sent_id = 1"]
    for number, word in enumerate(words_of(0)):
        rows += [""] * (number == 6)
        named = {7: ("1:1", "prs"), 3: ("_", "arb")}.get(number, ("_", "_"))
        rows.append("\t".join([str(number % 6 + 1), word, "_", "N", "N", *named]))
    return _put("a.conllup", "\n".join(rows) + "\n")(folder)


def _litbank(folder: Path) -> Path:
    first, second = words_of(0)[:6], words_of(0)[6:]
    _put("a.txt", f"{' '.join(first)}\n{' '.join(second)}\n")(folder)
    lines = [
        f"MENTION\tT0\t0\t0\t0\t1\t{' '.join(first[:2])}\tPER\tNOM",
        f"MENTION\tT1\t1\t1\t1\t1\t{second[1]}\tPER\tPRON",
        f"MENTION\tT2\t0\t3\t0\t3\t{first[3]}\tFAC\tNOM",
        "COREF\tT0\tx-1",
        "COREF\tT1\tx-1",
    ]
    return _put("a.ann", "\n".join(lines) + "\n")(folder)


def _muc(folder: Path) -> Path:
    parts = []
    for number in range(2):
        w = words_of(number)
        parts.append(
            f"<DOC>\n<DOCID> {NAMES[number]} </DOCID>\n<TXT>\n"
            f'<COREF ID="1">{w[0]} {w[1]}</COREF> {w[2]}\n<COREF ID="2">{w[3]}</COREF>\n{w[4]} {w[5]}\n'
            f'{w[6]} <COREF ID="3" REF="1">{w[7]}</COREF>\n{" ".join(w[8:])}\n</TXT>\n</DOC>\n'
        )
    return _put("a.sgm", "".join(parts))(folder)


def _mmax2(folder: Path) -> Path:
    words = "\n".join(f'<word id="word_{n}">{w}</word>' for n, w in enumerate(words_of(0), start=1))
    _put("a_words.xml", f'<?xml version="1.0"?>\n<words>\n{words}\n</words>\n')(folder)
    marks = [("word_1..word_2", "set_1"), ("word_8", "set_1"), ("word_4", "empty")]
    lines = "\n".join(
        f'<markable id="markable_{n}" span="{span}" coref_set="{name}"/>'
        for n, (span, name) in enumerate(marks)
    )
    _put("a_coref_level.xml", f'<?xml version="1.0"?>\n<markables>\n{lines}\n</markables>\n')(folder)
    return folder / "a_words.xml"


def _ecbplus(folder: Path) -> Path:
    files = {
        name: cat_xml(
            [" ".join(words_of(number)[:6]), " ".join(words_of(number)[6:])],
            [("ACTION_OCCURRENCE", [1, 2]), ("ACTION_OCCURRENCE", [8]), ("HUMAN_PART", [4])],
            [("CROSS_DOC_COREF", [1, 2], "ACT1")],
        )
        for number, name in enumerate(NAMES)
    }
    write_ecbplus(folder, files, [(name, sentence) for name in NAMES for sentence in (0, 1)])
    return folder / "dev" / "1"


def _gvc(folder: Path) -> Path:
    lines = []
    cells = {0: "(22", 1: "22)", 7: "(22)", 3: "(7)"}
    for number, name in enumerate(("aa1", "bb2")):
        lines += [f"#begin document ({name});", f"{name}.DCT\t2017-03-16\tDCT\t-"]
        for at, word in enumerate(words_of(number)):
            lines.append(f"{name}.b{at // 6}.{at}\t{word}\tBODY\t{cells.get(at, '-')}")
        lines.append("#end document")
    return _put("a.conll", "\n".join(lines) + "\n")(folder)


def _token_tables(folder: Path) -> Path:
    rows = ["doc-id,sentence-idx,token-idx,token"]
    for number, name in enumerate(NAMES):
        rows += [f"{name},{at // 6},{at % 6},{word}" for at, word in enumerate(words_of(number))]
    _put("tokens.csv", "\n".join(rows) + "\n")(folder)
    table = ["doc-id,mention-id,sentence-idx,token-idx-from,token-idx-to,event"]
    for name in NAMES:
        table += [f"{name},0,0,0,2,e1", f"{name},1,1,1,2,e1", f"{name},2,0,3,4,e2"]
    return _put("mentions_cross_subtopic.csv", "\n".join(table) + "\n")(folder)


def _wec(folder: Path) -> Path:
    mentions = [
        {"coref_chain": chain, "doc_id": name, "mention_context": words_of(number), "tokens_number": tokens}
        for number, name in enumerate(NAMES)
        for chain, tokens in ((77, [0, 1]), (77, [7]), (78, [3]))
    ]
    lines = ",\n".join(map(json.dumps, mentions))
    return _put("a.json", f"[\n{lines}\n]\n")(folder)


def _gap(folder: Path) -> Path:
    heads = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL"
    rows = [heads]
    for number in range(2):
        words = words_of(number)
        text = " ".join(words)
        offsets = [str(text.index(words[at])) for at in (7, 0, 3)]
        cells = [words[7], offsets[0], words[0], offsets[1], "TRUE", words[3], offsets[2], "FALSE", "u"]
        rows.append("\t".join([f"v-{number}", text, *cells]))
    return _put("a.tsv", "\n".join(rows) + "\n")(folder)


def _sacr(folder: Path) -> Path:
    w = words_of(0)
    lines = [
        f'{{c1:type="p" {w[0]} {w[1]}}} {w[2]}', f"{{c2 {w[3]}}} {w[4]} {w[5]}", "",
        f"{w[6]} {{c1 {w[7]}}}", " ".join(w[8:]),
    ]  # fmt: skip
    return _put("a.sacr", "\n".join(lines) + "\n")(folder)


def _knowtator(folder: Path) -> Path:
    text = " ".join(words_of(0))
    _put("a.txt", text)(folder)
    lines = ['<?xml version="1.0"?>', "<knowtator-project>", '<document id="a" text-file="a.txt">']
    for name, words in {
        "chain": text[:4],
        "m1": text[:9],
        "m2": words_of(0)[7],
        "m3": words_of(0)[3],
    }.items():
        start = text.index(words)
        span = f'<span start="{start}" end="{start + len(words)}">{words}</span>'
        lines.append(f'<annotation id="{name}"><class id="NP"/>{span}</annotation>')
    lines += [
        "<graph-space>",
        *(f'<vertex id="n{n}" annotation="{n}"/>' for n in ("chain", "m1", "m2", "m3")),
    ]
    lines += [f'<triple subject="nchain" property="Coreferring" object="n{n}"/>' for n in ("m1", "m2", "m3")]
    lines += ["</graph-space>", "</document>", "</knowtator-project>"]
    return _put("a.xml", "\n".join(lines) + "\n")(folder)


def _emory(folder: Path) -> Path:
    scenes = [
        {
            "scene_id": f"s{number}",
            "utterances": [
                {
                    "speakers": ["A"],
                    "tokens": [words_of(number)],
                    "character_entities": [[[0, 2, "A"], [7, 8, "A"], [3, 4, "B"]]],
                }
            ],
        }
        for number in range(2)
    ]
    value = {"season_id": "s", "episodes": [{"episode_id": "e", "scenes": scenes}]}
    return _put("a.json", json.dumps(value, indent=1))(folder)


READ_ONLY: dict[str, Callable[[Path], Path]] = {
    "korkor": _korkor,
    "litbank": _litbank,
    "muc": _muc,
    "mmax2": _mmax2,
    "ecbplus": _ecbplus,
    "gvc": _gvc,
    "token-tables": _token_tables,
    "wec": _wec,
    "gap": _gap,
    "sacr": _sacr,
    "knowtator": _knowtator,
    "emory": _emory,
}
SPECIMENS: dict[str, Callable[[Path], Path]] = {
    name: _written(name) if name in WRITABLE else READ_ONLY[name]
    for name, form in OURS.items()
    if name not in REFUSED and (name in WRITABLE or name in READ_ONLY)
}
_numbers = count()


def lay_out(form: str, folder: Path) -> Path:
    """Write the corpus in a format, in a folder of its own, and return the file that is read."""
    inside = folder / f"{form}{next(_numbers)}"
    inside.mkdir(parents=True)
    return SPECIMENS[form](inside)
