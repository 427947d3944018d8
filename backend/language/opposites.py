"""Adjectives and their opposites: an open case is not closed."""

_PAIRS = """
open unresolved unsettled unsolved pending outstanding | closed resolved settled solved
inactive dormant idle retired defunct | active
dead deceased | alive living
unpaid outstanding owed due | paid settled
ongoing unfinished incomplete pending | finished complete completed done concluded
temporary | permanent
private | public
indoor | outdoor
used secondhand | new
empty vacant unoccupied | full occupied
absent | present
lost | won
failed failing | passed
rejected refused declined denied | accepted approved granted
offline | online
optional voluntary | mandatory compulsory required obligatory
unsafe dangerous | safe
vacant | occupied let rented
unpublished | published
domestic | foreign international
manual | automatic automated
individual solo single | joint shared
cold unheated | heated
raw uncooked | cooked
unverified unconfirmed | verified confirmed
"""


def _read() -> dict[str, frozenset[str]]:
    pairs: dict[str, set[str]] = {}
    for line in _PAIRS.strip().splitlines():
        one, other = (side.split() for side in line.split("|"))
        for mine, theirs in ((one, other), (other, one)):
            for word in mine:
                pairs.setdefault(word, set()).update(theirs)
    return {word: frozenset(others) for word, others in pairs.items()}


_OPPOSITES = _read()


def opposites(words: frozenset[str]) -> frozenset[str]:
    """Opposites of the words, without the words themselves."""
    denied = {other for word in words for other in _OPPOSITES.get(word, ())}
    return frozenset(denied - words)
