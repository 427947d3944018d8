"""Choices for an ambiguous request: what each plan would do, and the plan.

Readings come from two sources: the chooser of questions, which has several plans at hand, and words
that are ambiguous in one place only, which are read again with each of their meanings. A reading
that fails, or that does the same as another, is not offered.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from backend.plans.edits.operations import Operation
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.vocabulary import Vocabulary
from workbench.contract.errors import Choice, FieldFault, Invalid
from workbench.contract.plan import EditReport, Plan
from workbench.contract.plan_canonical import plan_hash
from workbench.contract.plan_diff import NodeChange, diff

MOST_CHOICES = 5
"""Maximum number of choices; with more meanings the user has to rephrase."""

_LONG = 160
"""Maximum characters of a sentence; in a longer one the shared steps are only counted."""

Finish = Callable[[Plan], Plan]


@dataclass(frozen=True)
class Meaning:
    """A resolution of ambiguous words: a vocabulary with a preference, or operations by clause."""

    vocabulary: Vocabulary
    operations: Mapping[str, Sequence[Operation]] = field(default_factory=dict)


def meanings(clause: str, problem: Unclear, vocabulary: Vocabulary) -> list[Meaning]:
    """All meanings of an ambiguous clause; empty where they are not known."""
    if problem.kind != "ambiguous":
        return []
    if problem.readings:
        return [Meaning(vocabulary, {clause: reading}) for reading in problem.readings]
    by_label = {prop.label: prop.field for prop in vocabulary.properties}
    fields = [by_label.get(name, "") for name in problem.suggestions]
    if len(fields) < 2 or not all(fields):
        return []
    others = {name: tuple(other for other in fields if other != name) for name in fields}
    return [Meaning(replace(vocabulary, meant=(name, *others[name]))) for name in fields]


def with_choices(
    refused: Invalid,
    unclear: Mapping[str, Unclear],
    vocabulary: Vocabulary,
    read: Callable[[Meaning], Plan],
    before: Plan | None = None,
) -> Invalid:
    """The refusal with a choice for each meaning of its ambiguous clause, as `read` plans it."""
    if len(unclear) != 1 or len(refused.faults) != 1:
        return refused
    ((clause, problem),) = unclear.items()
    options = meanings(clause, problem, vocabulary)
    if not 2 <= len(options) <= MOST_CHOICES:
        return refused
    plans: list[Plan] = []
    for meaning in options:
        with suppress(Invalid):
            plans.append(read(meaning))
    fault = refused.faults[0].model_copy(update={"choices": choices_of(plans, before) or None})
    return Invalid([fault])


def choices_of(
    plans: Iterable[Plan], before: Plan | None = None, *, least: int = 2
) -> list[Choice]:
    """A choice for each plan unlike the others and `before`; empty where fewer than `least`."""
    known = set() if before is None else {plan_hash(before)}
    results: dict[str, Plan] = {}
    for plan in plans:
        name, words = plan_hash(plan), _sentence(steps_of(plan, before))
        if name not in known and words not in results:
            known.add(name)
            results[words] = plan
    if len(results) < least:
        return []
    sentences = _sentences([steps_of(plan, before) for plan in results.values()])
    return [
        Choice(
            words=words,
            edit=(plan.edit or EditReport()).model_dump(mode="json"),
            plan=plan.model_dump(mode="json"),
        )
        for words, plan in zip(sentences, results.values(), strict=True)
    ]


def steps_of(plan: Plan, before: Plan | None = None) -> list[str]:
    """What a plan does, or how it differs from the plan before it, step by step."""
    if before is not None:
        changes = diff(before, plan).changes
        return [_changed(change, before, plan) for change in changes if change.kind != "moved"]
    nodes = list(plan.nodes.values())
    return [node.description or node.node_type for node in nodes[1:] or nodes]


def finished(refused: Invalid, finish: Finish, before: Plan | None = None) -> Invalid:
    """The refusal with what `finish` makes of each plan that it offers."""
    return Invalid([_finished(fault, finish, before) for fault in refused.faults])


def _finished(fault: FieldFault, finish: Finish, before: Plan | None) -> FieldFault:
    if not fault.choices:
        return fault
    made = choices_of((finish(Plan.model_validate(c.plan)) for c in fault.choices), before)
    msg = fault.msg
    for old, new in zip(fault.choices, made, strict=False):
        msg = msg.replace(f"“{old.words}”", f"“{new.words}”")
    return fault.model_copy(update={"msg": msg, "choices": made or None})


def _changed(change: NodeChange, before: Plan, after: Plan) -> str:
    if change.after is not None:
        node = after.node(change.after)
        return node.description or node.node_type
    assert change.before is not None
    gone = before.node(change.before)
    return f"Remove the step “{gone.description or gone.node_type}”"


def _sentences(several: Sequence[Sequence[str]]) -> list[str]:
    """A sentence for each list of steps. Where one gets long, the shared steps are only counted."""
    sentences = [_sentence(steps) for steps in several]
    shared = set(several[0]).intersection(*several[1:])
    if not shared or max(map(len, sentences)) <= _LONG:
        return sentences
    count = f"{len(shared)} step" + ("" if len(shared) == 1 else "s")
    own = [_sentence(step for step in steps if step not in shared) for steps in several]
    return [
        f"{words}; and the {count} that every choice has" if words else
        f"Only the {count} that every choice has"
        for words in own
    ]  # fmt: skip


def _sentence(steps: Iterable[str]) -> str:
    """Steps as one sentence without its end: `Keep where …; sort by …`."""
    sentences = [" ".join(step.split()).rstrip(".") for step in dict.fromkeys(steps)]
    lowered = [s[0].lower() + s[1:] if s[1:2].islower() else s for s in sentences[1:] if s]
    return "; ".join([*sentences[:1], *lowered])
