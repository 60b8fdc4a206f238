"""Names that look like other names: letters of other alphabets that are drawn as Latin ones."""

from __future__ import annotations

import unicodedata
from typing import Final

_LATIN: Final = str.maketrans(
    {
        **dict(zip("авеёзікмнорстухѕјһԁԛԝѵ", "abee3ikmhopctyxsjhdqwv", strict=True)),
        **dict(zip("αβγεικμνορτυχωϲϳ", "abyeikuvoptuxwcj", strict=True)),
        **dict(zip("ıɑɡɩ", "iagi", strict=True)),
    }
)


def looks_like(name: str) -> str:
    """The Latin name, in small letters, that this one looks like. Accents stay: they make another name."""
    return unicodedata.normalize("NFKC", name).casefold().translate(_LATIN)
