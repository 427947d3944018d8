"""One answer for everything instead of one per group: `all towns together`, `one average`.

Every word of such a clause must belong to that request: the keys to remove, the plan's own measure,
and words for a whole.
"""

import re

from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_groups import keys_of, measures_of
from backend.plans.edits.operations import Operation, RemoveGroup, SetMeasures
from backend.plans.reading.clauses import Clause
from backend.plans.reading.phrasing import Measure
from backend.plans.reading.pieces import Piece
from backend.plans.requests.parts import FILLING

_WHOLE = re.compile(
    r"(?<!not )(?<!than )\b(?:overall|combined|together|altogether|grand|single|everything"
    r"|across all|over all"
    r"|in total|in all|merged?|collapse|one (?:number|figure|average|value|mean|median|total))\b",
    re.IGNORECASE,
)
_SAYING = frozenset({"over", "across", "grand", "single", "merge", "merged", "collapse", "one"})


def one_for_all(clause: Clause, draft: Draft) -> list[Operation]:
    """Removes the groups, with the number that is wanted instead; nothing for other clauses."""
    if not draft.on_spine("GroupBy", "TopK") or _WHOLE.search(clause.text) is None:
        return []
    keys = set(keys_of(draft))
    content = [p for p in clause.pieces if p.tag not in FILLING + "gncIo"]
    functions = [p for p in content if p.tag == "A"]
    if not all(_says_whole(clause, piece, keys) or piece in functions for piece in content):
        return []
    present = [item for node in draft.on_spine("Aggregate") for item in measures_of(node)]
    counted = all(item.func == "count" for item in present)
    named = [p for p in functions if clause.words([p]).lower() not in _TOTALS]
    named = [p for p in named if not (counted and p.load == "sum")]
    gone = any(p.tag in "PKB" for p in content) or any(p.tag == "g" for p in clause.pieces)
    if not (named or gone or not functions):
        return []
    if any(p.tag == "P" for p in content) and any(p.tag == "w" for p in clause.pieces):
        return []
    wanted = [Measure(p.load) for p in named if p.load not in {item.func for item in present}]
    return [RemoveGroup(), *([SetMeasures(tuple(wanted))] if wanted else [])]


_TOTALS = frozenset({"overall", "combined", "altogether", "all together", "in total", "collective"})


def other_extreme(clause: Clause, draft: Draft) -> list[Operation]:
    """`what about the smallest?`, `the biggest one rather than the mean`, for a plan that computes
    one number: the minimum or maximum of the same.
    """
    if draft.on_spine("GroupBy", "TopK", "Sort") or not draft.on_spine("Aggregate"):
        return []
    if _LISTING & set(clause.text.lower().split()):
        return []
    content = [p for p in clause.pieces if p.tag not in FILLING + "IicEw"]
    marks = [p for p in content if p.tag in "XH"]
    others = [p for p in content if p not in marks and p.tag not in "ALN"]
    if len(marks) != 1 or others or any(p.tag == "w" for p in clause.pieces):
        return []
    mark = marks[0]
    by_field = mark.load.field or mark.load.measure if mark.tag == "H" else mark.load[1]
    descending = mark.load.descending if mark.tag == "H" else mark.load[0]
    counts = [p for p in content if p.tag in "LN" and getattr(p.load, "count", 1) != 1]
    fields = {m.field for node in draft.on_spine("Aggregate") for m in measures_of(node)}
    if counts or (by_field and fields != {by_field}):
        return []
    return [SetMeasures((Measure("min" if descending is False else "max"),))]


_LISTING = frozenset({"show", "list", "which", "find", "give", "see", "display", "top"})


def _says_whole(clause: Clause, piece: Piece, keys: set[str]) -> bool:
    match piece.tag:
        case "P" | "B":
            return bool(keys & {meaning.prop.field for meaning in piece.load})
        case "K":
            return set(piece.load.fields) <= keys
        case "E":
            return True
    return all(word in _SAYING for word in clause.words([piece]).lower().split())
