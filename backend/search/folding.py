"""Normalises text for literal comparison: case, accents, width and white space are folded."""

import re
import unicodedata

from backend.language.words import INVISIBLE

REMOVED = f"\u00ad\u200b\u200c\u200d{INVISIBLE}\0"
"""Soft hyphens, spaces without width, joiners, and the separator between elements."""
# Letters that Unicode does not decompose into base and accent, and typographic characters that
# keyboards lack.
_REPLACED = str.maketrans(
    {
        "ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe",
        "þ": "th", "ð": "d", "‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"',
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-",
    }
    | dict.fromkeys(REMOVED)
)  # fmt: skip
# Only these: removing every combining mark would merge letters of kana and Indic scripts.
_ACCENTS = re.compile("[\u0300-\u036f]")


def fold(text: str) -> str:
    """Lower case, no accents, single spaces, stripped."""
    if text.isascii():
        return " ".join(text.replace("\0", "").lower().split())
    folded = unicodedata.normalize("NFKD", text.casefold()).casefold()
    folded = _ACCENTS.sub("", folded).translate(_REPLACED)
    return " ".join(unicodedata.normalize("NFC", folded).split())
