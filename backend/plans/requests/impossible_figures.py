"""Requests with a figure that nothing can have, such as a date that does not exist, are refused: a
plan could only leave it out.
"""

from backend.language.figures import MOST_DIGITS, endless_figure
from backend.language.impossible_dates import impossible_date
from backend.plans.reading.vocabulary import Vocabulary
from workbench.contract.errors import Invalid


def refuse_impossible(request: str, vocabulary: Vocabulary, loc: tuple[str, ...]) -> None:
    """Raises Invalid for a figure with more digits than a number may have, and for a date that does
    not exist and is no value of a document either.
    """
    if (figure := endless_figure(request)) is not None:
        msg = f"“{figure[:20]}…” has more than {MOST_DIGITS} digits: put it in quotation marks"
        raise Invalid.at(loc, f"{msg} if it is a name.", "out_of_scope")
    date = impossible_date(request)
    if date is not None and not vocabulary.holding(date.written.lower()):
        msg = f"“{date.written}” is no date: {date.reason}. Put it in quotation marks"
        raise Invalid.at(loc, f"{msg} if it is a name (in “{request}”).", "not_understood")
