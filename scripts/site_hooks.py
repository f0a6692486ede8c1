"""What the site needs beyond MkDocs: GitHub's anchors, links into the repository, formulas, commands."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert

import resolver_gallery
from command_reference import command_reference

COMMANDS = "reference/commands.md"  # the page that ends with the commands
LINK = r"(\]\(|^\[[^\]]+\]: ){up}([^)\s]+)"
CODE = re.compile(r'<div class="(?P<kind>[^"]*highlight"><pre>.*?<code>)(?P<lines>.*?)</code>', re.DOTALL)
RULE = "───"  # the line below the head of a table
TAG = re.compile(r"<[^>]*>")
FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</\1>', re.DOTALL)


def anchor_of(heading: str, separator: str = "-") -> str:
    """Name a heading as GitHub does, where the same pages are read.

    >>> anchor_of("B³ (Bagga & Baldwin 1998)")
    'b-bagga--baldwin-1998'
    """
    plain = re.sub(r"[^\w\- ]|[¹²³]", "", heading.lower())
    return plain.strip().replace(" ", separator)


def on_config(config: Any) -> Any:
    """Set what a configuration file cannot say: functions."""
    config.mdx_configs["toc"]["slugify"] = anchor_of
    return config


def on_files(files: Any, *, config: Any) -> Any:
    """Put the pages that resolvers have written into the site."""
    from mkdocs.structure.files import File

    for name, content in resolver_gallery.gallery_pages().items():
        files.append(File.generated(config, f"{resolver_gallery.FOLDER}/{name}", content=content))
    return files


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:
    """Lead links that leave the folder of pages into the repository; tell commands and resolvers."""
    del files
    if page.file.src_uri == resolver_gallery.PAGE:
        return resolver_gallery.with_gallery(markdown)
    outside = "../" * (page.file.src_uri.count("/") + 1)
    target = rf"\1{config.extra['repository']}/blob/main/\2"
    markdown = re.sub(LINK.format(up=re.escape(outside)), target, markdown, flags=re.MULTILINE)
    return markdown + command_reference() if page.file.src_uri == COMMANDS else markdown


def on_page_content(content: str, *, page: Any, config: Any, files: Any) -> str:
    """Write formulas as MathML, which browsers draw without a script; keep printed tables whole."""
    del page, config, files
    return CODE.sub(_with_kind, FORMULA.sub(_formula, content))


def _with_kind(match: re.Match[str]) -> str:
    """Keep the lines of a printed table whole; a longer line beside it, as a notice, may be broken."""
    lines = match["lines"].split("\n")
    lengths = [len(html.unescape(TAG.sub("", line))) for line in lines]
    widest = max((length for line, length in zip(lines, lengths, strict=True) if RULE in line), default=0)
    if not widest:
        return match[0]
    shown = [
        f'<span class="beside-table">{line}</span>' if length > widest else line
        for line, length in zip(lines, lengths, strict=True)
    ]
    return f'<div class="printed-table {match["kind"]}' + "\n".join(shown) + "</code>"


def _formula(match: re.Match[str]) -> str:
    display = "block" if match[2] == "[" else "inline"
    return convert(html.unescape(match[3]), display=display)


def on_post_page(output: str, *, page: Any, config: Any) -> str:
    """Call the theme's search what it is, for people who hear the page: a dialog would need a name."""
    del page, config
    return output.replace(
        'data-md-component="search" role="dialog"', 'data-md-component="search" role="search"'
    )


def on_post_build(*, config: Any) -> None:
    """Refuse a site that would load anything from elsewhere."""
    loading = re.compile(r'<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="(?:https?:)?//[^"]*"')
    for page in Path(config.site_dir).rglob("*.html"):
        for tag in loading.findall(page.read_text(encoding="utf-8")):
            if 'rel="canonical"' not in tag:
                raise ValueError(f"{page}: loads from elsewhere: {tag}")
