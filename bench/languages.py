"""Measures other languages than English: python bench/languages.py DATA [--only PART] [--model NAME].

DATA has languages/, corefud/ and ontogum/ as the tests have them. It prints Markdown, which docs/languages.md
holds: how often the language of 20 words is recognised; how many mentions begin and end where words do in
scripts without blanks; and how a model does on development texts beside string match over the same mentions,
exact, without singletons; whole development parts, and a novel in which people alone are annotated, so that
only annotated mentions count; English and Hungarian also by CorefUD's rules, beside CorPipe 24's figures.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

import referee
from referee.language.cutting.words import cut_words
from referee.language.languages import LANGUAGES, WITHOUT_BLANKS
from referee.language.recognition import UNKNOWN, recognised
from referee.model import Cluster, Document, Mention, Text
from referee.resolvers.base import Resolver, resolver_named
from referee.resolvers.neural.models import known_languages, languages_of, models_to_choose
from referee.scoring.scorer import Scorer

DEV = {
    "de": "languages/de_gerdracor/dev.jsonl", "en": "ontogum/dev/conllu",
    "fr": "languages/fr_litbank/dev.jsonl", "hu": "languages/hu_korkor/dev.jsonl",
    "ja": "languages/ja_wikipedia/dev.jsonl", "nb": "languages/nb_narc/dev.jsonl",
    "nl": "languages/nl_openboek/dev", "nn": "languages/nn_narc/dev.jsonl",
    "th": "languages/th_hancoref/dev.jsonl",
}  # fmt: skip
# The dev part of en_litbank is not here: all ten of its texts were trained on.
# In KorKor the head of a mention is its last word, always: there no tree is needed.
COREFUD = {
    "en_gum": ("en", "corefud/en_gum-corefud-dev.conllu.gz", 74.4),
    "hu_korkor": ("hu", "languages/hu_korkor/dev.jsonl", 60.1),
}
PASSAGE, PASSAGES = 20, 500  # words of a passage, and how many of each language at most
ANOTHER = ("klassekampen_03",)  # in Nynorsk, though in the part for Bokmål
CODE = "hsl"  # a word of the tables of colours that end a French file
PEOPLE_ONLY = {"fr": "languages/fr_litbank/people_only.jsonl"}
PARTS = ("recognition", "cutting", "scores", "whole", "corefud")


def documents(data: Path, language: str) -> Iterator[Document]:
    """Read development texts; the Thai ones have characters and no words."""
    path = data / DEV[language]
    if language != "th":
        yield from referee.read(str(path))
        return
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        row = json.loads(line)
        clusters = [
            Cluster(str(n), tuple(Mention.at(*span) for span in dict.fromkeys(map(tuple, spans))))
            for n, spans in enumerate(row["clusters"])
        ]
        yield Document(Text(f"th{number}", (), (), running=row["text"]), tuple(clusters))


def passages(data: Path, language: str) -> list[str]:
    """Cut texts into passages of 20 words, evenly chosen."""
    found, blank = [], "" if language in WITHOUT_BLANKS else " "
    for document in documents(data, language):
        words = document.words[: document.text.length] if document.id not in ANOTHER else ()
        if document.text.running and not words:
            running = document.text.running
            words = tuple(running[a:b] for a, b in cut_words(running, language))
        found += [blank.join(words[n : n + PASSAGE]) for n in range(0, len(words) - PASSAGE + 1, PASSAGE)]
    found = [passage for passage in found if CODE not in passage.split()]
    step = max(len(found) // PASSAGES, 1)
    return found[::step][:PASSAGES]


def recognition(data: Path) -> None:
    """Say how often the language of 20 words is recognised."""
    print("| language | passages | recognised | unknown | taken for |\n|:--|--:|--:|--:|:--|")
    shares = []
    for language in DEV:
        said = Counter(map(recognised, passages(data, language)))
        count, right, unknown = said.total(), said[language], said[UNKNOWN]
        shares.append(right / count)
        others = ", ".join(f"{code} {n}" for code, n in said.most_common() if code not in (language, UNKNOWN))
        row = f"{100 * right / count:.1f} | {100 * unknown / count:.1f} | {others or '–'}"
        print(f"| {LANGUAGES[language]} | {count} | {row} |", flush=True)
    print(f"| all, each language with equal weight | | {100 * sum(shares) / len(shares):.1f} | | |")


def cutting(data: Path) -> None:
    """Say how many mentions begin and end where words do, in scripts without blanks."""
    print("| language | mentions | begin and end where words do |\n|:--|--:|--:|")
    for language in sorted(WITHOUT_BLANKS):
        fitting = count = 0
        for document in documents(data, language):
            running, clusters = as_characters(document)
            edges = {edge for span in cut_words(running, language) for edge in span}
            spans = {span for cluster in clusters for span in cluster}
            count += len(spans)
            fitting += sum(set(span) <= edges for span in spans)
        print(f"| {LANGUAGES[language]} | {count:,} | {100 * fitting / count:.1f} % |")


def as_characters(document: Document) -> tuple[str, list[list[tuple[int, int]]]]:
    """Give a text without blanks, and its clusters in characters."""
    text = document.text
    spans = [[(m.start, m.end) for m in cluster.mentions] for cluster in document.clusters]
    if text.running is not None and not text.words:
        return text.running, spans
    edges = list(accumulate(map(len, text.words[: text.length]), initial=0))
    return "".join(text.words[: text.length]), [[(edges[a], edges[b]) for a, b in each] for each in spans]


def same_strings(document: Document) -> list[list[tuple[int, int]]]:
    """Link mentions that are written alike, in whatever case."""
    by_name: dict[str, list[tuple[int, int]]] = {}
    for mention in document.mentions:
        by_name.setdefault(document.text.spelled(mention.spans).lower(), []).append(
            (mention.start, mention.end)
        )
    return list(by_name.values())


def spans_of(document: Document, *, cut: bool = False) -> list[list[tuple[int, int]]]:
    """Give clusters as spans; of a text that the resolver has cut, in characters."""
    where = document.text.characters
    at = [[(m.start, m.end) for m in cluster.mentions] for cluster in document.clusters]
    return [[(where[a][0], where[b - 1][1]) for a, b in each] for each in at] if cut else at


def conll(pairs: Sequence[tuple[list[list[tuple[int, int]]], list[list[tuple[int, int]]]]]) -> str:
    """Score, without singletons."""
    scorer = Scorer()
    for key, response in pairs:
        scorer.update([each for each in key if len(each) > 1], [each for each in response if len(each) > 1])
    return f"{100 * scorer.compute().conll:.1f}"


def words_in(document: Document, language: str) -> int:
    """Count the words of a text, also of one that is not cut yet."""
    return document.text.length or sum(1 for _ in cut_words(document.text.running or "", language))


def some(data: Path, language: str, most: int) -> list[Document]:
    """Take texts by their names, as many as have so many words; one in any case."""
    chosen, length = list[Document](), 0
    for document in sorted(documents(data, language), key=lambda each: each.id):
        if not chosen or length + words_in(document, language) <= most:
            chosen.append(document)
            length += words_in(document, language)
    return chosen


def scores(data: Path, model: str | None, words: int) -> None:
    """Score models on the languages that they know, beside string match over the same mentions."""
    print("| language | model | words | mentions found | string match on them | given | string match |")
    print("|:--|:--|--:|--:|--:|--:|--:|")
    for chosen, about in models_to_choose(model):
        for language in languages_of(about):
            asked = {"model": chosen.name if model is None else model, "language": language}
            finding = resolver_named("neural", **asked, singletons="keep")
            linking = resolver_named("neural", **asked, mentions="gold")
            known = some(data, language, words)
            length = sum(words_in(each, language) for each in known)
            row = [*_found(finding, known), *(_given(linking, known) if language != "th" else ("–", "–"))]
            print(f"| {LANGUAGES[language]} | {chosen.name} | {length:,} | {' | '.join(row)} |", flush=True)


def _found(resolver: Resolver, known: Sequence[Document]) -> tuple[str, str]:
    found = [resolver.respond_to(document) for document in known]
    cut = not known[0].text.words
    keys = [spans_of(each) for each in known]
    alike = [spans_of(with_strings_linked(each), cut=cut) for each in found]
    responses = [spans_of(each, cut=cut) for each in found]
    return conll(list(zip(keys, responses, strict=True))), conll(list(zip(keys, alike, strict=True)))


def with_strings_linked(document: Document) -> Document:
    """Link the mentions of a document that are written alike."""
    clusters = (
        Cluster(str(number), tuple(Mention.at(*span) for span in spans))
        for number, spans in enumerate(same_strings(document))
    )
    return Document(document.text, tuple(clusters))


def _given(resolver: Resolver, known: Sequence[Document]) -> tuple[str, str]:
    keys = [spans_of(each) for each in known]
    linked = [spans_of(resolver.respond_to(each)) for each in known]
    alike = [same_strings(each) for each in known]
    return conll(list(zip(keys, linked, strict=True))), conll(list(zip(keys, alike, strict=True)))


def whole(data: Path, model: str | None) -> None:
    """Score whole development parts, and of a novel whose people are annotated these mentions alone."""
    print("| language | words | CoNLL | B³ |\n|:--|--:|--:|--:|")
    for language in (each for each in known_languages(model) if each not in ("en", "th")):
        _whole_row(LANGUAGES[language], language, list(documents(data, language)), model)
        if path := PEOPLE_ONLY.get(language):
            known = list(referee.read(str(data / path)))
            _whole_row(f"{known[0].id}, people alone", language, known, model, annotated=True)


def _whole_row(
    name: str, language: str, known: Sequence[Document], model: str | None, *, annotated: bool = False
) -> None:
    """Resolve texts and print a row; of `annotated` mentions alone if others were left out on purpose."""
    resolver = resolver_named("neural", model=model, language=language)
    scorer = Scorer()
    for document in known:
        key, found = spans_of(document), spans_of(resolver.respond_to(document))
        if annotated:
            spans = {span for cluster in key for span in cluster}
            found = [[span for span in cluster if span in spans] for cluster in found]
        scorer.update([each for each in key if len(each) > 1], [each for each in found if len(each) > 1])
    scored, words = scorer.compute(), sum(document.text.length for document in known)
    print(f"| {name} | {words:,} | {100 * scored.conll:.1f} | {100 * scored.b_cubed.f1:.1f} |", flush=True)


def corefud(data: Path, model: str | None) -> None:
    """Score by CorefUD's rules, beside CorPipe's published figures (other splits: test parts)."""
    print("| data set | model | CoNLL, head match | CorPipe 24, test |\n|:--|:--|--:|--:|")
    for name, (language, file, published) in COREFUD.items():
        key = referee.read(str(data / file))
        chosen = model or ("en" if language == "en" else "multi")
        if language not in known_languages(chosen):
            continue
        guidelines = "ontonotes" if language == "en" else None
        found = referee.resolve(key, "neural", model=chosen, language=language, guidelines=guidelines)
        response = [last_as_head(each) if language == "hu" else each for each in found]
        value = 100 * referee.score(key, response, protocol="crac").conll
        print(f"| {name} dev | {chosen} | {value:.1f} | {published} |", flush=True)


def last_as_head(document: Document) -> Document:
    """Make the last word of each mention its head."""
    return replace(
        document,
        clusters=tuple(
            replace(cluster, mentions=tuple(replace(m, head=m.end - 1) for m in cluster.mentions))
            for cluster in document.clusters
        ),
    )


def main() -> None:
    """Print what is asked for, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--model", help="a model's name or folder; otherwise all that are installed")
    parser.add_argument("--words", type=int, default=10_000, help="of a language that are scored, at most")
    given = parser.parse_args()
    for part in PARTS:
        if given.only in (None, part):
            print(f"\n{part}\n")
            {
                "recognition": lambda: recognition(given.data),
                "cutting": lambda: cutting(given.data),
                "whole": lambda: whole(given.data, given.model),
                "scores": lambda: scores(given.data, given.model, given.words),
                "corefud": lambda: corefud(given.data, given.model),
            }[part]()


if __name__ == "__main__":
    main()
