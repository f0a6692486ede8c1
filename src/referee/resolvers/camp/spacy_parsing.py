"""Gives a text the layers that the rules read: spaCy's, or the text's trees in the same style.

Running text is cut into words by spaCy, too; words and sentences that a text has stay. A text's trees are
Universal Dependencies, in which content words govern: a preposition and a copula hang on the noun, and the
first word of a name governs the others. The rules read trees after ClearNLP, as spaCy makes them:
prepositions and copulas govern, and of a name the last word does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from referee.exceptions import FormatError, ProtocolError
from referee.language.added_layers import EMPTY_WORD, readable, spacy_layers
from referee.language.languages import ENGLISH
from referee.language.recognition import beginning_of, clearly_another
from referee.model import Text
from referee.model.layers import HEAD, ROOT
from referee.model.mentions import Span
from referee.resolvers.camp.parse_view import RELATION

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

RENAMED = {
    "obj": "dobj", "iobj": "dative", "nsubj:pass": "nsubjpass", "csubj:pass": "csubj", "nmod:poss": "poss",
    "acl:relcl": "relcl", "aux:pass": "auxpass", "det:predet": "predet", "cc:preconj": "preconj",
    "discourse": "intj", "vocative": "npadvmod", "nmod:npmod": "npadvmod", "obl:npmod": "npadvmod",
    "obl:tmod": "npadvmod", "nmod:tmod": "npadvmod", "obl:unmarked": "npadvmod", "nmod:unmarked": "npadvmod",
    "compound:prt": "prt", "root": "ROOT", "flat": "compound", "flat:name": "compound",
    "nsubj:outer": "nsubj", "reparandum": "dep", "list": "dep", "orphan": "dep", "goeswith": "compound",
}  # fmt: skip
OF_THE_CLAUSE = frozenset(
    ("nsubj", "nsubjpass", "csubj", "aux", "auxpass", "mark", "advmod", "advcl", "neg", "expl", "punct", "cc",
     "intj", "parataxis", "prep", "npadvmod", "conj")
)  # fmt: skip
FLAT = frozenset(("flat", "flat:name"))
CHUNK = 8_000  # words that are parsed at once, so that memory stays flat
SENTENCE_ENDS = frozenset((".", "!", "?", "''", '"', "”"))
MARKED_LINE = re.compile(r"[A-Z][\w-]{0,19}:\s|[-*•] |\d{1,2}[.)] ")  # From: Clara Holt; an item of a list
LONG_ROW = re.compile(r"\S{500,}")  # longer than any word, address or number
PLAIN_TOKEN = re.compile(r"\w+|\W")


def parsed_text(text: Text, used: Sequence[str], nlp: Language) -> Text:
    """Give a text the layers that the rules need, and if it is raw, its words and sentences.

    Of the layers that the text has, those named in `used` stay, and spaCy's replace the others.
    """
    missing = [name for name in used if name not in text.layers]
    if missing and text.words:
        raise FormatError(
            f"{text.id}: has no layer '{missing[0]}'; there are {', '.join(text.layers) or 'none'}"
        )
    given = {name: layer for name, layer in text.layers.items() if name in used}
    text = replace(text, layers={})
    text = text if text.words or not text.running else cut_by_spacy(text, nlp)
    if not text.length:
        return text
    refuse_other_languages(text)
    docs = [nlp(_made(text, span, nlp)) for span in _chunks(text)]
    layers: dict[str, tuple[str, ...]] = {}
    sentences: list[Span] = []
    offset = 0
    for doc in docs:
        for name, layer in doc_layers(doc, offset).items():
            layers[name] = layers.get(name, ()) + layer
        sentences += [(offset + sentence.start, offset + sentence.end) for sentence in doc.sents]
        offset += len(doc)
    has_sentences = len(text.sentences) > 1 and not _is_cut_here(text)
    all_sentences = text.sentences if has_sentences else tuple(sentences)
    if RELATION in given or HEAD in given:
        given |= _clear_layers(text.id, given, all_sentences)
    return replace(text, layers={**layers, **given}, sentences=all_sentences)


def cut_by_spacy(text: Text, nlp: Language) -> Text:
    """Cut running text into words by spaCy's rules; blank lines and marked ones end sentences."""
    running = text.running or ""
    characters: list[Span] = []
    starts = [0]
    gap = False
    for start, end in _tokens(readable(running), nlp):
        written = running[start:end]
        if written.isspace():
            gap = gap or written.count("\n") > 1
            gap = gap or ("\n" in written and MARKED_LINE.match(running, end) is not None)
            continue
        if gap and characters:
            starts.append(len(characters))
        gap = False
        characters.append((start, end))
    words = tuple(running[start:end] for start, end in characters)
    blocks = tuple(pairwise([*starts, len(words)])) if words else ()
    return replace(text, words=words, sentences=blocks, characters=tuple(characters))


def _tokens(running: str, nlp: Language) -> Iterator[Span]:
    """Give the characters of each token; a row without blanks that no language has is cut by a plain rule.

    spaCy takes the square of its length for a row of quotation marks, each of which it splits off.
    """
    at = 0
    for row in [*LONG_ROW.finditer(running), None]:
        piece = running[at : row.start() if row else len(running)]
        yield from ((at + t.idx, at + t.idx + len(t.text)) for t in nlp.tokenizer(piece))
        if row:
            yield from (token.span() for token in PLAIN_TOKEN.finditer(running, *row.span()))
            at = row.end()


def _is_cut_here(text: Text) -> bool:
    """Whether the text is only divided at blank lines so far."""
    return text.running is not None and not text.cut and not text.layers


