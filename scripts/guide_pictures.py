"""Draws a picture for each guide: `make refresh-docs` writes them to docs/pictures beside the glossary's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from drawing import COLOURS, GREY, LETTER, Picture
from referee import score

WRONG = COLOURS[1]


def beside(picture: Picture, rows: Mapping[str, str], *, colour: str = COLOURS[0]) -> Picture:
    """Draw a box in each row, and what it stands for beside it; all texts begin at one place."""
    x = 8 + max(map(len, rows)) * LETTER + 34
    for name, what in rows.items():
        picture.text(x, picture.top + 17, what)
        picture.boxes(name, joined=False, colour=colour)
    return picture


def funnel(
    picture: Picture, left: Sequence[str], middle: str, right: Sequence[str], colour: str = COLOURS[2]
) -> Picture:
    """Draw what goes in on the left, what takes it in the middle, and what comes out on the right."""
    top, rows = picture.top, max(len(left), len(right))
    edge = 8 + _width(max(left, key=len))
    x = edge + 50
    ending, centre = x + _width(middle), top + 17 * rows - 5
    _column(picture, left, 8, top + 17 * (rows - len(left)), colour)
    for number, label in enumerate(left):
        y = top + 17 * (rows - len(left)) + 34 * number + 12
        picture.line(
            f"M {8 + _width(label):.1f} {y:.1f} L {edge:.1f} {y:.1f} L {x - 4:.1f} {centre:.1f}", arrow=True
        )
    _column(picture, right, ending + 60, top + 17 * (rows - len(right)), colour)
    for number in range(len(right)):
        y = top + 17 * (rows - len(right)) + 34 * number + 12
        picture.line(f"M {ending + 3:.1f} {centre:.1f} L {ending + 56:.1f} {y:.1f}", arrow=True)
    _column(picture, [middle], x, centre - 12, COLOURS[0])
    picture.top = top + 34 * rows
    return picture


def _width(label: str) -> float:
    return len(label) * LETTER + 16


def _column(picture: Picture, labels: Sequence[str], x: float, top: float, colour: str) -> None:
    picture.top = top
    for label in labels:
        picture.boxes(label, x=x, joined=False, colour=colour)


def grid(picture: Picture, columns: Sequence[str], rows: Mapping[str, Sequence[float]]) -> Picture:
    """Draw percentages as a table of bars: a column has its title above, a row its name before."""
    first = 8 + max(map(len, rows)) * LETTER + 14
    wide = max(150.0, *(len(title) * LETTER + 18 for title in columns))
    for number, title in enumerate(columns):
        picture.text(first + wide * number, picture.top + 16, title, GREY)
    picture.down(26)
    for name, values in rows.items():
        picture.text(8, picture.top + 14, name)
        for number, value in enumerate(values):
            x = first + wide * number
            fill = COLOURS[0] if value >= 0.5 else WRONG
            picture.add(
                f'<rect x="{x:.1f}" y="{picture.top + 2:.1f}" width="{max(90 * value, 1):.1f}" height="15" '
                f'rx="3" fill="{fill}"/>',
                x + 90,
            )
            picture.text(x + 96, picture.top + 14, f"{100 * value:.0f}")
        picture.down(22)
    return picture


def extras() -> Picture:
    """What needs no extra, and what each extra adds."""
    picture = Picture("The core scores, compares and reports; each extra adds one thing to it")
    beside(picture, {"referee-coref": "score  compare  errors  report  agree  stats  validate  convert"})
    added = {
        "+ resolve": "referee resolve, referee link: a network, offline, on a CPU",
        "+ nlp": "rules that explain each link; tags and trees for raw text",
        "+ plot": "figures",
        "+ crossdoc": "predicted topics",
        "+ cluster": "several machines",
        "+ train": "models of your own",
    }
    return beside(picture, added, colour=COLOURS[2])


def same_responses() -> Picture:
    """Three bad responses to one key, as each metric sees them."""
    key = [list("abcd"), list("efg"), list("hi")]
    responses = {
        "all in one": [list("abcdefghi")],
        "all alone": [[letter] for letter in "abcdefghi"],
        "one entity split": [list("ab"), list("cd"), list("efg"), list("hi")],
    }
    results = [score(key, response) for response in responses.values()]
    names = {
        "MUC": "muc",
        "B³": "b_cubed",
        "CEAFm": "ceaf_m",
        "CEAFe": "ceaf_e",
        "BLANC": "blanc",
        "LEA": "lea",
    }
    rows = {label: [getattr(result, name).f1 for result in results] for label, name in names.items()}
    picture = Picture(
        "The F1 that each metric gives to three responses: no two metrics agree on the worst one"
    )
    picture.clusters("key", "abcd efg hi")
    return grid(picture, list(responses), rows)


def contingency() -> Picture:
    """The one table that all metrics are computed from."""
    key, response = ("abc", "defg"), ("ab", "cd", "fghi")
    picture = Picture("The table behind all metrics: how many mentions a key and a response entity share")
    first = 8 + 14 * LETTER
    for number, cluster in enumerate(response):
        picture.text(first + 80 * number, picture.top + 16, f"{{{' '.join(cluster)}}}", GREY)
    picture.down(28)
    for cluster in key:
        picture.text(8, picture.top + 17, f"{{{' '.join(cluster)}}}", GREY)
        for number, other in enumerate(response):
            shared = len(set(cluster) & set(other))
            picture.frame(first + 80 * number, 70, COLOURS[0] if shared else "#cccccc")
            picture.text(first + 80 * number + 30, picture.top + 17, str(shared), bold=bool(shared))
        picture.text(first + 250, picture.top + 17, f"{len(cluster)} mentions in the key", GREY)
        picture.down(30)
    return picture


def paper_steps() -> Picture:
    """From a model to a paper."""
    picture = Picture("Six steps from a model's output to the table in a paper")
    return picture.boxes("model.jsonl", "validate", "score", "compare", "errors, report", "LaTeX")


def recipes() -> Picture:
    """Each corpus has its way of scoring."""
    picture = Picture("What each corpus needs: the protocol or option that its papers use")
    rows = {
        "OntoNotes": "CoNLL average; no singletons in the key",
        "OntoGUM": "--match exact,mina,head   --by genre",
        "LitBank": "with and without singletons",
        "ECB+": "--protocol crossdoc: topics and corpus",
        "CorefUD": "the CRAC rules: partial match, zeros",
        "GAP": "referee gap: pronouns and names",
    }
    return beside(picture, rows)


def migrating() -> Picture:
    """Other scorers' commands in Referee."""
    picture = Picture("Three scorers, one command: Referee has the counts of each")
    scorers = ("perl scorer.pl all", "coval: scorer.py", "corefud-scorer.py")
    return funnel(picture, scorers, "referee score", ("the same counts", "a signature"))


