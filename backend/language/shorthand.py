"""How people write in a hurry: abbreviations written out, and sounds that say nothing left out.

Turns of phrase are put in plain words first: they are kept beside, by what they speak of.
"""

import re

from backend.language.politeness import POLITENESS
from backend.language.said_amounts import BOUNDS, DIFFERENCES, EXTREMES, TOTALS
from backend.language.said_changes import CHANGES, NO_MATTER
from backend.language.said_of_the_rest import REST
from backend.language.said_orders import LAYOUTS, ORDERS
from backend.language.turns import plainly

_WRITTEN_OUT = {
    "w/o": "without", "w/out": "without", "w/": "with ", "b/c": "because", "b/w": "between",
    "btw": "", "pls": "please", "plz": "please", "pleas": "please", "thx": "thanks", "tx": "thanks",
    "ty": "thank you", "hw": "how", "wat": "what", "wich": "which", "u": "you", "ur": "your",
    "r": "are", "imo": "", "fyi": "", "tbh": "", "asap": "", "lol": "", "abt": "about",
    "nr": "number", "nbr": "number", "avrg": "average", "desc.": "descending",
    "asc.": "ascending", "incl": "including", "incl.": "including", "excl": "excluding",
    "excl.": "excluding", "i.e.": ",", "e.g.": ",", "approx": "approximately",
    "approx.": "approximately", "max.": "max", "min.": "min", "vs.": "vs",
    "gimme": "give me", "lemme": "let me", "wanna": "want to", "gonna": "going to",
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
_TURNS = (
    *BOUNDS, *DIFFERENCES, *ORDERS, *POLITENESS, *CHANGES, *EXTREMES, *TOTALS, *LAYOUTS, *NO_MATTER,
    *REST,
)  # fmt: skip
_PIECES = "|".join(re.escape(short) for short in sorted(_WRITTEN_OUT, key=len, reverse=True))
_SHORT = re.compile(rf"(?<![\w/&'’.-])(?:{_PIECES})(?![\w/&'’-])|(?<!\w)w/(?=\w)", re.IGNORECASE)
_QUOTED = re.compile(r"(\"[^\"]*\"|“[^”]*”|(?<!\w)'[^']+'(?!\w))")


def written_out(text: str) -> str:
    """The text in plain words, with abbreviations written out.

    What stands in quotation marks stays as it is. A single capital letter is left alone: it may
    well be a value.
    """
    parts = _QUOTED.split(text)
    for i in range(0, len(parts), 2):
        parts[i] = _SHORT.sub(_long, plainly(parts[i], _TURNS))
    return " ".join("".join(parts).split())


def _long(found: re.Match[str]) -> str:
    short = found[0]
    if len(short) == 1 and short.isupper():
        return short
    return _WRITTEN_OUT[short.lower()]
