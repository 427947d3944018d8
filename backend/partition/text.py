"""Lines of text -> one text, with or without the line breaks of the page."""

import re
import unicodedata

_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ad]\n(?=[^\W\d_A-Z])")
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2060\ufeff\ufffe\uffff\ud800-\udfff]")
_SOFT_HYPHEN = re.compile("\u00ad(?!\n)")
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_SPACES = re.compile(r"[^\S\n]+")


def joined(text: str, *, remove_line_breaks: bool) -> str:
    """Collapses blanks; with `remove_line_breaks` lines become one and words broken at the end of
    a line are put together."""
    text = "\n".join(_SPACES.sub(" ", line).strip() for line in text.split("\n")).strip()
    if not remove_line_breaks:
        return text
    return _BROKEN_WORD.sub("", text).replace("\n", " ")


def cleaned(text: str) -> str:
    """Without what no reader sees (control characters, byte order marks, soft hyphens inside a
    line) and with ligatures as their letters; other compatibility forms keep their meaning."""
    if text.isascii() and text.isprintable():
        return text
    text = _SOFT_HYPHEN.sub("", _NO_TEXT.sub("", text))
    return _LIGATURE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)


def bare(title: str) -> str:
    """A title without what differs between an outline and its page: blanks, case, numbering."""
    return "".join(title.lower().split()).lstrip("0123456789.-–§")
