"""The mean of networks that began alike and were trained in different orders (Wortsman et al. 2022)."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch

from referee.training.export.storing import load_network, save_network
from referee.training.loop import trainer_as_set
from referee.training.settings import Settings


def soup(settings: Settings, folder: Path, device: str) -> None:
    """Average the networks that are named as teachers, measure the mean and save it."""
    networks = [load_network(Path(path), "cpu") for path in settings.teachers]
    states = [network.state_dict() for network in networks]
    mean = {name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]}
    settings.teachers = []
    trainer = trainer_as_set(settings, folder, device)
    networks[0].load_state_dict(mean)
    trainer.network = networks[0].to(device)
    trainer.say(event="last", step=0, loss=0, **trainer.measured(thorough=True))
    save_network(trainer.network, trainer.vocabulary.kept, settings, folder / f"{settings.name}.safetensors")


def soup_as_set(settings: Path, folder: Path) -> None:
    """Average networks as a file of settings says."""
    torch.set_num_threads(1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    soup(Settings(**json.loads(settings.read_text(encoding="utf-8"))), folder, device)


if __name__ == "__main__":
    soup_as_set(*map(Path, sys.argv[1:]))