def signature() -> Picture:
    """The parts of a real signature."""
    picture = Picture("A signature says, field by field, how a score was computed")
    result = score([list("abc")], [list("ab")])
    said = {
        "match": "when two mentions are the same",
        "singletons": "whether entities of one mention count",
        "scope": "which documents share entities",
        "kind": "events, entities or all mentions",
    }
    fields = [field for field in result.signature.split("|") if field.partition(":")[0] in said]
    rows = {field: said[field.partition(":")[0]] for field in fields}
    return beside(picture, rows | {"version:x.y.z": "the version of Referee"})


def repeated() -> Picture:
    """A mention that the key has twice."""
    picture = Picture("Mention c is annotated twice in the key: it counts in the sizes of both entities")
    picture.clusters("key", "abc cde").clusters("response", "ab cde")
    return picture.note("c belongs to both key entities; for MUC and B³ to the last of them")


def intervals() -> Picture:
    """Three systems with their intervals, as the page's table has them."""
    picture = Picture("Three systems with 95 % intervals: better is ahead of baseline, third is not")
    systems = {
        "baseline": (73.27, 73.79, 74.31),
        "better": (76.09, 76.56, 77.05),
        "third": (73.71, 74.18, 74.67),
    }
    for name, ends in systems.items():
        low, middle, high = ((end - 73) / 4.5 for end in ends)
        picture.interval(name, low, middle, high, f"{ends[1]} [{ends[0]}, {ends[2]}]")
    return picture.note("better: +2.77, p = 0.0002      third: +0.39, p = 0.29")


