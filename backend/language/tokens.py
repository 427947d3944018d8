"""English text as tokens: words, numbers, quotations and meaningful punctuation."""

import re
import unicodedata
from dataclasses import dataclass, replace

from backend.language.frequent_words import is_english
from backend.language.number_words import CARDINALS
from backend.language.units import SCALES, scaled_currency, unit_word
from backend.language.words import LETTERS, stem

_CONTRACTIONS = (
    (re.compile(r"(?<=\d)['’](?=\d{3}(?!\d))"), ","),
    (re.compile(r"\b(ca)n['’]t\b", re.I), r"\1n not"),
    (re.compile(r"\bwon['’]t\b", re.I), "will not"),
    (re.compile(r"n['’]t\b", re.I), " not"),
    (re.compile(r"\b(let)['’]s\b", re.I), r"\1 us"),
    (re.compile(r"\b(that|what|it|there|here|who|how|where)['’]s\b", re.I), r"\1 is"),
    (re.compile(r"['’](re|ve|ll|d|m)\b", re.I), ""),
    (re.compile(r"['’]s?(?=\s|$|[.,;?!])", re.I), ""),
    (re.compile(r"(?<=nr)\.(?=\s)", re.I), ""),  # "USt-IdNr. from Austria" is one sentence
    (  # "what do these two add up to": those were named before, so their number adds nothing
        re.compile(
            r"\b(these|those) (?:two|three|four|five|six|seven|eight|nine|ten|\d\d?)(?! or\b)"
            r"(?=\s*$|\s*[.,;?!]|\s+(?:add|are|come|cost|did|do|from|had|has|have|in|is|make|on|sum|"
            r"take|together|was|were)\b)",
            re.I,
        ),
        r"\1",
    ),
)
_TEENS = [word for word, value in CARDINALS.items() if 10 <= value < 20]
_TENS = [word for word, value in CARDINALS.items() if value >= 20]
_UNITS = [word for word, value in CARDINALS.items() if 0 < value < 10]
_SPOKEN_YEAR = re.compile(
    rf"\b(?P<century>nineteen|twenty)[ -](?:(?P<teen>{'|'.join(_TEENS)})"
    rf"|(?P<ten>{'|'.join(_TENS)})(?:[ -](?P<unit>{'|'.join(_UNITS)}))?"
    rf"|oh?[ -](?P<small>{'|'.join(_UNITS)}))\b",
    re.I,
)


def _year_in_digits(match: re.Match[str]) -> str:
    """`2024` for `twenty twenty four`."""
    rest = sum(CARDINALS[word.lower()] for word in match.groups()[1:] if word)
    return str((1900 if match["century"].lower() == "nineteen" else 2000) + rest)


_TOKEN = re.compile(
    r"""
    (?P<quoted>"[^"]*"|“[^”]*”|(?<!\w)'[^']+'(?!\w)|‘[^’]*’)
    |(?P<day>\d{4}-\d{1,2}-\d{1,2}|\d{1,2}/\d{1,2}/\d{4})
    |(?P<number>[$€£]?\d{1,3}(?:[ \u00a0\u2009\u202f]000)+(?!\d)
        |[$€£]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[$€£]?\d+(?:\.\d+)?)
    |(?P<word>(?!\d)"""
    + LETTERS
    + r"""(?:_[^\W_]+)*)
    |(?P<sign><=|>=|!=|<>|==|[-<>=+,;:.?!()/&%–—≥≤])
    """,
    re.VERBOSE,
)

_BEHIND_DIGITS = frozenset({"st", "nd", "rd", "th", "d", "z"})
"""Endings of ordinals, days, and the zone of a time."""
_SHORTEST_WORD = 3
"""Shorter words may be part of a code."""

QUOTED = re.compile(r"(\"[^\"]*\"|“[^”]*”|(?<!\w)'[^']+'(?!\w))")
"""A quotation; splitting by it leaves the unquoted text at even indices."""
_REPEATED = frozenset(",;.?!")
"""Punctuation whose repetition adds nothing."""


