"""Refuses requests beyond the limits of a plan, naming the limit."""

from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import ValidationError

from workbench.contract.errors import Invalid

_PARTS = {
    "any_of": "alternatives in one condition",
    "values": "values in one condition",
    "fields": "properties in one step",
    "then": "further sort keys",
    "aggregations": "numbers in one step",
    "where": "conditions on one number",
    "inputs": "inputs of one step",
}


@contextmanager
def within_plan_limits(request: str, loc: tuple[str, ...]) -> Iterator[None]:
    """Turns a step that is too large for a plan into Invalid at `loc`."""
    try:
        yield
    except ValidationError as error:
        large = [fault for fault in error.errors() if fault["type"].endswith("too_long")]
        if not large:
            raise
        part = _PARTS.get(str(large[0]["loc"][-1]), "parts in one step")
        most = large[0]["ctx"]["max_length"]
        msg = f"A plan has at most {most} {part}: ask for fewer (in “{_shortened(request)}”)."
        raise Invalid.at(loc, msg, "out_of_scope") from error


def _shortened(request: str) -> str:
    return request if len(request) <= _SHOWN else f"{request[:_SHOWN]}…"


_SHOWN = 80
