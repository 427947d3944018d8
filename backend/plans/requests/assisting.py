"""Clauses that the rules could not read, tried with proposals from a language model.

A proposal is applied like any edit, or not at all: when the engine or the validation refuses it,
the plan is unchanged and the clause stays refused.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from backend.inference.language import ModelError
from backend.plans.edits.applying import apply
from backend.plans.edits.draft import Draft
from backend.plans.edits.operations import Operation, op_name
from backend.plans.reading.cascade import Unclear
from backend.plans.requests.proposing import Proposer
from backend.plans.tables.collection import Collection
from workbench.contract.plan import AppliedClause, Plan, RefusedClause
from workbench.contract.plan_validation import validate

_OPEN = frozenset({"not_understood", "unknown_property", "unknown_value"})
"""Kinds of refusals that another reading may resolve; the user decides on the others."""


@dataclass
class Assisted:
    """The draft after the proposals, the applied changes in words, and the remaining refusals."""

    draft: Draft
    applied: list[AppliedClause] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    refused: list[RefusedClause] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def assist(
    draft: Draft,
    refused: Sequence[RefusedClause],
    proposer: Proposer | None,
    collection: Collection,
    question: str,
) -> Assisted:
    """The draft after the clauses for which a model proposed operations that fit."""
    done = Assisted(draft)
    wishes = [item for item in refused if item.kind in _OPEN]
    proposals: dict[int, list[Operation]] = {}
    if proposer is not None and wishes:
        try:
            proposals = proposer.propose([item.clause for item in wishes], draft, collection)
        except ModelError as problem:
            done.warnings.append(f"the language model could not help: {problem.detail}")
    for item in refused:
        operations = proposals.get(wishes.index(item), []) if item in wishes else []
        if not operations or not _carried_out(done, item, operations, collection, question):
            done.refused.append(item)
        elif proposer is not None:
            note = (
                f"“{item.clause}” was read with the help of {proposer.model.name}: check the steps"
            )
            done.warnings.append(note)
    return done


def _carried_out(
    done: Assisted,
    item: RefusedClause,
    operations: Sequence[Operation],
    collection: Collection,
    question: str,
) -> bool:
    """Applies all operations of a clause, or none."""
    draft = done.draft
    applied: list[AppliedClause] = []
    lines: list[str] = []
    try:
        for operation in operations:
            draft, node_id, line = apply(draft, operation, question)
            applied.append(AppliedClause(clause=item.clause, op=op_name(operation), node=node_id))
            lines.append(line)
    except Unclear:
        return False
    if validate(draft.as_plan(Plan(nodes={}, result_node=0)), collection.fields).faults:
        return False
    done.draft = draft
    done.applied += applied
    done.lines += lines
    return True
