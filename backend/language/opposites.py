"""Adjectives and their opposites: an open case is not closed."""

from collections.abc import Iterator

_PAIRS = """
open unresolved unsettled unsolved pending outstanding | closed resolved settled solved
inactive dormant idle retired defunct | active
dead deceased | alive living
unpaid outstanding owed due | paid settled
ongoing unfinished incomplete pending | finished complete completed done concluded
temporary | permanent
private | public
used secondhand | new
empty vacant unoccupied | full occupied
absent | present
lost | won
failed failing | passed
rejected refused declined denied | accepted approved granted
forbidden forbid forbids prohibited prohibit prohibits banned disallowed | allowed permitted
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
_SIDES = {"on": "off", "off": "on", "in": "out", "out": "in", "up": "down", "down": "up"}
_PLACES = frozenset("shore line door doors bound going stream hill town side board land".split())  # noqa: SIM905


def opposites(words: frozenset[str]) -> frozenset[str]:
    """Opposites of the words, without the words themselves."""
    denied = {other for word in words for other in _OPPOSITES.get(word, ())}
    denied |= {other for word in words for other in _on_the_other_side(word)}
    return frozenset(denied - words)


def _on_the_other_side(word: str) -> Iterator[str]:
    """`onshore` for `offshore`, `outbound` for `inbound`."""
    for side, other in _SIDES.items():
        if word.startswith(side) and word.removeprefix(side) in _PLACES:
            yield other + word.removeprefix(side)
