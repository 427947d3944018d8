"""Refuses a request that contradicts itself: `only Ohio and not Ohio`.

Clauses on different values are corrections, and the last one wins: `only Ohio, no, only Texas`.
"""

from collections.abc import Iterable, Sequence

from backend.plans.edits.merging import excludes
from backend.plans.edits.operations import AddFilter, Operation
from backend.plans.edits.wording import say_condition
from workbench.contract.errors import Invalid
from workbench.contract.plan_nodes import BasicFilter


class Contrary(Invalid):
    """Two clauses of one request contradict each other. Neither is applied."""


def refuse_contrary(
    earlier: Iterable[Operation], later: Sequence[Operation], clause: str, loc: tuple[str, ...]
) -> None:
    """Raises Contrary if the operations `later` of `clause` contradict `earlier` or themselves."""
    before = [op.condition for op in earlier if isinstance(op, AddFilter) and not op.together]
    for operation in later:
        if not isinstance(operation, AddFilter) or operation.together:
            continue
        now = operation.condition
        for then in before:
            if excludes(then, now) and _opposite(then, now):
                both = f"{say_condition(then)} and {say_condition(now)}"
                msg = f"{both[:1].upper()}{both[1:]}: both cannot hold (in “{clause}”)"
                raise Contrary.at(loc, f"{msg}. Nothing was changed.", "contradictory")
        before.append(now)


def _opposite(one: BasicFilter, other: BasicFilter) -> bool:
    truth = isinstance(one.query, bool) and isinstance(other.query, bool)
    return truth or one.negate != other.negate or (one.exists is False) != (other.exists is False)
