"""The settings of a node, field by field."""

from workbench.contract.coverage import coverage_words, distinct_coverage
from workbench.contract.plan_nodes import CATALOGUE, Node
from workbench.formats import value_words
from workbench.sessions.field_names import field_label
from workbench.sessions.filter_values import ListedValue, kin_words, listed_values
from workbench.sessions.plan_layout import condition, sort_words, spoken
from workbench.sessions.plan_run import NodeProgress
from workbench.sessions.step_sentences import measure_words
from workbench.tui.formats import count
from workbench.tui.lines import Line, Span, dim, line

_HIDDEN = ("index", "kin")
"""The DocSet, which is named above already, and `kin`, which the list of values shows."""
_NAMED_FIELDS = ("field", "new_field", "primary_field", "field_one", "field_two", "distinct_field")


def node_lines(node: Node, progress: NodeProgress | None) -> list[Line]:
    """Its sentence, its fields, and the result of its last run."""
    lines: list[Line] = [line(dim(node.description))] if node.description else []
    listed = listed_values(node)
    for name, value in node.unchecked.items():
        hidden = name in _HIDDEN or (name == "values" and listed)
        if value not in (None, [], {}) and not hidden:
            label = field_label(name, node.node_type)
            lines.append(line(dim(f"{label}  "), field_text(name, value, node)))
    lines += [value_line(item) for item in listed]
    if words := kin_words(node):
        lines.append(line(Span(words, "changed"), "  ", Span("v", "accent"), dim(" chooses")))
    kind = CATALOGUE.get(node.node_type)
    if kind is None:
        lines.append(line(Span("! ", "warn"), "Unknown kind of step."))
    if progress is not None:
        if progress.sentence:
            lines.append(line(progress.sentence))
        for item in distinct_coverage(progress.coverage):
            lines.append(line(Span(f"{coverage_words(item)}.", "warn")))
        for reason, number in (progress.dropped or {}).items():
            lines.append(line(Span(f"{count(number)} dropped", "changed"), dim(f"  {reason}")))
        lines += [line(Span("! ", "warn"), warning) for warning in progress.warnings]
    return lines


def value_line(item: ListedValue) -> Line:
    """A value of a filter: whether it is accepted, and whether it was added."""
    box = Span("■ ", "accent") if item.accepted else dim("□ ")
    words = value_words(item.value, typed=True)
    return line(box, words if item.accepted else dim(words), dim("  added" if item.added else ""))


def field_text(name: str, value: object, node: Node) -> str:
    """A field's value; properties, measures, orders and tests as people say them."""
    items = value if isinstance(value, list) else []
    if name == "aggregations" and not any(item.get("where") for item in items):
        return ", ".join(map(measure_words, items))
    if name in ("fields", "per"):
        return ", ".join(map(spoken, items))
    if name == "then":
        return ", ".join(map(sort_words, items))
    if name == "any_of":
        return " or ".join(condition({"field": node.extras.get("field"), **i}) for i in items)
    text = value_words(value, typed=True)
    return spoken(text) if name in _NAMED_FIELDS else text
