"""How the page looks: light, dark, narrow, on paper."""

from __future__ import annotations

from chromium import Browser
from open_page import (
    HARBOUR,
    boxes,
    count,
    follow,
    link,
)


def test_light_and_dark(page: Browser) -> None:
    def ground() -> str:
        return str(page.run("getComputedStyle(document.documentElement).backgroundColor"))

    light = ground()
    page.press("t")
    dark = ground()
    assert dark != light
    page.press("t")
    assert ground() == light
    page.run("localStorage.clear(); delete document.documentElement.dataset.theme")
    page.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    assert ground() == dark
    page.send("Emulation.setEmulatedMedia", features=[])


def test_paper_is_light_whatever_the_screen_is(page: Browser) -> None:
    def colours() -> str:
        style = "getComputedStyle(document.documentElement)"
        return str(
            page.run(f"['--paper', '--ink', '--hue0'].map(name => {style}.getPropertyValue(name)).join()")
        )

    page.send("Emulation.setEmulatedMedia", media="print")
    light = colours()
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    page.send("Emulation.setEmulatedMedia", media="print", features=dark)
    assert colours() == light
    page.run("document.documentElement.dataset.theme = 'dark'")
    assert colours() == light
    page.send("Emulation.setEmulatedMedia", media="", features=[])
    assert colours() != light
    page.run("delete document.documentElement.dataset.theme")


def test_it_prints(page: Browser) -> None:
    follow(page, link(doc=HARBOUR))
    page.run("dispatchEvent(new Event('beforeprint'))")
    assert boxes(page, "#text")[0][2] - boxes(page, "#text")[0][0] == 660
    assert count(page, ".block > svg.marks") == count(page, ".block")
    page.run("dispatchEvent(new Event('afterprint'))")
    assert page.pdf().startswith(b"%PDF")
    assert count(page, "#text > svg.arcs") == 1
