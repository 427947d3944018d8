"""Qualifiers that change the meaning of a value: year to date, expected, for example.

"Gross pay" beside "Year to date" does not answer "gross pay", nor does the fee that a re-test would
cost. A property that asks for such a value has the qualifier in its name or description.
"""

import re
from functools import lru_cache

from backend.extraction.set_phrases import in_words
from backend.extraction.words import stem

_QUALIFIERS = """
ytd cumulative cumulated cumulatively accumulated previous prior former formerly earlier past last
old superseded replaced cancelled withdrawn refused rejected disputed waived example specimen sample
illustration draft forecast budget budgeted planned target projected provisional preliminary
estimate estimated expected proposed requested applied claimed sought asked offered quoted optional
option extension renewal extended possible potential maximum minimum limit average mean median
typical usual usually normal normally standard original originally retest re repeat second another
other others comparison benchmark subtotal carried brought per each hourly daily
weekly monthly annual yearly later next future instead unless if should would could penalty late
""".split()  # noqa: SIM905
QUALIFIERS = frozenset(stem(word) for word in _QUALIFIERS)
_WORD = re.compile(r"[^\W\d_]{2,}")
_SO_FAR = "year to date"
_MOST = 80


@lru_cache(maxsize=50_000)
def qualified(text: str) -> frozenset[str]:
    """The stems of the qualifiers in a short text."""
    plain = in_words(text[-_MOST:].lower())
    results = {known for word in _WORD.findall(plain) if (known := stem(word)) in QUALIFIERS}
    return frozenset(results | {"ytd"} if _SO_FAR in plain else results)
