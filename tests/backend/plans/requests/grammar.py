"""All cases of one collection: every wording of every class of request."""

from collections.abc import Iterator

from tests.backend.plans.requests.amending import AMENDING_PARTS
from tests.backend.plans.requests.cases import Case, Record
from tests.backend.plans.requests.everyday import EVERYDAY_PARTS
from tests.backend.plans.requests.figures import NUMBER_PARTS
from tests.backend.plans.requests.questions import DOCUMENT_PARTS
from tests.backend.plans.requests.refining import REFINING_PARTS
from tests.backend.plans.requests.reshaping import RESHAPING_PARTS
from tests.backend.plans.requests.wording import Wording


def questions(words: Wording, records: list[Record], key: str) -> Iterator[Case]:
    """All questions about one collection; `records` carry their `text`."""
    for part in (*DOCUMENT_PARTS, *NUMBER_PARTS, *EVERYDAY_PARTS):
        for sort, text, want in part(words, records, key):
            yield Case(words.name, sort, (text,), want)


def feedback(words: Wording, records: list[Record], key: str) -> Iterator[Case]:
    """All feedback on plans of one collection. ` || ` stands between turns."""
    for part in (*REFINING_PARTS, *RESHAPING_PARTS, *AMENDING_PARTS):
        for sort, question, follow_ups, want in part(words, records, key):
            turns = f"{question} || {follow_ups}".split(" || ")
            yield Case(words.name, sort, tuple(turns), want)
