"""Refuses requests that no plan can reflect: endless numbers, dates that do not exist, arithmetic
with numbers, markup.
"""

import re

from backend.language.figures import MOST_DIGITS, endless_figure
from backend.language.impossible_dates import impossible_date
from backend.language.tokens import QUOTED
from backend.language.words import stem
from backend.plans.reading.vocabulary import Vocabulary
from workbench.contract.errors import Invalid

_CALCULATION = re.compile(r"(?<![^\W\d_])([^\W\d_][\w-]*+)\s*[/*×÷^+]\s*[$€£]?\d[\d.,]*(?![\w/])")
_MARKUP = re.compile(
    r"""</?[a-z][a-z0-9-]*(?:\s+[a-z-]+=(?:"[^"]*"|'[^']*'|[^\s<>"']+))*\s*/?>""", re.IGNORECASE
)


def refuse_impossible(request: str, vocabulary: Vocabulary, loc: tuple[str, ...]) -> None:
    """Raises Invalid for a date that does not exist and is no value of a document either, for
    arithmetic such as `total / 12`, and for markup.
    """
    unquoted = "“”".join(QUOTED.split(request)[::2])
    if (markup := _MARKUP.search(unquoted)) is not None:
        msg = f"“{markup[0]}” is markup: leave it out, or put it in quotation marks"
        raise Invalid.at(loc, f"{msg} if it is a name.", "not_understood")
    if (asked := _calculation(unquoted, vocabulary)) is not None:
        msg = f"“{asked}” is not calculated: plans compare two properties, but do no arithmetic"
        raise Invalid.at(loc, f"{msg} with numbers.", "out_of_scope")
    date = impossible_date(request)
    if date is not None and not vocabulary.holding(date.written.lower()):
        msg = f"“{date.written}” is no date: {date.reason}. Put it in quotation marks"
        raise Invalid.at(loc, f"{msg} if it is a name (in “{request}”).", "not_understood")


def refuse_endless(request: str, loc: tuple[str, ...]) -> None:
    """Raises Invalid for a number with too many digits."""
    if (figure := endless_figure(request)) is not None:
        msg = f"“{figure[:20]}…” has more than {MOST_DIGITS} digits: put it in quotation marks"
        raise Invalid.at(loc, f"{msg} if it is a name.", "out_of_scope")


def _calculation(text: str, vocabulary: Vocabulary) -> str | None:
    """The first product, quotient or sum of a numeric property and a number."""
    for match in _CALCULATION.finditer(text):
        meant = vocabulary.meanings([stem(match[1])])
        if any(meaning.prop.numeric for meaning in meant):
            return match[0]
    return None
