"""A plan as lines of text: one step per line, inputs before users, gutters where threads run in
parallel.

A tree would repeat steps with several users; here every step appears once. `gutter` is drawn left
of the step: `│` for a line that continues past it, `├`, `└`, `┴` where lines meet.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from workbench.contract.derived_fields import plain_name
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import CATALOGUE, TEXT, Node
from workbench.contract.plan_validation import walk


@dataclass(frozen=True)
class GraphRow:
    """One step. `link` names inputs outside the gutter; `shared` if several steps use it."""

    node: Node
    gutter: str
    link: str
    shared: bool
    is_result: bool
    approximate: bool
    summary: str


def graph_rows(plan: Plan) -> list[GraphRow]:
    """The rows in the order of drawing; steps that lead nowhere come last."""
    order = all_steps(plan)
    users: dict[int, list[int]] = {node_id: [] for node_id in order}
    for node_id in order:
        for source in plan.node(node_id).inputs:
            users.setdefault(source, []).append(node_id)
    rows: list[GraphRow] = []
    open_threads: list[int] = []  # steps whose output is still to be used, left to right
    for place, node_id in enumerate(order):
        node = plan.node(node_id)
        gutter, open_threads = _gutter(node, open_threads, users, order[place + 1 :])
        previous = order[place - 1] if place else None
        plain = not node.inputs or node.inputs == [previous]
        kind = CATALOGUE.get(node.node_type)
        rows.append(
            GraphRow(
                node=node,
                gutter=gutter,
                link="" if plain else "⟵ " + ",".join(map(str, node.inputs)),
                shared=len(users[node_id]) > 1,
                is_result=node_id == plan.result_node,
                approximate=bool(kind and kind.approximate) or bool(node.extras.get("llm_cluster")),
                summary=summary(node),
            )
        )
    width = max((len(row.gutter) for row in rows), default=0)
    return [GraphRow(**{**vars(row), "gutter": row.gutter.ljust(width)}) for row in rows]


def _gutter(
    node: Node, threads: list[int], users: dict[int, list[int]], later: list[int]
) -> tuple[str, list[int]]:
    """The gutter of a step, and the threads that are open below it."""
    own = [thread for thread in threads if thread in node.inputs]
    below = [t for t in threads if any(user in later for user in users[t])]
    marks: list[str] = []
    for thread in threads:
        if thread in own and thread in below:
            marks.append("├")
        elif thread in own:
            marks.append("" if len(own) == 1 else "┴" if "└" in marks else "└")
        else:
            marks.append("│")
    beside = [mark for mark in marks if mark]
    goes_on = [*below, node.node_id] if users[node.node_id] else below
    return "".join(beside), goes_on


def all_steps(plan: Plan) -> list[int]:
    """All steps, inputs before their users; steps that nothing uses come last."""
    order = walk(plan)
    return order + sorted(set(map(int, plan.nodes)) - set(order))


# -- a step in a few words ------------------------------------------------------------------------


def spoken(field: object) -> str:
    """A field in plain words: `properties.entity.damage_cost` is `damage cost`."""
    return "text" if field == TEXT else plain_name(str(field)).replace("_", " ")


def summary(node: Node) -> str:
    """What a step does, from its fields; its type is shown beside it and not repeated."""
    extras = node.extras
    match node.node_type:
        case "QueryDatabase":
            text, where = extras.get("query_text"), extras.get("properties_filter")
            parts = [f"“{text}”"] if text else ["query"] if extras.get("query") else []
            return ", ".join([*parts, *([where] if where else [])]) or "all documents"
        case "QueryVectorDatabase":
            return f"near “{extras.get('query_phrase', '')}”"
        case "BasicFilter":
            return condition(extras)
        case "LlmFilter" | "LlmExtractEntity" | "SummarizeData":
            new = extras.get("new_field")
            return (f"{spoken(new)}: " if new else "") + str(extras.get("question") or "")
        case "GroupBy":
            names = dict.fromkeys([extras.get("field"), *(extras.get("fields") or [])])
            bucket = f" by {extras['bucket']}" if extras.get("bucket") else ""
            return ", ".join(spoken(name) for name in names if name) + bucket
        case "Aggregate":
            return ", ".join(map(_measure, extras.get("aggregations") or []))
        case "TopK":
            return f"{extras.get('K') or 'all'} by {spoken(extras.get('field', ''))}"
        case "Sort":
            return ", ".join(map(sort_words, [extras, *(extras.get("then") or [])]))
        case "Limit":
            ties = " with ties" if extras.get("with_ties") else ""
            skipped = f" after {extras['skip']}" if extras.get("skip") else ""
            return f"{extras.get('num_records', '')}{skipped}{ties}"
        case "Math":
            percent = ", in percent" if extras.get("percent") is True else ""
            return f"{extras.get('operation', '')}{percent}"
        case "FieldIn":
            one, two = extras.get("field_one", ""), extras.get("field_two", "")
            return f"{spoken(one)} in {spoken(two)}"
        case "Project":
            return ", ".join(spoken(name) for name in extras.get("fields") or [])
        case "Count":
            field = extras.get("distinct_field")
            return f"different {spoken(field)}" if field else ""
    field = extras.get("new_field") or extras.get("field")
    return spoken(field) if field else node.description or ""


def sort_words(key: dict[str, Any]) -> str:
    return f"{spoken(key.get('field', ''))} {'↓' if key.get('descending') else '↑'}"


def condition(fields: dict[str, Any]) -> str:
    """A filter as one reads it aloud: `year = 2023`, `state not in WA, AK`."""
    name = spoken(str(fields.get("field") or ""))
    negate = bool(fields.get("negate"))
    if fields.get("any_of"):
        return " or ".join(condition({"field": fields.get("field"), **c}) for c in fields["any_of"])
    if fields.get("exists") is not None:
        return f"{name} is {'known' if bool(fields['exists']) != negate else 'unknown'}"
    if fields.get("range_filter"):
        return ("not " if negate else "") + _range(name, fields)
    values = fields.get("values")
    if values:
        return f"{name} {'not in' if negate else 'in'} {', '.join(map(str, values))}"
    signs = {"exact": ("=", "≠"), "prefix": ("begins", "begins not")}
    query = fields.get("query")
    fallback = ("=", "≠") if not isinstance(query, str) else ("contains", "without")
    return f"{name} {signs.get(str(fields.get('match')), fallback)[negate]} {query}"


def _range(name: str, fields: dict[str, Any]) -> str:
    start, end = fields.get("start"), fields.get("end")
    low = ">" if fields.get("start_exclusive") else "≥"
    high = "<" if fields.get("end_exclusive") else "≤"
    low_field, high_field = fields.get("start_field"), fields.get("end_field")
    if low_field is not None and low_field == high_field:
        return f"{name} = {spoken(low_field)}"
    start = spoken(low_field) if start is None and low_field is not None else start
    end = spoken(high_field) if end is None and high_field is not None else end
    if (grain := _whole(start, end)) and low == "≥" and high == "≤":
        return f"{name} in {grain}"
    if start is not None and end is not None:
        return f"{name} {start} … {end}"
    return f"{name} {low} {start}" if start is not None else f"{name} {high} {end}"


def _whole(start: Any, end: Any) -> str:
    """The year or month that two dates enclose, as `2021` or `2021-03`; empty for others."""
    try:
        first, last = date.fromisoformat(str(start)), date.fromisoformat(str(end))
    except ValueError:
        return ""
    if last == date.max:
        return ""
    if (first.month, first.day, last) == (1, 1, date(first.year, 12, 31)):
        return f"{first.year:04}"
    month = first.day == 1 and (last + timedelta(days=1)).day == 1
    return str(start)[:7] if month and str(start)[:7] == str(end)[:7] else ""


def _measure(aggregation: dict[str, Any]) -> str:
    field = aggregation.get("field")
    words = f"{aggregation.get('func')} {spoken(field)}" if field else str(aggregation.get("func"))
    return f"{words} in percent" if aggregation.get("percent") is True else words
