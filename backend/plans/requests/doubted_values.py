"""Links doubtful values to the words of a question if nothing else matches.

Answers exclude them, so such a plan finds nothing unless doubtful values are requested; it reports
that, which helps more than refusing the word.
"""

from collections.abc import Set
from dataclasses import replace

import polars as pl

from backend.language.nouns import singular
from backend.language.words import words
from backend.plans.reading.vocabulary import TextWords, Vocabulary, read_vocabulary
from backend.plans.requests.unused import unused_in
from backend.plans.tables.collection import Collection
from backend.plans.tables.following import value_counts
from backend.plans.tables.value_index import Counts, glosses_of
from workbench.contract.plan import Plan
from workbench.contract.plan_columns import Columns, doubted_field
from workbench.contract.plan_nodes import BasicFilter, bare_field, canonical_field, typed


def with_doubted(vocabulary: Vocabulary, texts: TextWords) -> Vocabulary | None:
    """The vocabulary including doubtful values; None if there are none."""
    collection = vocabulary.collection
    doubted = _doubted(collection.table, collection.fields)
    if not any(doubted.values()):
        return None
    index = vocabulary.values.changed({}, doubted, glosses_of(collection.schema))
    return read_vocabulary(_trusting(collection), index, texts)


def _trusting(collection: Collection) -> Collection:
    """The documents with their doubtful values, so that conditions on these find something."""
    table = collection.table
    kept = [name for name in collection.fields if doubted_field(name) in table.columns]
    return replace(collection, table=table.with_columns(
        pl.coalesce(name, doubted_field(name)).alias(name) for name in kept
    ))  # fmt: skip


def left_out(plan: Plan, vocabulary: Vocabulary) -> set[str]:
    """The words of the question that a plan does not reflect, or ignores, in lower case."""
    remarks = plan.edit.warnings if plan.edit is not None else []
    ignored = [line for line in remarks if line.startswith("ignored")]
    passed_over = {word.lower() for line in ignored for word in words(line)}
    asked = {word.lower() for word in words(plan.query)}
    unused = {word.lower() for word in unused_in(plan, vocabulary.collection)}
    return unused | (asked & passed_over)


def may_be_doubtful(left: Set[str], sure: Vocabulary, doubting: Vocabulary) -> bool:
    """Whether one of these words is part of a doubtful value: `how many invoices are paid?` asks
    for more than all invoices, even if “paid” was only read with doubt.
    """
    known, doubted = sure.values, doubting.values
    return any(
        doubted.phrases.get(word) != known.phrases.get(word)
        or doubted.parts.get(word) != known.parts.get(word)
        for word in left | set(map(singular, left))
    )


def _doubted(table: pl.DataFrame, fields: Columns) -> Counts:
    """How often each doubtful value was read, by field."""
    kept = {n: kind for n, kind in fields.items() if doubted_field(n) in table.columns}
    columns = [pl.col(doubted_field(name)).alias(name) for name in kept]
    return value_counts(table.select(columns), kept)


def with_doubts(plan: Plan, sure: Vocabulary, doubting: Vocabulary) -> Plan:
    """The plan with a remark for each value that is only known as doubtful."""
    lines = []
    for node in plan.nodes.values():
        step = typed(node) if node.node_type == "BasicFilter" else None
        if not isinstance(step, BasicFilter):
            continue
        name = canonical_field(step.field)
        known, all_known = (v.values.counts.get(name, {}) for v in (sure, doubting))
        for value in step.values or ([] if step.query is None else [step.query]):
            if str(value) in all_known and str(value) not in known:
                lines.append(
                    f"“{value}” was read as {bare_field(name)} only with doubt, so those documents"
                    " are left out"
                )
    if not lines:
        return plan
    return plan.with_warnings(lines)
