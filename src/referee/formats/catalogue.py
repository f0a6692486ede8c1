"""The formats, in the order in which they are asked whether a file is theirs.

A format that is easily taken for another comes late: JSON lines after all others that begin with a brace,
CoNLL after all others that have its lines. What reads and writes is named by where it is,
`conll.reading:read` in `referee.formats`, and loaded when it is called.

Installed packages add formats by entry points of `referee.formats`, each a `Format`; they are asked last.
"""

from __future__ import annotations

from referee.formats import recognition as known
from referee.formats.format import (
    ANNOTATION,
    ANTECEDENTS,
    BESIDE_ANNOTATION,
    CLUSTER_IDS,
    CLUSTER_LAYERS,
    GAPS,
    GOVERNORS,
    HEADS,
    LAYOUT,
    MINIMUM_PARTS,
    MINIMUMS,
    NON_REFERRING,
    RELATIONS,
    RUNNING_TEXT,
    SCORES,
    SENTENCES,
    SET_PARTS,
    TOPICS,
    TYPES,
    WHOLE_ANCHORS,
    ZEROS,
    Format,
    Later,
    layers,
)
from referee.registry import Registry

BEYOND_IDENTITY = frozenset({RELATIONS, ANTECEDENTS, SET_PARTS, NON_REFERRING, CLUSTER_LAYERS})
MARKED_TEXT = "marked-text"
# The notations of marked text, and the endings of files whose name says theirs.
CRAC, MARKDOWN, TAGS, BRACKETS, JSON = "crac-text", "markdown", "tags", "brackets", "json-answer"
NOTATION_ENDINGS = {
    CRAC: ".crac.txt", MARKDOWN: ".markdown.txt", TAGS: ".tags.txt", BRACKETS: ".brackets.txt",
    JSON: ".answer.json",
}  # fmt: skip
MARKED_ENDINGS = (".txt", *NOTATION_ENDINGS.values())
RUN_MANIFEST = "answers.manifest"  # lies beside the answers of `referee llm run`
RUN_ENDINGS = (".manifest", ".reply")


LAST_RANK = 9  # texts of a folder are taken if it has no other files


def _notation(name: str, label: str, write: str, *holds: str) -> Format:
    """List one way to write marked text."""
    return Format(
        label=label,
        looks_like=known.is_marked_text,
        read=Later("marked.text:read"),
        write=Later(f"marked.writing:{write}"),
        suffixes=(NOTATION_ENDINGS[name],),
        companions=RUN_ENDINGS,
        part_of=MARKED_TEXT,
        folder_rank=LAST_RANK,
        bracketed=name != JSON,
        holds=frozenset(holds),
    )


