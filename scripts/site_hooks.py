"""What the site needs beyond MkDocs: GitHub's anchors, links into the repository, formulas, made parts."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert

import notebook_page
import referee
import resolver_gallery
from command_reference import command_reference

LIVE_REPORT = "live/report.html"  # in the site
REPORT_PICTURE = re.compile(r"!\[[^\]]*\]\(images/report\.png\)")
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
    """Put into the site what is made for it: pages that resolvers wrote, a report, and the notebook."""
    from mkdocs.structure.files import File

    made: dict[str, str | bytes] = {
        **{
            f"{resolver_gallery.FOLDER}/{name}": text
            for name, text in resolver_gallery.gallery_pages().items()
        },
        **{f"{notebook_page.FOLDER}/{name}": data for name, data in notebook_page.notebook_files().items()},
        LIVE_REPORT: sample_report(),
    }
    for name, content in made.items():
        files.append(File.generated(config, name, content=content))
    return files


def sample_report() -> str:
    """Make the report that the home page shows, from the sample."""
    key, *responses = (str(resolver_gallery.SAMPLE / f"{name}.conll") for name in ("key", "alpha", "beta"))
    return referee.report(key, *responses, title="The sample").html


def with_live_report(page: str) -> str:
    """Show the report itself in the place of its picture."""
    frame = f'<iframe class="live-report" src="{LIVE_REPORT}" title="A report made from the sample"></iframe>'
    return REPORT_PICTURE.sub(f"{frame}\n\n[Open the report in a window of its own]({LIVE_REPORT})", page)


MADE_PARTS: dict[str, Callable[[str], str]] = {  # page → what is written into it
    resolver_gallery.PAGE: resolver_gallery.with_gallery,
    notebook_page.PAGE: notebook_page.with_notebook,
    "index.md": with_live_report,
    "reference/commands.md": lambda page: page + command_reference(),
}


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:
    """Write the parts of a page that are made; lead links that leave the pages into the repository."""
    del files
    name = page.file.src_uri
    markdown = MADE_PARTS[name](markdown) if name in MADE_PARTS else markdown
    outside = "../" * (name.count("/") + 1)
    target = rf"\1{config.extra['repository']}/blob/main/\2"
    return re.sub(LINK.format(up=re.escape(outside)), target, markdown, flags=re.MULTILINE)


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
    """Take the role of a dialog from the search: it would need a name, and what is inside has a role."""
    del page, config
    return output.replace('data-md-component="search" role="dialog"', 'data-md-component="search"')


def on_post_build(*, config: Any) -> None:
    """Refuse a site that would load anything from elsewhere."""
    loading = re.compile(r'<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="(?:https?:)?//[^"]*"')
    for page in Path(config.site_dir).rglob("*.html"):
        for tag in loading.findall(page.read_text(encoding="utf-8")):
            if 'rel="canonical"' not in tag:
                raise ValueError(f"{page}: loads from elsewhere: {tag}")
