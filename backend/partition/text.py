"""Lines of text -> one text, with or without the line breaks of the page."""

import re
import unicodedata
from itertools import accumulate

from backend.language.tokens import composed
from backend.language.words import INVISIBLE

_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ad]\n(?=[^\W\d_A-Z])")
_NO_TEXT = re.compile(
    f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b{INVISIBLE}\ufffe\uffff\ud800-\udfff]"
)
"""Spaces without width among them: they would break a word that a reader sees whole."""
_SOFT_HYPHEN = re.compile("\u00ad(?!\n)")
_JOINER = re.compile("(?<=[A-Za-z\u00c0-\u024f])[\u200c\u200d]+(?=[A-Za-z\u00c0-\u024f])")
"""Between Latin letters a joiner only forbids a ligature; in other scripts it is spelling."""
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_SPACES = re.compile(r"[^\S\n]+")
_MOST_LINES, _LONGEST_LINE = 16, 90
_MOST_FIELDS, _LONGEST_FIELD = 200, 160
"""The same for a form, whose lines mostly begin with a label."""
_FIELD = re.compile(r"[^\W_][^:\n]{0,40}:(?:\s|$)|[^\W_][^.:\n]{1,40}(?:\.\s?){3,}")
_RUNNING = 45
"""Minimum characters of the longest line for lines of similar length to be running text."""
_FULL = 0.8
"""Relative to the longest line: all lines of running text but the last are this long."""


def joined(text: str, *, remove_line_breaks: bool) -> str:
    """Collapses blanks; with `remove_line_breaks` joins the lines and the words broken there."""
    text = "\n".join(_SPACES.sub(" ", line).strip() for line in text.split("\n")).strip()
    if not remove_line_breaks:
        return text
    return _BROKEN_WORD.sub("", text).replace("\n", " ")


def line_starts(text: str) -> list[int]:
    """The offsets of the original lines in the single line that `joined` makes of an address, a
    form or a label with its value below; empty for running text. A line that begins with a
    lower-case letter continues the previous one. Lines of which at least half begin with a label
    are a form of any length.
    """
    if "\n" not in text:
        return []
    text = joined(text, remove_line_breaks=False)
    lines = text.split("\n")
    longest = max(map(len, lines))
    form = 2 * sum(_FIELD.match(line) is not None for line in lines) >= len(lines) > 3
    most, limit = (_MOST_FIELDS, _LONGEST_FIELD) if form else (_MOST_LINES, _LONGEST_LINE)
    if not 2 <= len(lines) <= most or longest > limit or _BROKEN_WORD.search(text):
        return []
    if not form and longest >= _RUNNING and min(map(len, lines[:-1])) >= _FULL * longest:
        return []
    starts = accumulate(len(line) + 1 for line in lines[:-1])
    return [at for at, line in zip(starts, lines[1:], strict=True) if not line[:1].islower()]


def cleaned(text: str) -> str:
    """Removes invisible characters (control characters, byte order marks, marks of direction,
    spaces without width, soft hyphens inside a line), splits ligatures, and composes letters with
    their accents, which some systems write apart; compatibility forms carry meaning and are kept.
    """
    if text.isascii() and text.isprintable():
        return text
    text = _NO_TEXT.sub("", text.replace("\v", " "))  # Word's line break inside a paragraph
    text = _JOINER.sub("", _SOFT_HYPHEN.sub("", text))
    text = _LIGATURE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return composed(text)


def bare(title: str) -> str:
    """A title normalised for comparison between outline and page: no blanks, case or numbering."""
    return "".join(title.lower().split()).lstrip("0123456789.-–§")
