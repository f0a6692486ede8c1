"""A few things to draw small pictures with: clusters, marked words, boxes, bars and arrows, as SVG."""

from __future__ import annotations

import re
from html import escape

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56708a")  # told apart by most eyes
INK, PALE, GREY = "#222222", "#ffffff", "#777777"
LETTER, LINE = 8.4, 34.0  # the width of a letter, the height of a row
MARKED = re.compile(r"\[(?P<text>[^\]]*)\](?P<cluster>\d)")


class Picture:
    """Rows from top to bottom; what is drawn is kept as SVG elements."""

    def __init__(self, title: str) -> None:
        """Start with an empty sheet; the title is for people who cannot see it."""
        self.title = title
        self.width = 0.0
        self.top = 8.0  # where the next row begins
        self._elements: list[str] = []

    def svg(self) -> str:
        """Write the picture as a file."""
        width, height = round(self.width + 12), round(self.top + 4)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" font-family="monospace" font-size="14">\n'
            f"<title>{escape(self.title)}</title>\n" + "\n".join(self._elements) + "\n</svg>\n"
        )

    def add(self, element: str, right: float) -> None:
        """Draw an element that reaches as far as `right`."""
        self._elements.append(element)
        self.width = max(self.width, right)

    def text(self, x: float, y: float, words: str, colour: str = INK, *, bold: bool = False) -> float:
        """Write words and return where they end; every letter is equally wide, whatever the font."""
        length = len(words) * LETTER
        weight = ' font-weight="bold"' if bold else ""
        self.add(
            f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" textLength="{length:.1f}"{weight} '
            f'xml:space="preserve">{escape(words)}</text>',
            x + length,
        )
        return x + length

    def line(self, points: str, colour: str = GREY, *, dashed: bool = False, arrow: bool = False) -> None:
        """Draw a path; an arrow has its point at the end."""
        dashes = ' stroke-dasharray="4 3"' if dashed else ""
        self._elements.append(
            f'<path d="{points}" fill="none" stroke="{colour}" stroke-width="1.6"{dashes}/>'
        )
        if arrow:
            x, y = map(float, points.replace(",", " ").split()[-2:])
            self._elements.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" fill="{colour}"/>')

    def frame(
        self, x: float, width: float, colour: str = GREY, *, height: float = 24, dashed: bool = False,
        filled: bool = False,
    ) -> None:  # fmt: skip
        """Draw a rounded box in this row."""
        dashes = ' stroke-dasharray="4 3"' if dashed else ""
        fill = colour if filled else "none"
        self.add(
            f'<rect x="{x:.1f}" y="{self.top:.1f}" width="{width:.1f}" height="{height:.1f}" rx="6" '
            f'fill="{fill}" stroke="{colour}" stroke-width="1.6"{dashes}/>',
            x + width,
        )

    def down(self, by: float = LINE) -> Picture:
        """Go on with the next row."""
        self.top += by
        return self

    def note(self, words: str, x: float = 8, colour: str = GREY) -> Picture:
        """Write a row of plain words."""
        self.text(x, self.top + 16, words, colour)
        return self.down(26)

    def clusters(
        self, label: str, groups: str, *, missing: str = "", x: float = 8, plain: bool = False
    ) -> Picture:
        """Draw entities as boxes of letters: `ab c` are two. A letter keeps its colour from row to row."""
        x = self.text(x, self.top + 17, f"{label:<9}", GREY) if label else x
        for group in groups.split():
            self.frame(x, 22.0 * len(group) + 8, GREY)
            for number, letter in enumerate(group):
                self._mention(x + 15 + 22 * number, letter, ghost=letter in missing, plain=plain)
            x += 22 * len(group) + 20
        return self.down()

    def _mention(self, x: float, letter: str, *, ghost: bool, plain: bool) -> None:
        colour = GREY if plain else COLOURS["abcdefghijklmnopqrstuvwxyz".index(letter) % len(COLOURS)]
        style = f'fill="none" stroke="{colour}" stroke-dasharray="3 2"' if ghost else f'fill="{colour}"'
        self.add(f'<circle cx="{x:.1f}" cy="{self.top + 12:.1f}" r="9" {style}/>', x + 9)
        self.text(x - LETTER / 2, self.top + 17, letter, colour if ghost else PALE, bold=True)

    def words(self, marked: str, x: float = 8, *, label: str = "") -> dict[int, list[float]]:
        """Write a sentence with mentions in boxes, `[Ann]1 sleeps`; tell where each cluster's boxes are."""
        x = self.text(x, self.top + 17, f"{label:<9}", GREY) if label else x
        middles: dict[int, list[float]] = {}
        end = 0
        for match in MARKED.finditer(marked):
            x = self.text(x, self.top + 17, marked[end : match.start()])
            colour = COLOURS[int(match["cluster"]) - 1]
            width = len(match["text"]) * LETTER
            self.frame(x - 3, width + 6, colour)
            self.text(x, self.top + 17, match["text"], colour, bold=True)
            middles.setdefault(int(match["cluster"]), []).append(x + width / 2)
            x, end = x + width + 2, match.end()
        self.text(x, self.top + 17, marked[end:])
        self.down(LINE)
        return middles

    def link(
        self, left: float, right: float, label: str = "", *, wrong: bool = False, depth: float = 22
    ) -> None:
        """Draw a link below the words of the row above."""
        top, colour = self.top - 8, "#b00020" if wrong else INK
        low = top + depth
        curve = f"C {right:.1f} {low:.1f} {left:.1f} {low:.1f} {left:.1f} {top:.1f}"
        self.line(f"M {right:.1f} {top:.1f} {curve}", colour, dashed=wrong, arrow=True)
        if label:
            self.text((left + right - len(label) * LETTER) / 2, top + depth + 8, label, colour)

    def boxes(self, *labels: str, x: float = 8, joined: bool = True, colour: str = COLOURS[0]) -> Picture:
        """Draw boxes side by side; steps are joined by arrows."""
        for number, label in enumerate(labels):
            if number and joined:
                self.line(
                    f"M {x - 22:.1f} {self.top + 12:.1f} L {x - 4:.1f} {self.top + 12:.1f}", INK, arrow=True
                )
            width = len(label) * LETTER + 16
            self.frame(x, width, colour)
            self.text(x + 8, self.top + 17, label)
            x += width + (26 if joined else 10)
        return self.down()

    def bar(self, label: str, value: float, said: str, colour: str = COLOURS[0]) -> Picture:
        """Draw a share of 1 as a bar."""
        x = self.text(8, self.top + 17, f"{label:<12}", GREY)
        self.frame(x, 200, "#cccccc", height=20)
        self.frame(x, max(200 * value, 1), colour, height=20, filled=True)
        self.text(x + 210, self.top + 16, said)
        return self.down(30)

    def interval(self, label: str, low: float, middle: float, high: float, said: str) -> Picture:
        """Draw a value between its ends, on a scale of 0 to 1."""
        x = self.text(8, self.top + 17, f"{label:<9}", GREY)
        y = self.top + 12
        ends = [x + 220 * value for value in (low, middle, high)]
        self.line(f"M {ends[0]:.1f} {y:.1f} L {ends[2]:.1f} {y:.1f}", COLOURS[0])
        self.add(f'<circle cx="{ends[1]:.1f}" cy="{y:.1f}" r="5" fill="{COLOURS[0]}"/>', ends[1])
        self.text(x + 232, self.top + 17, said)
        return self.down(28)