def rivals() -> Picture:
    """The resolvers' scores, as the page's table has them."""
    picture = Picture("CoNLL F1 of the resolvers on two corpora: the network is ahead on both")
    rows = {"neural": (0.6583, 0.7083), "camp --recall": (0.5911, 0.5958), "camp": (0.5757, 0.5927)}
    return grid(picture, ("OntoGUM dev", "LitBank"), rows)


def training() -> Picture:
    """From a corpus to a model."""
    picture = Picture(
        "Training: a corpus and an encoder become a model's folder, which tune and export complete"
    )
    return funnel(
        picture,
        ("corpus/train", "corpus/dev", "an encoder"),
        "referee train",
        ("my-model/", "referee tune: thresholds", "referee export: no torch", "referee resolve --model"),
    )


def pipeline() -> Picture:
    """Referee as a component of spaCy."""
    picture = Picture("In spaCy, the component referee follows the others and fills doc._.coref_clusters")
    picture.boxes("text", "tagger", "parser", 'add_pipe("referee")', "doc._.coref_clusters")
    first, second = picture.words("[Nora Finch]1 lit the lamp . [She]1 was tired .", x=30)[1]
    picture.link(first, second)
    return picture.down(20)


def changing_texts() -> Picture:
    """One text, changed in two ways."""
    picture = Picture("Names for pronouns, or invented names for people with a table that undoes it")
    outputs = (
        "--replace: Nora Finch lit the lamp. Nora Finch smiled.",
        "--pseudonyms: Clara Holt lit the lamp. She smiled.",
    )
    return funnel(picture, ("Nora Finch lit the lamp. She smiled.",), "referee resolve", outputs)


def crawl() -> Picture:
    """A folder becomes a folder."""
    picture = Picture("A file is written for each input; finished ones are skipped when the run starts again")
    inputs = ("crawl/1.txt.gz", "crawl/2.txt.gz", "crawl/3.txt.gz")
    outputs = ("1.jsonl  done before: skipped", "2.jsonl  written now", "3.jsonl  written now")
    return funnel(picture, inputs, "referee resolve crawl/ -o resolved/", outputs)


def deployment() -> Picture:
    """One environment, four uses."""
    picture = Picture("One environment serves commands, a web service, scheduled runs and a cluster")
    uses = ("commands", "a web service", "a timer at night", "workers of a cluster")
    return funnel(picture, ("packages", "weights"), "an environment, offline", uses)


def service() -> Picture:
    """From callers to the processes that work."""
    picture = Picture("Callers send JSON to referee serve, which passes it to two processes that work")
    callers = ("curl", "referee.connect(url)", "Prometheus")
    return funnel(picture, callers, "referee serve", ("texts: resolve, link", "files: score, convert …"))


def formats() -> Picture:
    """Many formats, one model."""
    picture = Picture("Every format is read into the same corpus, and written from it")
    files = ("CoNLL-2012", "CoNLL-U, CorefUD", "JSON lines", "ECB+, GAP, MUC", "brat, WebAnno …")
    return funnel(picture, files, "Corpus", ("score  errors  report", "CoNLL, JSON lines …"))


def corefud() -> Picture:
    """What CorefUD has beyond other corpora."""
    picture = Picture("CorefUD: a zero is a mention that is not written, and a mention may have a gap")
    first, second = picture.words("[Juan]1 salió y [Ø]1 llegó tarde .", label="zero")[1]
    picture.link(first, second)
    picture.down(20)
    picture.words("[The man]2 left [who had sung]2 .", label="gap")
    return picture.note("partial match: a part of the mention is enough, if its head is in it")


def annotation_tools() -> Picture:
    """Out of the tool and back."""
    picture = Picture("Referee reads what annotation tools export, and writes what they import")
    tools = ("brat", "WebAnno, INCEpTION", "Label Studio", "doccano", "Prodigy")
    return funnel(picture, tools, "referee convert", ("score  agree  errors", "back to the tool"))


def curation() -> Picture:
    """Votes on one text, and what becomes of them."""
    picture = Picture("Three annotators mark one text; the majority is merged, and one case stays open")
    picture.words("[Ann]1 met [Bea]2 . [She]1 sang , and [she]2 laughed .", label="one")
    picture.words("[Ann]1 met [Bea]2 . [She]1 sang , and [she]1 laughed .", label="two")
    picture.words("[Ann]1 met [Bea]2 . [She]1 sang , and she laughed .", label="three")
    return picture.note("She is Ann by three votes; she is a mention by two of three; but whose is undecided")


