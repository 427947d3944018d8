"""Numbers in text: thousands separators, decimal commas, fractions, currencies, magnitudes, units,
words, and measures of two parts ("5 hours and 45 minutes").

A number that is part of a date, a time or a code ("AB-1042") is not a number here.
"""

import math
import re
import unicodedata
from dataclasses import dataclass

from backend.extraction.accounting import below_zero
from backend.extraction.dates import clock_spans
from backend.extraction.remembered import remembered
from backend.extraction.units import CURRENCY, UNITS, Unit, unit_of
from backend.language.number_words import CARDINALS, ORDINALS

_NONE_WORDS = frozenset({"none", "nil"})
_NO_ONE = re.compile(r"\b(?:no one|nobody|no (?:persons?|people))\b", re.IGNORECASE)
_MAGNITUDES = {
    "k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9,
    "trillion": 1e12, "lakh": 1e5, "crore": 1e7,
}  # fmt: skip

_TIMES = ("time", "month")
_DIVIDED = (*_TIMES, "length", "mass")

_CURRENCIES = "|".join(
    sorted({s.upper() for s, unit in UNITS.items() if unit.dimension == "money" and s.isalpha()})
)
_CLOCK_DIGITS = 4
_PATTERN = r"""(?=[\d(+\-−$€£¥₹₺₽₩₪A-Z])(?<![\w.,:/\-–])
    (?P<outer>(?:(?:US|HK|NZ|[CASR])?\$|[€£¥₹₺₽₩₪]|\b(?:CURRENCIES)\b)\s?(?=\())?
    (?P<open>\()?\s?
    (?P<sign>[-−+])?\s?
    (?P<currency>(?:US|HK|NZ|[CASR])?\$|[€£¥₹₺₽₩₪]|(?:CURRENCIES)(?=\s?[-−\d]))?\s?
    (?P<inner>[-−])?
    (?P<digits>\d{1,2}(?:,\d\d)+,\d{3}(?:\.\d+)?|\d{1,3}(?:[,.'’\u00a0\u202f\u2009]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)
    (?:(?:\s?(?P<vulgar>[¼-¾⅐-⅞])|[\s-](?P<over>[1-7])/(?P<under>[23458]))(?![\w/]))?
    (?!\d|[-–/:.,]\d)
    (?:\s?(?P<magnitude>thousand|million|billion|trillion|lakh|crore|mn|bn|[kKM])(?![\w/]))?
    (?:\s?(?P<unit>%|per\scent\b|°\s?[CF]?|[$€£¥₺₽₩₪]|[A-Za-zµμ]+(?:/[A-Za-zµμ]+\d*)?(?:²|³)?))?
    (?:\s?(?P<close>\)(?:\s?%|[pc]\b)?)(?:\s?(?P<scale>thousand|million|billion|trillion)\b)?)?"""
_NUMBER = re.compile(_PATTERN.replace("CURRENCIES", _CURRENCIES), re.VERBOSE)
_MEASURED = r"km|kg|kwh|t|ha|m²|m2|sqm|lit(?:er|re)s?|tonnes?|miles?"
_BLANK_BETWEEN = re.compile(r"\d \d{3}(?!\d)")
_SPACED_MONEY = re.compile(
    rf"(?<![\d.,])\d{{1,3}}(?: \d{{3}}){{1,9}}(?=(?:[.,]\d\d?)?\s?(?:{CURRENCY}|kr"
    rf"|{_MEASURED})(?!\w))"
    rf"|(?<!\w)(?:{CURRENCY})\s?\d{{1,3}}(?: \d{{3}})+(?!\d)"
    rf"|(?<![\d.,])\d{{1,3}}(?: \d{{3}}){{1,9}}(?=,\d\d(?!\d))"
    r"|(?<![\w.,/-])(?-i:[A-Z]{1,3}|Rs|Rp|Kčs?)\.? ?\d{1,3}(?: \d{3}){1,9}(?=[.,]\d\d(?!\d))"
    rf"|(?<![\w.,/-])(?<!\d )[1-9]\d{{0,2}} \d{{3}}(?![\w.,/-]*\d)(?! \d)(?! ?(?:m?g|ml|[cm]m)\b)",
    re.IGNORECASE,
)
"""Thousands separated by spaces: in an amount with its currency, with letters in front and cents
behind, or with cents behind a comma, in a measure beside its unit, or in a number among words.
"""
_LETTERED = re.compile(
    r"(?<![\w.,/-])(?:[A-Z]{1,3}|Rs|Rp|Kčs?)\.? ?"
    r"(?=[1-9]\d{0,2}(?:[,.\u00a0]\d{3})+(?![\w/-])|\d+\.\d\d(?![\w.]))"
)
"""Letters of a currency that is not known, in front of an amount: "P1,896,000.00", "D3,500"."""
_WITH_DOTS = ("USD", "GBP", "CAD", "AUD", "INR", "MYR", "CNY", "JPY", "SGD", "HKD", "NZD", "ILS",
              "KRW", "MXN", "THB")  # fmt: skip
