"""Teachers: networks whose opinion of each document a smaller one learns (Hinton et al. 2015)."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from referee.training.data.examples import Choice, Example, Lesson, Vocabulary, groups, lay
from referee.training.networks.resolver import Network, Scored
from referee.training.objective import Taught, teach


class Teacher:
    """A network that reads each document once, whole, and remembers the vectors of its words."""

    def __init__(self, network: Network) -> None:
        """Begin with nothing read."""
        self.network = network
        self.vectors: dict[tuple[str, int | None], Tensor] = {}

    @torch.no_grad()
    def read_all(
        self, examples: Sequence[Example], guideline: int | None, vocabulary: Vocabulary, device: str
    ) -> None:
        """Read documents, many at a time."""
        ordered = sorted(range(len(examples)), key=lambda index: examples[index].length)
        choice = Choice(guideline=guideline)
        for batch in groups(examples, ordered, 6000):
            laid = lay(batch, [choice] * len(batch), vocabulary, device)
            vectors = self.network.read(laid.inputs).half()
            for example, offset in zip(batch, laid.offsets, strict=True):
                self.vectors[example.id, guideline] = vectors[offset : offset + example.length]

    def states(self, example: Example, choice: Choice, vocabulary: Vocabulary, device: str) -> Tensor:
        """Give the vectors of a document, or of the part of it that is shown."""
        whole = example.whole or example
        if whole.renamed:
            read = self.network.read(lay([whole], [choice], vocabulary, device).inputs)
        else:
            if (whole.id, choice.guideline) not in self.vectors:
                self.read_all([whole], choice.guideline, vocabulary, device)
            read = self.vectors[whole.id, choice.guideline]
        return read[example.begin :][: example.length].float()


class Teachers:
    """Several of them, who are asked together."""

    def __init__(
        self, networks: Sequence[Network], vocabulary: Vocabulary, device: str, width: int = 0
    ) -> None:
        """Begin with nothing read; a pupil's vectors of some width are drawn to theirs, 0 for not at all."""
        self.several = [Teacher(network) for network in networks]
        self.vocabulary, self.device = vocabulary, device
        widths = [network.encoder.shape.width for network in networks] if width else []
        self.bridges = nn.ModuleList(nn.Linear(width, theirs) for theirs in widths).to(device)
        self.seen: list[Tensor] = []

    def read_all(self, examples: Sequence[Example]) -> None:
        """Let each read all documents once."""
        different = list({example.id: example for example in examples}.values())
        for teacher in self.several:
            teacher.read_all(different, None, self.vocabulary, self.device)

    @torch.no_grad()
    def say(
        self, examples: Sequence[Example], choices: Sequence[Choice], batch: Lesson, scored: Scored
    ) -> Taught | None:
        """Ask about the spans and antecedents that the pupil itself has kept."""
        given = (scored.index, scored.candidates)
        said, self.seen = [], []
        for teacher in self.several:
            states = [
                teacher.states(example, choice, self.vocabulary, self.device)
                for example, choice in zip(examples, choices, strict=True)
            ]
            self.seen.append(torch.cat(states))
            said.append(teacher.network.head(self.seen[-1], batch.inputs.words, given))
        return teach(said) if said else None

    def apart(self, read: Tensor) -> Tensor:
        """Say how far a pupil's vectors are from what the teachers have just seen, led over a bridge each."""
        angles = [
            1 - functional.cosine_similarity(bridge(read), states, dim=1).mean()
            for bridge, states in zip(self.bridges, self.seen, strict=True)
        ]
        return torch.stack(angles).mean()
