"""The settings of training, declared once for each resolver that is trained; nothing here needs torch."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import Any

from referee.exceptions import SettingError, did_you_mean
from referee.language.languages import LANGUAGES
from referee.matching.protocol import CHOICES
from referee.resolvers.base import DeclaredSettings, Setting, check_settings, with_defaults
from referee.training.across.ways import APART, WAYS
from referee.training.constants import BATCH_WORDS, CORRECTED_EPOCHS, EPOCHS, RATE

_ENCODER = (
    "encoder", str,
    "The folder of the encoder, or a model, whose encoder is used. For neural it must be given; a folder has "
    "config.json, model.safetensors and tokenizer.json (BERT, MiniLM, e5, MPNet).",
)  # fmt: skip
_EPOCHS = Setting("epochs", int, "How often each document is seen.", EPOCHS, bounds=(1, inf))
_SEED = Setting("seed", int, "Of all random numbers: the same seed gives the same model.", 1, bounds=(0, inf))
_DEVICE = Setting("device", str, "Where to train.", otherwise="a GPU if there is one", value="cpu|cuda")

NEURAL = (
    Setting(*_ENCODER, value="NAME|FOLDER"),
    Setting(
        "language", str, "The language of the corpora, by whose words pronouns and articles are told.",
        otherwise="English words; the model refuses no language", choices=tuple(LANGUAGES), value="CODE",
    ),
    _EPOCHS,
    _SEED,
    _DEVICE,
    Setting("resume", bool, "Go on with a run that was stopped, as if it had not been.", False),
    Setting(
        "encoder_layers", int, "How many of the encoder's layers to keep.", 0, "all", bounds=(0, inf)
    ),
    Setting(
        "vocabulary", int, "How many subwords of the encoder's vocabulary to keep.", 0, "all",
        bounds=(0, inf),
    ),
    Setting(
        "patience", int, "Epochs without a better dev score before training ends.", 5, bounds=(0, inf)
    ),
    Setting("learning_rate", float, "Of the encoder's upper layer.", RATE, bounds=(0, inf)),
    Setting("batch_words", int, "Words in a batch.", BATCH_WORDS, bounds=(1, inf)),
    Setting("max_words", int, "Words of a document that are shown at once, at most.", 2500, bounds=(1, inf)),
    Setting("int8", bool, "Prepare for export in eight bits: round as the export will.", False),
    Setting(
        "teacher", tuple, "The folder of a trained model to learn from beside the corpus; may be repeated.",
        (), value="FOLDER",
    ),
    Setting(
        "entities", str, "The same texts with all entities, also those mentioned once.", value="CORPUS"
    ),
    Setting("gap", Path, "GAP's development texts, for pronouns and names.", value="FILE"),
)  # fmt: skip
ACROSS = (
    Setting(*_ENCODER, otherwise="the model that is installed", value="NAME|FOLDER"),
    _EPOCHS,
    _SEED,
    _DEVICE,
    Setting(
        "kind", str, "Which mentions λ and τ are tuned for; both kinds are learned in any case.", "all",
        choices=CHOICES["kind"],
    ),
    Setting("no_reader", bool, "Do not train a scorer that reads passages together.", False),
    Setting(
        "way", str,
        "How finding mentions and linking them are learned: each by itself, one after the other, the first "
        "before both, or both at once.",
        APART, choices=tuple(WAYS),
    ),
)  # fmt: skip
CORRECTED = DeclaredSettings(
    "what was corrected in the workbench",
    (
        Setting("model", str, "The model that goes on learning: a folder, or an installed one.",
                otherwise="the one that is installed", value="NAME|FOLDER"),
        Setting("guidelines", str, "The guidelines by which it was corrected.",
                otherwise="the model's first", value="NAME"),
        Setting("epochs", int, _EPOCHS.help, CORRECTED_EPOCHS, bounds=(1, inf)),
        _SEED,
        Setting(
            "folds", int, "Parts that the documents are divided into: each is held out once, to measure "
            "whether learning from the others helped.", 5, bounds=(2, inf),
        ),
    ),
)  # fmt: skip
TRAINED = {
    "neural": DeclaredSettings("coreference within documents", NEURAL, ("encoder",)),
    "across": DeclaredSettings("coreference across documents, from a corpus with topics", ACROSS),
}


def training_settings(resolver: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Refuse what a resolver's training does not take, and add what holds where nothing is given."""
    for name in given:
        if name in CORRECTED.names and name not in {
            each for entry in TRAINED.values() for each in entry.names
        }:
            raise SettingError(f"{name}= is for learning from what was corrected: give corrections=, too")
    check_settings(resolver, given, TRAINED)
    for name in TRAINED[resolver].needed:
        if given.get(name) is None:
            raise SettingError(f"resolver='{resolver}' needs {name}=")
    return with_defaults(TRAINED[resolver], given)


def corrected_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """Refuse what learning from corrections does not take, and add what holds where nothing is given."""
    for name in given:
        if name not in CORRECTED.names:
            there = ", ".join(f"{known}=" for known in CORRECTED.names)
            near = did_you_mean(name, CORRECTED.names)
            raise SettingError(f"{name}= does nothing with corrections=, which takes {there}{near}")
    check_settings("corrections", given, {"corrections": CORRECTED})
    return with_defaults(CORRECTED, given)
