"""The form in which literal text is compared: case, accents, width and white space folded away."""

import re
import unicodedata

# Letters that Unicode does not decompose into a base and an accent, and typographic signs that
# keyboards lack. Soft hyphens and the separator between elements vanish.
_REPLACED = str.maketrans(
    {
        "ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe",
        "þ": "th", "ð": "d", "‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"',
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-",
        "\u00ad": None, "\u200b": None, "\0": None,
    }
)  # fmt: skip
# Only these: removing every combining mark would merge letters of kana and of Indian scripts.
_ACCENTS = re.compile("[\u0300-\u036f]")


def fold(text: str) -> str:
    """Lower case without accents, each run of white space one space, none at the ends."""
    if text.isascii():
        return " ".join(text.replace("\0", "").lower().split())
    folded = unicodedata.normalize("NFKD", text.casefold()).casefold()
    folded = _ACCENTS.sub("", folded).translate(_REPLACED)
    return " ".join(unicodedata.normalize("NFC", folded).split())