_SPACED = re.compile(r"\d{1,3}(?: \d{3})+(?:[.,]\d+)?")
"""A text that is one number with spaces between thousands; in a sentence spaces separate
numbers.
"""
_WORD_NUMBER = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(w for w, v in CARDINALS.items() if v >= 20)})(?:-(?P<ones>[a-z]+))?"
    rf"|(?P<plain>{'|'.join(w for w, v in CARDINALS.items() if v < 20)}))\b"
    rf"(?:\s+and\s+a\s+(?P<part>half|quarter)\b)?(?:\s+(?P<unit>per\s+cent|[a-z]+))?",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    rf"\b(?:(?P<ordinal>{'|'.join(ORDINALS)})|(?P<digits>\d{{1,4}})(?:st|nd|rd|th)"
    rf"|(?P<none>no|without(?: any)?|zero|nil))\s+(?P<word>[a-z]+)",
    re.IGNORECASE,
)
_PARTS = {"half": 0.5, "quarter": 0.25}
_CENTS = ("p", "c")
"""Hundredths of a currency, directly behind an amount."""
_JOINS = re.compile(r"\s*"), re.compile(r"\s*+(?:(?:,\s*+and|,|and|&)\s*+)?")
"""The text between the parts of a measure, and of a duration."""


@dataclass(frozen=True)
class Number:
    """A number with its surroundings; `start` and `end` are the offsets of the whole."""

    value: float
    start: int
    end: int
    unit: Unit | None = None
    word: str = ""
    """The next word, unit or not: "fatal" in "2 fatal"."""


def numbers(text: str, *, decimal_comma: bool = False) -> list[Number]:
    """The numbers written in digits, in order. With `decimal_comma` "7.061" is seven thousand."""
    return _with_commas(text) if decimal_comma else _plain(text)


@remembered
def _plain(text: str) -> list[Number]:
    return _read(text, decimal_comma=False)


@remembered
def _with_commas(text: str) -> list[Number]:
    return _read(text, decimal_comma=True)


def _read(text: str, *, decimal_comma: bool) -> list[Number]:
    if _SPACED.fullmatch(text):
        text = text.replace(" ", "\u00a0")
    elif _BLANK_BETWEEN.search(text) is not None:
        text = _SPACED_MONEY.sub(lambda match: match[0].replace(" ", "\u00a0"), text)
    if _LETTERED.search(text) is not None:
        text = _LETTERED.sub(lambda match: _unlettered(match[0]), text)
    results: list[Number] = []
    clocks: list[tuple[int, int]] | None = None
    for match in _NUMBER.finditer(text):
        if match["unit"] and (len(match["digits"]) == _CLOCK_DIGITS or match["unit"][0] in "apAP"):
            clocks = clock_spans(text) if clocks is None else clocks
            if any(a < match.end("digits") and match.start("digits") < b for a, b in clocks):
                continue
        digits = match["digits"]
        if match["currency"] is None and _is_code(text, *match.span("digits")):
            continue
        comma = decimal_comma or _by_commas(match["currency"] or match["unit"] or "")
        value = _value(digits, decimal_comma=comma) + _fraction(match)
        if magnitude := match["magnitude"] or match["scale"]:
            value = float(f"{value * _MAGNITUDES[magnitude.lower()]:.10g}")
        if not math.isfinite(value):
            continue  # more digits than any amount has
        percent = "%" if (match["close"] or "").endswith("%") else ""
        behind = (match["unit"] or percent).replace(" ", "")
        if match["sign"] in ("-", "−") or match["inner"] or _in_accounting_brackets(match, behind):
            value = -value
        written = match["currency"] or (match["outer"] or "").strip() or behind
        unit = unit_of(written)
        end = max(map(match.end, ("digits", "vulgar", "under", "unit")))
        results.append(
            Number(value, match.start("digits"), end, unit, (match["unit"] or "").lower())
        )
    if any(_divides(number) for number in results):
        words = [number for number in worded_numbers(text) if _divides(number)]
        both = sorted(results + words, key=_start)
        whole = _in_one(both, text)
        results = [number for number in whole if number not in words]
    return results


def _unlettered(letters: str) -> str:
    """Blanks instead of letters, unless they are a known currency."""
    known = unit_of(letters.strip(" .").upper())
    return letters if known is not None and known.dimension == "money" else " " * len(letters)


