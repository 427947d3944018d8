"""Links doubtful values to the words of a question if nothing else matches.

Answers exclude them, so such a plan finds nothing unless doubtful values are requested; it reports
that, which helps more than refusing the word.
"""

import polars as pl

from backend.plans.reading.vocabulary import TextWords, Vocabulary, read_vocabulary
from backend.plans.tables.following import value_counts
from backend.plans.tables.trust import doubted_field
from backend.plans.tables.value_index import Counts, glosses_of
from workbench.contract.plan import Plan
from workbench.contract.plan_columns import Columns
from workbench.contract.plan_nodes import BasicFilter, bare_field, canonical_field, typed


def with_doubted(vocabulary: Vocabulary, texts: TextWords) -> Vocabulary | None:
    """The vocabulary including doubtful values; None if there are none."""
    collection = vocabulary.collection
    doubted = _doubted(collection.table, collection.fields)
    if not any(doubted.values()):
        return None
    index = vocabulary.values.changed({}, doubted, glosses_of(collection.schema))
    return read_vocabulary(collection, index, texts)


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
