"""The page as a file: one, closed, safe, readable."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from made_corpora import corpus
from referee.page.render import ENTRY, STYLES, bundle, embedded
from studies import report

HOME = files("referee.page")


@given(st.text())
def test_embedded_text_cannot_leave_its_script(text: str) -> None:
    written = embedded({"text": text})
    assert json.loads(written) == {"text": text}
    assert not set("<>&\u2028\u2029") & set(written)


def test_bytes_that_are_not_utf8_survive() -> None:
    text = b"caf\xe9".decode("utf-8", "surrogateescape")
    written = embedded({"text": text})
    assert json.loads(written.encode("utf-8")) == {"text": text}


def test_the_page_is_one_file_that_asks_for_nothing() -> None:
    page = made()
    assert "default-src 'none'" in page
    addresses = set(re.findall(r"(?:https?:)?//[\w.-]+\.[a-z]+[^\s\"'`]*", page))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(?:script|img|iframe)[^>]+src|@import|url\((?!#)", page)


def made(title: str = "") -> str:
    return report(corpus([[(0, 1), (2, 3)]]), corpus([]), title=title).html


def test_a_title_is_escaped() -> None:
    assert "<title>&lt;b&gt; &amp; co</title>" in made("<b> & co")


def test_the_policy_lets_in_this_style_and_this_script_alone() -> None:
    page = made()
    (said,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert "unsafe" not in said
    for element, directive in (("style", "style-src"), ("script", "script-src")):
        (text,) = re.findall(rf"<{element}>(.*?)</{element}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
        assert f"{directive} 'sha256-{digest}'" in said
    assert not re.search(r"<[^>]* (?:style|on\w+)=", page.partition('<script type="application/json"')[0])


def test_every_style_and_script_is_bundled_and_none_reads_markup() -> None:
    styles = {entry.name for entry in (HOME / "style").iterdir()}
    assert styles == {f"{name}.css" for name in STYLES}
    script = bundle(ENTRY) + bundle("recurring")
    for entry in (HOME / "script").iterdir():
        text = entry.read_text(encoding="utf-8")
        assert text.splitlines()[0] in script, entry.name
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|</script|<!--|setAttribute\(\"style",
            text,
        )
    assert not re.search(r"^(?:import|export)\b", script, re.MULTILINE)


MODULES = {  # what is wrong → the modules, of which the first is the entry
    "in a circle": {
        "a": 'import { b } from "./b.js";\n',
        "b": 'import { a } from "./a.js";\nexport const b = 1;\n',
    },
    "exports no c": {"a": 'import { b, c } from "./b.js";\n', "b": "export const b = 1;\nconst c = 2;\n"},
    "both declare x": {
        "a": 'import { b } from "./b.js";\nfunction x() {}\n',
        "b": "export let b = 1;\nconst x = 2;\n",
    },
}


def modules_in(folder: Path, modules: dict[str, str]) -> None:
    (folder / "script").mkdir()
    for name, text in modules.items():
        (folder / "script" / f"{name}.js").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("wrong", MODULES)
def test_modules_that_do_not_fit_are_refused(
    wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modules_in(tmp_path, MODULES[wrong])
    monkeypatch.setattr("referee.page.render.HOME", tmp_path)
    with pytest.raises(referee.RefereeError, match=wrong):
        bundle("a")


def test_a_module_comes_once_and_after_what_it_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = 'import { b } from "./b.js";\nimport {\n  c,\n} from "./c.js";\nconst a = b + c;\n'
    middle = 'import { c } from "./c.js";\nexport const b = c;\n'
    modules_in(tmp_path, {"a": top, "b": middle, "c": "export const c = 1;\n"})
    monkeypatch.setattr("referee.page.render.HOME", tmp_path)
    joined = bundle("a")
    assert re.findall(r"const (\w) = (.*);", joined) == [("c", "1"), ("b", "c"), ("a", "b + c")]


def luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 defines it."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


THEMES = [
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", rule))
    for rule in re.findall(
        r"\{[^{}]*--paper[^{}]*\}", (HOME / "style/colours.css").read_text(encoding="utf-8")
    )
]


@pytest.mark.parametrize("theme", THEMES, ids=["light", "dark by system", "dark by choice"])
def test_colours_have_contrast(theme: dict[str, str]) -> None:
    inks = ["ink", "soft", "accent", "recall", "precision", "alone", *(f"hue{i}" for i in range(8))]
    pairs = [(ink, ground) for ink in inks for ground in ("paper", "ground")]
    pairs += [("ink", mark) for mark in ("heat-recall", "heat-precision", "anaphor", "antecedent", "found")]
    assert {
        pair: contrast(*(theme[name] for name in pair))
        for pair in pairs
        if contrast(*(theme[name] for name in pair)) < 4.5
    } == {}


def test_both_dark_themes_are_the_same() -> None:
    assert len(THEMES) == 3
    assert THEMES[1] == THEMES[2]
