"""What a cell's number format adds to its number: percent, currency, unit, leading zeros.

The number of decimals and the separator of thousands are ignored: the number keeps its digits.
"""

import re
from dataclasses import dataclass

from backend.partition.formats.numerals import shown

_BUILT_IN = {9: "0%", 10: "0.00%"}
"""Numbers of formats that files do not spell out; the other ones add nothing."""
_PARTS = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[\$(?P<currency>[^\]-]{0,255}+)[^\]]{0,255}+\]|\[[^\]]{0,255}\]'
    r"|_.|\*.|(?P<digits>[0#?][0#?,.]*)|(?P<sign>.)",
    re.DOTALL,
)
_SIGNS = "%$€£¥₹₽₩₺¢°"
_ZEROS = re.compile(r"0{2,}$")


@dataclass(frozen=True)
class NumberFormat:
    before: str = ""
    after: str = ""
    percent: bool = False
    zeros: int = 0
    """The number of digits to which whole numbers are padded with zeros."""

    def of(self, number: float) -> str:
        text = shown(abs(number) * 100 if self.percent else abs(number))
        if self.zeros and text.isdecimal():
            text = text.zfill(self.zeros)
        sign = "-" if number < 0 else ""
        return f"{sign}{self.before}{text}{self.after}"


PLAIN = NumberFormat()


def number_format(code: str | None, key: int = 0) -> NumberFormat:
    """The format that a code spells out, or else that of a built-in number."""
    positive = (code or _BUILT_IN.get(key, "")).partition(";")[0]
    texts = ["", ""]
    zeros = pieces = 0
    for part in _PARTS.finditer(positive):
        if part["digits"]:
            pieces += 1
            zeros = len(part["digits"]) if _ZEROS.match(part["digits"]) else 0
            continue
        texts[min(pieces, 1)] += _kept(part)
    if pieces != 1:
        # Fractions, powers of ten, grouped digits such as telephone numbers: the result is unknown.
        return PLAIN
    before, after = texts
    made = NumberFormat(before.lstrip(), after.rstrip(), "%" in before + after, zeros)
    return PLAIN if made == PLAIN else made


def _kept(part: re.Match[str]) -> str:
    """The words and signs of a piece that are kept; brackets of negative numbers are not."""
    if part["quoted"] is not None:
        return part["quoted"] if any(map(str.isalnum, part["quoted"])) else _signs(part["quoted"])
    if part["currency"] is not None:
        return part["currency"]
    return _signs(part["escaped"] or part["sign"] or "")


def _signs(text: str) -> str:
    return "".join(sign for sign in text if sign in _SIGNS or sign == " ")