def _fraction(match: re.Match[str]) -> float:
    """The fraction after the whole part: 0.5 in "4 1/2" and in "4½"."""
    if match["vulgar"]:
        return unicodedata.numeric(match["vulgar"])
    return int(match["over"]) / int(match["under"]) if match["over"] else 0.0


def _start(number: Number) -> int:
    return number.start


def _divides(number: Number) -> bool:
    """Whether its unit can be a part of a larger one, or have parts."""
    return number.unit is not None and number.unit.factor > 0 and number.unit.dimension in _DIVIDED


def _in_one(parts: list[Number], text: str) -> list[Number]:
    """Merges the parts of one measure into a number in the larger unit."""
    results: list[Number] = []
    for number in parts:
        last = results[-1] if results else None
        if (
            last is None
            or (larger := last.unit) is None
            or (smaller := number.unit) is None
            or not (_divides(last) and _divides(number) and larger.dimension == smaller.dimension)
            or not number.value * smaller.factor < larger.factor
            or not _JOINS[larger.dimension in _TIMES].fullmatch(text, last.end, number.start)
        ):
            results.append(number)
            continue
        value = last.value + number.value * smaller.factor / larger.factor
        results[-1] = Number(value, last.start, number.end, larger, number.word)
    return results


def _by_commas(unit: str) -> bool:
    """Whether a currency uses a decimal comma: "3.200 EUR" has no cents."""
    resolved = unit_of(unit)
    return (
        resolved is not None and resolved.dimension == "money" and resolved.name not in _WITH_DOTS
    )


def _in_accounting_brackets(match: re.Match[str], unit: str) -> bool:
    if not match["open"] or not match["close"]:
        return False
    outer, digits, span = match["outer"] is not None, match["digits"], match.span()
    unit = "" if unit in _CENTS else unit
    return below_zero(match.string, *span, digits=digits, outer=outer, unit=unit)


@remembered
def worded_numbers(text: str) -> list[Number]:
    """The numbers written as words ("twenty-one people"); "none" and "no one" are zero."""
    results = [Number(0.0, *match.span()) for match in _NO_ONE.finditer(text)]
    for match in _WORD_NUMBER.finditer(text):
        if any(number.start <= match.start() < number.end for number in results):
            continue
        part = _PARTS.get((match["part"] or "").lower(), 0.0)
        value = CARDINALS[(match["tens"] or match["plain"]).lower()] + part
        ones = CARDINALS.get((match["ones"] or "").lower(), 0)
        word = "".join((match["unit"] or "").lower().split())
        results.append(Number(float(value + ones), match.start(), match.end(), unit_of(word), word))
    if not results and text.strip(" .").lower() in _NONE_WORDS:
        results.append(Number(0.0, 0, len(text)))
    return _in_one(sorted(results, key=_start), text)


@remembered
def counted(text: str) -> list[Number]:
    """Ordinal numbers and denials in front of a word: "fifth show" is 5, "no pupils" is 0."""
    out = []
    for match in _COUNTED.finditer(text):
        value = 0.0
        if match["ordinal"]:
            value = 1.0 + ORDINALS.index(match["ordinal"].lower())
        elif match["digits"]:
            value = float(match["digits"])
        out.append(Number(value, match.start(), match.start("word") - 1, None, match["word"]))
    return out


def _is_code(text: str, start: int, end: int) -> bool:
    """Whether letters follow directly and are no unit: "12B", "3rd", but not "37.2p" (pence)."""
    tail = re.match(r"[A-Za-z]+", text[end:])
    if tail is None or tail[0] in ("k", "K", "M", "m", "h"):
        return False
    if tail[0] in _CENTS and "." in text[start:end]:
        return False
    unit = unit_of(tail[0])
    return unit is None or (unit.dimension == unit.name and unit.name not in ("month",))


def _value(digits: str, *, decimal_comma: bool) -> float:
    """The value of digits with separators. Of two kinds the last is the decimal one; a single comma
    before three digits separates thousands, and so does a dot with `decimal_comma`.
    """
    plain = re.sub(r"['’\u00a0\u202f\u2009]", "", digits)
    comma, dot = plain.rfind(","), plain.rfind(".")
    if comma >= 0 and dot >= 0:
        decimal = "," if comma > dot else "."
    elif plain.count(",") == 1:
        decimal = "." if len(plain) - comma == 4 and not plain.startswith("0,") else ","
    elif plain.count(".") == 1 and decimal_comma and len(plain) - dot == 4 and plain[0] != "0":
        decimal = ","
    else:
        decimal = "," if plain.count(".") > 1 else "."
    thousands = "." if decimal == "," else ","
    return float(plain.replace(thousands, "").replace(decimal, "."))
