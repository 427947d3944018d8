"""Reports what a follow-up takes away from a plan although none of its words asks for that.

An edit changes what its words name. If something else has to go with it, such as a limit that
groups replace, the person who asked must know.
"""

from collections.abc import Iterator, Mapping

from backend.plans.edits.wording import say_columns, say_condition, say_field
from backend.plans.requests.plan_state import PlanState


def losses(features: Mapping[str, float], was: PlanState, now: PlanState) -> Iterator[str]:
    """A remark on each part of the plan that is gone unasked, by the features of the edit."""
    if "unasked: limit gone" in features and was.lines is not None:
        yield f"this drops the limit: all are used, not only {was.lines}"
    if "unasked: order gone" in features and was.order is not None:
        yield f"this drops the order by {say_field(was.order)}"
    if "unasked: values no longer counted" in features and was.counted is not None:
        yield f"this no longer counts the values of {say_field(was.counted)}"
    if "unasked: documents" in features and was.measures:
        yield f"this no longer computes the {say_columns(was.measures)}"
    if "unasked: condition gone" in features:
        kept = {condition.field for condition in (*now.filters, *(now.share or ()))} | now.parts
        gone = [condition for condition in was.filters if condition.field not in kept]
        yield from (f"this drops “{say_condition(condition)}”" for condition in gone)
