"""Compares what Referee reads with counts of other code, for every format: the gate of real files.

    python bench/real_files.py DATA [FORMAT...]

DATA has corpora (`ontogum`, `gum`, `litbank`, `ecbplus`, …), each as its authors publish it. Formats of which
it has none are made to their shape: OntoGUM's documents converted, or the small specimens of
`tests/every_format.py`. The counters below use the standard library alone, and nothing of Referee: regular
expressions, `json` and `xml`. Documents, mentions, clusters and singletons must be equal, and no corpus may
be called implausible; otherwise the exit status is 1.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

Clusters = Counter[str]  # cluster → mentions of a document
Facts = tuple[int, int, int, int]  # documents, mentions, clusters, singletons

SPAN_DOCUMENTS = {
    "ecbplus", "corpus-conll", "topic-conll", "crossdoc-jsonlines", "mentions-json", "wec", "gvc",
    "token-tables",
}  # fmt: skip
CORPORA = {
    "conll": ("ontogum/dev/conll", "ontogum/train/conll", "litbank", "fantasycoref",
              "languages/nl_openboek/train"),
    "conllu": ("gum/dev", "gum/train", "corefud/en_gum-corefud-dev.conllu.gz",
               "corefud/es_ancora-corefud-dev.conllu.gz", "corefud/ru_rucor-corefud-dev.conllu.gz"),
    "conllua": ("ua-cases/*.conllua",),
    "ecbplus": ("ecbplus/dev", "ecbplus/train"),
    "gap": ("gap/gap-development.tsv", "gap/gap-validation.tsv"),
    "jsonlines": ("craft/dev.jsonl", "craft/train.jsonl", "winobias/type1_pro_dev.jsonl",
                  "languages/nb_narc/dev.jsonl", "languages/de_gerdracor/train.jsonl",
                  "languages/hu_korkor/train.jsonl", "languages/th_hancoref/train.jsonl",
                  "languages/ja_wikipedia/dev.jsonl", "languages/fr_litbank/people_only.jsonl"),
}  # fmt: skip


def text_of(path: Path) -> str:
    """Read a file, packed or not."""
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")


def rows_of(path: Path) -> list[str]:
    """List the lines of a table."""
    return text_of(path).rstrip("\n").split("\n")


def files_of(path: Path, *endings: str) -> list[Path]:
    """List the files of a folder, or the file itself."""
    return (
        sorted(file for file in path.rglob("*") if file.name.endswith(endings)) if path.is_dir() else [path]
    )


def linked(marks: Iterable[str], links: Iterable[Sequence[str]]) -> Clusters:
    """Join marks by links, and count the members of each group."""
    group = {mark: {mark} for mark in marks}
    for names in links:
        joined = set().union(*(group[name] for name in names))
        group |= dict.fromkeys(joined, joined)
    return Counter({min(members): len(members) for members in group.values()})


def conll(path: Path) -> Iterator[Clusters]:
    """Count the opening brackets of the last column."""
    for file in files_of(path, "conll"):
        for part in re.split(r"(?m)^# ?begin document.*\n", text_of(file))[1:]:
            rows = [line.split() for line in part.splitlines() if line and not line.startswith("#")]
            yield Counter(name for row in rows for name in re.findall(r"\(([^()|]+)", row[-1]))


def conllu(path: Path) -> Iterator[Clusters]:
    """Count the opening brackets of Entity=; of a mention in parts, the first."""
    for file in files_of(path, ".conllu", ".gz"):
        for part in re.split(r"(?m)^# newdoc", text_of(file))[1:]:
            cells = re.findall(r"(?m)^\d.*\t(?:[^\t\n]*\|)?Entity=([^|\t\n]*)", part)
            opened = [each for cell in cells for each in re.findall(r"\(([^-()\[\]]+)(?:\[(\d+)/)?", cell)]
            yield Counter(name for name, number in opened if number in ("", "1"))


def conllua(path: Path) -> Iterator[Clusters]:
    """Count the markables of IDENTITY that refer to something; zeros of several parts once."""
    for file in files_of(path, ".conllua"):
        text = text_of(file)
        columns = re.search(r"# global.columns = (.*)", text)
        at = columns[1].split().index("IDENTITY") if columns else 0
        for part in re.split(r"(?m)^# newdoc", text)[1:]:
            rows = [line.split("\t") for line in part.splitlines() if re.match(r"\d", line)]
            said = [m for row in rows for m in re.findall(r"\(([^()]*)", row[at])]
            entity_of = {}
            for number, each in enumerate(said):
                named = re.search(r"Markable_?ID=([^|()]+)", each)
                entity_of[named[1] if named else str(number)] = re.search(r"EntityID=([^|()]+)", each)[1]  # type: ignore[index]
            yield Counter(name for name in entity_of.values() if not name.lower().endswith("pseudo"))


def ecbplus(path: Path) -> Iterator[Clusters]:
    """Count markables whose tokens are all in curated sentences."""
    root = next(p for p in (path, *path.parents) if (p / "ECBplus_coreference_sentences.csv").is_file())
    curated = defaultdict(set)
    for row in csv.reader(rows_of(root / "ECBplus_coreference_sentences.csv")):
        curated[f"{row[0]}_{row[1]}"].add(row[2].strip())
    for file in files_of(path, ".xml"):
        if file.stem not in curated:
            continue
        tree = ElementTree.parse(file).getroot()
        inside = {t.get("t_id") for t in tree.iter("token") if t.get("sentence") in curated[file.stem]}
        marks = {m.get("m_id"): m for m in tree.find("Markables") or ()}
        target_of = {
            source.get("m_id"): marks[relation.find("target").get("m_id")].get("instance_id")  # type: ignore[union-attr]
            or f"{file} {relation.get('r_id')}"
            for relation in tree.find("Relations") or ()
            for source in relation.iter("source")
        }
        found: Clusters = Counter()
        for name, mark in marks.items():
            anchors = {anchor.get("t_id") for anchor in mark.iter("token_anchor")}
            if mark.get("RELATED_TO") is None and anchors and anchors <= inside:
                kind = "event" if mark.tag.startswith(("ACTION", "NEG")) else "entity"
                found[f"{kind} {target_of.get(name, f'{file} {name}')}"] += 1
        yield found


def gap(path: Path) -> Iterator[Clusters]:
    """Put the pronoun with the names that it refers to."""
    for row in csv.DictReader(rows_of(path), delimiter="\t", quoting=csv.QUOTE_NONE):
        same = [row[name].upper() == "TRUE" for name in ("A-coref", "B-coref")]
        yield Counter({"p": 1 + sum(same), **{str(i): 1 for i, each in enumerate(same) if not each}})


def of_lines(path: Path, clusters: Callable[[Any], Clusters]) -> Iterator[Clusters]:
    """Count each line of JSON."""
    for line in text_of(path).splitlines():
        if line.strip():
            yield clusters(json.loads(line))


def listed(clusters: Sequence[Sequence[Any]]) -> Clusters:
    """Count lists of mentions; one without any is not a cluster."""
    return Counter({str(number): len(cluster) for number, cluster in enumerate(clusters) if cluster})


def jsonlines(path: Path) -> Iterator[Clusters]:
    """Count `clusters`."""
    return of_lines(path, lambda fields: listed(fields["clusters"]))


def indiscrim(path: Path) -> Iterator[Clusters]:
    """Count `coref_chains`."""
    return of_lines(path, lambda fields: listed(fields["coref_chains"]))


def brat(path: Path) -> Iterator[Clusters]:
    """Count T lines, joined by Equiv and Coreference."""
    for file in files_of(path, ".ann"):
        lines = text_of(file).splitlines()
        links = [re.findall(r"T\d+", line) for line in lines if re.match(r"\*\t|R\d+\tCoreference", line)]
        yield linked([line.split("\t")[0] for line in lines if line.startswith("T")], links)


def webanno(path: Path) -> Iterator[Clusters]:
    """Count the links that rows name."""
    for file in files_of(path, ".tsv"):
        yield Counter(chain for chain, _ in set(re.findall(r"->(\d+)-(\d+)", text_of(file))))


def cas_json(path: Path) -> Iterator[Clusters]:
    """Follow each chain from its first link."""
    for file in files_of(path, ".cas.json"):
        by_id = {one["%ID"]: one for one in json.loads(text_of(file))["%FEATURE_STRUCTURES"]}
        found: Clusters = Counter()
        for id_, one in by_id.items():
            link = one.get("@first")
            while link is not None:
                found[str(id_)] += 1
                link = by_id[link].get("@next")
        yield found


def label_studio(path: Path) -> Iterator[Clusters]:
    """Count regions, joined by relations."""
    for task in json.loads(text_of(path)):
        result = task["annotations"][0]["result"]
        links = [(one["from_id"], one["to_id"]) for one in result if one["type"] == "relation"]
        yield linked([one["id"] for one in result if one["type"] == "labels"], links)


def doccano(path: Path) -> Iterator[Clusters]:
    """Count entities, joined by relations."""

    def clusters(fields: Any) -> Clusters:
        links = [(str(r["from_id"]), str(r["to_id"])) for r in fields["relations"]]
        return linked([str(e["id"]) for e in fields["entities"]], links)

    return of_lines(path, clusters)


def prodigy(path: Path) -> Iterator[Clusters]:
    """Count spans, joined by relations."""

    def name(span: Any) -> str:
        return f"{span['start']} {span['end']} {span.get('id')} {span.get('label')}"

    def clusters(fields: Any) -> Clusters:
        links = [(name(r["head_span"]), name(r["child_span"])) for r in fields["relations"]]
        return linked(map(name, fields["spans"]), links)

    return of_lines(path, clusters)


def corpus_conll(path: Path) -> Iterator[Clusters]:
    """Count the opening brackets of each document's rows; blocks do not share clusters."""
    found: dict[tuple[int, str], Clusters] = {}
    block = 0
    for line in text_of(path).splitlines():
        block += line.startswith("#begin")
        cells = line.split("\t")
        if len(cells) > 1:
            here = found.setdefault((block, cells[-6]), Counter())
            here.update(f"{block} {name}" for name in re.findall(r"\(([^()|]+)", cells[-1]))
    yield from found.values()


