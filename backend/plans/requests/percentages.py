"""Shares in percent, where a person asked for percent: 65 rather than 0.65.

Requests are read with all shares as fractions. This module alone turns those of a plan into
percentages and back, with the conditions on them, and decides which of both was asked for.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from backend.language.number_words import CARDINALS
from backend.language.shorthand import with_percent_written_out
from backend.language.tokens import Token, tokenise
from backend.language.words import stem
from backend.plans.edits.wording import say_condition
from backend.plans.reading.vocabulary import Vocabulary
from workbench.contract.numbers import in_percent, plain_number
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import (
    Aggregate,
    BasicFilter,
    Condition,
    Math,
    Node,
    row_field,
    typed,
)

_NAMES = frozenset(map(stem, ("percent", "percentage", "percentages", "pct")))
_FRACTIONS = frozenset(map(stem, ("fraction", "fractions", "decimal", "decimals")))
_AROUND = frozenset(
    """
    a an and answer as be can could display do express figure figures give i in instead it like
    make me need not number numbers of please put rather ratio result results say see share shares
    should show state than that the them these this those to turn use value values want we with
    would write you convert into change switch
    """.split()  # noqa: SIM905
)
_IN_WORDS = ", in percent"


def asks_for_percent(text: str, vocabulary: Vocabulary) -> bool:
    """Whether a text asks for percent; `over 20 percent` and `fill percentage` do not."""
    return any(True for _ in _asked_at(tokenise(with_percent_written_out(text)), vocabulary))


def _asked_at(tokens: Sequence[Token], vocabulary: Vocabulary) -> Iterator[int]:
    names = [{*p.parts, *p.weak, *p.suffix} for p in vocabulary.properties]
    named = [name for name in names if _NAMES & name]
    for i, token in enumerate(tokens):
        word = token.stem
        before, after = tokens[max(0, i - 1) : i], tokens[i + 1 : i + 2]
        if word not in _NAMES:
            continue
        counted = any(t.kind == "number" or t.lower in CARDINALS for t in before)
        beside = {t.stem for t in (*before, *after) if t.kind == "word"}
        if not counted and not any(word in parts and beside & parts for parts in named):
            yield i


def form_asked(text: str, vocabulary: Vocabulary) -> bool | None:
    """Whether a whole request only asks for shares in percent (true) or as fractions (false):
    `as a percentage please`. None for other requests.
    """
    tokens = [t for t in tokenise(with_percent_written_out(text)) if t.kind != "sign"]
    percent = list(_asked_at(tokens, vocabulary))
    fraction = [i for i, token in enumerate(tokens) if token.stem in _FRACTIONS]
    rest = [t for i, t in enumerate(tokens) if i not in (*percent, *fraction)]
    if not (percent or fraction) or any(t.lower not in _AROUND for t in rest):
        return None
    if any(t.lower == "not" for t in rest):
        return None
    return bool(percent) and not (fraction and fraction[0] < percent[0])


def is_in_percent(plan: Plan) -> bool:
    """Whether a plan gives shares in percent."""
    return any(_is_marked(node) for node in plan.nodes.values())


def _is_marked(node: Node) -> bool:
    items = node.extras.get("aggregations")
    inside = items if isinstance(items, list) else []
    return any(
        isinstance(one, dict) and one.get("percent") is True for one in (node.extras, *inside)
    )


def has_shares(plan: Plan) -> bool:
    """Whether a plan has shares, in whatever form."""
    return any(with_percent(plan, percent=form) != plan for form in (True, False))


def with_percent(plan: Plan, *, percent: bool) -> Plan:
    """The plan with its shares in percent or as fractions, and the conditions on them alike."""
    nodes = dict(plan.nodes)
    columns: dict[int, set[str]] = {}
    for key, node in plan.nodes.items():
        step = typed(node)
        if isinstance(step, Math) and step.operation == "divide" and step.percent != percent:
            nodes[key] = _described(node.with_fields(percent=percent or None), percent=percent)
        if isinstance(step, Aggregate):
            turned = {
                item.column
                for item in step.aggregations
                if item.func in ("share", "ratio") and item.percent != percent
            }
            if turned:
                columns[node.node_id] = {row_field(column) for column in turned}
                nodes[key] = _with_columns(node, step, turned, percent=percent)
    for key, node in plan.nodes.items():
        step = typed(node)
        of = columns.get(_computed_by(node, plan), set())
        if isinstance(step, BasicFilter) and row_field(step.field) in of:
            nodes[key] = _compared(node, step, percent=percent)
    return plan.model_copy(update={"nodes": nodes})


def _with_columns(node: Node, step: Aggregate, turned: set[str], *, percent: bool) -> Node:
    items: list[dict[str, Any]] = []
    for item, given in zip(step.aggregations, node.extras["aggregations"], strict=True):
        fields = {k: v for k, v in given.items() if k != "percent" or item.column not in turned}
        items.append(fields | ({"percent": True} if percent and item.column in turned else {}))
    return _described(node.with_fields(aggregations=items), percent=percent)


def _described(node: Node, *, percent: bool) -> Node:
    words = (node.description or "").removesuffix(_IN_WORDS)
    description = f"{words}{_IN_WORDS}" if percent and words else words or None
    return node.model_copy(update={"description": description})


def _computed_by(node: Node, plan: Plan) -> int:
    """The step that computed the rows that come into a step; -1 if there is none."""
    for _ in plan.nodes:
        if not node.inputs:
            break
        node = plan.node(node.inputs[0])
        if node.node_type == "Aggregate":
            return node.node_id
    return -1


def _compared(node: Node, step: BasicFilter, *, percent: bool) -> Node:
    """A condition on a share with its bounds in the numbers that the share has now."""

    def turned(value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return value
        number = in_percent(value) if percent else plain_number(value / 100)
        return int(number) if float(number).is_integer() else number

    def all_turned(condition: Condition) -> dict[str, Any]:
        fields = {
            name: turned(value)
            for name in ("query", "start", "end")
            if (value := getattr(condition, name)) is not None
        }
        if condition.values is not None:
            fields["values"] = [turned(value) for value in condition.values]
        return fields

    fields = all_turned(step)
    if step.any_of is not None:
        fields["any_of"] = [
            one.model_dump(exclude_defaults=True) | all_turned(one) for one in step.any_of
        ]
    made = node.with_fields(**fields)
    after = typed(made)
    assert isinstance(after, BasicFilter)
    words = (node.description or "").replace(say_condition(step), say_condition(after))
    return made.model_copy(update={"description": words or None})
