"""Whether the kept indexes of a DocSet hold exactly the elements that the record has.

An index that follows the log does by construction; this is the independent look, for doctors.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection, select

from backend.inference.embeddings import Identity
from backend.search.holding import IndexName
from backend.search.lexical.searching import TantivyReader
from backend.search.ranking import Keys, key_of, keys_of
from backend.search.vectors.reader import VectorReader
from backend.search.views import View
from backend.store.tables import documents, elements, vectors

_AT_ONCE = 10_000


@dataclass(frozen=True)
class Difference:
    """How many elements an index lacks, and how many it has that are not there, or twice."""

    name: IndexName
    missing: int
    surplus: int


def differences(view: View) -> Iterator[Difference]:
    """The word and vector indexes of a view that differ from its record; IndexDamaged for files
    that cannot be read.
    """
    for name, reader in view.readers.items():
        if isinstance(reader, TantivyReader):
            held, due = reader.keys(), _with_text(view.connection, view.docset.docset_id)
        elif isinstance(reader, VectorReader):
            held = reader.rows.keys[reader.rows.chosen(None)]
            due = _with_vector(view.connection, view.docset.docset_id, view.docset.identity)
            due = np.intersect1d(due, _with_text(view.connection, view.docset.docset_id))
        else:
            continue  # the keyword index lives in memory only
        missing = len(np.setdiff1d(due, held))
        surplus = len(held) - len(np.intersect1d(due, held))
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
