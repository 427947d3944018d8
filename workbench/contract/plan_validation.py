"""Whether a plan can be run, and everything that is wrong with it at once.

This module alone decides what a sound plan is: ids that match, inputs that exist, no cycle, inputs
of the right number and kind, known fields of a fitting type, values that can be read. Faults stop a
plan; warnings do not. It needs only the plan and the fields of the DocSet, so clients can ask it
too.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from workbench.contract.derived_fields import derived_columns, derived_field
from workbench.contract.errors import FieldFault
from workbench.contract.plan_columns import (
    DATED,
    NUMERIC,
    Columns,
    columns_after,
    confidence_field,
    document_columns,
    field_in,
    key_columns,
    measure_kind,
)
from workbench.contract.plan_nodes import (
    CATALOGUE,
    MAX_NODES,
    TEXT,
    Aggregate,
    BasicFilter,
    Condition,
    Count,
    Distinct,
    FieldIn,
    Fields,
    Flow,
    Graph,
    GroupBy,
    Kind,
    KMeanClustering,
    Limit,
    LLMClustering,
    LlmExtractEntity,
    LlmFilter,
    Node,
    Project,
    Sort,
    TopK,
    Unroll,
    asks,
    bare_field,
    canonical_field,
    check_spelling,
    flow_of,
    row_field,
    typed,
)
from workbench.contract.plan_values import as_bool, as_date, as_number
from workbench.contract.schema import PropertyKind

MAX_DEPTH = 32
MAX_FIELD_NAME = 200


@dataclass
class Verdict:
    """The errors (`faults`) and the merely doubtful points (`warnings`)."""

    faults: list[FieldFault] = field(default_factory=list)
    warnings: list[FieldFault] = field(default_factory=list)
    flows: dict[int, Flow] = field(default_factory=dict)
    columns: dict[int, Columns] = field(default_factory=dict)
    keys: dict[int, list[str]] = field(default_factory=dict)
    document_columns: Columns = field(default_factory=dict)


def validate(plan: Graph, fields: Columns | None) -> Verdict:
    """Validates a plan. `fields` are those of the DocSet; None skips all checks of field names."""
    derived = derived_columns(names_in(plan), fields) if fields else {}
    verdict = Verdict(document_columns=document_columns(fields or {}, derived))
    _check_shape(plan, verdict)
    broken = {fault.type for fault in verdict.faults}
    if broken & {"too_many_nodes", "id_mismatch"}:
        return verdict
    # If the steps have no order, each is checked by itself.
    order = list(map(int, plan.nodes)) if broken & {"no_result", "cycle"} else walk(plan)
    for node_id in sorted(set(map(int, plan.nodes)) - set(order)):
        _report(verdict.warnings, node_id, None, "unreachable_node", "no path to the result node")
    for node_id in order:
        if plan.nodes[str(node_id)].node_type in CATALOGUE:
            _check_node(plan.nodes[str(node_id)], fields, verdict)
    _check_sources(plan, order, verdict)
    return verdict


def names_in(plan: Graph) -> Iterator[str]:
    """All texts in the fields of the steps, names of fields among them."""
    return (text for node in plan.nodes.values() for text in texts_in(node.extras))


def texts_in(value: object) -> Iterator[str]:
    """All texts inside a value, those of foreign queries included."""
    if isinstance(value, str):
        yield value
        yield value.partition("^")[0].removesuffix(".keyword")
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from texts_in(key)
            yield from texts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner)


def walk(plan: Graph) -> list[int]:
    """Ids from which the result is reached, inputs before their users, in a fixed order.

    Of a plan that is wrong too, to be shown: inputs that are missing or lead back are left out.
    """
    seen: dict[int, None] = {}
    begun: set[int] = set()
    stack: list[tuple[int, bool]] = [(plan.result_node, False)]
    while stack:
        node_id, inputs_done = stack.pop()
        if node_id in seen:
            continue
        if inputs_done:
            seen[node_id] = None
            continue
        begun.add(node_id)
        stack.append((node_id, True))
        inputs = reversed(plan.nodes[str(node_id)].inputs)
        stack.extend((i, False) for i in inputs if str(i) in plan.nodes and i not in begun)
    return list(seen)


def _report(
    faults: list[FieldFault], node_id: int | str, name: str | None, kind: str, msg: str
) -> None:
    loc: list[str | int] = ["body", "plan", "nodes", str(node_id)]
    faults.append(FieldFault(loc=[*loc, name] if name else loc, msg=msg, type=kind))


def _check_shape(plan: Graph, verdict: Verdict) -> None:
    """Ids, inputs, cycles, depth: without these nothing else can be judged."""
    faults = verdict.faults
    if not plan.nodes or str(plan.result_node) not in plan.nodes:
        msg = f"there is no node {plan.result_node} to be the result"
        faults.append(FieldFault(loc=["body", "plan", "result_node"], msg=msg, type="no_result"))
    if len(plan.nodes) > MAX_NODES:
        msg = f"{len(plan.nodes)} nodes are more than the {MAX_NODES} that a plan may have"
        faults.append(FieldFault(loc=["body", "plan", "nodes"], msg=msg, type="too_many_nodes"))
        return
    for key, node in plan.nodes.items():
        if key != str(node.node_id):
            _report(
                faults, key, "node_id", "id_mismatch", f"the node says its id is {node.node_id}"
            )
        if node.node_type not in CATALOGUE:
            near = get_close_matches(node.node_type, CATALOGUE, 3)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            msg = f"there is no node type {node.node_type!r}{hint}"
            _report(faults, key, "node_type", "unknown_node_type", msg)
        for i in node.inputs:
            if str(i) not in plan.nodes:
                _report(faults, key, "inputs", "unknown_input", f"input {i} is not in the plan")
    if not {fault.type for fault in faults} & {"id_mismatch", "unknown_input"}:
        _check_depth(plan, verdict)


def _check_depth(plan: Graph, verdict: Verdict) -> None:
    waiting = {key: len(set(node.inputs)) for key, node in plan.nodes.items()}
    users: dict[str, list[str]] = {key: [] for key in plan.nodes}
    for key, node in plan.nodes.items():
        for i in set(node.inputs):
            users[str(i)].append(key)
    ready = [key for key, count in waiting.items() if count == 0]
    depth, done = 0, 0
    while ready:
        depth, done, following = depth + 1, done + len(ready), []
        for key in ready:
            for user in users[key]:
                waiting[user] -= 1
                if waiting[user] == 0:
                    following.append(user)
        ready = following
    if done < len(plan.nodes):
        for key in (key for key, count in waiting.items() if count > 0):
            _report(verdict.faults, key, "inputs", "cycle", "the node depends on its own result")
    elif depth > MAX_DEPTH:
        msg = f"{depth} steps in a row are more than the {MAX_DEPTH} that a plan may have"
        verdict.faults.append(FieldFault(loc=["body", "plan", "nodes"], msg=msg, type="too_deep"))


def _check_node(node: Node, fields: Columns | None, verdict: Verdict) -> None:
    kind, node_id, faults = CATALOGUE[node.node_type], node.node_id, verdict.faults
    if node.node_type == "DataLoader":
        # Plans may come from anywhere and must not name files of this machine.
        msg = (
            "DataLoader is refused: a plan has no access to files. Add the documents to the DocSet"
            " and use QueryDatabase."
        )
        _report(faults, node_id, "node_type", "refused_node", msg)
    least, most = kind.arity
    if not least <= len(node.inputs) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        inputs = "1 input" if wanted == "1" else f"{wanted} inputs"
        msg = f"{node.node_type} takes {inputs}, not {len(node.inputs)}"
        _report(faults, node_id, "inputs", "arity", msg)
    incoming = [verdict.flows.get(i, "docs") for i in node.inputs]
    for i, flow in zip(node.inputs, incoming, strict=True):
        if i in verdict.flows and flow not in kind.takes and kind.takes:
            msg = f"{node.node_type} takes {_either(kind.takes)}; node {i} gives {flow}"
            _report(faults, node_id, "inputs", "type_mismatch", msg)
    columns: Columns = (
        verdict.columns.get(node.inputs[0], {}) if node.inputs else verdict.document_columns
    )
    try:
        check_spelling(node)
    except PydanticCustomError as error:
        _report(faults, node_id, str((error.context or {})["key"]), "unknown_key", error.message())
    try:
        parsed = typed(node)
    except ValidationError as error:
        _report_fields(faults, node_id, error)
        parsed = Fields()
    if fields is not None:
        _check_fields(node, parsed, incoming, columns, verdict)
    verdict.flows[node_id] = _flow(kind, incoming, parsed, columns)
    if isinstance(parsed, GroupBy):
        verdict.keys[node_id] = key_columns(parsed)
    if type(parsed) is Fields and kind.gives != "same":
        columns = {}
    verdict.columns[node_id] = columns_after(parsed, columns, _keys(node, verdict))


def _keys(node: Node, verdict: Verdict) -> list[str]:
    """The columns that identify incoming groups; empty if the input is not grouped."""
    return verdict.keys.get(node.inputs[0], []) if node.inputs else []


def _flow(kind: Kind, incoming: list[Flow], parsed: Fields, columns: Columns) -> Flow:
    """The output of a step. A single day, the first or last, is not a number to calculate with."""
    flow = flow_of(kind, incoming, parsed)
    if isinstance(parsed, Aggregate) and flow == "number":
        return "rows" if measure_kind(parsed.aggregations[0], columns) in DATED else flow
    return flow


def _report_fields(faults: list[FieldFault], node_id: int, error: ValidationError) -> None:
    """One fault for each unreadable field, whichever types were tried."""
    reported: dict[str, list[str]] = {}
    for item in error.errors():
        path = [str(part) for part in item["loc"] if part not in _TRIED]
        message = item["msg"].removeprefix("Value error, ")
        reported.setdefault(".".join(path), []).append(message)
    for name, messages in reported.items():
        fault = "bad_limit" if name in ("num_records", "K", "top_k") else "bad_value"
        wanted = [_wanted(message) for message in messages]
        words = f" must be {' or '.join(wanted)}" if all(wanted) else f": {'; '.join(messages)}"
        _report(faults, node_id, name or None, fault, f"{name}{words}".removeprefix(": "))


def _wanted(message: str) -> str:
    """What a field accepts, in plain words; empty if the message says something else."""
    if not message.startswith(_SHOULD):
        return ""
    words = _REASON.sub("", message.removeprefix(_SHOULD))
    return _PLAIN.get(words, words).replace("greater than or equal to", "at least")


_SHOULD = "Input should be "
_REASON = re.compile(r", (?:unable|got) .*")
_PLAIN = {
    "a valid dictionary": "an object",
    "a valid list": "a list",
    "a valid string": "text",
    "a valid integer": "a whole number",
    "a valid number": "a number",
    "a valid boolean": "true or false",
}
_TRIED = frozenset({"bool", "int", "float", "str"})
"""Names of the types of a value that may be one of several, in the places of errors."""


def _either(names: frozenset[Flow]) -> str:
    return " or ".join(sorted(names))


def _check_sources(plan: Graph, order: list[int], verdict: Verdict) -> None:
    """The nearest documents are never all of them: numbers over them are warned about."""
    partial: dict[int, bool] = {}
    for node_id in order:
        node = plan.nodes[str(node_id)]
        vector = node.node_type == "QueryVectorDatabase" or (
            node.extras.get("query_type") in ("vector", "hybrid") and node.extras.get("query_text")
        )
        partial[node_id] = bool(vector) or any(partial.get(i) for i in node.inputs)
        if partial[node_id] and node.node_type in ("Count", "Aggregate", "GroupBy", "TopK"):
            msg = "counts only the documents nearest in meaning, which may not be all that fit"
            _report(verdict.warnings, node_id, None, "incomplete_source", msg)


def _check_fields(
    node: Node, parsed: Fields, incoming: list[Flow], columns: Columns, verdict: Verdict
) -> None:
    on_rows = incoming[:1] == ["rows"]

    def known(name: str, where: str, among: Columns = columns) -> PropertyKind | None:
        full = field_in(name, among, on_rows=on_rows)
        if full in among:
            return among[full]
        if len(name) > MAX_FIELD_NAME:  # comparing it with every name would take long
            _report(verdict.faults, node.node_id, where, "unknown_field", "the name is too long")
        elif among:  # nothing is known, and nothing is wrong, after an unreadable step
            sure = {confidence_field(c) for c in among}
            named = [bare_field(c) for c in among if c not in sure]
            near = get_close_matches(bare_field(full), named, 3, 0.5)
            hint = f"; the nearest are {', '.join(near)}" if near else ""
            msg = f"there is no field {name!r}{hint}"
            _report(verdict.faults, node.node_id, where, "unknown_field", msg)
        return None

    match parsed:
        case BasicFilter():
            for i, condition in enumerate([parsed, *(parsed.any_of or [])]):
                where = "field" if i == 0 else f"any_of.{i - 1}"
                kind = known(condition.field or parsed.field, where)
                _check_condition(node, condition, kind, verdict)
                for side in ("start_field", "end_field"):
                    other = getattr(condition, side)
                    _check_beside(node, side, kind, other and known(other, side), verdict)
            if not all(map(asks, parsed.any_of or [parsed])):
                msg = (
                    "the filter has no condition: give query, values, start, end, exists or any_of"
                )
                _report(verdict.faults, node.node_id, "query", "bad_value", msg)
        case Aggregate():
            for item in parsed.aggregations:
                kind = known(item.field, "aggregations") if item.field else None
                _check_measure(node, item.func, item.field, kind, verdict)
                for test in item.where:
                    kind = known(test.field, "aggregations")
                    _check_condition(node, test, kind, verdict)
                    for other in filter(None, (test.start_field, test.end_field)):
                        fits = known(other, "aggregations")
                        _check_beside(node, "aggregations", kind, fits, verdict)
                    others = (test.start_field or "", test.end_field or "")
                    if TEXT in map(canonical_field, (test.field, *others)):
                        msg = "where cannot look at the text: put a filter in front instead"
                        _report(verdict.faults, node.node_id, "aggregations", "bad_value", msg)
            made = [row_field(item.column) for item in parsed.aggregations]
            _check_names(node, "aggregations", [*_keys(node, verdict), *made], verdict)
        case GroupBy():
            for name in parsed.keys:
                kind = known(name, "field")
            _check_names(node, "fields", [*key_columns(parsed), "properties.count"], verdict)
            if parsed.bucket and (kind := known(parsed.field, "field")) not in (None, *DATED):
                msg = f"{bare_field(parsed.field)} is not a date and has no {parsed.bucket}"
                _report(verdict.faults, node.node_id, "bucket", "field_type", msg)
        case Sort():
            _check_order(node, parsed, known(parsed.field, "field"), verdict)
            for key in parsed.then:
                later = Sort(field=key.field)
                _check_order(node, later, known(key.field, "then"), verdict)
        case TopK(primary_field=primary):
            known(parsed.field, "field")
            if primary is not None:
                known(primary, "primary_field")
        case LLMClustering():
            known(parsed.field, "field")
            _check_new_field(node, parsed.new_field, verdict)
        case Distinct() | Unroll():
            known(parsed.field, "field")
        case LlmFilter():
            known(parsed.field, "field")
        case LlmExtractEntity() | KMeanClustering():
            known(parsed.field, "field")
            _check_new_field(node, parsed.new_field, verdict)
        case Count(distinct_field=str() as name):
            known(name, "distinct_field")
        case Limit():
            for name in parsed.per or []:
                known(name, "per")
            if parsed.per and parsed.with_ties:
                msg = "with_ties applies to all rows: leave out per or with_ties"
                _report(verdict.faults, node.node_id, "with_ties", "bad_value", msg)
        case Project():
            for name in parsed.fields:
                known(name, "fields")
        case FieldIn():
            known(parsed.field_one, "field_one")
            if len(node.inputs) == 2:
                on_rows = incoming[1] == "rows"
                known(parsed.field_two, "field_two", verdict.columns.get(node.inputs[1], {}))


def _check_names(node: Node, where: str, names: list[str], verdict: Verdict) -> None:
    """Two columns of a table may not bear the same name."""
    for name, times in Counter(names).items():
        if times > 1:
            msg = f"two columns would be called {bare_field(name)!r}: give one another name"
            _report(verdict.faults, node.node_id, where, "bad_value", msg)


def _check_new_field(node: Node, name: str, verdict: Verdict) -> None:
    if bare_field(name) in ("entity", "path"):
        msg = f"{bare_field(name)!r} is the name of something that every document has"
        _report(verdict.faults, node.node_id, "new_field", "bad_value", msg)


def _check_beside(
    node: Node, where: str, kind: PropertyKind | None, other: PropertyKind | None, verdict: Verdict
) -> None:
    """Two fields can be compared when both hold numbers, days, truth values or texts."""
    if kind is None or other is None:
        return
    if "array" in (kind, other) or _sort_of(kind) != _sort_of(other):
        msg = f"{kind} values cannot be compared with {other} values"
        _report(verdict.faults, node.node_id, where, "field_type", msg)


def _sort_of(kind: PropertyKind) -> str:
    named = (("number", NUMERIC), ("date", DATED), ("truth", {"bool"}))
    return next((name for name, kinds in named if kind in kinds), "text")


def _check_order(node: Node, sort: Sort, kind: PropertyKind | None, verdict: Verdict) -> None:
    if kind == "array" and bare_field(sort.field) != "key":
        msg = f"{bare_field(sort.field)} has array values, which have no order"
        _report(verdict.faults, node.node_id, "field", "field_type", msg)
    elif sort.default_value is not None and _read_as(kind, sort.default_value) is None:
        msg = f"{sort.default_value!r} is not a value of {bare_field(sort.field)}, which is {kind}"
        _report(verdict.faults, node.node_id, "default_value", "bad_value", msg)


def _read_as(kind: PropertyKind | None, value: object, *, end: bool = False) -> object:
    """The value as a property of that kind stores it, None if it cannot be converted."""
    if kind in DATED:
        return as_date(value, end=end)
    if kind in NUMERIC:
        return as_number(value)
    return as_bool(value) if kind == "bool" else value


def _check_measure(
    node: Node, func: str, name: str | None, kind: PropertyKind | None, verdict: Verdict
) -> None:
    if func == "count" or (func == "share" and name is None):
        return
    if name is None:
        _report(verdict.faults, node.node_id, "aggregations", "bad_value", f"{func} needs a field")
    elif func == "ratio" and not _is_share_of(name):
        msg = f"ratio needs a field such as cost.share_of.hours, not {bare_field(name)}"
        _report(verdict.faults, node.node_id, "aggregations", "bad_value", msg)
    elif kind is not None and func != "distinct":
        fits = NUMERIC | DATED if func in ("min", "max") else NUMERIC
        if kind not in fits:
            msg = f"{bare_field(name)} has {kind} values, which have no {func}"
            _report(verdict.faults, node.node_id, "aggregations", "field_type", msg)


def _is_share_of(name: str) -> bool:
    derived = derived_field(name)
    return derived is not None and derived.operation == "share_of"


def _check_condition(
    node: Node, condition: Condition, kind: PropertyKind | None, verdict: Verdict
) -> None:
    for where, fault, msg in condition_faults(condition, kind):
        _report(verdict.faults, node.node_id, where, fault, msg)


def condition_faults(
    condition: Condition, kind: PropertyKind | None
) -> Iterator[tuple[str, str, str]]:
    """The faults of a test on a property of that kind: place, rule, and reason."""
    name = bare_field(condition.field or "")
    if (reason := _unfit(condition, kind)) is not None:
        yield "field", "field_type", f"{name} has {kind} values, which {reason}"
        return
    relative = isinstance(condition, BasicFilter) and (condition.start_at or condition.end_at)
    if relative and kind not in (None, *NUMERIC):
        yield "field", "field_type", f"{name} has {kind} values, which have no average"
    dated = condition.is_date or kind in DATED
    wanted = "date" if dated else "number" if kind in NUMERIC else "truth value"
    asked: list[tuple[str, object]] = [("values", value) for value in condition.values or []]
    if not (dated and condition.match == "contains"):
        asked.append(("query", condition.query))
    asked += [("start", condition.start), ("end", condition.end)]
    yield from _blanks(condition, asked)
    read: dict[str, object] = {}
    for where, value in asked:
        if value is not None:
            read[where] = _read_as("date" if dated else kind, value, end=where == "end")
            if read[where] is None:
                yield where, "bad_value", f"{value!r} cannot be read as a {wanted}"
    if _upside_down(read.get("start"), read.get("end")):
        yield "end", "empty_range", f"nothing lies between {condition.start} and {condition.end}"


def _blanks(
    condition: Condition, asked: Sequence[tuple[str, object]]
) -> Iterator[tuple[str, str, str]]:
    """Empty texts, which every text contains and none precedes: such a test would keep all."""
    for where, value in asked:
        whole = condition.match == "exact" and where in ("values", "query")
        if value == "" and not whole:
            reason = "an empty text keeps every text: leave it out, or match it exactly"
            yield where, "bad_value", reason


def _unfit(condition: Condition, kind: PropertyKind | None) -> str | None:
    """Why a test does not apply to a property of that kind, None if it does."""
    if condition.is_date and kind not in (None, "string", *DATED):
        return "are not dates"
    bounds = [bound for bound in (condition.start, condition.end) if bound is not None]
    if bounds and kind in ("array", "bool"):
        return "have no order"
    if kind == "string" and not condition.is_date and not all(isinstance(b, str) for b in bounds):
        return "cannot be less or more than a number"
    return None


def _upside_down(low: object, high: object) -> bool:
    match low, high:
        case (int() | float() as a, int() | float() as b):
            return a > b
        case (date() as c, date() as d):
            return c > d
        case (str() as e, str() as f):
            return e.lower() > f.lower()
    return False
