"""Hurried writing in plain words: expands abbreviations and removes interjections.

Turns of phrase (`turns`) are replaced first.
"""

import re

from backend.language.tokens import QUOTED
from backend.language.turns import TURNS, plainly

_WRITTEN_OUT = {
    "w/o": "without", "w/out": "without", "w/": "with ", "b/c": "because", "b/w": "between",
    "btw": "", "pls": "please", "plz": "please", "pleas": "please", "thx": "thanks", "tx": "thanks",
    "ty": "thank you", "hw": "how", "wat": "what", "wich": "which", "u": "you", "ur": "your",
    "r": "are", "imo": "", "fyi": "", "tbh": "", "asap": "", "lol": "", "abt": "about",
    "nr": "number", "nbr": "number", "avrg": "average", "desc.": "descending",
    "asc.": "ascending", "incl": "including", "incl.": "including", "excl": "excluding",
    "excl.": "excluding", "i.e.": ",", "e.g.": ",", "approx": "approximately",
    "approx.": "approximately", "max.": "max", "min.": "min", "vs.": "vs",
    "gimme": "give me", "hand me": "give me", "hand us": "give us", "lemme": "let me",
    "wanna": "want to", "gonna": "going to",
    "cuz": "because", "thru": "through", "til": "until", "dont": "do not", "doesnt": "does not",
    "isnt": "is not", "arent": "are not", "wasnt": "was not", "didnt": "did not",
    "werent": "were not", "havent": "have not", "hasnt": "has not", "hadnt": "had not",
    "couldnt": "could not", "wouldnt": "would not", "teh": "the",
    "cant": "can not", "wont": "will not", "shouldnt": "should not", "whats": "what is",
    "thats": "that is", "lets": "let us", "hmm": "", "hm": "", "hmmm": "", "umm": "", "uhm": "",
    "erm": "", "err": "", "ehm": "", "argh": "", "ugh": "", "haha": "", "kinda": "", "sorta": "",
    "ppl": "people", "howmany": "how many",
    "ony": "only", "onli": "only", "olny": "only", "onyl": "only", "jsut": "just",
    "shwo": "show", "lsit": "list", "adn": "and", "nad": "and", "wiht": "with", "whith": "with",
    "nr of": "number of", "no. of": "number of",
    "# of": "number of", "num of": "number of", "qty": "quantity",
}  # fmt: skip
_PIECES = "|".join(re.escape(short) for short in sorted(_WRITTEN_OUT, key=len, reverse=True))
_SHORT = re.compile(rf"(?<![\w/&'’.-])(?:{_PIECES})(?![\w/&'’-])|(?<!\w)w/(?=\w)", re.IGNORECASE)
_CALL = re.compile(
    r"\b(sum|total|avg|average|mean|median|min|max)\s*\(\s*([a-z][\w ]*?)\s*\)", re.IGNORECASE
)
"""`sum(price)`, as written by people who know SQL."""
_ABOUT = re.compile(
    r"((?:^|[,;:.!]|\b(?:no|make it|rather|say)) ?)about (?=[$€£]?\d)(?!(?:19|20)\d\d\b)",
    re.IGNORECASE,
)
"""`about 20` by itself, where `what about 20` asks for another number."""
_PERCENT = re.compile(r"(?<!\d)(?<!\d\s)%|\bper cent\b", re.IGNORECASE)
"""`what % of`; behind digits it is a unit."""
_NTH = {"1st": "first", "2nd": "second", "3rd": "third"}
_AT_THE_END = re.compile(r"\b(?:1st|2nd|3rd)(?=\s*(?:$|[.,;!?]|please|pls|then))", re.IGNORECASE)
"""`newest 1st`; before a month it is a day"""


def written_out(text: str) -> str:
    """The text in plain words, with abbreviations expanded.

    Quotations are unchanged, and so are one or two capital letters: they may be values, as `TX` is
    among states.
    """
    parts = QUOTED.split(text)
    for i in range(0, len(parts), 2):
        parts[i] = _SHORT.sub(_long, plainly(_plain_marks(parts[i]), TURNS))
    return " ".join("".join(parts).split())


def full_words(text: str) -> str:
    """The text with abbreviations expanded and all turns of phrase as they are."""
    parts = QUOTED.split(text)
    for i in range(0, len(parts), 2):
        parts[i] = _SHORT.sub(_long, _plain_marks(parts[i]))
    return " ".join("".join(parts).split())


def with_percent_written_out(text: str) -> str:
    """The text with `percent` for `per cent`, and for signs that are no unit of a number."""
    return _PERCENT.sub(" percent ", text)


def _plain_marks(text: str) -> str:
    """The text with calls as phrases, ordinals at its end and percent in letters, and `around` for
    an `about` that approximates.
    """
    text = _ABOUT.sub(r"\1around ", text)
    text = with_percent_written_out(_CALL.sub(r"\1 of \2", text))
    return _AT_THE_END.sub(lambda match: _NTH[match[0].lower()], text)


def _long(match: re.Match[str]) -> str:
    short = match[0]
    shouted = len(short) > 1 and match.string.isupper()
    if len(short) <= 2 and short.isalpha() and short.isupper() and not shouted:
        return short
    return _WRITTEN_OUT[short.lower()]


def is_short_for(short: str, word: str) -> bool:
    """`dept` for `department`, `apt` for `apartment`: some of its letters in order."""
    if short[0] != word[0] or len(short) > 5:
        return False
    letters = iter(word)
    return all(letter in letters for letter in short)
