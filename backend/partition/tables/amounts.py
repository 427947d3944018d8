"""Signs that are separated from their amounts: `$` at the left edge of a column, `)` and `%` at its
right edge. They are merged with their number before columns are detected.
"""

import re
from dataclasses import replace

from backend.partition.page import Word

_CURRENCY = re.compile(r"^(?:[$€£¥]|US\$|C\$|A\$|HK\$)\(?$")
_NUMBER = re.compile(r"^[$€£¥]?\s*\(?[-–—−+]?[\d.,]*\d\)?$|^[-–—]+$")
_AFTER = re.compile(r"^(?:\)|%|\)%|%\)|\)\s?%)$")
_FAR, _NEAR = 9.0, 2.2
"""In font sizes: the white space between a sign and the number after it, and before it."""


def has_signs(words: list[Word]) -> bool:
    """Whether any word is such a sign."""
    return any(map(_is_sign, {word.text for word in words if len(word.text) < 4}))


def with_signs(rows: list[list[Word]]) -> list[Word]:
    """The words of rows, each sign of an amount merged with its number."""
    out: list[Word] = []
    for row in rows:
        out += _joined(row) if any(_is_sign(word.text) for word in row) else row
    return out


def _is_sign(text: str) -> bool:
    return text == "(" or bool(_CURRENCY.match(text) or _AFTER.match(text))


def _joined(row: list[Word]) -> list[Word]:
    out: list[Word] = []
    for word in row:
        if out and _belongs(out[-1], word):
            before = out[-1]
            # brackets adjoin their number, other signs keep their space
            blank = "" if before.text.endswith("(") or word.text.startswith(")") else " "
            style = before.style if _AFTER.match(word.text) else word.style
            box = before.box.joined(word.box)
            out[-1] = replace(word, text=before.text + blank + word.text, box=box, style=style)
        else:
            out.append(word)
    return out


def _belongs(before: Word, word: Word) -> bool:
    gap, size = word.box.x0 - before.box.x1, word.style.size
    if before.text == "(" or _CURRENCY.match(before.text):
        opens = word.text == "(" and before.text != "("
        return (opens or bool(_NUMBER.match(word.text))) and -size < gap < _FAR * size
    number = _NUMBER.match(before.text) or before.text.endswith(")")
    # An open bracket claims the closing one, however far to the right.
    closes = "(" in before.text and ")" not in before.text and word.text.startswith(")")
    far = _FAR if closes else _NEAR
    return bool(number and _AFTER.match(word.text)) and -size < gap < far * size
