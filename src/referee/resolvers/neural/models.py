"""Models: folders with an encoder, a head, a tokenizer and facts, given by path or installed as packages.

A folder may have a scorer of entities beside them. A model that only links texts has heads for that in place
of the one for single texts.

A package of a model offers its module under the entry point `referee_models`; the module's folder is the
model's. Nothing of it is imported to find it. What `model.json` may say beside what running needs:

    name, version, language, licence, parameters, bits, encoder
    trained_on    [{"name", "licence", "part"}]       command, seed     how it was trained
    scores        [{"corpus", "conll", "interval", "genre"}], in percent; interval and genre where known
    gap           {"f1", "bias", "feminine", "masculine", "part"}
    failures      ["known failures, a sentence each"]
    calibration   {"link": {"slope", "intercept"}, "mention": …, "entity": …}: see `probabilities`
    threshold     what a link must score, in log odds, unless set; singleton_threshold too
    thresholds    {guidelines: what a link must score there}, where that is another number
    precision     {guidelines: {"predicted": {"threshold", "precision"}, "gold": …}}: how precise links were
                  on development texts by threshold, where mentions were found and where they were given
    guidelines    names of the guidelines that it knows, in the order of their numbers
    languages     {guidelines: code of their language}; where it is missing, `language` holds for all, by its
                  name; English where nothing is said, and then texts in others are not refused
    self_test     a sentence in which it finds something
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from referee.encoding import encoded
from referee.exceptions import FormatError, ProtocolError, SettingError, did_you_mean
from referee.formats.io.json_file import json_object
from referee.formats.io.saving import save_bytes
from referee.language.languages import ENGLISH, LANGUAGES

GROUP = "referee_models"  # of entry points
FILES = ENCODER, HEAD, TOKENIZER, ABOUT = "encoder.onnx", "head.safetensors", "tokenizer.json", "model.json"
ENTITIES = "entities.safetensors"  # the scorer of entities, if a model has one
PIECES_FILE = "encoder.pieces"  # the encoder's table of subwords, if it is not in encoder.onnx itself
ACROSS = "across.json"  # what a model says of itself across documents, if it has heads for that
LINKING = ENCODER, "across.safetensors", TOKENIZER, ABOUT, ACROSS  # of a model that only links texts
BESIDE = (ENTITIES, PIECES_FILE, ACROSS, "across.safetensors", "reader.onnx", "reader.safetensors",
          "compatibility.safetensors")  # fmt: skip  # what a model may have beside what it needs
INSTALL = "pip install 'referee-coref[resolve]' referee-coref-en"  # in a clone: pip install ./models/en
INSTALL_LINKING = "pip install referee-coref-link-en (in a clone: pip install ./models/link-en)"
NO_MODEL = f"no model is installed: {INSTALL} (in a clone: pip install ./models/en), or give model=FOLDER"
HINTS = {ABOUT: "a model's folder has it", ACROSS: "a model across documents has it; tune it again"}
GUIDELINES = ("ontonotes", "litbank")  # as their numbers are, where a model names none
NEEDED = ("onnxruntime", "safetensors", "tokenizers")


class InstalledModel(NamedTuple):
    """A model that can be named: its package's version, and its folder."""

    name: str
    version: str
    folder: Path


def threshold_of(about: Mapping[str, Any], guidelines: str) -> float:
    """Give what a link must score by a model's guidelines."""
    return float(about.get("thresholds", {}).get(guidelines, about.get("threshold", 0.0)))


def can_run() -> bool:
    """Whether the libraries that models need are installed."""
    return all(find_spec(library) for library in NEEDED)


@cache
def installed_models() -> dict[str, InstalledModel]:
    """List the installed models by name."""
    from importlib.metadata import entry_points

    models = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        spec = find_spec(entry.value)
        version = entry.dist.version if entry.dist else ""
        for folder in (spec.submodule_search_locations or []) if spec else []:
            models[entry.name] = InstalledModel(entry.name, version, Path(folder))
    return models


def resolving_models() -> dict[str, InstalledModel]:
    """List the installed models that resolve single texts."""
    return {name: each for name, each in installed_models().items() if not links_only(each.folder)}


def links_only(folder: Path) -> bool:
    """Whether a model has heads for linking several texts, and none for single ones."""
    return (folder / ACROSS).exists() and not (folder / HEAD).exists()


def instead_of(folder: Path) -> str:
    """Say which model resolves single texts in place of one that only links several."""
    languages = {*languages_of(facts_in(folder))}
    for each in resolving_models().values():
        if not languages.isdisjoint(languages_of(facts_in(each.folder))):
            return f"give model='{each.name}' for single ones"
    return f"for single ones, {INSTALL} (in a clone: pip install ./models/en)"


