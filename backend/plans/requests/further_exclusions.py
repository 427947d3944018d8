"""`Nor those of Lund`: a further exclusion, beside all conditions that a plan has."""

import re
from collections.abc import Sequence

from workbench.contract.plan_nodes import BasicFilter

_FURTHER = re.compile(r"^\W*(?:and |but |or )?nor\b", re.IGNORECASE)


def written_out(feedback: str) -> str:
    """A follow-up that begins with `nor` as one that begins with `and not`."""
    return _FURTHER.sub("and not", feedback)


def excludes_further(feedback: str) -> bool:
    """Whether a follow-up adds an exclusion."""
    return _FURTHER.search(feedback) is not None


def all_stay(before: Sequence[BasicFilter], after: Sequence[BasicFilter]) -> bool:
    """Whether a plan has all conditions of an earlier one; exclusions may have more values."""
    return all(
        old in after or (old.negate and any(_excludes_more(new, old) for new in after))
        for old in before
    )


def _excludes_more(new: BasicFilter, old: BasicFilter) -> bool:
    same = new.negate and new.field == old.field and new.match == old.match == "exact"
    return same and set(_values(old)) <= set(_values(new))


def _values(condition: BasicFilter) -> Sequence[object]:
    return condition.values or [condition.query]
