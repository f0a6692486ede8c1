"""A spaCy component: nlp.add_pipe("referee") gives documents their clusters.

It sets `doc._.coref_clusters` (pairs of characters, ends excluded; an empty list if there are none),
`doc.spans["coref_clusters_1"]` and so on, and `doc._.resolved_text`, so that switching from fastcoref,
neuralcoref or spacy-experimental is one line. `doc.spans["coref_names"]` has a span for each cluster, the one
that says best what it is. spaCy finds the component by an entry point; nothing else loads spaCy.

Spans and tokens have attributes that follow from these groups, also in a document that was saved and loaded:

    span._.coref_cluster     the number of the cluster that the span is a mention of, from 1; None if of none
    span._.coref_entity      the span that names this cluster best; None if the span is not a mention
    token._.coref_clusters   the numbers of the clusters that have a mention with the token in it

`nlp.evaluate` scores what the component finds against the clusters of the examples.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from referee.formats.objects.spacy_docs import GROUP, spacy_clusters
from referee.language.recognition import other_than_english
from referee.metrics.standard import DEFAULT_METRICS
from referee.model import Document, Span, Text
from referee.resolvers.base import Resolver, default_resolver, resolver_within
from referee.resolvers.camp.camp import Camp
from referee.resolvers.camp.spacy_parsing import doc_layers
from referee.resolvers.notices import warned
from referee.resolvers.replacing.naming import representative
from referee.resolvers.resolved import Resolved
from referee.scoring.scorer import Scorer

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, SpanGroup, Token
    from spacy.tokens import Span as DocSpan
    from spacy.training import Example

NAME = "referee"
NAMES = "coref_names"  # the span group that has a span for each cluster: the one that names it best


class CorefComponent:
    """Resolves documents of spaCy; camp uses the parse that they have."""

    def __init__(self, resolver: Resolver) -> None:
        """Use a resolver."""
        self.resolver = resolver

    def __call__(self, doc: Doc) -> Doc:
        """Give a document its clusters."""
        # Blanks and line ends are words to spaCy; rules look at its whole parse, others at real words.
        tokens = [token for token in doc if isinstance(self.resolver, Camp) or not token.is_space]
        document = self._document(doc, tokens)
        result = Resolved(document)
        doc._.coref_clusters = result.get_clusters(as_strings=False)
        # Names are put for pronouns in English alone.
        doc._.resolved_text = "" if other_than_english(document.text) else result.resolved_text
        for number, cluster in enumerate(document.clusters, start=1):
            spans = [doc[tokens[m.start].i : tokens[m.end - 1].i + 1] for m in cluster.mentions]
            doc.spans[f"{GROUP}{number}"] = spans
        if document.clusters:
            best = [representative(document.text, cluster) for cluster in document.clusters]
            doc.spans[NAMES] = [doc[tokens[m.start].i : tokens[m.end - 1].i + 1] for m in best]
        return doc

    def score(self, examples: Iterable[Example], **_: Any) -> dict[str, float | None]:
        """Score the clusters of spaCy's examples, as `nlp.evaluate` asks of each component.

        A mention is its characters, so that the tokens of prediction and reference may differ. Examples whose
        reference has no clusters are skipped.

        Args:
            examples: Predicted documents and references; these have span groups `coref_clusters_1` and so
                on, or an extension `coref_clusters`.

        Returns:
            `coref_f`, the CoNLL average, and for each metric its precision, recall and F1 between 0 and 1:
            `coref_muc_p`, `coref_muc_r`, `coref_muc_f` and so on; all None if no reference has clusters.
        """
        scorer, seen = Scorer(), 0
        for example in examples:
            key = _clusters_in_characters(example.reference)
            if key:
                scorer.update(key, _clusters_in_characters(example.predicted))
                seen += 1
        found = scorer.compute() if seen else None
        scores = {
            f"coref_{name}_{letter}": getattr(found[name], number) if found else None
            for name in DEFAULT_METRICS
            for letter, number in (("p", "precision"), ("r", "recall"), ("f", "f1"))
        }
        return {"coref_f": found.conll if found else None, **scores}

    def _document(self, doc: Doc, tokens: Sequence[Token]) -> Document:
        characters = tuple((token.idx, token.idx + len(token)) for token in tokens)
        words = tuple(token.text for token in tokens)
        whole = Text("doc", words, (), running=doc.text, characters=characters)
        if isinstance(self.resolver, Camp) and words:
            sentences = tuple((sentence.start, sentence.end) for sentence in doc.sents)
            return self.resolver.resolve_parsed(replace(whole, sentences=sentences, layers=doc_layers(doc)))
        begins = [0, *(n for n, token in enumerate(tokens) if n and token.is_sent_start), len(words)]
        text = replace(whole, sentences=tuple(pairwise(begins))) if words else replace(whole, running=None)
        return next(iter(self.resolver.resolve([text])))


def _clusters_in_characters(doc: Doc) -> list[list[Span]]:
    return [
        [(doc[m.start].idx, doc[m.end - 1].idx + len(doc[m.end - 1])) for m in cluster.mentions]
        for cluster in spacy_clusters(doc, "document")
    ]


def _groups(doc: Doc) -> Iterator[tuple[int, SpanGroup]]:
    """List the span groups of clusters that this component made, with their numbers."""
    number = 1
    while (name := f"{GROUP}{number}") in doc.spans:
        yield number, doc.spans[name]
        number += 1


def _cluster_of(span: DocSpan) -> int | None:
    groups = _groups(span.doc)
    return next((n for n, group in groups if any(_ends(m) == _ends(span) for m in group)), None)


def _entity_of(span: DocSpan) -> DocSpan | None:
    number, names = _cluster_of(span), span.doc.spans.get(NAMES, ())
    return names[number - 1] if number and number <= len(names) else None


def _clusters_of_token(token: Token) -> list[int]:
    return [n for n, group in _groups(token.doc) if any(m.start <= token.i < m.end for m in group)]


def _ends(span: DocSpan) -> Span:
    return span.start, span.end


def _register() -> Any:
    """Make the component and its attributes known to spaCy."""
    from spacy.language import Language
    from spacy.tokens import Doc, Span, Token

    for name, value in (("coref_clusters", []), ("resolved_text", "")):
        Doc.set_extension(name, default=value, force=True)
    Span.set_extension("coref_cluster", getter=_cluster_of, force=True)
    Span.set_extension("coref_entity", getter=_entity_of, force=True)
    Token.set_extension("coref_clusters", getter=_clusters_of_token, force=True)

    @Language.factory(
        NAME, default_config={"resolver": None, "settings": {}}, default_score_weights={"coref_f": 1.0}
    )
    def make_component(
        nlp: Language, name: str, resolver: str | None, settings: dict[str, Any]
    ) -> CorefComponent:
        del nlp, name
        return CorefComponent(warned(resolver_within(resolver or default_resolver(settings), **settings)))

    return make_component


def __getattr__(name: str) -> Any:
    if name == "factory":  # spaCy asks for it by the entry point
        return _register()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
