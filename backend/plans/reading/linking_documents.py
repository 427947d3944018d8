"""Links names of single documents to their values, for comparisons with them."""

from collections.abc import Sequence

import polars as pl

from backend.language.tokens import Token
from backend.plans.reading.chart import Chart
from backend.plans.reading.linking_types import Known, Value
from backend.plans.reading.vocabulary import Vocabulary

_COMPARING = frozenset(
    "than as like above below over under before after since until prior earlier later".split()  # noqa: SIM905
)


def document_links(chart: Chart, tokens: Sequence[Token], vocabulary: Vocabulary) -> None:
    """Adds a link for each name of exactly one document, if something is compared."""
    if _COMPARING.isdisjoint(token.lower for token in tokens):
        return
    table = vocabulary.collection.table
    for edge in chart.edges("Val"):
        value: Value = edge.value
        if len(value.values) > 1 or not (value.prop.own or value.prop.key):
            continue
        rows = table.filter(pl.col(value.prop.field) == pl.lit(value.values[0]))
        if len(rows) == 1:
            known = Known(value.prop.field, str(value.values[0]), rows.row(0, named=True))
            chart.add(edge.start, edge.end, "Known", known, edge.features)
