"""Draws the pictures of the documentation from real games: `python docs/pictures/make.py`."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import SVG_EXPORT_THEME
from rich.text import Text

import wellies
from wellies import Stream

HERE = Path(__file__).parent
TERMINALS = [("guppies", 3, 30), ("umbradeco", 3, 28)]
"""Game, seats, and how many greedy moves are played before the picture is taken."""

FRAME = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: {char_height}px;
  line-height: {line_height}px; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/>
</clipPath>{lines}</defs>
<rect fill="{background}" width="{width}" height="{height}" rx="8"/>
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g></svg>
"""


def terminal(game: str, seats: int, moves: int) -> str:
    """A game in the terminal, as SVG."""
    match = wellies.Match(game, seats=seats, seed=7)
    for number in range(moves):
        if not match.state.due():
            break
        seat = match.state.due()[0]
        match.play_move(seat, wellies.bot("greedy").choose(match.state, seat, Stream(number)))
    console = Console(record=True, width=112, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for runs in match.spec.draw(match.view_for(match.state.due()[0])).lines():
        line = Text(no_wrap=True)
        for text, style in runs:
            line.append(text, style)
        console.print(line)
    template = FRAME.replace("{background}", SVG_EXPORT_THEME.background_color.hex)
    return console.export_svg(code_format=template, unique_id=game)


if __name__ == "__main__":
    for game, seats, moves in TERMINALS:
        if game in wellies.list_games():
            (HERE / f"{game}-terminal.svg").write_text(terminal(game, seats, moves), encoding="utf-8")