OURS: dict[str, Format] = {
    "docbin": Format(  # nothing else begins so, and its bytes may look like anything
        label="DocBin",
        looks_like=known.is_docbin,
        read=Later("objects.docbin:read"),
        write=Later("objects.docbin:write"),
        suffixes=(".spacy",),
        holds=layers("pos", "lemma") | {CLUSTER_IDS, RUNNING_TEXT, SENTENCES, TOPICS, TYPES},
    ),
    "conllua": Format(
        label="CONLL-UA",
        looks_like=known.is_conllua,
        read=Later("conllua.reading:read"),
        write=Later("conllua.writing:write"),
        columns_of=Later("conllua.writing:columns_of"),
        suffixes=(".conllua", ".CONLLUA", ".conllup"),
        distinct_names=True,
        holds=layers("lemma", "upos", "xpos", "feats", "deprel", "pos", "head")
        | {GAPS, MINIMUMS, RELATIONS, ANTECEDENTS, ZEROS, CLUSTER_IDS, SENTENCES, GOVERNORS, LAYOUT}
        | {NON_REFERRING, CLUSTER_LAYERS},
        usual_protocol="ua",
    ),
    "korkor": Format(
        label="KorKor",
        looks_like=known.is_korkor,
        read=Later("corpora.korkor:read"),
        suffixes=(".conllup",),
        holds=layers("lemma", "pos") | {HEADS, RELATIONS, ANTECEDENTS, SENTENCES},
    ),
    "litbank": Format(  # its files end as brat's do
        label="LitBank",
        looks_like=known.is_litbank,
        read=Later("corpora.litbank:read"),
        holds=frozenset({TYPES, CLUSTER_IDS, SENTENCES}),
    ),
    "conllu-plus": Format(
        label="CoNLL-U Plus",
        looks_like=known.is_conllu_plus,
        read=Later("refused:refuse_conllu_plus"),
    ),
    "old-line-ends": Format(
        label="lines that end in CR",
        looks_like=known.has_old_line_ends,
        read=Later("refused:refuse_old_line_ends"),
    ),
    "conllu": Format(
        label="CoNLL-U",
        looks_like=known.is_conllu,
        read=Later("conllu.reading:read"),
        write=Later("conllu.writing:write"),
        suffixes=(".conllu",),
        distinct_names=True,
        folder_rank=1,  # beside other files it has their trees
        usual_protocol="crac",
        bracketed=True,
        holds=layers("lemma", "upos", "xpos", "feats", "deprel", "deps", "pos", "head", "speaker")
        | {GAPS, MINIMUMS, MINIMUM_PARTS, HEADS, TYPES, RELATIONS, ZEROS, CLUSTER_IDS, SENTENCES}
        | {GOVERNORS, LAYOUT, WHOLE_ANCHORS},
    ),
    "brat": Format(
        label="brat",
        looks_like=known.is_brat,
        read=Later("tools.brat:read"),
        contents=Later("tools.brat:contents"),
        blank=True,
        suffixes=(".ann",),
        companions=(".txt", ".conf"),
        holds=BEYOND_IDENTITY | {GAPS, TYPES, RUNNING_TEXT},
        files_of=Later("tools.brat:pair_of"),
        names=(".txt", ".txt+ann", ".ann+txt"),
        names_links=True,
    ),
    "sacr": Format(
        label="SACR",
        looks_like=known.is_sacr,
        read=Later("tools.sacr:read"),
        suffixes=(".sacr",),
        claims_ending=True,
        holds=frozenset({TYPES, CLUSTER_IDS, RUNNING_TEXT}),
    ),
    "knowtator": Format(
        label="Knowtator",
        looks_like=known.is_knowtator,
        read=Later("tools.knowtator:read"),
        holds=frozenset({GAPS, RUNNING_TEXT}),
    ),
    "webanno": Format(
        label="WebAnno TSV",
        looks_like=known.is_webanno,
        read=Later("tools.webanno:read"),
        contents=Later("tools.webanno:contents"),
        suffixes=(".tsv",),
        holds=BEYOND_IDENTITY | {TYPES, RUNNING_TEXT, SENTENCES},
        names_links=True,
    ),
    "cas-json": Format(
        label="UIMA CAS JSON",
        looks_like=known.is_cas_json,
        read=Later("tools.cas_json:read"),
        contents=Later("tools.cas_json:contents"),
        suffixes=(".cas.json",),
        holds=BEYOND_IDENTITY | {TYPES, RUNNING_TEXT},
        names_links=True,
    ),
    "label-studio": Format(
        label="Label Studio",
        looks_like=known.is_label_studio,
        read=Later("tools.label_studio:read"),
        write=Later("tools.label_studio:write"),
        suffixes=(".labelstudio.json",),
        holds=frozenset({TYPES, SCORES, RUNNING_TEXT}),
        names_links=True,
    ),
    "corpus-conll": Format(
        label="cross-document CoNLL",
        looks_like=known.is_crossdoc_conll,
        read=Later("conll.crossdoc:read"),
        write=Later("conll.crossdoc:write_corpus"),
        across=True,
        distinct_names=True,
        bracketed=True,
        holds=frozenset({CLUSTER_IDS, SENTENCES, TOPICS}),
    ),
    "topic-conll": Format(
        label="cross-document CoNLL, by topic",
        looks_like=known.is_crossdoc_conll,
        read=Later("conll.crossdoc:read"),
        write=Later("conll.crossdoc:write_topics"),
        part_of="corpus-conll",
        across=True,
        distinct_names=True,
        bracketed=True,
        holds=frozenset({CLUSTER_IDS, SENTENCES, TOPICS}),
    ),
    "doccano": Format(
        label="doccano",
        looks_like=known.is_doccano,
        read=Later("tools.doccano:read"),
        write=Later("tools.doccano:write"),
        suffixes=(".doccano.jsonl",),
        holds=frozenset({TYPES, RUNNING_TEXT}),
        names_links=True,
    ),
    "prodigy": Format(
        label="Prodigy",
        looks_like=known.is_prodigy,
        read=Later("tools.prodigy:read"),
        write=Later("tools.prodigy:write"),
        suffixes=(".prodigy.jsonl",),
        holds=frozenset({TYPES, RUNNING_TEXT}),
        names_links=True,
    ),
    "mentions-json": Format(
        label="mentions.json",
        looks_like=known.is_mention_list,
        read=Later("corpora.mention_lists:read"),
        write=Later("corpora.mention_lists:write_mentions"),
        suffixes=("_events.json", "_entities.json", "_mixed.json", "mentions.json"),
        across=True,
        distinct_names=True,
        holds=frozenset({GAPS}),
    ),
    "mentions-documents": Format(
        label="documents of mentions.json",
        looks_like=known.is_documents_of_mention_list,
        read=Later("corpora.mention_lists:read_documents"),
        write=Later("corpora.mention_lists:write_documents"),
        suffixes=("_documents.json",),
        across=True,
        texts_only=True,
        distinct_names=True,
    ),
    "wec": Format(
        label="WEC",
        looks_like=known.is_wec,
        read=Later("corpora.wec:read"),
        across=True,
        holds=frozenset({GAPS, HEADS}),
    ),
    "gvc": Format(
        label="Gun Violence Corpus",
        looks_like=known.is_gvc,
        read=Later("corpora.gvc:read"),
        companions=("gvc_doc_to_event.csv",),
        across=True,
        holds=frozenset({TYPES}),
    ),
    "token-tables": Format(
        label="tables of FCC and HyperCoref",
        looks_like=known.is_token_table,
        read=Later("corpora.token_tables:read"),
        suffixes=("mentions_cross_subtopic.csv", "cross_subtopic_mentions_action.csv", "hyperlinks.csv"),
        companions=(".csv", ".yaml"),
        across=True,
        holds=frozenset({TYPES}),
    ),
    "emory": Format(
        label="Emory's Character Identification",
        looks_like=known.is_emory,
        read=Later("corpora.emory:read"),
        holds=layers("speaker") | {CLUSTER_IDS, RELATIONS, SENTENCES},
    ),
    "parquet": Format(
        label="Parquet",
        looks_like=known.is_parquet,
        read=Later("refused:refuse_parquet"),
    ),
    "crossdoc-jsonlines": Format(
        label="cross-document JSON lines",
        looks_like=known.is_crossdoc_jsonlines,
        read=Later("jsonlines.crossdoc:read"),
        write=Later("jsonlines.crossdoc:write"),
        across=True,
        holds=frozenset({*ANNOTATION, *BESIDE_ANNOTATION} - {LAYOUT}),
    ),
    "gap": Format(
        label="GAP",
        looks_like=known.is_gap,
        read=Later("corpora.gap:read"),
        suffixes=(".tsv",),
        holds=frozenset({CLUSTER_IDS, RUNNING_TEXT}),
    ),
    "gap-decisions": Format(
        label="GAP's decisions",
        looks_like=known.is_gap_decisions,
        read=Later("refused:refuse_gap_decisions"),
    ),
    "indiscrim": Format(
        label="coref-data",
        looks_like=known.is_dataset_rows,
        read=Later("jsonlines.datasets:read"),
        write=Later("jsonlines.datasets:write"),
        holds=layers("pos", "lemma", "head", "speaker") | {SENTENCES},
    ),
    CRAC: _notation(CRAC, "CRAC's plain text", "write_crac", ZEROS, CLUSTER_IDS),
    MARKDOWN: _notation(MARKDOWN, "Markdown", "write_markdown", CLUSTER_IDS, SENTENCES),
    TAGS: _notation(TAGS, "tags", "write_tags", CLUSTER_IDS, SENTENCES),
    BRACKETS: _notation(BRACKETS, "brackets", "write_brackets", CLUSTER_IDS, SENTENCES),
    JSON: _notation(JSON, "JSON", "write_json", ZEROS),
    MARKED_TEXT: Format(
        label="marked text",
        looks_like=known.is_marked_text,
        read=Later("marked.text:read"),
        suffixes=MARKED_ENDINGS[:1],
        companions=RUN_ENDINGS,
        folder_rank=LAST_RANK,
        claims_ending=True,
    ),
    "jsonlines": Format(
        label="JSON lines",
        looks_like=known.is_jsonlines,
        read=Later("jsonlines.reading:read"),
        write=Later("jsonlines.writing:write"),
        suffixes=(".jsonl", ".jsonlines", ".json"),
        counterpart="crossdoc-jsonlines",
        holds=frozenset({*ANNOTATION, *BESIDE_ANNOTATION}),
    ),
    "conll": Format(
        label="CoNLL",
        looks_like=known.is_conll,
        read=Later("conll.reading:read"),
        write=Later("conll.writing:write"),
        suffixes=(".conll", "_conll"),  # .v4_gold_conll and its like
        counterpart="corpus-conll",
        bracketed=True,
        holds=layers("pos", "parse", "lemma", "speaker", "entity") | {CLUSTER_IDS, SENTENCES, LAYOUT},
    ),
    "ecbplus": Format(
        label="ECB+",
        looks_like=known.is_ecbplus,
        read=Later("corpora.ecbplus:read_corpus"),
        suffixes=(".xml",),
        companions=("ECBplus_coreference_sentences.csv",),
        folder_rank=2,
        across=True,
        files_of=Later("corpora.ecbplus:files_of_part"),
        names=("train", "dev", "test"),
        holds=frozenset({CLUSTER_IDS, GAPS, SENTENCES, TOPICS}),
    ),
    "mmax2": Format(
        label="MMAX2",
        looks_like=known.is_mmax2,
        read=Later("corpora.mmax2:read"),
        suffixes=("_words.xml",),
        companions=(".xml", ".mmax", ".dtd", ".xsl", ".bat"),
        folder_rank=1,
        holds=frozenset({GAPS, MINIMUMS, CLUSTER_IDS, SENTENCES}),
    ),
    "muc": Format(
        label="MUC",
        looks_like=known.is_muc,
        read=Later("corpora.muc:read"),
        suffixes=(".sgm", ".sgml", ".muc"),
        holds=frozenset({MINIMUMS, CLUSTER_IDS, RUNNING_TEXT}),
    ),
}
FORMATS: Registry[Format] = Registry("referee.formats", OURS, Format)
WRITABLE = tuple(name for name, form in OURS.items() if form.is_written)


def writable() -> tuple[str, ...]:
    """Name all formats that can be written, those of installed packages too."""
    return (*WRITABLE, *(name for name, form in FORMATS.installed.items() if form.is_written))
