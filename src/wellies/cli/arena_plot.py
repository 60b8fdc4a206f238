"""The ratings as a plot: a dot and its 95 % interval for each participant. Only a PNG needs Pillow; an SVG does not."""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from wellies.cli.arena_tables import heading, notes
from wellies.core.errors import BadOption
from wellies.core.events import Json
from wellies.core.extras import require

WIDTH: Final = 760
ROW: Final = 34
TOP: Final = 64
INK: Final = "#22303c"
PALE: Final = "#d5dde3"
FAINT: Final = "#5d6b76"
BLUE: Final = "#1f6f9f"
PAPER: Final = "#fbfaf6"
OVERSAMPLING: Final = 3
"""A PNG is drawn this many times larger and then scaled down, which smooths it."""

Point = tuple[float, float]


def check_plot(path: Path) -> None:
    """BadOption or MissingExtra if the plot cannot be drawn, before any game is played."""
    if path.suffix.lower() not in (".svg", ".png"):
        raise BadOption(f"--plot {path}: the name must end in .svg or .png.")
    if path.suffix.lower() == ".png":
        require("plot", "PIL", needs="a PNG (an .svg does not)")


class Picture:
    """A drawing of lines, dots and words."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width = width
        self.height = height
        self.title = title
        self.lines: list[tuple[Point, Point, str, float]] = []
        self.dots: list[tuple[Point, float, str]] = []
        self.words: list[tuple[Point, str, int, str, str]] = []
        """Point on the base line, text, size, colour, and which end of the text the point is: start, middle or end."""

    def to_svg(self) -> bytes:
        size = f'width="{self.width:g}" height="{self.height:g}" viewBox="0 0 {self.width:g} {self.height:g}"'
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="sans-serif">',
            f"<title>{escape(self.title)}</title>",
            f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        ]
        for (x1, y1), (x2, y2), colour, thick in self.lines:
            ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
            parts.append(f'<line {ends} stroke="{colour}" stroke-width="{thick:g}" stroke-linecap="round"/>')
        for (x, y), radius, colour in self.dots:
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{colour}"/>')
        for (x, y), text, points, colour, side in self.words:
            look = f'font-size="{points}" fill="{colour}" text-anchor={quoteattr(side)}'
            parts.append(f'<text x="{x:.1f}" y="{y:.1f}" {look}>{escape(text)}</text>')
        return ("\n".join([*parts, "</svg>"]) + "\n").encode("utf-8")

    def to_png(self) -> bytes:
        from PIL import Image, ImageDraw, ImageFont

        def scaled(point: Point) -> Point:
            return (point[0] * OVERSAMPLING, point[1] * OVERSAMPLING)

        image = Image.new("RGB", (round(self.width) * OVERSAMPLING, round(self.height) * OVERSAMPLING), PAPER)
        pen = ImageDraw.Draw(image)
        for start, end, colour, thick in self.lines:
            pen.line([scaled(start), scaled(end)], fill=colour, width=round(thick * OVERSAMPLING))
        for (x, y), radius, colour in self.dots:
            pen.ellipse([scaled((x - radius, y - radius)), scaled((x + radius, y + radius))], fill=colour)
        anchors = {"start": "ls", "middle": "ms", "end": "rs"}
        for place, text, points, colour, side in self.words:
            font: Any = ImageFont.load_default(points * OVERSAMPLING)
            pen.text(scaled(place), text, fill=colour, font=font, anchor=anchors[side])
        smooth = image.resize((round(self.width) * 2, round(self.height) * 2), Image.Resampling.LANCZOS)
        out = io.BytesIO()
        smooth.save(out, "PNG", optimize=True)
        return out.getvalue()


def draw(report: Json, title: str, suffix: str) -> bytes:
    """The picture of a report, as the bytes of a file of this kind."""
    picture = ratings_picture(report, title)
    return picture.to_png() if suffix == ".png" else picture.to_svg()


def ratings_picture(report: Json, title: str) -> Picture:
    """One row for each participant, the strongest first; a gap between groups that cannot be compared."""
    head, small = heading(report, title)
    sides = report["ratings"]
    below = notes(report)
    left = 40 + min(280, max([8 * len(side["bot"]) for side in sides], default=0))
    right = WIDTH - 150
    low, high, step = _scale(sides)
    bottom = TOP + ROW * len(sides)
    picture = Picture(WIDTH, bottom + 48 + 16 * len(below), head)

    def across(value: float) -> float:
        return left + (min(max(value, low), high) - low) / (high - low) * (right - left)

    picture.words.append(((20, 26), head, 17, INK, "start"))
    picture.words.append(((20, 45), _cut(small, 110), 12, FAINT, "start"))
    tick = low
    while tick <= high + step / 2:
        picture.lines.append(((across(tick), TOP), (across(tick), bottom), PALE, 2.0 if tick == 0 else 1.0))
        picture.words.append(((across(tick), bottom + 16), f"{tick:+.0f}" if tick else "0", 11, FAINT, "middle"))
        tick += step
    for row, side in enumerate(sides):
        y = TOP + ROW * (row + 0.5)
        if row and side["group"] != sides[row - 1]["group"]:
            picture.lines.append(((20, y - ROW / 2), (WIDTH - 20, y - ROW / 2), FAINT, 1.0))
        picture.words.append(((left - 14, y + 5), _cut(side["bot"], 34), 14, INK, "end"))
        if side["rating_95"] is None:
            picture.words.append(((right + 14, y + 5), "unknown", 13, FAINT, "start"))
            continue
        start, end = side["rating_95"]
        picture.lines.append(((across(start), y), (across(end), y), BLUE, 3.0))
        for edge in (start, end):
            if low <= edge <= high:
                picture.lines.append(((across(edge), y - 6), (across(edge), y + 6), BLUE, 2.0))
        picture.dots.append(((across(side["rating"]), y), 5.5, BLUE))
        words = f"{side['rating']:+.0f} ± {(end - start) / 2:.0f}"
        picture.words.append(((right + 14, y + 5), words, 13, INK, "start"))
    picture.words.append((((left + right) / 2, bottom + 36), "rating (Elo) and 95 % interval", 12, FAINT, "middle"))
    for number, note in enumerate(below):
        picture.words.append(((20, bottom + 56 + 16 * number), _cut(note, 130), 11, FAINT, "start"))
    return picture


def _scale(sides: list[Json]) -> tuple[float, float, float]:
    """From where to where the ratings run, in round steps. Very wide intervals are cut, so that the dots stay apart."""
    known = [side for side in sides if side["rating_95"] is not None]
    dots = [side["rating"] for side in known] or [0.0]
    reach = max(100.0, max(dots) - min(dots))
    low = min([max(side["rating_95"][0], min(dots) - reach) for side in known] or [-100.0])
    high = max([min(side["rating_95"][1], max(dots) + reach) for side in known] or [100.0])
    rough = max(high - low, 1.0) / 6
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= rough)
    return (math.floor(low / step) * step, math.ceil(high / step) * step, step)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
