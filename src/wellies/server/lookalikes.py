"""Names that look like other names: letters of other alphabets that are drawn as Latin ones."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

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