def crossdoc_jsonlines(path: Path) -> Iterator[Clusters]:
    """Count `mentions` by document."""
    for line in text_of(path).splitlines():
        fields = json.loads(line)
        for document in fields["doc_ids"]:
            yield Counter(str(m[-1]) for m in fields["mentions"] if m[0] == document)


def mentions_json(path: Path) -> Iterator[Clusters]:
    """Count mentions by document."""
    mentions = json.loads(text_of(path))
    for document in dict.fromkeys(m["doc_id"] for m in mentions):
        yield Counter(str(m["cluster_id"]) for m in mentions if m["doc_id"] == document)


def wec(path: Path) -> Iterator[Clusters]:
    """Count mentions by page."""
    mentions = json.loads(text_of(path))
    for document in dict.fromkeys(m["doc_id"] for m in mentions):
        yield Counter(str(m["coref_chain"]) for m in mentions if m["doc_id"] == document)


def token_tables(path: Path) -> Iterator[Clusters]:
    """Count rows by document."""
    rows = list(csv.DictReader(rows_of(path)))
    for document in dict.fromkeys(row["doc-id"] for row in rows):
        yield Counter(row["event"] for row in rows if row["doc-id"] == document)


def muc(path: Path) -> Iterator[Clusters]:
    """Count COREF tags, joined by REF."""
    for part in re.findall(r"(?s)<DOC>.*?</DOC>", text_of(path)):
        tags = re.findall(r'<COREF ID="(\d+)"(?: REF="(\d+)")?', part)
        yield linked([id_ for id_, _ in tags], [(id_, ref) for id_, ref in tags if ref])


