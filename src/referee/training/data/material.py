"""What a network learns from and is measured by."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from referee.training.data.examples import Example, load_examples
from referee.training.data.swapping import Swaps
from referee.training.settings import Settings


@dataclass(slots=True)
class Material:
    """Documents with clusters; short or unlabelled ones that come beside them, and how many to a batch."""

    train: list[Example]
    dev: dict[str, list[Example]]
    beside: list[tuple[list[Example], int]] = field(default_factory=list)
    swaps: Swaps | None = None

    @property
    def all_train(self) -> list[list[Example]]:
        """Everything that a teacher will be asked about."""
        return [self.train, *(examples for examples, _ in self.beside)]


def repeated_men(paragraphs: list[Example], times: int) -> list[Example]:
    """Let GAP's paragraphs about men count several times."""
    return paragraphs + (times - 1) * [example for example in paragraphs if not example.gap[-1]]


def prepared_material(settings: Settings) -> Material:
    """Choose from a file of arrays what a run is told to use."""
    examples = [e for path in (settings.data, *settings.more) for e in load_examples(Path(path))]

    def chosen(*wanted: tuple[str, str]) -> list[Example]:
        own = [example for example in examples if (example.corpus, example.part) in wanted]
        limit = settings.limit
        return own[:: max(len(own) // limit, 1)][:limit] if limit else own

    beside = [(repeated_men(chosen(("gap", "development")), settings.masculine), settings.gap)]
    beside += [(chosen((name, "train")), 1) for name in settings.unlabelled]
    dev = {
        "gum": chosen(("gum", "dev")),
        "lit": chosen(("lit", "dev")),
        "gap": chosen(("gap", "validation")),
    }
    swaps = Swaps.load(Path(settings.swaps)) if settings.swaps else None
    return Material(chosen(("gum", "train"), ("lit", "train")), dev, beside, swaps)