def model_named(model: str | None = None) -> InstalledModel:
    """Find a model: by the path of its folder, by name, or without either the first that resolves texts."""
    known = installed_models()
    if model is None:
        able = resolving_models()
        if not able:
            raise ProtocolError(NO_MODEL)
        return next(iter(able.values()))
    if model in known:
        return known[model]
    if Path(model).is_dir():
        return InstalledModel(Path(model).name, str(facts_of(Path(model)).get("version", "")), Path(model))
    there = f"there are {', '.join(known)}{did_you_mean(model, known)}" if known else NO_MODEL
    raise SettingError(f"model='{model}' is neither a folder nor an installed model; {there}")


def linking_model(model: str | None = None) -> InstalledModel:
    """Find a model that links texts: the one that is named, or the first."""
    able = [each for each in installed_models().values() if (each.folder / ACROSS).exists()]
    if model is None and able:
        return able[0]
    chosen = model_named(model)
    if (chosen.folder / ACROSS).exists():
        return chosen
    others = f"model='{able[0].name}' has it" if able else f"{INSTALL_LINKING} brings a model that has it"
    raise SettingError(
        f"the model {chosen.name} has nothing for documents together: {others}, or train yours for that"
    )


def models_to_choose(model: str | None = None) -> list[tuple[InstalledModel, dict[str, Any]]]:
    """List the models that a text's language may choose, with their facts: the one that is named, or all.

    A model that says nothing of languages reads any text, so if it is the first, there is no choice;
    others are left out that know nothing more than those before them.
    """
    several = [] if model else list(resolving_models().values())
    found = [(each, facts_in(each.folder)) for each in several or [model_named(model)]]
    chosen, known = found[:1], set(languages_of(found[0][1]))
    for each, about in found[1:] if known else ():
        if not known.issuperset(languages_of(about)):
            chosen.append((each, about))
            known.update(languages_of(about))
    return chosen


def known_languages(model: str | None = None) -> tuple[str, ...]:
    """List the codes of the languages that the named model, or all that are installed, say they know."""
    return tuple(dict.fromkeys(code for _, about in models_to_choose(model) for code in languages_of(about)))


def known_guidelines(model: str | None = None) -> tuple[str, ...]:
    """List the guidelines that the named model, or all that are installed, know."""
    return tuple(dict.fromkeys(name for _, about in models_to_choose(model) for name in guidelines_of(about)))


def facts_of(folder: Path) -> dict[str, Any]:
    """Read what a model says of itself, and see that its files are there."""
    files = LINKING if links_only(folder) else FILES
    for name in files:
        if not (folder / name).is_file():
            raise FormatError(f"{folder}: not a model: {name} is missing; a model has {', '.join(files)}")
    return facts_in(folder)


def guidelines_of(about: Mapping[str, Any]) -> tuple[str, ...]:
    """List the guidelines that a model knows by its facts, in the order of their numbers."""
    return tuple(about.get("guidelines", GUIDELINES))


def languages_of(about: Mapping[str, Any]) -> tuple[str, ...]:
    """List the codes of the languages that a model says it knows, that of its first guidelines first."""
    said: Mapping[str, str] = about.get("languages", {})
    if said:
        return tuple(dict.fromkeys(said.get(name, ENGLISH) for name in guidelines_of(about)))
    return tuple(code for code, name in LANGUAGES.items() if name == about.get("language"))


def language_of(about: Mapping[str, Any], guideline: int) -> str:
    """Give the code of the language that guidelines are for, by their number; English if nothing is said."""
    default = next(iter(languages_of(about)), ENGLISH) if "languages" not in about else ENGLISH
    return str(about.get("languages", {}).get(guidelines_of(about)[guideline], default))


def size_of(folder: Path) -> int:
    """Add up the bytes of a model's files."""
    return sum(path.stat().st_size for name in (*FILES, *BESIDE) if (path := folder / name).exists())


def add_facts(folder: Path, facts: Mapping[str, Any]) -> None:
    """Add to what a model says of itself; what it said of the same is replaced."""
    save_facts(folder, facts_in(folder) | dict(facts))


def facts_in(folder: Path, name: str = ABOUT) -> dict[str, Any]:
    """Read what a model says of itself."""
    return json_object(folder / name, HINTS[name])


def save_facts(folder: Path, facts: Mapping[str, Any], name: str = ABOUT) -> None:
    """Write what a model says of itself."""
    save_bytes(folder / name, encoded(json.dumps(facts, indent=1, ensure_ascii=False) + "\n"))