def mmax2(path: Path) -> Iterator[Clusters]:
    """Count markables by their sets."""
    level = path.with_name(path.name.replace("_words", "_coref_level"))
    marks = list(ElementTree.parse(level).getroot().iter("markable"))
    sets = [m.get("coref_set") for m in marks]
    yield Counter(name if name != "empty" else f"alone {n}" for n, name in enumerate(sets) if name)


def litbank(path: Path) -> Iterator[Clusters]:
    """Count MENTION lines by what COREF says of them."""
    rows = [line.split("\t") for line in text_of(path).splitlines()]
    entity_of = {row[1]: row[2] for row in rows if row[0] == "COREF"}
    yield Counter(entity_of.get(row[1], row[1]) for row in rows if row[0] == "MENTION")


def korkor(path: Path) -> Iterator[Clusters]:
    """Join typed words with their antecedents."""
    sentence, ids, links = 1, [], []
    for line in text_of(path).splitlines():
        cells = line.split("\t")
        sentence += not line
        if len(cells) > 1 and cells[-1] != "_":
            ids.append(f"{sentence}:{cells[0]}")
            links += [(ids[-1], cells[-2])] if ":" in cells[-2] else []
    yield linked({*ids, *(antecedent for _, antecedent in links)}, links)


def sacr(path: Path) -> Iterator[Clusters]:
    """Count opening braces by their chains."""
    yield Counter(re.findall(r"\{([^\s{}:]+)", text_of(path)))


def knowtator(path: Path) -> Iterator[Clusters]:
    """Count the objects of coreferring triples by their subjects."""
    triples = ElementTree.parse(path).getroot().iter("triple")
    yield Counter(str(t.get("subject")) for t in triples if str(t.get("property")).startswith("Coref"))


def emory(path: Path) -> Iterator[Clusters]:
    """Count mentions by character."""
    for episode in json.loads(text_of(path))["episodes"]:
        for scene in episode["scenes"]:
            sentences = [s for u in scene["utterances"] for s in u["character_entities"]]
            yield Counter(mention[2] for sentence in sentences for mention in sentence)


