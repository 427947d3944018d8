"""A step of a plan in a few words that start with a verb: `Keep state = WA`."""

from collections.abc import Callable, Mapping
from typing import Any

from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import Node, bare_field
from workbench.contract.ranks import rows_kept
from workbench.sessions.plan_layout import spoken, summary

_FUNCTIONS: Mapping[str, str] = {
    "avg": "average",
    "sum": "total",
    "min": "smallest",
    "max": "largest",
    "median": "median",
    "distinct": "number of different",
    "count": "number of",
    "share": "share of",
    "ratio": "ratio of totals,",
}
_OPERATIONS: Mapping[str, str] = {
    "add": "Add the two numbers",
    "subtract": "Subtract the second number from the first",
    "multiply": "Multiply the two numbers",
    "divide": "Divide the first number by the second",
}


def what_it_does(node: Node) -> str:
    """A sentence from the fields of the step alone, so that it stays true after an edit by hand;
    for an unknown kind of step, its description or its name.
    """
    in_words = _STEPS.get(node.node_type)
    if in_words is not None:
        return in_words(node)
    field = node.extras.get("new_field") or node.extras.get("field")
    words = bare_field(str(field)) if field else node.description or ""
    return f"{node.node_type} {words}".strip()


def _documents(node: Node) -> str:
    words = summary(node)
    return "All documents" if words == "all documents" else f"Documents with {words}"


def _measured(node: Node) -> str:
    items = node.extras.get("aggregations") or []
    return "Compute " + (", ".join(map(measure_words, items)) or "nothing")


def measure_words(item: Mapping[str, Any]) -> str:
    """What one measure of a step computes: `average damage cost`."""
    percent = " in percent" if item.get("percent") is True else ""
    return f"{_measured_words(item)}{percent}"


def _measured_words(item: Mapping[str, Any]) -> str:
    func, field = str(item.get("func")), item.get("field")
    if not field:
        return {"count": "the number of documents", "share": "the share"}.get(func, func)
    called = spoken(field)
    if func == "sum" and "total" in called.split():
        return f"sum of {called}"  # a "total gross total" is hard to read
    return f"{_FUNCTIONS.get(func, func)} {called}"


def measure_names(plan: Plan) -> dict[str, str]:
    """Display names for computed columns: `average damage cost` for `avg_damage_cost`."""
    names: dict[str, str] = {}
    for node in plan.nodes.values():
        if node.node_type == "Aggregate":
            for item in node.extras.get("aggregations") or []:
                if item.get("field"):
                    names[measure_column(item)] = measure_words(item)
    return names


def measure_column(item: Mapping[str, Any]) -> str:
    """The bare name of the column that a measure makes, as `Aggregation.column` has it."""
    bare = bare_field(str(item.get("field") or ""))
    func = str(item.get("func") or "")
    return str(item.get("name") or (f"{func}_{bare}" if bare else func))


def _grouped(node: Node) -> str:
    bucket = node.extras.get("bucket")
    names = dict.fromkeys([*(node.extras.get("fields") or []), node.extras.get("field")])
    words = " and ".join(spoken(name) for name in names if name)
    return f"Group by {bucket} of {words}" if bucket else f"Group by {words}"


def _sorted(node: Node) -> str:
    keys = [node.extras, *(node.extras.get("then") or [])]
    return "Sort by " + ", then ".join(map(_sort_key, keys))


def _sort_key(key: Mapping[str, Any]) -> str:
    end = "largest first" if key.get("descending") else "smallest first"
    return f"{spoken(key.get('field') or '')}, {end}"


def _limited(node: Node) -> str:
    per = [spoken(name) for name in node.extras.get("per") or []]
    each = f" of each {' and '.join(per)}" if per else ""
    ties = ", with ties" if node.extras.get("with_ties") else ""
    kept = rows_kept(node.extras.get("num_records", ""), node.extras.get("skip"))
    return f"Take {kept}{each}{ties}"


def _top(node: Node) -> str:
    end = "largest" if node.extras.get("descending") else "smallest"
    many = node.extras.get("K") or "all"
    return f"Count by {_field(node)}, {many} {end}"


def _counted(node: Node) -> str:
    field = node.extras.get("distinct_field")
    return f"Count different {spoken(field)}" if field else "Count"


def _calculated(node: Node) -> str:
    words = _OPERATIONS.get(str(node.extras.get("operation")), "Calculate")
    return f"{words}, in percent" if node.extras.get("percent") is True else words


def _asked(verb: str) -> Callable[[Node], str]:
    """A step that reads texts with a question."""

    def asked(node: Node) -> str:
        question = str(node.extras.get("question") or "").strip()
        return f"{verb} {question}".strip()

    return asked


def _field(node: Node) -> str:
    return spoken(node.extras.get("field") or "")


_STEPS: Mapping[str, Callable[[Node], str]] = {
    "QueryDatabase": _documents,
    "QueryVectorDatabase": lambda node: f"Passages {summary(node)}",
    "BasicFilter": lambda node: f"Keep {summary(node)}",
    "LlmFilter": _asked("Keep if:"),
    "LlmExtractEntity": lambda node: f"Read {summary(node)}",
    "SummarizeData": _asked("Summarize:"),
    "GroupBy": _grouped,
    "Aggregate": _measured,
    "AggregateCount": lambda _: "Count each group",
    "AggregateCollect": lambda _: "Count and list each group",
    "TopK": _top,
    "Sort": _sorted,
    "Limit": _limited,
    "Count": _counted,
    "Math": _calculated,
    "Distinct": lambda node: f"Different {summary(node)}",
    "Project": lambda node: f"Show {summary(node)}",
    "FieldIn": lambda node: f"Keep {summary(node)}",
    "Unroll": lambda node: f"One row for each {summary(node)}",
    "KMeanClustering": lambda node: "Cluster by meaning",
    "LLMClustering": lambda node: f"Cluster by meaning of {_field(node)}",
    "DataLoader": lambda _: "Documents of the plan",
}
"""Steps by kind."""