def composed(text: str) -> str:
    """The text with each letter and its accent as one character: some systems write two."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


_PLAIN_WIDTH = {0x3000: " ", **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}}
"""Maps full-width letters and punctuation, which East Asian keyboards write, to ASCII."""


_SIGNS = str.maketrans({
    "≠": "!=", "≦": "<=", "⩽": "<=", "≧": ">=", "⩾": ">=", "−": "-", "‰": " per mille ",
    "±": " plus or minus ",
})  # fmt: skip
"""Writes mathematical signs in ASCII or words, so that they are never dropped."""
_ABOUT = re.compile(r"[~≈≃≅](?=\s?[$€£]?\d)")


LETTER = "letter"
"""The kind of a token that is written like a word but is a value: the grade A."""


@dataclass(frozen=True)
class Token:
    """A piece of text. `kind` is word, number, day, quoted or sign; `joined`: no space precedes.

    `text` is as written, quotations without their marks; words are compared by `stem`.
    """

    text: str
    kind: str
    start: int
    end: int
    joined: bool = False

    @property
    def lower(self) -> str:
        return self.text.lower()

    @property
    def stem(self) -> str:
        return stem(self.text) if self.kind == "word" else self.text.lower()


def expand(text: str) -> str:
    """The text with contractions expanded, spoken years in digits, full-width letters and
    mathematical signs converted, except in quotations, and composed accents everywhere.
    """
    text = composed(text)
    parts = re.split(r"((?<!\w)'[^']+'(?!\w)|\"[^\"]*\")", text)
    for i in range(0, len(parts), 2):
        parts[i] = _ABOUT.sub(" about ", parts[i].translate(_PLAIN_WIDTH).translate(_SIGNS))
        for pattern, replacement in _CONTRACTIONS:
            parts[i] = pattern.sub(replacement, parts[i])
        parts[i] = _SPOKEN_YEAR.sub(_year_in_digits, parts[i])
    return "".join(parts)


_RUN_OF_MARKS = re.compile(r"([,;.?!])(?:[ ]?[,;.?!]){3,}")


def single_marks(text: str) -> str:
    """The text with runs of four or more punctuation marks as one, which patterns read faster."""
    return _RUN_OF_MARKS.sub(r"\1", text)


def word_count(text: str) -> int:
    """The number of words, numbers and quotations in a text."""
    return sum(match.lastgroup != "sign" for match in _TOKEN.finditer(text))


def tokenise(text: str) -> list[Token]:
    """The tokens of a text whose contractions are expanded.

    A number followed by letters that are not a unit, scale or word (`0x1F`, `1e1`, `12h30`, `4B7`)
    is one word: it is a code, or in a notation where the digits alone would be another number.
    """
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text.translate(_PLAIN_WIDTH)):
        kind = match.lastgroup or "sign"
        value = match[0][1:-1] if kind == "quoted" else match[0]
        if not value.strip():  # a quotation of nothing
            continue
        if value in _REPEATED and tokens and tokens[-1].text == value:
            continue
        joined = bool(tokens) and tokens[-1].end == match.start()
        if joined and kind == "word" and tokens[-1].kind == "number" and not _stands_apart(value):
            code = tokens.pop()
            value = code.text + value
            tokens.append(replace(code, text=value, kind="word", end=match.end()))
            continue
        tokens.append(Token(value, kind, match.start(), match.end(), joined))
    return tokens


def _stands_apart(letters: str) -> bool:
    """Whether letters that touch the digits before them are a word of their own."""
    known = letters.lower() in SCALES or letters.lower() in _BEHIND_DIGITS
    known = known or unit_word(letters) is not None or scaled_currency(letters) is not None
    return known or (len(letters) >= _SHORTEST_WORD and is_english(letters))
