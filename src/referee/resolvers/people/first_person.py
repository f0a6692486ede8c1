"""Who says I, in languages other than English: the speakers of a play, chat or letter, or a novel's narrator.

A resolver decides link by link, and over a whole play two people who call each other *you* become one. Where
labels, a greeting or a signature name who speaks, `turns` makes each speaker one entity. Where nobody is
named, names (`same_names`), dialogues (`dialogues`) and the narrator are looked at: *I* outside of quotations
is one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from referee.language.word_classes import ME, class_of, classes_of, quotations
from referee.model import Cluster, Document, Mention
from referee.resolvers.people.dialogues import with_dialogues
from referee.resolvers.people.kin import with_kin
from referee.resolvers.people.layout import Layout
from referee.resolvers.people.same_names import with_same_names
from referee.resolvers.people.second_pass import BY_NAME
from referee.resolvers.people.turns import with_turns

LONG, NARRATED = 2000, 200  # words of a narrated text at least, and for each I of its narrator at most
MOSTLY = 0.6  # of the narrator's I are in one entity already
TELLING = 0.25  # of an entity are the narrator's I, so that it is the narrator
DASHES = frozenset(("—", "–", "-"))


def with_first_person(
    document: Document, speakers: Sequence[str], language: str, layout: Layout, *, add: bool = True
) -> list[list[Mention]]:
    """Give a document's clusters with one entity for each speaker, or for a narrator if none is named.

    Without `add` no mention is added.
    """
    if any(speakers):
        said = with_turns(document, speakers, language, layout.labels, layout.hearers, add=add)
    else:
        named = _with_clusters(document, with_same_names(document, language))
        talking = _with_clusters(named, with_dialogues(named, language))
        said = with_narrator(talking, language)
    return with_kin(_with_clusters(document, said), language, add=add)


def _with_clusters(document: Document, clusters: Iterable[Sequence[Mention]]) -> Document:
    """Give a document other clusters."""
    numbered = (Cluster(str(number), tuple(mentions)) for number, mentions in enumerate(clusters))
    return replace(document, clusters=tuple(numbered))


def with_narrator(document: Document, language: str) -> list[list[Mention]]:
    """Give the clusters of a document so that its narrator is one, if it has one.

    On *Manon Lescaut* (71,691 words, people alone) that gives 45.8 instead of 40.3 B³.
    """
    words, clusters = document.words, [list(cluster.mentions) for cluster in document.clusters]
    if document.text.length < LONG:
        return clusters
    said = said_words(document, language)
    telling = Counter(
        number
        for number, cluster in enumerate(clusters)
        for mention in cluster
        if not said[mention.start] and _is_me(words, mention, language)
    )
    count = telling.total()
    if not count or NARRATED * count < len(said) - sum(said):
        return clusters
    narrator, most = telling.most_common(1)[0]
    if most < MOSTLY * count:
        return clusters
    told = [
        number
        for number in telling
        if number != narrator and telling[number] > TELLING * len(clusters[number])
    ]
    for number in told:
        clusters[narrator] += [
            replace(mention, link_score=mention.link_score or BY_NAME) for mention in clusters[number]
        ]
    clusters[narrator].sort(key=lambda mention: (mention.start, mention.end))
    clusters[narrator][0] = replace(clusters[narrator][0], link_score=None)
    return [cluster for number, cluster in enumerate(clusters) if number not in told]


def said_words(document: Document, language: str) -> list[bool]:
    """Say of each word whether somebody says it: between marks, or in a sentence that begins with a dash."""
    words = document.words[: document.text.length]
    said = [number > 0 for number in quotations(words, classes_of(language))]
    for start, end in document.sentences:
        if words[start] in DASHES:
            said[start:end] = [True] * (end - start)
    return said


def _is_me(words: Sequence[str], mention: Mention, language: str) -> bool:
    return mention.end - mention.start == 1 and class_of(words[mention.start], classes_of(language)) == ME
