"""Losses that must not be silent: an input with something that cannot be used, a command, and what is said.

Each row of the table is one: files, a command line, and words that standard error must have. Whether the
command goes on without what it cannot use or refuses the whole is not the question here.
"""

from __future__ import annotations

import gzip
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from referee.cli import COMMANDS, main

CONLL = """#begin document (a); part 000
a 0 0 Ann NNP * - - - - * (1)
a 0 1 left VBD * - - - - * -
a 0 2 her PRP$ * - - - - * (1)
a 0 3 hat NN * - - - - * -

#end document
"""
LINE: dict[str, Any] = {
    "doc_key": "a",
    "sentences": [["Ann", "left", "her", "hat"]],
    "clusters": [[[0, 0], [2, 2]]],
}


def line(**fields: Any) -> str:
    """Write a line of JSON lines, with other fields."""
    return json.dumps({**LINE, **fields}) + "\n"


CONLLU = """# global.Entity = eid-etype-head-other
# newdoc id = a
1\tAnn\tAnn\tPROPN\tNNP\t_\t2\tnsubj\t_\tEntity=(e1-person-1-)
2\tleft\tleave\tVERB\tVBD\t_\t0\troot\t_\t_
3\ther\ther\tPRON\tPRP\t_\t4\tposs\t_\tEntity=(e1-person-1-)
4\that\that\tNOUN\tNN\t_\t2\tobj\t_\t_

"""
RELATED = CONLLU.replace("obj\t_\t_", "obj\t_\tBridge=e1<e2|Entity=(e2-thing-1-)")
BRAT_TEXT, BRAT = "Ann left her hat\n", "T1\tP 0 3\tAnn\nT2\tP 9 12\ther\nR1\tCoref Arg1:T2 Arg2:T1\n"
MUC = (
    '<DOC><DOCNO> a </DOCNO><TXT><COREF ID="1">Ann</COREF> left <COREF ID="2" REF="1">her</COREF> '
    "hat</TXT></DOC>\n"
)
ROWS = "t\ts\ta\t0\t0\tAnn\tTrue\t(1)\nt\ts\ta\t0\t1\tleft\tTrue\t-\nt\ts\ta\t0\t2\ther\tTrue\t(1)\n"
TOPIC = "#begin document all\n" + ROWS + "#end document\n"
GAP = (
    "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
    "f1\tAnn met Bea, and she sang.\tshe\t17\tAnn\t0\tTRUE\tBea\t8\tFALSE\tu\n"
)
TASKS: list[dict[str, Any]] = [
    {
        "id": 1,
        "data": {"text": "Ann left her hat"},
        "annotations": [
            {
                "result": [
                    {
                        "id": "a",
                        "type": "labels",
                        "from_name": "l",
                        "to_name": "t",
                        "value": {"start": 0, "end": 3, "text": "Ann", "labels": ["P"]},
                    },
                    {
                        "id": "b",
                        "type": "labels",
                        "from_name": "l",
                        "to_name": "t",
                        "value": {"start": 9, "end": 12, "text": "her", "labels": ["P"]},
                    },
                    {
                        "type": "relation",
                        "from_id": "b",
                        "to_id": "a",
                        "direction": "right",
                        "labels": ["coref"],
                    },
                ]
            }
        ],
    }
]
ECB = (
    '<?xml version="1.0" encoding="UTF-8"?><Document doc_name="1_1ecb.xml" doc_id="d">'
    '<token t_id="1" sentence="0" number="0">Quake</token>'
    '<token t_id="2" sentence="0" number="1">kills</token>'
    '<Markables><ACTION_OCCURRENCE m_id="1"><token_anchor t_id="2"/></ACTION_OCCURRENCE>{more}</Markables>'
    "<Relations></Relations></Document>"
)
TAGS = '<mention id="1">Ann</mention> left <mention id="1">her</mention> hat\n'
LATIN = "Ann trouva son chapeau ; elle était là, près du café.\n".encode("latin-1")
NEEDS_TORCH = "" if find_spec("torch") and find_spec("onnx") else "is not installed"
Content = str | bytes
LOSSES: dict[str, tuple[dict[str, Content], str, str]] = {
    "conll: rows before the first begin line": (
        {"x.conll": "b 0 0 Bob NNP * - - - - * (9)\n\n" + CONLL},
        "stats x.conll",
        "x.conll:1: outside of any document",
    ),
    "conll: rows after the end line": (
        {"x.conll": CONLL + "b 0 0 Bob NNP * - - - - * (9)\n"},
        "stats x.conll",
        "x.conll:8: outside of any document",
    ),
    "conll: a bracket that never closes": (
        {"x.conll": CONLL.replace("* (1)\na 0 1", "* (1)|(2\na 0 1")},
        "stats x.conll",
        "x.conll:2: cluster 2 is opened but never closed",
    ),
    "conll: a bracket that never opens": (
        {"x.conll": CONLL.replace("* (1)\na 0 1", "* (1)|2)\na 0 1")},
        "stats x.conll",
        "x.conll:2: cluster 2 is closed but never opened",
    ),
    "conll: a short row": (
        {"x.conll": CONLL.replace("a 0 1 left VBD * - - - - * -", "a 0 1 left")},
        "stats x.conll",
        "x.conll:3: 'left' is not a coreference annotation",
    ),
    "conll: no mention at all": (
        {"x.conll": CONLL.replace("(1)", "-")},
        "stats x.conll",
        "NO MENTION WAS READ",
    ),
    "conll: empty": ({"x.conll": ""}, "stats x.conll", "NO DOCUMENT WAS READ"),
    "conll: cut off in the middle": (
        {"x.conll": CONLL[: len(CONLL) // 2]},
        "stats x.conll",
        "x.conll:3: the file breaks off",
    ),
    "conll: another document in the key": (
        {"k.conll": CONLL + CONLL.replace("(a)", "(b)"), "r.conll": CONLL},
        "score k.conll r.conll",
        "1 of the key's 2 documents missing, scored as empty",
    ),
    "conll: another document in the response": (
        {"k.conll": CONLL, "r.conll": CONLL + CONLL.replace("(a)", "(b)")},
        "score k.conll r.conll",
        "1 document that the key does not have, ignored",
    ),
    "conll: no name in common": (
        {"k.conll": CONLL, "r.conll": CONLL.replace("(a)", "(b)")},
        "score k.conll r.conll",
        "NO DOCUMENT IS SCORED",
    ),
    "conll: other words": (
        {"k.conll": CONLL, "r.conll": CONLL.replace("hat", "cat").replace("Ann", "Bob")},
        "score k.conll r.conll",
        "2 of 4 words compared are not the key's",
    ),
    "conll: an empty response": (
        {"k.conll": CONLL, "r.conll": CONLL.replace("(1)", "-")},
        "score k.conll r.conll",
        "THE RESPONSE HAS NO MENTIONS, so it scores 0",
    ),
    "conll: an empty key": (
        {"k.conll": CONLL.replace("(1)", "-"), "r.conll": CONLL},
        "score k.conll r.conll",
        "THE KEY HAS NO MENTIONS, so every response scores 0",
    ),
    "jsonlines: no clusters field": (
        {"x.jsonl": json.dumps({"doc_key": "a", "sentences": LINE["sentences"]})},
        "stats x.jsonl",
        "x.jsonl:1: has no list of clusters",
    ),
    "jsonlines: clusters null": (
        {"x.jsonl": line(clusters=None)},
        "stats x.jsonl",
        "x.jsonl:1: has no list of clusters",
    ),
    "jsonlines: a mention beyond the text": (
        {"x.jsonl": line(clusters=[[[0, 0], [9, 9]]])},
        "stats x.jsonl",
        "x.jsonl:1: the mention [9, 9] lies outside",
    ),
    "jsonlines: a mention of three numbers": (
        {"x.jsonl": line(clusters=[[[0, 0, 1]]])},
        "stats x.jsonl",
        "x.jsonl:1: a mention is a pair of offsets",
    ),
    "jsonlines: a mention turned round": (
        {"x.jsonl": line(clusters=[[[2, 0]]])},
        "stats x.jsonl",
        "x.jsonl:1: the mention [2, 0] lies outside",
    ),
    "jsonlines: half a mention": (
        {"x.jsonl": line(clusters=[[[0.5, 1]]])},
        "stats x.jsonl",
        "x.jsonl:1: a mention is a pair of offsets",
    ),
    "jsonlines: a line that is not an object": (
        {"x.jsonl": line() + "[1]\n"},
        "stats x.jsonl",
        "x.jsonl:2: expected a JSON object",
    ),
    "jsonlines: a line cut off": (
        {"x.jsonl": line() + line()[:40]},
        "stats x.jsonl",
        "x.jsonl:2: not a JSON object on one line",
    ),
    "jsonlines: speakers of another length": (
        {"x.jsonl": line(speakers=[["x"]])},
        "stats x.jsonl",
        "x.jsonl:1: speakers does not have an item for each word",
    ),
    "conllu: no Entity anywhere": (
        {"x.conllu": CONLLU.replace("Entity=(e1-person-1-)", "_")},
        "stats x.conllu",
        "CoNLL-U without coreference",
    ),
    "conllu: the annotation of CorefUD 0.x": (
        {"x.conllu": CONLLU.replace("Entity=(e1-person-1-)", "ClusterId=c1|MentionSpan=1")},
        "stats x.conllu",
        "Some have ClusterId, as in CorefUD 0.x, which is not read",
    ),
    "conllu: no header": (
        {"x.conllu": CONLLU.split("\n", 1)[1]},
        "stats x.conllu",
        "x.conllu:2: Entity= without a header",
    ),
    "conllu: an entity never closed": (
        {"x.conllu": CONLLU.replace("Entity=(e1-person-1-)\n2", "Entity=(e1-person-1-\n2")},
        "stats x.conllu",
        "x.conllu:3: entity e1 is opened but never closed",
    ),
    "conllu: an entity never opened": (
        {"x.conllu": CONLLU.replace("root\t_\t_", "root\t_\tEntity=e9)")},
        "stats x.conllu",
        "x.conllu:4: entity e9 is closed but never opened",
    ),
    "conllu: a row of nine columns": (
        {"x.conllu": CONLLU.replace("\troot\t_\t_", "\troot\t_")},
        "stats x.conllu",
        "x.conllu:4: CoNLL-U has ten columns",
    ),
    "conllu: bridging to nothing": (
        {"x.conllu": CONLLU.replace("Entity=(e1-person-1-)\n2", "Entity=(e1-person-1-)|Bridge=e7<e1\n2")},
        "convert x.conllu x.jsonl",
        "x.conllu:3: Bridge names the entity e7, which has no mention",
    ),
    "brat: a relation to nothing": (
        {"x.ann": BRAT + "R2\tCoref Arg1:T9 Arg2:T1\n", "x.txt": BRAT_TEXT},
        "stats x.ann",
        "x.ann:4: T9 is not a mark",
    ),
    "brat: a span beyond the text": (
        {"x.ann": BRAT + "T9\tP 90 93\tAnn\n", "x.txt": BRAT_TEXT},
        "stats x.ann",
        "x.ann:4: the span 90-93",
    ),
    "brat: another text at the span": (
        {"x.ann": BRAT.replace("her", "him"), "x.txt": BRAT_TEXT},
        "stats x.ann",
        "x.ann:2: T2 is 'him', but the text has 'her'",
    ),
    "brat: no relation of identity": (
        {"x.ann": BRAT.replace("Coref", "Knows"), "x.txt": BRAT_TEXT},
        "stats x.ann",
        "x.ann:3: the relation 'Knows' does not mean coreference",
    ),
    "brat: a line that is none": (
        {"x.ann": BRAT + "what is this\n", "x.txt": BRAT_TEXT},
        "stats x.ann",
        "x.ann:4: 'what is this' is not a line of brat",
    ),
    "brat: no text beside it": ({"x.ann": BRAT}, "stats x.ann", "there is no x.txt"),
    "brat: an empty annotation": ({"x.ann": "", "x.txt": BRAT_TEXT}, "stats x.ann", "NO MENTION WAS READ"),
    "muc: a reference to nothing": (
        {"x.sgm": MUC.replace('REF="1"', 'REF="7"')},
        "stats x.sgm",
        "x.sgm:1: REF 7 does not name a mention",
    ),
    "muc: a tag that never closes": (
        {"x.sgm": MUC.replace("her</COREF>", "her")},
        "stats x.sgm",
        "x.sgm:1: this COREF tag never closes",
    ),
    "muc: an id twice": (
        {"x.sgm": MUC.replace('ID="2"', 'ID="1"')},
        "stats x.sgm",
        "x.sgm:1: the ID 1 is that of another mention too",
    ),
    "topic CoNLL: rows that are not curated": (
        {"x.conll": TOPIC.replace("her\tTrue", "her\tFalse")},
        "stats x.conll",
        "x.conll:2: 1 mention in rows that are not curated left out",
    ),
    "ecb+: sentences that are not curated": (
        {
            "1/1_1ecb.xml": ECB.replace("{more}", ""),
            "ECBplus_coreference_sentences.csv": "Topic,File,Sentence Number\n1,1ecb,5\n",
        },
        "stats 1",
        "mentions outside the curated sentences are left out",
    ),
    "ecb+: a mention without words": (
        {"1/1_1ecb.xml": ECB.replace("{more}", '<HUMAN m_id="3"></HUMAN>')},
        "stats 1",
        "mentions without words are left out",
    ),
    "gap: a response without a decision": (
        {"g.tsv": GAP + GAP.split("\n")[1].replace("f1", "f2") + "\n", "r.tsv": "f1\tTRUE\tFALSE\n"},
        "gap g.tsv r.tsv",
        "2 of 4 decisions missing",
    ),
    "gap: a decision for no text": (
        {"g.tsv": GAP, "r.tsv": "f1\tTRUE\tFALSE\nf9\tTRUE\tFALSE\n"},
        "gap g.tsv r.tsv",
        "1 decision about texts that the key does not have, ignored: f9",
    ),
    "gap: a decision that is neither": (
        {"g.tsv": GAP, "r.tsv": "f1\tmaybe\tFALSE\n"},
        "gap g.tsv r.tsv",
        "r.tsv:1: not ",
    ),
    "label studio: a relation to nothing": (
        {"x.json": json.dumps(TASKS).replace('"to_id": "a"', '"to_id": "z"')},
        "stats x.json",
        "x.json:1: a relation names the mark z",
    ),
    "label studio: no annotation": (
        {"x.json": json.dumps([{**TASKS[0], "annotations": []}])},
        "stats x.json",
        "x.json:1: a task without an annotation",
    ),
    "label studio: cancelled": (
        {
            "x.json": json.dumps(
                [{**TASKS[0], "annotations": [{**TASKS[0]["annotations"][0], "was_cancelled": True}]}]
            )
        },
        "stats x.json",
        "x.json:1: a task without an annotation",
    ),
    "marked: a tag that never closes": (
        {"x.tags.txt": TAGS.replace("her</mention>", "her")},
        "stats x.tags.txt",
        "does not mark a mention: unclosed",
    ),
    "marked: an id that is empty": (
        {"x.tags.txt": TAGS.replace('id="1">her', 'id="">her')},
        "stats x.tags.txt",
        "does not mark a mention: no id",
    ),
    "marked: words that the key lacks": (
        {"k.jsonl": line(), "a.tags.txt": TAGS.replace("hat", 'hat and <mention id="2">his cat</mention>')},
        "score k.jsonl a.tags.txt",
        "1 of 3 mentions lost",
    ),
    "marked: words that the answer lacks": (
        {"k.jsonl": line(), "a.tags.txt": '<mention id="1">Ann</mention> left\n'},
        "score k.jsonl a.tags.txt",
        "2 dropped",
    ),
    "folder: a file of another format": (
        {"d/a.conll": CONLL, "d/b.jsonl": line(doc_key="b")},
        "stats d",
        "holds files of several formats",
    ),
    "folder: files that no format has": (
        {"d/a.conll": CONLL, "d/b.xyz": "x"},
        "stats d",
        "other files are skipped: d/b.xyz",
    ),
    "folder: an empty file": (
        {"d/a.conll": CONLL, "d/b.conll": ""},
        "stats d",
        "d/b.conll: empty, without documents",
    ),
    "to conll: types": ({"x.conllu": CONLLU}, "convert x.conllu y.conll --lossy", "y.conll: left out"),
    "to brackets: layers": ({"x.conll": CONLL}, "convert x.conll y.tags.txt --lossy", "y.tags.txt: left out"),
    "to conll: crossing mentions": (
        {"x.jsonl": line(clusters=[[[0, 2], [1, 3]]])},
        "convert x.jsonl y.conll --lossy",
        "mentions that cross another of their cluster (1)",
    ),
    "to tags: crossing mentions": (
        {"x.jsonl": line(clusters=[[[0, 2]], [[1, 3]]])},
        "convert x.jsonl y.tags.txt --lossy",
        "mentions that cross another of their cluster (1)",
    ),
    "to gap: not written": (
        {"x.jsonl": line()},
        "convert x.jsonl y.tsv --to gap",
        "no format that can be written 'gap'",
    ),
    "genres: a document without one": (
        {"k.conll": CONLL, "g.tsv": "zzz\tnews\n"},
        "score k.conll k.conll --by genre --genres g.tsv",
        "does not say its genre",
    ),
    "groups: a document without one": (
        {"x.conll": TOPIC, "g.tsv": "zzz\tg\n"},
        "score x.conll x.conll --scope g.tsv",
        "the groups lack 1 of 1 document",
    ),
    "antecedents: of another document": (
        {
            "k.conll": CONLL,
            "r.conll": CONLL.replace("a 0 3 hat NN * - - - - * -", "a 0 3 hat NN * - - - - * (1)"),
            "l.tsv": "zzz\t(2, 2)\t(0, 0)\n",
        },
        "errors k.conll r.conll --antecedents l.tsv",
        "1 of 1 antecedent decision left out",
    ),
    "layers: without the document": (
        {"k.conll": CONLL, "l.conllu": CONLLU.replace("= a", "= zzz")},
        "errors k.conll k.conll --layers l.conllu",
        "no document '(a); part 000' among the CoNLL-U files",
    ),
    "trees: of another sentence": (
        {"k.conll": CONLL, "t.ptb": "(S (X Ann))\n"},
        "score k.conll k.conll --match mina --parses t.ptb",
        "t.ptb:1: sentence 1 of (a); part 000 does not align",
    ),
    "ecb+: a list of sentences that is not UTF-8": (
        {"1/1_1ecb.xml": ECB.replace("{more}", ""), "ECBplus_coreference_sentences.csv": LATIN},
        "stats 1",
        "ECBplus_coreference_sentences.csv:1: not UTF-8",
    ),
    "groups: not UTF-8": (
        {"x.conll": TOPIC, "g.tsv": LATIN},
        "score x.conll x.conll --scope g.tsv",
        "g.tsv:1: not UTF-8",
    ),
    "genres: not UTF-8": (
        {"k.conll": CONLL, "g.tsv": LATIN},
        "score k.conll k.conll --by genre --genres g.tsv",
        "g.tsv:1: not UTF-8",
    ),
    "layers: not UTF-8": (
        {"k.conll": CONLL, "l.conllu": LATIN},
        "errors k.conll k.conll --layers l.conllu",
        "l.conllu:1: not UTF-8",
    ),
    "rules: not TOML": (
        {"k.conll": CONLL, "r.toml": "= 1"},
        "components k.conll --rules r.toml",
        "r.toml: not TOML",
    ),
    "to conllu: two documents of one name": (
        {"x.conll": CONLL + CONLL},
        "convert x.conll y.conllu",
        "two documents are called '(a); part 000'",
    ),
    "to conllua: two documents of one name": (
        {"x.conll": CONLL + CONLL},
        "convert x.conll y.conllua",
        "two documents are called '(a); part 000'",
    ),
    "folder: one file that is not UTF-8": (
        {"d/a.jsonl": line(), "d/b.jsonl": LATIN},
        "convert d y.conll",
        "d/b.jsonl",
    ),
    "marked: a key without documents": (
        {"k.crac.txt": "", "r.crac.txt": "Ann|[e1],e1] won .\n"},
        "score k.crac.txt r.crac.txt",
        "k.crac.txt: the key has no documents",
    ),
    "cas: a type that is no name": (
        {
            "x.cas.json": json.dumps(
                {"%TYPES": {}, "%FEATURE_STRUCTURES": [{"%ID": 1, "%TYPE": []}], "%VIEWS": {}}
            )
        },
        "stats x.cas.json",
        "x.cas.json:1: %TYPE is not a string",
    ),
    "packed: a file that breaks off": (
        {"x.conll.gz": gzip.compress(CONLL.encode())[:-20]},
        "stats x.conll.gz",
        "x.conll.gz: the compressed file is damaged",
    ),
    "packed: UTF-16": ({"x.conll": CONLL.encode("utf-16")}, "stats x.conll", "x.conll: the text is UTF-16"),
    "saved results: not JSON": (
        {"a.json": '{"schema": 1', "b.json": '{"schema": 1'},
        "compare a.json b.json",
        "a.json: not JSON",
    ),
    "curate: a document that one annotator lacks": (
        {"k.conll": CONLL + CONLL.replace("(a)", "(b)"), "r.conll": CONLL},
        "curate k.conll r.conll",
        "r: lacks 1 document that others have: (b); part 000",
    ),
    "curate: relations": (
        {"a.conllu": RELATED, "b.conllu": CONLLU},
        "curate a.conllu b.conllu",
        "not merged, and left out: relations between clusters (1)",
    ),
    "curate: other texts": (
        {"a.conll": CONLL, "b.conll": CONLL.replace("hat", "cat")},
        "curate a.conll b.conll",
        "word 3 is 'cat', and 'hat' there",
    ),
    "curate: decisions on another document": (
        {
            "a.conll": CONLL,
            "b.conll": CONLL,
            "c.csv": 'document,kind,decision,mentions\nx,mention,yes,"[[[[0,1]]]]"\n',
        },
        "curate a.conll b.conll --decided c.csv",
        "decisions on document x, which nobody has, are left out",
    ),
    "curate: decisions on other mentions": (
        {
            "a.conll": CONLL,
            "b.conll": CONLL,
            "c.csv": 'document,kind,decision,mentions\n(a); part 000,mention,yes,"[[[[1,2]]]]"\n',
        },
        "curate a.conll b.conll --decided c.csv",
        "c.csv:2: left out, since nobody marked all of its mentions",
    ),
    "curate: a mention marked twice": (
        {"a.conll": CONLL.replace("(1)\na 0 1", "(1)|(2)\na 0 1"), "b.conll": CONLL},
        "curate a.conll b.conll",
        "1 mention marked again; the first entity counts",
    ),
    "agree: a document that one annotator lacks": (
        {"k.conll": CONLL + CONLL.replace("(a)", "(b)"), "r.conll": CONLL},
        "agree k.conll r.conll",
        "1 of 2 documents common to all annotators",
    ),
    "compare: a document that one system lacks": (
        {"k.conll": CONLL + CONLL.replace("(a)", "(b)"), "r.conll": CONLL},
        "compare k.conll k.conll r.conll --samples 100",
        "1 of the key's 2 documents missing",
    ),
    "report: an empty response": (
        {"k.conll": CONLL, "r.conll": CONLL.replace("(1)", "-")},
        "report k.conll r.conll -o y.html",
        "THE RESPONSE HAS NO MENTIONS",
    ),
    "spans: no trees": ({"k.conll": CONLL}, "spans k.conll", "has no parse trees"),
    "baseline: no mentions": (
        {"k.conll": CONLL.replace("(1)", "-")},
        "baseline same-string k.conll -o y.conll",
        "NO MENTION WAS READ",
    ),
    "topics: no words": ({"k.conll": ""}, "topics k.conll", "k.conll: no documents"),
    "validate: what would be skipped": (
        {"x.conll": "b 0 0 Bob NNP * - - - - * (9)\n\n" + CONLL},
        "validate x.conll",
        "1 problem found",
    ),
    "resolve: an empty text": ({"x.txt": ""}, "resolve x.txt -o y.jsonl", "x.txt: has no words"),
    "resolve: a text that is not UTF-8": (
        {"x.txt": LATIN},
        "resolve x.txt -o y.jsonl",
        "x.txt: line 1: not UTF-8",
    ),
    "conll: cut off between two lines": (
        {"x.conll": CONLL.split("a 0 2")[0]},
        "stats x.conll",
        "x.conll:2: the document has no '#end document' line",
    ),
    "xml: an encoding that is not read": (
        {"1/1_1ecb.xml": ECB.replace("{more}", "").replace("UTF-8", "EUC-JP")},
        "stats 1",
        "1_1ecb.xml:1: declares an encoding that is not read",
    ),
    "to documents of mentions.json: the mentions": (
        {"x.jsonl": line()},
        "convert x.jsonl y_documents.json",
        "cannot hold it: ids of clusters (1), mentions (2)",
    ),
    "baseline: to documents of mentions.json": (
        {"x.jsonl": line()},
        "baseline same-string x.jsonl -o y_documents.json",
        "note: y_documents.json: left out, since documents of mentions.json cannot hold it: mentions (2)",
    ),
    "json answers: an answer beside the last": (
        {"k.jsonl": line(), "a.answer.json": '{"clusters": [["Ann", "her"]]}\n{"clusters": []}\n'},
        "score k.jsonl a.answer.json",
        "a.answer.json:2: what a model wrote around its answer is not read",
    ),
    "link: a text that is not UTF-8": ({"x.txt": LATIN}, "link x.txt -o y.jsonl", "x.txt: line 1: not UTF-8"),
    "link: no documents": ({"x.conll": ""}, "link x.conll -o y.jsonl", "x.conll: no documents"),
    "link: no mentions to be linked": (
        {"x.jsonl": line(clusters=[])},
        "link x.jsonl -o y.jsonl --mentions gold",
        "x.jsonl: has no mentions to be linked",
    ),
    "components: no documents": ({"x.conll": ""}, "components x.conll", "x.conll: no documents"),
    "tune: a model without weights": (
        {"m/across.json": "{}", "x.jsonl": line()},
        "tune m --dev x.jsonl",
        "m: not a model: encoder.onnx is missing",
    ),
    "tune: an empty corpus": (
        {"m/across.json": "{}", "x.conll": ""},
        "tune m --dev x.conll",
        "x.conll: empty, without documents",
    ),
    "models: a folder without weights": ({"m/model.json": "{}"}, "models test m", "m: not a model"),
    "export: a folder without weights": (
        {"m/model.json": "{}"},
        "export m -o n",
        NEEDS_TORCH or "m: not a model",
    ),
    "train: a corpus that is not UTF-8": (
        {"x.conll": LATIN, "k.jsonl": line()},
        "train x.conll --dev k.jsonl -o m --resolver across",
        NEEDS_TORCH or "x.conll",
    ),
    "serve: a token that can be guessed": (
        {"token.txt": "secret\n"},
        "serve --token-file token.txt",
        "a token has at least 16 characters",
    ),
    "restore: names that are not in the text": (
        {"x.txt": "Ann slept.", "t.csv": "start,end,invented,original\n0,5,Maria,Clara\n"},
        "restore x.txt t.csv",
        "none of the invented names is in the text",
    ),
    "llm: a row outside of documents": (
        {"k.conll": f"lost\t(1)\n{CONLL}"},
        "llm prompt k.conll --notation tags -o p",
        "k.conll:1: outside of any document",
    ),
    "workbench: a text without entities": (
        {"x.txt": "Ann slept."},
        "workbench x.txt --resolver none --no-open",
        "x.txt: has no entities, and no resolver was used",
    ),
    "workbench: a system without the document": (
        {"a.conll": CONLL, "b.conll": CONLL.replace("(a)", "(b)")},
        "workbench a.conll --systems b.conll --no-open",
        "has no document of the name of 1 of 1",
    ),
    "store: a decision that is cut": (
        {
            "s/store.json": '{"referee": "store", "version": 1}',
            "s/decisions.jsonl": '{"referee": "decisions", "version": 1}\n{"decision": "merge"',
        },
        "store entities s",
        "s/decisions.jsonl:2: not JSON",
    ),
    "store: rows that are missing": (
        {
            "s/store.json": '{"referee": "store", "version": 1, "rows": {"joins.bin": 1}}',
            "s/joins.bin": b"\0",
        },
        "store joins s",
        "s/joins.bin: shorter than store.json says",
    ),
    "resolve: a binary file": ({"x.txt": b"\0\1\2" * 99}, "resolve x.txt -o y.jsonl", "x.txt: a binary file"),
}


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_is_said(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files, words, said = LOSSES[name]
    monkeypatch.setattr("referee.service.workbench.running.OpenWorkbench.wait", lambda _opened: None)
    for path, content in files.items():
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_bytes(content if isinstance(content, bytes) else content.encode())
    done = CliRunner().invoke(main, words.split())
    assert done.exception is None or isinstance(done.exception, SystemExit)
    assert said in done.stderr


def test_there_are_sixty_and_more_over_all_commands() -> None:
    assert len(LOSSES) >= 60
    assert {words.split()[0] for _, words, _ in LOSSES.values()} == COMMANDS.keys()
