"""Names that look like other names: letters of other alphabets that are drawn as Latin ones, and signs that are not
drawn at all."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

BLANK_LETTERS: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""What Unicode calls letters or signs, but is drawn as nothing."""
MOST_ACCENTS: Final = 4
"""Accents and the like on one letter, at most: more of them cover the lines above and below."""
_MARK: Final = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]"
_TOO_MANY_MARKS: Final = re.compile(f"({_MARK}{{{MOST_ACCENTS}}}){_MARK}+")
_INVISIBLE: Final = re.compile("[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Signs that only change how a neighbour is drawn, if at all."""
_SMALL: Final = str.maketrans(
    {
        **dict(zip("авеёзікмнорстухѕјһԁԛԝѵ", "abee3ikmhopctyxsjhdqwv", strict=True)),
        **dict(zip("αβγεικμνορτυχωϲϳ", "abyeikuvoptuxwcj", strict=True)),
        **dict(zip("ıɑɡɩ", "iagi", strict=True)),
        **dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz", strict=True)),
    }
)
_CAPITAL: Final = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕЗІЈКМНОРСТУХЅ", "ABEZHIKMNOPTYXABE3IJKMHOPCTYXS")


def looks_like(name: str) -> set[str]:
    """The Latin names, in small letters, that this one looks like. Accents stay: they make another name."""
    seen = _INVISIBLE.sub("", unicodedata.normalize("NFKC", name))
    return {each.casefold().translate(_SMALL) for each in (seen, seen.translate(_CAPITAL))}


def limit_accents(text: str) -> str:
    """The text with no more than a few accents on one letter."""
    return _TOO_MANY_MARKS.sub(r"\1", text)