def language_models() -> Picture:
    """An answer, and the words that it belongs to."""
    picture = Picture("A model's answer has words of its own: Referee aligns them with those of the key")
    picture.words("[Tobias Renn]1 resigned . [He]1 left early .", label="key")
    picture.words("[Tobias Renn]1 quit . [He]1 left early .", label="answer")
    return picture.note("resigned → quit: one word changed; the mentions are found all the same")


def python() -> Picture:
    """What a result offers, with its values."""
    picture = Picture("In Python, score returns a result: its numbers are attributes, its rows a data frame")
    result = score([list("abc"), list("defg")], [list("ab"), list("cd"), list("fghi")])
    values = (
        f"result.muc.f1       {result.muc.f1:.3f}",
        f"result.b_cubed.f1   {result.b_cubed.f1:.3f}",
        f"result.conll        {result.conll:.3f}",
        "result.signature    match:exact|…",
        "result.to_frame()   a data frame",
    )
    return funnel(picture, ("key", "response"), "referee.score", values)


def streams() -> Picture:
    """Where a command's output goes."""
    picture = Picture(
        "Results go to standard output, notices to standard error, and the exit code says how it went"
    )
    outputs = (
        "standard output: text, json, csv, latex, markdown",
        "standard error: notices, progress",
        "exit 0 good, 1 data at fault, 2 wrong usage",
    )
    return funnel(picture, ("key.conll", "response.conll", "- (a pipe)"), "referee score", outputs)


def scale() -> Picture:
    """Documents are counted apart, and counts add up."""
    picture = Picture("Workers count documents; the counts are added, so their number changes no digit")
    workers = tuple(f"worker {number}: counts" for number in (1, 2, 3))
    return funnel(picture, workers, "add up", ("one score, the same digits",))


def design() -> Picture:
    """How a score comes about."""
    picture = Picture(
        "Files become texts, matching makes a table, a metric counts, and counts add up to a score"
    )
    return picture.boxes("files", "texts", "matching", "table", "counts per document", "sum", "score")


def adding() -> Picture:
    """One entry, and where it shows."""
    picture = Picture("One entry in a list: options, Python, tables and tests take it from there")
    shown = ("--metric yours", "result.yours", "tables and report", "property tests")
    return funnel(picture, ("a function and its entry",), "METRICS", shown)


def store() -> Picture:
    """Texts come in one by one, people correct, graphs and pages come out."""
    picture = Picture("A store grows: texts are added, people decide, and what they decide stays")
    texts = ["news/*.txt", "later: new/*.txt", "merge, split, rename"]
    return funnel(picture, texts, "store/", ["entities", "graph.graphml", "page.html"])


def retrieval() -> Picture:
    """Linked texts give chunks names, and databases a graph."""
    picture = Picture("Linking gives each chunk the names of what it mentions, and a database who did what")
    return funnel(
        picture, ["news/*.txt"], "referee link", ["chunks with names and ids", "graph.csv, graph.graphml"]
    )


def languages() -> Picture:
    """Texts, what recognises their languages, and what resolves them."""
    picture = Picture(
        "The language of a text says which model resolves it; a language that none knows is refused"
    )
    return funnel(picture, ["story.txt", "brief.txt", "roman.txt"], "language?", ["en", "multi", "refused"])


GUIDES: dict[str, Callable[[], Picture]] = {  # name of a picture's file → the picture
    "adding": adding, "annotation-tools": annotation_tools,
    "changing-texts": changing_texts, "command-line": streams,
    "contingency": contingency, "corefud": corefud, "crawl": crawl, "curation": curation,
    "deployment": deployment,
    "design": design, "extras": extras, "file-formats": formats, "intervals": intervals,
    "language-models": language_models, "languages": languages, "migrating": migrating,
    "paper-steps": paper_steps,
    "pipeline": pipeline, "python": python, "recipes": recipes, "repeated-mention": repeated,
    "resolvers": rivals, "same-responses": same_responses, "scale": scale, "service": service,
    "signature-fields": signature, "retrieval": retrieval, "store": store, "training": training,
}  # fmt: skip
