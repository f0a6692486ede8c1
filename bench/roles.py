"""Compares roles by the order of words with those that spaCy's parses give, on a corpus of events.

    python bench/roles.py ../shared/data/ecbplus/dev

Only `who` and `whom` of verbs are compared: an entity whose head is the subject, the object, the passive
subject or the agent ("by") of the event's head; verbs that are joined share a subject, and that of a relative
clause is what it describes. A parser errs too, so this says how far both agree. Measured on ECB+ dev:

    who   65.2 % of 572 right, 79.5 % of 469 found
    whom  69.0 % of 297 right, 72.4 % of 283 found
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from spacy.tokens import Doc

from referee import formats
from referee.language.pipelines import load_pipeline
from referee.language.stems import head_index
from referee.model import Document, Span
from referee.resolvers.across.graph.roles import WHO, WHOM, roles

SUBJECTS = {"nsubj": WHO, "nsubjpass": WHOM}
SHARING = ("conj", "xcomp", "advcl")  # verbs whose subject is that of another
WHO_OF_IT = ("who", "which", "that")


def parsed_roles(verb: Any) -> dict[int, str]:
    """Give the heads of who does what a verb says, and to whom: word → role."""
    found: dict[int, str] = {}
    for child in verb.children:
        if child.dep_ in SUBJECTS and child.lower_ not in WHO_OF_IT:
            found[child.i] = SUBJECTS[child.dep_]
        elif child.dep_ == "dobj":
            found[child.i] = WHOM
        elif child.dep_ == "agent":
            found |= {each.i: WHO for each in child.children if each.dep_ == "pobj"}
    role = WHOM if any(child.dep_ in ("nsubjpass", "auxpass") for child in verb.children) else WHO
    if verb.dep_ in ("relcl", "acl"):  # "the man who fled", "a man suspected of it"
        found[verb.head.i] = WHOM if verb.dep_ == "acl" and verb.tag_ == "VBN" else role
    subject, above = role not in found.values(), verb
    while subject and above.dep_ in SHARING and above.head != above:
        above = above.head
        shared = [child.i for child in above.children if child.dep_ in SUBJECTS]
        found |= dict.fromkeys(shared, role)
        subject = not shared
    return found


def sentences(events: Document, entities: Document) -> Iterator[tuple[list[str], list[Span], list[Span]]]:
    """Give annotated sentences: words, events and entities, counted from where the sentence begins."""
    for begin, end in events.text.stretches:
        inside = [
            [(m.start - begin, m.end - begin) for m in each.mentions if begin <= m.start and m.end <= end]
            for each in (events, entities)
        ]
        if all(inside):
            yield list(events.words[begin:end]), *inside  # type: ignore[misc]


def main(folder: str) -> None:
    """Count what both say, and what one says alone."""
    corpus, nlp = formats.read(Path(folder)), load_pipeline()
    counts: Counter[tuple[str, str]] = Counter()
    for pair in zip(corpus.of_kind("events"), corpus.of_kind("entities"), strict=True):
        for words, events, entities in sentences(*pair):
            parse = nlp(Doc(nlp.vocab, words))
            for event in events:
                head = head_index(words, *event)
                if parse[head].pos_ not in ("VERB", "AUX"):
                    continue
                parsed = parsed_roles(parse[head])
                for role, span in roles(words, event, entities):
                    told = parsed.get(head_index(words, *span), "")
                    counts[role if role in (WHO, WHOM) else "", told] += 1
    for role in (WHO, WHOM):
        both = counts[role, role]
        ours = sum(count for (one, _), count in counts.items() if one == role)
        theirs = sum(count for (_, other), count in counts.items() if other == role)
        right, found = 100 * both / ours, 100 * both / theirs
        print(f"{role:<5} {right:.1f} % of {ours} right, {found:.1f} % of {theirs} found")


if __name__ == "__main__":
    main(sys.argv[1])
