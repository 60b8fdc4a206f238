"""Action spaces and observations of a game in words: tables in Markdown, made from the encoding's own description."""

from __future__ import annotations

from typing import Final

from wellies.core.encoding import Axis, Channel, Encoding, Field, Part

MOST_CODES: Final = 12
"""More codes than these are listed below the table."""


def layout(encoding: Encoding) -> str:
    """All parts of an encoding, with where they begin, their shape and what they mean."""
    lines = [f"{encoding.actions:,} actions:", "", "| first | actions | shape | meaning |", "|---|---|---|---|"]
    for group in encoding.action_groups:
        lines.append(f"| {group.offset} | `{group.name}` | {_shape(group)} | {group.words} |")
    lines += ["", f"{encoding.size:,} cells in an observation:", ""]
    lines += ["| first | field | shape | values | meaning |", "|---|---|---|---|---|"]
    long: list[tuple[str, list[str]]] = []
    for field in encoding.fields:
        lines.append(f"| {field.offset} | `{field.name}` | {_shape(field)} | {_values(field, long)} | {field.words} |")
    for name, codes in long:
        lines += ["", f"Codes of {name}: {_counted(codes, 1)}."]
    for name, labels in _named_axes([*encoding.action_groups, *encoding.fields]):
        lines += ["", f"The axis `{name}`: {_counted(labels, 0)}."]
    return "\n".join(lines) + "\n"


def _counted(names: list[str], first: int) -> str:
    return "; ".join(f"{number} {name}" for number, name in enumerate(names, first))


def _shape(part: Part) -> str:
    """`32 row × 32 column × 12 way`; a single cell has no axes."""
    return " × ".join(f"{len(axis.labels)} {axis.name}" for axis in part.axes) or "1"


def _values(field: Field, long: list[tuple[str, list[str]]]) -> str:
    """What the cells of a field can be: channels of the same kind together. A long list of codes is left for later."""
    kinds: list[tuple[Channel, list[str]]] = []
    for channel in field.channels:
        same = [names for kind, names in kinds if (kind.top, kind.codes) == (channel.top, channel.codes)]
        if same:
            same[0].append(channel.name)
        else:
            kinds.append((channel, [channel.name]))
    if len(kinds) == 1:
        return _range(field.channels[0], f"`{field.name}`", long)
    return ". ".join(f"{', '.join(names)}: {_range(kind, ', '.join(names), long)}" for kind, names in kinds)


def _range(channel: Channel, name: str, long: list[tuple[str, list[str]]]) -> str:
    """What one cell can be."""
    if not channel.codes:
        return f"0 to {channel.top}"
    if len(channel.codes) <= MOST_CODES:
        return _counted(channel.codes, 1)
    for known, codes in long:
        if codes == channel.codes:
            return f"1 to {channel.top}, the codes of {known}"
    long.append((name, channel.codes))
    return f"1 to {channel.top}, see below"


def _named_axes(parts: list[Part]) -> list[tuple[str, list[str]]]:
    """The axes whose indices have names that do not follow from their numbers, each once."""
    found: list[tuple[str, list[str]]] = []
    for part in parts:
        for axis in part.axes:
            plain = axis.name in ("seat", "channel", "place") or _is_counted(axis)
            if not plain and (axis.name, axis.labels) not in found:
                found.append((axis.name, axis.labels))
    return found


def _is_counted(axis: Axis) -> bool:
    """Whether the indices of an axis are called by consecutive numbers."""
    first = axis.labels[0]
    return first.isdigit() and axis.labels == [f"{int(first) + n:0{len(first)}d}" for n in range(len(axis.labels))]
