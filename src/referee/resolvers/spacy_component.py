"""A spaCy component: nlp.add_pipe("referee") gives documents their clusters.

It sets `doc._.coref_clusters` (pairs of characters, ends excluded; an empty list if there are none),
`doc.spans["coref_clusters_1"]` and so on, and `doc._.resolved_text`, so that switching from fastcoref,
neuralcoref or spacy-experimental is one line. spaCy finds it by an entry point; nothing else loads spaCy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from referee.model import Document, Text
from referee.resolvers.base import Resolver, default_resolver, resolver_within
from referee.resolvers.camp.camp import Camp
from referee.resolvers.camp.spacy_parsing import doc_layers
from referee.resolvers.resolved import Resolved

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

NAME = "referee"


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
        doc._.resolved_text = result.resolved_text
        for number, cluster in enumerate(document.clusters, start=1):
            spans = [doc[tokens[m.start].i : tokens[m.end - 1].i + 1] for m in cluster.mentions]
            doc.spans[f"coref_clusters_{number}"] = spans
        return doc

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


def _register() -> Any:
    """Make the component known to spaCy."""
    from spacy.language import Language
    from spacy.tokens import Doc

    for name, value in (("coref_clusters", []), ("resolved_text", "")):
        Doc.set_extension(name, default=value, force=True)

    @Language.factory(NAME, default_config={"resolver": None, "settings": {}})
    def make_component(
        nlp: Language, name: str, resolver: str | None, settings: dict[str, Any]
    ) -> CorefComponent:
        del nlp, name
        return CorefComponent(resolver_within(resolver or default_resolver(settings), **settings))

    return make_component


def __getattr__(name: str) -> Any:
    if name == "factory":  # spaCy asks for it by the entry point
        return _register()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
