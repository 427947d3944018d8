"""Conditions on groups: those phrased like conditions on documents, and counts of groups."""

from collections.abc import Sequence

from backend.language.units import unit_word
from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_groups import keys_of, measures_of
from backend.plans.edits.operations import CountGroups, KeepGroups, Operation, SetGroup, SetMeasures
from backend.plans.reading.clauses import Clause
from backend.plans.reading.phrasing import Bound, Key, Measure
from backend.plans.reading.pieces import Piece, Quantity
from backend.plans.requests.bag import Bag
from backend.plans.requests.groupings import keep_groups
from workbench.contract.plan_nodes import Aggregation, BasicFilter
from workbench.contract.plan_values import as_number


def groups_kept(clause: Clause, content: Sequence[Piece], draft: Draft) -> list[Operation]:
    """`only districts above 20 percent` beside averages, `over 2 million in total`: on groups."""
    bounds = [p for p in content if p.tag == "F" and p.load.range_filter]
    functions = [p for p in content if p.tag == "A"]
    others = [p for p in content if p not in [*bounds, *functions]]
    keys = keys_of(draft)
    if len(bounds) != 1 or not keys or any(p.tag != "P" for p in others):
        return []
    if any(clause.reader.any_property(p).field not in keys for p in others):
        return []
    condition: BasicFilter = bounds[0].load
    items = [item for node in draft.on_spine("Aggregate")[-1:] for item in measures_of(node)]
    measured = [item for item in items if item.field == condition.field]
    if len(functions) == 1:
        # "with more than 2 million in total": the function says that groups are compared
        measured = [Aggregation(func=functions[0].load, field=condition.field)]
    one_sided = (condition.start is None) != (condition.end is None)
    if len(measured) != 1 or not one_sided or len(functions) > 1:
        return []
    if not functions and _names_measured(clause, bounds[0]):
        return []
    upper = condition.start is None
    value = as_number(condition.end if upper else condition.start)
    if value is None:
        return []
    op = "le" if upper else "ge"
    if condition.start_exclusive or condition.end_exclusive:
        op = "lt" if upper else "gt"
    measure = Measure(measured[0].func, measured[0].field)
    return [KeepGroups(Bound(measure, op, Quantity(value)), value)]


def _names_measured(clause: Clause, piece: Piece) -> bool:
    """Whether a condition names its own subject, and so concerns the documents."""
    prop = clause.reader.vocabulary.get(piece.load.field)
    tokens = clause.reader.tokens[piece.start : piece.end]
    words = {t.stem for t in tokens if t.kind == "word" and unit_word(t.text) is None}
    return prop is not None and bool(words & {*prop.parts, *prop.described})


def counted_groups(bag: Bag) -> list[Operation]:
    """`how many operators had more than one accident`: counts the groups that meet a bound."""
    asked = [p for p in bag.left if p.tag == "M" and p.load.func == "distinct"]
    bounds = [p for p in bag.left if p.tag == "Z"]
    if len(asked) != 1 or not bounds or bag.has("K") or bag.clause.reader.present is not None:
        return []
    key = Key((asked[0].load.field,))
    measures = tuple(dict.fromkeys(piece.load.measure for piece in bounds))
    if any(measure.needs_field for measure in measures):
        return []
    for piece in (*asked, *bounds):
        bag.drop(piece)
    kept = [keep_groups(bag, piece.load, []) for piece in bounds]
    return [SetGroup(key), SetMeasures(measures), *kept, CountGroups()]
