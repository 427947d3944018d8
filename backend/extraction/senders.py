"""Who wrote a document: what properties that ask for it make of names without a label.

The name in a letterhead, below a signature or in the line of registered particulars says nothing
about itself. Where a property asks for the organisation whose paper it is (`sender_asked`) and no
value is certain, the places of all names are weighed together with what was thought of them.
`tests/bench/fit_senders.py` fits the weights on real documents.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from math import exp, log

import numpy as np

from backend.extraction.document import Document
from backend.extraction.groups import Group
from backend.extraction.segments import Place
from backend.extraction.sender_asked import asks_for_sender
from backend.extraction.spans import without_legal_form
from backend.extraction.targets import Target
from backend.extraction.wanted import wanted
from backend.extraction.weighed import GIVEN, Weighed
from backend.extraction.words import STOP, content

SURE = 0.8
"""Values of this confidence stay as they are."""
SIGNS = (
    "odds", "top", "foot", "closing", "domain", "before_salutation", "begins", "capitals", "body",
    "words", "rival", "named", "repeated",
)  # fmt: skip
"""What is weighed: the log-odds of the value so far; whether it is among the first three or last
three texts, within three texts of a signature, part of an address of the internet, or among the
eight texts before a salutation; whether it begins its text, is in capitals, and has the form of an
organisation; its words, up to ten; its confidence as the value of another property; whether it has
a word of the property; and how often it is repeated, up to three times.
"""
WEIGHTS = np.array([0.53, 0.66, 1.2, 1.37, 1.07, -0.25, 0.71, 0.42, 0.68, 1.31, -0.42, 1.26, 0.3])
NONE = 1.96
"""The log-odds of no value."""
_NEAR, _BLOCK, _MOST_WORDS, _MOST_REPEATED = 3, 8, 10, 3
_LEAST_WORD, _START = 4, 6
_LEAST_ODDS = 1e-4
_BODIES = frozenset({"legal", "body"})
_NAMES = _BODIES | {"name", "person"}
"""Classes of texts that may be a sender."""
_CLOSING = re.compile(
    r"\b(?:faithfully|sincerely|regards|truly yours|respectfully|grüßen|grüssen|salutations"
    r"|atentamente|saludo|groet|hälsning|hilsen|cordiali|distinti|signed|signature"
    r"|authori[sz]ed)\b",
    re.IGNORECASE,
)
_SALUTATION = re.compile(
    r"(?:dear|sehr geehrte|madame|monsieur|estimad|geachte|beste|gentil|hej|kære)\b", re.IGNORECASE
)
_DOMAIN = re.compile(r"(?:@|www\.|https?://)(?P<host>[\w-]+(?:\.[\w-]+)+)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{2,}")


class Paper:
    """Where the texts of a document stand: its beginning and end, signatures and salutation."""

    def __init__(self, document: Document) -> None:
        own = [segment for segment in document.segments if not segment.joined]
        self._at = {segment.order: at for at, segment in enumerate(own)}
        self._first = {segment.element: at for at, segment in reversed(list(enumerate(own)))}
        self._texts = [segment.text.lower() for segment in own]
        self._closings = [at for at, text in enumerate(self._texts) if _CLOSING.search(text)]
        salutations = (at for at, text in enumerate(self._texts) if _SALUTATION.match(text))
        self._salutation = next(salutations, None)
        hosts = (match["host"] for text in self._texts for match in _DOMAIN.finditer(text))
        self._hosts = sorted({host.replace("-", "") for host in hosts})

    def signs(self, value: str, places: Sequence[Place], kinds: frozenset[str]) -> list[float]:
        """The signs of a name, from "top" on, without those that depend on the property."""
        at = [self._of(place) for place in places]
        last = len(self._texts) - 1
        low = " ".join(value.lower().split())
        repeated = sum(low in text for text in self._texts) - 1
        block = self._salutation
        return [
            float(any(one < _NEAR for one in at)),
            float(any(last - one < _NEAR <= one for one in at)),
            float(any(0 <= one - closing <= _NEAR for one in at for closing in self._closings)),
            float(self._in_host(value)),
            float(block is not None and any(0 < block - one <= _BLOCK for one in at)),
            float(any(place.start == 0 for place in places)),
            float(value.isupper()),
            float(not kinds.isdisjoint(_BODIES)),
            min(_MOST_WORDS, len(value.split())) / _MOST_WORDS,
            min(_MOST_REPEATED, repeated) / _MOST_REPEATED,
        ]

    def _of(self, place: Place) -> int:
        """The number of the text in which a place is; of joined texts, of the first."""
        segment = place.segment
        return self._first[segment.element] if segment.joined else self._at[segment.order]

    def _in_host(self, value: str) -> bool:
        spelled = _WORD.findall(without_legal_form(value).lower())
        words = [word for word in spelled if word not in STOP]
        parts = [word for word in words if len(word) >= _LEAST_WORD]
        joined = "".join(words)
        parts += [joined[:_START]] if len(joined) >= _START - 1 else []
        return any(part in host for part in parts for host in self._hosts)


def with_senders(found: Sequence[Weighed], document: Document) -> list[Weighed]:
    """The values, with new confidences where a property asks for who wrote the document. A name
    that is given either way keeps the higher one.
    """
    open_ones = asking(found)
    if not open_ones:
        return list(found)
    paper, out = Paper(document), list(found)
    for at in open_ones:
        rows, which = sender_rows(found, at, paper)
        odds = np.exp(rows @ WEIGHTS)
        shares = odds / (odds.sum() + exp(NONE))
        confidences = list(found[at].confidences)
        for group, share in zip(which, shares.tolist(), strict=True):
            given = min(share, confidences[group]) >= GIVEN
            confidences[group] = max(share, confidences[group]) if given else share
        out[at] = replace(found[at], confidences=confidences, opinion=None)
    return out


def asking(found: Sequence[Weighed]) -> list[int]:
    """The numbers of the texts that ask for who wrote the document and have no certain value."""
    return [
        at
        for at, one in enumerate(found)
        if _is_open(one) and asks_for_sender(one.target) and not _asks_for_address(one.target)
    ]


def sender_rows(
    found: Sequence[Weighed], at: int, paper: Paper
) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.float64]], list[int]]:
    """The signs of each value of a property (a row for each, as in `SIGNS`), and the numbers of
    these values.
    """
    one = found[at]
    rivals = _rivals(found, at)
    words = _words(one.target)
    rows, which = [], []
    for number, (group, sure) in enumerate(zip(one.groups, one.confidences, strict=True)):
        kinds = frozenset(spot.kind for spot in group.spots)
        if group.absent or kinds.isdisjoint(_NAMES):
            continue
        places = [spot.place for spot in group.spots]
        value = str(group.value)
        *signs, repeated = paper.signs(value, places, kinds)
        chance = min(1.0 - _LEAST_ODDS, max(_LEAST_ODDS, sure))
        named = float(not words.isdisjoint(content(value)))
        rival = rivals.get(value.lower(), 0.0)
        rows.append([log(chance / (1.0 - chance)), *signs, rival, named, repeated])
        which.append(number)
    return np.array(rows).reshape(len(rows), len(SIGNS)), which


def _is_open(one: Weighed) -> bool:
    """Whether a text has candidates, none of which is certain."""
    text = one.target.shape.kind in ("string", "custom")
    return text and bool(one.groups) and max(one.confidences, default=1.0) < SURE


def _asks_for_address(target: Target) -> bool:
    """Whether an address is asked for rather than a name."""
    asks = wanted(target.name, target.shape.description or "", target.examples)
    return asks.match("address") > max(map(asks.match, _NAMES))


def _rivals(found: Sequence[Weighed], at: int) -> dict[str, float]:
    """The highest confidence of each text as the value of another property."""
    rivals: dict[str, float] = {}
    for number, other in enumerate(found):
        if number != at and other.target.shape.kind in ("string", "custom"):
            for group, sure in zip(other.groups, other.confidences, strict=True):
                _raise(rivals, group, sure)
    return rivals


def _raise(rivals: dict[str, float], group: Group, sure: float) -> None:
    key = str(group.value).lower()
    rivals[key] = max(rivals.get(key, 0.0), sure)


def _words(target: Target) -> frozenset[str]:
    """The stems of a property's name and description."""
    return frozenset(content(f"{target.name} {target.shape.description or ''}"))
