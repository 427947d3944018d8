"""Spellings of a property that count as one: chosen by a person, stored with the DocSet, undoable.

The merges are stored in the properties of the DocSet, so they are cloned and backed up with it.
Documents keep their extracted values; only answers use the merged spelling.
"""

from typing import Any

from sqlalchemy import select, update

from backend.docsets.docsets import schema_of, writable
from backend.store.database import Database
from backend.store.tables import docsets
from workbench.contract.coverage import MERGED_VALUES, Merge, merges_of
from workbench.contract.errors import Invalid, NotFound

_MOST = 1_000
"""Merges per DocSet."""


class MergedValues:
    """The merges of each DocSet, in the order they were made."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self, account_id: str, docset_id: str) -> list[Merge]:
        """All merges of a DocSet; NotFound without the DocSet."""
        chosen = (docsets.c.docset_id == docset_id) & (docsets.c.account_id == account_id)
        with self._database.reading() as connection:
            row = connection.execute(select(docsets.c.properties).where(chosen)).one_or_none()
        if row is None:
            raise NotFound(f"There is no DocSet {docset_id}.")
        return merges_of(row.properties)

    def add(self, account_id: str, docset_id: str, merge: Merge) -> list[Merge]:
        """Counts the values of a merge as one from now on; an existing merge is not repeated.

        Invalid for a property that the DocSet does not have, or for too many merges.
        """
        with self._database.writing() as connection:
            docset = writable(connection, account_id, docset_id)
            schema = schema_of(docset)
            if schema is not None and merge.field not in {p.name for p in schema.properties}:
                msg = f"There is no property {merge.field!r}."
                raise Invalid.at(("body", "field"), msg, "unknown_property")
            merges = merges_of(docset["properties"])
            if merge not in merges:
                merges.append(merge)
            if len(merges) > _MOST:
                msg = f"A DocSet keeps at most {_MOST} merges; undo some first."
                raise Invalid.at(("body",), msg, "too_many")
            connection.execute(_change(docset_id, docset["properties"], merges))
        return merges

    def undo(self, account_id: str, docset_id: str, number: int) -> list[Merge]:
        """Removes the merge with that number, from 0; NotFound without one."""
        with self._database.writing() as connection:
            docset = writable(connection, account_id, docset_id)
            merges = merges_of(docset["properties"])
            if not 0 <= number < len(merges):
                raise NotFound(f"The DocSet {docset_id} has no merge {number}.")
            del merges[number]
            connection.execute(_change(docset_id, docset["properties"], merges))
        return merges


def _change(docset_id: str, properties: dict[str, Any] | None, merges: list[Merge]) -> Any:
    changed = {**(properties or {}), MERGED_VALUES: [merge.model_dump() for merge in merges]}
    if not merges:
        changed.pop(MERGED_VALUES)
    return update(docsets).where(docsets.c.docset_id == docset_id).values(properties=changed)
