"""What is left of a perfect and of a noisy model when long texts are asked about in windows.

Each window gets the right answer, or one with changed, dropped and added words and dropped tags, as a run
would leave it; then the windows are joined and scored. Entities are carried over unless --alone is given.

python bench/windows.py CORPUS [WORDS] [--alone]
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import referee
from answers import TAGS, corrupted, nested
from referee.llm.carrying import KnownEntities
from referee.llm.instructions import NOTATIONS, answer_for
from referee.llm.journal import Journal
from referee.llm.prompts import PromptSet
from referee.llm.replies import Reply
from referee.llm.tokens import Usage
from referee.model import Corpus, DocumentCorpus, Window

NOISE = 0.05, 0.02  # of words and of tags


def main(path: str, words: int, *, alone: bool) -> None:
    """Print the figures."""
    key = DocumentCorpus(list(referee.read(path)), "key")
    print(f"the key against itself: CoNLL {100 * referee.score(key, key).conll:.2f}")
    for notation in NOTATIONS:
        prompts = referee.llm_prompt(key, notation=notation, window=words, carry=0 if alone else None)
        for noisy in (False, True)[: 2 if notation in TAGS else 1]:
            before = perf_counter()
            with tempfile.TemporaryDirectory() as folder:
                answer(prompts, key, Path(folder), noisy=noisy)
                answered = perf_counter()
                result = referee.llm_score(key, folder).result
            lost = sum(result.alignment["lost"].values())
            seconds = f"{answered - before:5.1f} s + {perf_counter() - answered:4.1f} s"
            print(
                f"{notation:<12}{'noise' if noisy else 'right':<6} {len(prompts.texts)} windows, "
                f"CoNLL {100 * result.conll:6.2f}, {lost} of {result.alignment['mentions']} mentions lost, "
                f"{result.alignment['taken_ids']} ids taken, {seconds}"
            )


def answer(prompts: PromptSet, key: Corpus, folder: Path, *, noisy: bool) -> None:
    """Answer each prompt as a run would."""
    chance = random.Random(1)
    journal = Journal(folder, prompts, "simulated")
    with journal.opened():
        for row in prompts.chains():
            known = KnownEntities(prompts.documents[row[0].document])
            for prompt in row:
                document = Window.of(key[prompt.document], prompt.start, prompt.end).document
                text = answer_for(
                    nested(document) if prompts.notation in TAGS else document, prompts.notation
                )
                text = corrupted(text, prompts.notation, *NOISE, chance) if noisy else text
                _, carried = known.listed(prompts.carry) if prompt.after else ("", {})
                journal.keep(prompt, Reply("", text, "answered"), Usage(), carried=carried)
                known.add(prompt, folder, journal.ending)


if __name__ == "__main__":
    given = [word for word in sys.argv[1:] if word != "--alone"]
    main(given[0], int(given[1]) if len(given) > 1 else 300, alone="--alone" in sys.argv)
