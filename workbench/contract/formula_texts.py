"""Texts in CSV files that a spreadsheet program would compute as formulas.

Documents come from strangers, and a cell `=HYPERLINK(…)` in a file made from their values would be
computed when a person opens it. As OWASP recommends, such a text is written with an apostrophe in
front. A text that already has one gets another, so that reading restores the original. Signed
numbers are not formulas and stay as they are.
"""

import re

_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[+-]?[\d.,]*\d%?(?:[eE][+-]?\d+)?")


def is_formula(text: str) -> bool:
    """Whether a spreadsheet program could compute the text, if it had no apostrophes in front."""
    return _FORMULA.match(text) is not None and _NUMBER.fullmatch(text) is None


def quoted(text: str) -> str:
    """The text as it is written into a CSV file."""
    return f"'{text}" if is_formula(text) else text


def unquoted(text: str) -> str:
    """The text that a cell of a CSV file stands for."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text