def _chunks(text: Text) -> Iterator[Span]:
    """Cut a long text into parts, each of whole sentences as far as they are known."""
    begins = {start for start, _ in text.sentences}
    start = 0
    while text.length - start > CHUNK:
        window = range(start + CHUNK, start + CHUNK // 2, -1)
        end = next(
            (word for word in window if word in begins),
            next((word for word in window if text.words[word - 1] in SENTENCE_ENDS), start + CHUNK),
        )
        yield start, end
        start = end
    yield start, text.length


def _made(text: Text, span: Span, nlp: Language) -> Doc:
    from spacy.tokens import Doc

    start, end = span
    words = [readable(word) or EMPTY_WORD for word in text.words[start:end]]
    begins = {first - start for first, _ in text.sentences}
    given: list[Any] | None = None
    if _is_cut_here(text):
        given = [True if word in begins else None for word in range(len(words))]
    elif len(text.sentences) > 1:
        given = [word in begins for word in range(len(words))]
    return Doc(nlp.vocab, words=words, sent_starts=given)


def doc_layers(doc: Doc, offset: int = 0) -> dict[str, tuple[str, ...]]:
    """Write as layers what spaCy found in a part of a text; governors count through the whole text."""
    layers = spacy_layers(doc)
    heads = tuple(head if head == ROOT else str(int(head) + offset) for head in layers[HEAD])
    return {**layers, HEAD: heads, RELATION: tuple(token.dep_ for token in doc)}


def refuse_other_languages(text: Text) -> None:
    """Refuse a text that is not English, which the rules would fill with nonsense."""
    if language := clearly_another(beginning_of(text), [ENGLISH]):
        raise FormatError(
            f"{text.id}: this does not look like English, but like {language}; the rules of camp know no "
            "other language, and the resolver neural knows several"
        )


def _clear_layers(
    id_: str, given: Mapping[str, tuple[str, ...]], sentences: Sequence[Span]
) -> dict[str, tuple[str, ...]]:
    """Turn a text's trees, which are Universal Dependencies, into those that the rules read."""
    if not {HEAD, RELATION} <= given.keys():
        raise ProtocolError(
            f"{id_}: a tree needs the layers {HEAD} and {RELATION}; give both as corpus_layers="
        )
    heads, relations = list(given[HEAD]), list(given[RELATION])
    for start, end in sentences:
        local = [n if head == ROOT else int(head) - start for n, head in enumerate(given[HEAD][start:end])]
        if not all(0 <= head < end - start for head in local):
            raise FormatError(f"{id_}: the tree of words {start} to {end} leaves its sentence")
        new, named = as_clear_trees(local, given[RELATION][start:end])
        heads[start:end] = [ROOT if head == n else str(start + head) for n, head in enumerate(new)]
        relations[start:end] = named
    return {HEAD: tuple(heads), RELATION: tuple(relations)}


def as_clear_trees(heads: Sequence[int], relations: Sequence[str]) -> tuple[list[int], list[str]]:
    """Turn heads (a root is its head) and relations of UD into those that the rules read.

    >>> as_clear_trees([1, 1, 3, 1], ["nsubj", "root", "case", "obl"])  # she lives in Leeds
    ([1, 1, 1, 2], ['nsubj', 'ROOT', 'prep', 'pobj'])
    """
    new, names = list(heads), list(relations)
    _turn_names(new, names)
    for word, relation in enumerate(relations):
        if relation == "case" and names[new[word]] != "nmod:poss":
            _raise_preposition(new, names, word)
    named = [RENAMED.get(name, name.split(":")[0] if name.startswith("obl") else name) for name in names]
    named = ["npadvmod" if name == "obl" else "nmod" if name.startswith("nmod") else name for name in named]
    for word, relation in enumerate(relations):
        if relation == "cop":
            _raise_copula(new, named, word)
    return new, named


def _turn_names(heads: list[int], relations: list[str]) -> None:
    """Let the last word of a name govern the others."""
    last: dict[int, int] = {}
    for word, relation in enumerate(relations):
        if relation in FLAT:
            last[heads[word]] = word
    for first, word in last.items():
        for other, head in enumerate(list(heads)):
            if head == first and other not in (first, word):
                heads[other] = word
        heads[word] = word if heads[first] == first else heads[first]
        relations[word], relations[first] = relations[first], "compound"
        heads[first] = word


def _raise_preposition(heads: list[int], relations: list[str], word: int) -> None:
    """Put a preposition between a noun and what the noun hangs on."""
    noun = heads[word]
    if relations[noun] == "pobj":  # a second preposition: out of
        relations[word] = "prep"
        return
    heads[word] = word if heads[noun] == noun else heads[noun]
    relations[word] = "ROOT" if heads[word] == word else "conj" if relations[noun] == "conj" else "prep"
    heads[noun], relations[noun] = word, "pobj"


def _raise_copula(heads: list[int], relations: list[str], word: int) -> None:
    """Let a copula govern its clause, and the predicate be its complement."""
    noun = predicate = heads[word]
    governor = heads[noun]
    if relations[noun] == "pobj":  # is in Leeds: the preposition is the predicate
        predicate, governor = governor, heads[governor]
    heads[word] = word if governor == predicate else governor
    relations[word] = relations[predicate]
    for other, head in enumerate(list(heads)):
        in_clause = relations[other] in OF_THE_CLAUSE
        if head in (noun, predicate) and other not in (word, noun, predicate) and in_clause:
            heads[other] = word
    heads[predicate], relations[predicate] = word, "attr" if predicate == noun else "prep"
