"""Compares the indexes on disk with the record, element by element.

An index that follows the log is correct by construction; this is the independent check that
`workbench doctor` runs.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection, select

from backend.inference.embeddings import Identity
from backend.search.docset_indexes import IndexName
from backend.search.ranking import Keys, key_of, keys_of
from backend.search.views import View
from backend.store.tables import documents, elements, vectors

_AT_ONCE = 10_000


@dataclass(frozen=True)
class Difference:
    """How many elements an index lacks, and how many extra or duplicate ones it has."""

    name: IndexName
    missing: int
    surplus: int


def differences(view: View) -> Iterator[Difference]:
    """Each word or vector index of a view that differs from the record. Raises IndexDamaged."""
    for name, reader in view.readers.items():
        if name == "keyword":
            continue  # it lives in memory only
        indexed = reader.keys()
        if name == "lexical":
            expected = _with_text(view.connection, view.docset.docset_id)
        else:
            expected = _with_vector(view.connection, view.docset.docset_id, view.docset.identity)
            expected = np.intersect1d(expected, _with_text(view.connection, view.docset.docset_id))
        missing = len(np.setdiff1d(expected, indexed))
        surplus = len(indexed) - len(np.intersect1d(expected, indexed))
        if missing or surplus:
            yield Difference(name, missing, surplus)


def _with_text(connection: Connection, docset_id: str) -> Keys:
    rows = connection.execution_options(yield_per=_AT_ONCE).execute(
        select(documents.c.number, elements.c.ordinal)
        .join(elements, elements.c.content_id == documents.c.content_id)
        .where(documents.c.docset_id == docset_id, elements.c.text.is_not(None))
    )
    return np.fromiter((key_of(number, ordinal) for number, ordinal in rows), dtype=np.int64)


def _with_vector(connection: Connection, docset_id: str, identity: Identity) -> Keys:
    rows = connection.execution_options(yield_per=_AT_ONCE).execute(
        select(documents.c.number, vectors.c.ordinals)
        .join(vectors, vectors.c.content_id == documents.c.content_id)
        .where(documents.c.docset_id == docset_id, vectors.c.identity == identity.text)
    )
    parts = [keys_of(number, np.frombuffer(ordinals, dtype="<i4")) for number, ordinals in rows]
    return np.concatenate([np.empty(0, dtype=np.int64), *parts])
