"""`No, all of them`: the last restriction goes, the rest of the plan stays.

Read over the plan alone such words ask for a list; what they take back is known from its history.
"""

import re
from collections.abc import Iterable
from itertools import islice

from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import condition_of
from backend.plans.edits.lifting import lift_queries
from backend.plans.edits.operations import RemoveFilter
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import BasicFilter

_MOST_EDITS = 20
"""How far back a restriction is looked for."""
_REFUSING = r"(?:no|nope|nah|actually|sorry|wait|oops)"
_VERB = r"(?:show|list|give|take|include|use|i want|i meant|i mean|make it|let me see)"
_ALL = r"(?:all (?:of )?(?:them|those|these)|them all)"
_EVERYBODY = r"(?:everybody|everyone|everything|every one of them|the whole (?:lot|list))"
_ASKS = re.compile(
    rf"{_REFUSING}[,.! ]+(?:{_VERB} (?:me )?)?(?:{_ALL}|{_EVERYBODY})(?: again| please| after all)*"
    rf"|(?:{_VERB} (?:me )?)?(?:{_ALL}|{_EVERYBODY}|all) (?:again|after all)(?: please)?",
    re.IGNORECASE,
)
_THEN = re.compile(r"[,;] *(?:but|and|only|just)? *| but | and ", re.IGNORECASE)
_WIDER = re.compile(r"(?:every|each|any|all|who|what|which|where|no matter)", re.IGNORECASE)
"""Words that say what all is rather than ask for more: `all of them, every district`."""


def asks_for_all(request: str) -> bool:
    """`no, all of them`, `show all again`: a restriction was not wanted.

    `All of them` alone may ask for a list.
    """
    return _ASKS.fullmatch(request.strip(" .!")) is not None


def all_again_first(request: str) -> str | None:
    """The rest of a request that begins by asking for all again: `no, all of them, but by date`."""
    for mark in _THEN.finditer(request):
        wish = request[mark.end() :].strip()
        if wish and not _WIDER.match(wish) and asks_for_all(request[: mark.start()]):
            return wish
    return None


def last_restriction(history: Iterable[Plan]) -> list[RemoveFilter]:
    """Removes from the first of the plans what the last edit that restricted it has added.

    `history` has the plan and those that it was made from, the newest first. The result is empty if
    a limit came last, or if the question itself had several conditions.
    """
    drafts = [lift_queries(Draft.of(plan)) for plan in islice(history, _MOST_EDITS)]
    for later, earlier in zip(drafts, [*drafts[1:], None], strict=True):
        if _limits(later) != _limits(earlier):
            return []
        known = _conditions(earlier)
        added = [condition for condition in _conditions(later) if condition not in known]
        if added:
            places = [n for n, one in enumerate(_conditions(drafts[0]), 1) if one in added]
            several = earlier is None and len(added) > 1
            return [] if several else [RemoveFilter(ordinal=n) for n in reversed(places)]
    return []


def _limits(draft: Draft | None) -> int:
    return 0 if draft is None else len(draft.on_spine("Limit", "TopK"))


def _conditions(draft: Draft | None) -> list[BasicFilter]:
    return [] if draft is None else list(map(condition_of, draft.of_type("BasicFilter")))
