"""Whether high values of a property are good or bad, and the meaning of `best` and `worst`."""

from backend.language.words import stem
from backend.plans.reading.cascade import Reader
from backend.plans.reading.pieces import Piece
from backend.plans.reading.properties import Property

_BAD_THINGS = """
absence absent accident cancellation casualty complaint corrosion cost crack crime damage death debt
defect deficit delay dropout emission error expense failure fatality fault incident infection injury
lateness leak loss mistake mite noise outage overrun penalty pest pollution recall risk sick theft
vacancy violation wait waste wear
"""
_BAD = frozenset(map(stem, _BAD_THINGS.split()))
_GOOD = frozenset(
    stem(word)
    for word in """
    income profit revenue earnings surplus yield growth margin score rating success
    """.split()  # noqa: SIM905
)


def is_bad(prop: Property) -> bool:
    """Whether high values are worse, as with delays, losses or complaints. The name decides, then
    the description: income described as profit or loss is not bad.
    """
    if (_BAD | _GOOD) & set(prop.parts):
        return bool(_BAD & set(prop.parts))
    return bool(_BAD & prop.described) and not _GOOD & prop.described


def judged(reader: Reader, piece: Piece, prop: Property, descending: bool) -> bool:
    """`best` and `worst` depend on the property: more damage is worse, and so is a lower score."""
    word = reader.words([piece]).lower().split()[0]
    if word not in ("best", "worst"):
        return descending
    bad = prop.down_is_good or is_bad(prop)
    high = bad == (word == "worst")
    reader.assume(f"took “{word}” to mean the {'highest' if high else 'lowest'} {prop.label}")
    return high