def marked(pattern: str) -> Callable[[Path], Iterator[Clusters]]:
    """Count the tags of a notation, by the documents that headings begin."""

    def counter(path: Path) -> Iterator[Clusters]:
        for part in re.split(r"(?m)^# newdoc.*$", text_of(path))[1:]:
            yield Counter(re.findall(pattern, part))

    return counter


def crac_text(path: Path) -> Iterator[Clusters]:
    """Count openings, a document on each line."""
    for line in text_of(path).splitlines():
        yield Counter(re.findall(r"(?:\||,)\[([^\s\[\],|]+)", line))


def json_answer(path: Path) -> Iterator[Clusters]:
    """Count `clusters` of each object."""
    for fields in json.loads(text_of(path)):
        yield listed(fields["clusters_token_offsets"])


def docbin(path: Path) -> Iterator[Clusters]:
    """Count the groups of spans, read by spaCy itself."""
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    for doc in DocBin().from_disk(path).get_docs(Vocab()):
        yield Counter({name: len(group) for name, group in doc.spans.items() if name.startswith("coref")})


COUNTERS: dict[str, Callable[[Path], Iterator[Clusters]]] = {
    "conll": conll, "conllu": conllu, "conllua": conllua, "ecbplus": ecbplus, "gap": gap,
    "jsonlines": jsonlines, "indiscrim": indiscrim, "brat": brat, "webanno": webanno, "cas-json": cas_json,
    "label-studio": label_studio, "doccano": doccano, "prodigy": prodigy, "corpus-conll": corpus_conll,
    "topic-conll": corpus_conll, "crossdoc-jsonlines": crossdoc_jsonlines, "mentions-json": mentions_json,
    "wec": wec, "gvc": conll, "token-tables": token_tables, "muc": muc, "mmax2": mmax2, "litbank": litbank,
    "korkor": korkor, "sacr": sacr, "knowtator": knowtator, "emory": emory, "crac-text": crac_text,
    "json-answer": json_answer, "markdown": marked(r"\]\(#([^()]+)\)"), "tags": marked(r'<m id="([^"]+)"'),
    "brackets": marked(r": ([^\s:\[\]]+)\]"), "docbin": docbin,
}  # fmt: skip


def facts(documents: Iterable[Clusters], *, across: bool) -> Facts:
    """Sum up counts; clusters that span documents are one in all of them."""
    given = list(documents)
    whole: Clusters = Counter()
    for some in given:
        whole.update(some)
    sizes = [*whole.values()] if across else [n for some in given for n in some.values()]
    return len(given), sum(sizes), len(sizes), sizes.count(1)


def read_by_referee(path: Path) -> tuple[Facts, list[str]]:
    """Count what Referee reads, and list its doubts."""
    from referee import formats
    from referee.formats.plausibility import implausible

    corpus = formats.read(path)
    counted = [
        Counter(
            {c.id if corpus.cross_document else str(n): len(c.mentions) for n, c in enumerate(d.clusters)}
        )
        for d in corpus
    ]
    return facts(counted, across=corpus.cross_document), implausible(corpus)


def made(form: str, data: Path, folder: Path) -> Path:
    """Write OntoGUM's first documents in a format, or a specimen of one that is read only."""
    from referee import formats

    chosen = formats.FORMATS[form]
    if not chosen.is_written:
        sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
        specimens: Any = import_module("every_format").SPECIMENS
        return Path(specimens[form](folder))
    documents = [d.with_text(topic="1") for d in formats.read(data / "ontogum/dev/conll")[:4]]
    target = folder / f"a{next(iter(chosen.suffixes), '.conll')}"
    if chosen.contents is not None:
        target = folder / "files"
    formats.write(documents, target, form, cross_document=chosen.across)
    return target


def main(data: Path, wanted: Sequence[str]) -> int:
    """Print a line for each corpus, and count those that differ."""
    wrong = compared = 0
    print(f"{'format':20} {'corpus':40} {'documents':>9} {'mentions':>9} {'clusters':>9} {'singletons':>10}")
    for form, counter in COUNTERS.items():
        if wanted and form not in wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            paths = [path for name in CORPORA.get(form, ()) for path in sorted(data.glob(name))] or [
                made(form, data, Path(folder))
            ]
            for path in paths:
                ours, doubts = read_by_referee(path)
                theirs = facts(counter(path), across=form in SPAN_DOCUMENTS)
                compared += 1
                name = str(path.relative_to(data)) if form in CORPORA else "made to its shape"
                print(f"{form:20} {name:40} {ours[0]:9,} {ours[1]:9,} {ours[2]:9,} {ours[3]:10,}")
                if ours != theirs or (form in CORPORA and doubts):
                    print(f"  DIFFERS: {theirs} by other code; {'; '.join(doubts)}")
                    wrong += 1
    print(f"{compared} corpora, {wrong} differ")
    return wrong


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]) > 0)
