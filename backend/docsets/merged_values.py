"""Spellings of a property that count as one: chosen by a person, stored with the DocSet, undoable.

The merges are stored in the properties of the DocSet, so they are cloned and backed up with it.
Documents keep their extracted values; only answers use the merged spelling.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import update

from backend.docsets.docsets import docset_row, schema_of, writable
from backend.store.database import Database
from backend.store.tables import docsets
from workbench.contract.coverage import (
    MERGEABLE,
    MERGED_VALUES,
    Merge,
    agreed_spellings,
    merges_of,
)
from workbench.contract.errors import Invalid, NotFound
from workbench.contract.schema import Schema

_MOST = 1_000
"""Merges per DocSet."""
_MOST_VALUES, _MOST_CHARACTERS = 10_000, 2**19
"""Of all merges of a DocSet together: they are read with it, and for each question about it."""


class MergedValues:
    """The merges of each DocSet, in the order they were made."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self, account_id: str, docset_id: str) -> list[Merge]:
        """All merges of a DocSet; NotFound without the DocSet."""
        with self._database.reading() as connection:
            return merges_of(docset_row(connection, account_id, docset_id)["properties"])

    def add(self, account_id: str, docset_id: str, merge: Merge) -> list[Merge]:
        """Counts the values of a merge as one from now on; an existing merge is not repeated.

        Invalid for a property that the DocSet does not have or whose values have no spellings, for
        an empty value, for a name that itself counts as another, or for too many merges.
        """
        with self._database.writing() as connection:
            docset = writable(connection, account_id, docset_id)
            _check_property(merge.field, schema_of(docset))
            merges = merges_of(docset["properties"])
            if merge not in merges:
                _check_values(merge, [one for one in merges if one.field == merge.field])
                merges.append(merge)
            _check_number(merges)
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


def _check_property(name: str, schema: Schema | None) -> None:
    if schema is None:
        return
    loc = ("body", "field")
    shape = schema.get(name)
    if shape is None:
        raise Invalid.at(loc, f"There is no property {name!r}.", "unknown_property")
    kind = (shape.item_type or shape).kind
    if kind not in MERGEABLE:
        msg = f"{name!r} is of type {kind}: only texts have several spellings."
        raise Invalid.at(loc, msg, "wrong_type")


def _check_number(merges: Sequence[Merge]) -> None:
    if len(merges) > _MOST:
        msg = f"A DocSet keeps at most {_MOST} merges; undo some first."
        raise Invalid.at(("body",), msg, "too_many")
    texts = [text for one in merges for text in (*one.values, one.into)]
    if len(texts) > _MOST_VALUES:
        msg = f"The merges of a DocSet have at most {_MOST_VALUES:,} values; undo some first."
        raise Invalid.at(("body",), msg, "too_many")
    if sum(map(len, texts)) > _MOST_CHARACTERS:
        msg = (
            f"The merges of a DocSet have at most {_MOST_CHARACTERS:,} characters; undo some first."
        )
        raise Invalid.at(("body",), msg, "too_many")


def _check_values(merge: Merge, agreed: Sequence[Merge]) -> None:
    for place, value in enumerate(merge.values):
        if not value.strip():
            msg = "An empty text is not a spelling of a value."
            raise Invalid.at(("body", "values", place), msg, "empty_value")
    if (final := agreed_spellings(agreed).get(merge.into)) is not None:
        msg = f"{merge.into!r} counts as {final!r} already: merge into that, or undo it first."
        raise Invalid.at(("body", "into"), msg, "merged_already")


def _change(docset_id: str, properties: dict[str, Any] | None, merges: list[Merge]) -> Any:
    changed = {**(properties or {}), MERGED_VALUES: [merge.model_dump() for merge in merges]}
    if not merges:
        changed.pop(MERGED_VALUES)
    return update(docsets).where(docsets.c.docset_id == docset_id).values(properties=changed)
