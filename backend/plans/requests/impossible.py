"""Refuses requests that no plan can reflect: without words, with endless numbers, dates that do not
exist, arithmetic with numbers, even and odd ones, a property compared with itself, markup.
"""

import re

from backend.language.figures import MOST_DIGITS, endless_figure
from backend.language.impossible_dates import impossible_date
from backend.language.tokens import QUOTED, tokenise
from backend.language.words import content_stems, stem
from backend.plans.reading.vocabulary import Vocabulary
from workbench.contract.errors import Invalid

_CALCULATION = re.compile(r"(?<![^\W\d_])([^\W\d_][\w-]*+)\s*[/*×÷^+]\s*[$€£]?\d[\d.,]*(?![\w/])")
_ITSELF = re.compile(
    r"(?<!\w)(?P<name>[^\W\d]\w*+(?: \w++){0,2}?)"
    r"(?: ?(?:[<>]=?|!=|==?) ?| (?:(?:is|are|was|were) )?\w++ than (?:the )?)(?P=name)(?!\w)"
    r"|\bratio of (?P<part>[^\W\d]\w*+(?: \w++){0,2}?) to (?:the )?(?P=part)(?!\w)",
    re.IGNORECASE,
)
_PARITY = re.compile(
    r"\b(?:even|odd)(?: numbers? of)? (?P<behind>[^\W\d]\w*+)\s*[.?!]*$"
    r"|(?<!\w)(?P<before>[^\W\d]\w*+) (?:(?:is|are) )?(?:an )?(?:even|odd)(?: numbers?)?\s*[.?!]*$",
    re.IGNORECASE,
)
_DENIALS = re.compile(r"\bnot(?:\s+not){2,}\b", re.IGNORECASE)
_MARKUP = re.compile(
    r"""</?[a-z][a-z0-9-]*(?:\s+[a-z-]+=(?:"[^"]*"|'[^']*'|[^\s<>"']+))*\s*/?>""", re.IGNORECASE
)


def refuse_impossible(request: str, vocabulary: Vocabulary, loc: tuple[str, ...]) -> None:
    """Raises Invalid for a request without words, for a date that does not exist and is no value of
    a document either, for arithmetic such as `total / 12`, for even and odd numbers, for
    a property compared with itself, for markup, and for `not not not`.
    """
    if all(token.kind == "sign" for token in tokenise(request)):
        msg = f"“{request.strip()}” has no words: say what to find, count or change."
        raise Invalid.at(loc, msg, "not_understood")
    unquoted = "“”".join(QUOTED.split(request)[::2])
    if (markup := _MARKUP.search(unquoted)) is not None:
        msg = f"“{markup[0]}” is markup: leave it out, or put it in quotation marks"
        raise Invalid.at(loc, f"{msg} if it is a name.", "not_understood")
    if (denials := _DENIALS.search(unquoted)) is not None:
        msg = f"“{denials[0]}” denies a denial: say it once, or leave it out"
        raise Invalid.at(loc, f"{msg} (in “{request}”).", "not_understood")
    if (asked := _calculation(unquoted, vocabulary)) is not None:
        msg = f"“{asked}” is not calculated: plans compare two properties, but do no arithmetic"
        raise Invalid.at(loc, f"{msg} with numbers.", "out_of_scope")
    if (parity := _parity(unquoted, vocabulary)) is not None:
        msg = f"“{parity}” is not tested: plans compare numbers, but divide none"
        raise Invalid.at(loc, f"{msg} (in “{request}”).", "out_of_scope")
    if (twice := _compared_with_itself(unquoted, vocabulary)) is not None:
        msg = f"“{twice}” compares a property with itself: name another one, or a number."
        raise Invalid.at(loc, msg, "contradictory")
    date = impossible_date(request)
    if date is not None and not vocabulary.holding(date.written.lower()):
        msg = f"“{date.written}” is no date: {date.reason}. Put it in quotation marks"
        raise Invalid.at(loc, f"{msg} if it is a name (in “{request}”).", "not_understood")


def refuse_endless(request: str, loc: tuple[str, ...]) -> None:
    """Raises Invalid for a number with too many digits."""
    if (figure := endless_figure(request)) is not None:
        msg = f"“{figure[:20]}…” has more than {MOST_DIGITS} digits: put it in quotation marks"
        raise Invalid.at(loc, f"{msg} if it is a name.", "out_of_scope")


def _compared_with_itself(text: str, vocabulary: Vocabulary) -> str | None:
    """The first comparison of a property with itself, such as `injuries > injuries`."""
    for match in _ITSELF.finditer(text):
        stems = content_stems(match["name"] or match["part"])
        before = content_stems(text[: match.start()])[-1:]
        longer = before and vocabulary.meanings([*before, *stems])  # "focal height"
        goes_on = text[match.end() :].startswith(" of ")  # "the height of the tower"
        if stems and vocabulary.meanings(stems) and not (longer or goes_on):
            return match[0]
    return None


def _parity(text: str, vocabulary: Vocabulary) -> str | None:
    """A condition that a number is even or odd, such as `units even`."""
    match = _PARITY.search(text)
    meant = vocabulary.meanings([stem(match["behind"] or match["before"])]) if match else []
    return match[0] if match and any(meaning.prop.numeric for meaning in meant) else None


def _calculation(text: str, vocabulary: Vocabulary) -> str | None:
    """The first product, quotient or sum of a numeric property and a number."""
    for match in _CALCULATION.finditer(text):
        meant = vocabulary.meanings([stem(match[1])])
        if any(meaning.prop.numeric for meaning in meant):
            return match[0]
    return None
