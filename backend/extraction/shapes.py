"""Values that need no label because their form or position identifies them.

An e-mail address is one wherever it appears, and a line that is only a date dates the document.
None of these is reliable alone; they fill in where no label fits, and confirm labels that do.
"""

from collections.abc import Iterator

from backend.extraction.candidates import Candidate
from backend.extraction.dates import moments
from backend.extraction.reading import Reading, Sentence
from backend.extraction.spans import MAIL, URL
from backend.extraction.targets import Target
from backend.extraction.words import content

_FORMS = (
    (frozenset(content("email mail")), MAIL),
    (frozenset(content("url website site web homepage link")), URL),
)
_SEVERAL, _ALONE = 0.5, 0.66
_LONE_DATE = 0.45
_MAX_AROUND = 3
"""The number of other characters allowed in a date-only line."""


def formed(target: Target, reading: Reading) -> Iterator[Candidate]:
    """Addresses anywhere in the text, for a property whose name asks for one."""
    if target.shape.kind not in ("string", "custom"):
        return
    for words, form in _FORMS:
        if words & target.name_words.keys():
            places: dict[str, Sentence] = {}
            for sentence in reading.sentences:
                for match in form.finditer(sentence.text):
                    places.setdefault(match[0].rstrip(".,;)"), sentence)
            score = _ALONE if len(places) == 1 else _SEVERAL
            for value, sentence in places.items():
                yield Candidate(
                    value, score, "form", sentence.element, sentence.page, sentence.bbox
                )


def lone_date(target: Target, reading: Reading) -> Iterator[Candidate]:
    """The only date that has a line to itself."""
    if target.shape.kind != "date":
        return
    results: dict[str, Sentence] = {}
    for sentence in reading.sentences:
        if len(sentence.text) <= 40:
            for moment in moments(sentence.text, day_first=bool(reading.habits.day_first)):
                if len(sentence.text) - (moment.end - moment.start) <= _MAX_AROUND:
                    results.setdefault(moment.day.isoformat(), sentence)
    if len(results) == 1:
        value, sentence = results.popitem()
        yield _candidate(value, _LONE_DATE, sentence)


def _candidate(value: str, score: float, sentence: Sentence) -> Candidate:
    return Candidate(value, score, "form", sentence.element, sentence.page, sentence.bbox)
