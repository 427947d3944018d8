"""Documents of a DocSet: list, read, correct, delete.

A correction of an extracted property is marked in the document's evidence, so that a later
extraction does not overwrite it.
"""

import copy
import errno
import json
import stat
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import Connection, delete, select, update
from sqlalchemy.engine import RowMapping

from backend.docsets.changes import drop_changes
from backend.docsets.chunk_places import first_chunks
from backend.docsets.contents import drop_unused
from backend.docsets.decided import decided, json_differs
from backend.docsets.docsets import (
    created_at,
    docset_row,
    drop_blobs,
    follow,
    schema_of,
    writable,
)
from backend.docsets.listing import condition
from backend.docsets.paging import FEW_ROWS, Pager
from backend.docsets.pointers import BadPointer, parse, replace
from backend.docsets.property_values import check_properties
from backend.docsets.stored_elements import original_elements
from backend.docsets.value_evidence import value_evidence
from backend.extraction.value_faults import normal_form, value_fault
from backend.search.engine import SearchEngine
from backend.store.blobs import BlobStore
from backend.store.database import Database, docset_key
from backend.store.operation_log import log_change
from backend.store.property_log import log_properties
from backend.store.tables import contents, documents, elements, proposed_changes
from workbench.contract.coverage import DocumentEvidence
from workbench.contract.docsets import Page
from workbench.contract.documents import Document, DocumentMetadata, PropertyUpdates
from workbench.contract.elements import StoredElement
from workbench.contract.errors import BadRequest, Invalid, NotFound, Unavailable
from workbench.contract.ids import element_id
from workbench.contract.schema import Schema
from workbench.contract.wire import LARGEST_NUMBER, composed

_NO_ELEMENTS = b'"elements":[]'
_ORIGINALS = "_original_elements"
_NO_ORIGINALS = b'"_original_elements":[]'
_KNOWN = ("path", "page_count", "entity")
"""Properties that every document has: one replaced as a whole keeps those it does not name."""
_PATHS = "Paths of properties begin with /properties/entity/."
_LOC = ("body", "operations")
_AT_ONCE = 500
"""Elements read from the database at a time."""


@dataclass(frozen=True)
class Original:
    """The original file of a document. `digest` is the SHA-256 of its bytes, in hex."""

    path: Path
    digest: str
    size: int
    content_type: str
    name: str

    def open(self) -> BinaryIO:
        """The open file, readable even if deleted meanwhile; NotFound when it no longer exists."""
        try:
            if not stat.S_ISREG(self.path.stat().st_mode):  # opening a pipe may never return
                raise OSError(errno.EINVAL, "it is not a regular file")
            return self.path.open("rb")
        except FileNotFoundError as error:
            raise NotFound("The document was deleted.") from error
        except OSError as error:
            raise Unavailable(
                f"The original file is unreadable ({error.strerror}); its elements are available."
                " `workbench doctor --data` checks the files."
            ) from error


class Documents:
    """The documents of all DocSets; every call is bound to one account."""

    def __init__(
        self,
        database: Database,
        blobs: BlobStore,
        search: SearchEngine,
        pager: Pager,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._blobs = blobs
        self._search = search
        self._pager = pager
        self._clock = clock

    def list(
        self,
        account_id: str,
        docset_id: str,
        *,
        page_size: int,
        page_token: str | None,
        wanted: Mapping[str, Any] | None = None,
        comparator: str | None = None,
    ) -> Page[DocumentMetadata]:
        """One page of the DocSet's documents that pass the filter, in order of arrival."""
        scope = json.dumps(["documents", docset_id, wanted or {}, comparator], sort_keys=True)
        after = self._pager.after(scope, page_token)
        with self._database.reading() as connection:
            schema = schema_of(docset_row(connection, account_id, docset_id))
            chosen = condition(wanted or {}, comparator, schema)
            rows = connection.execute(
                select(documents, contents.c.notes, contents.c.page_count)
                .join(contents, contents.c.content_id == documents.c.content_id)
                .where(documents.c.docset_id == docset_id, documents.c.sequence > after)
                .where(chosen)
                .order_by(documents.c.sequence)
                .limit(page_size + 1),
                execution_options=FEW_ROWS,
            ).mappings()
            return self._pager.page(scope, rows, _listed, page_size)

    def write(
        self,
        account_id: str,
        docset_id: str,
        doc_id: str,
        file: BinaryIO,
        *,
        include_elements: bool = True,
        include_original_elements: bool = False,
    ) -> None:
        """Writes the JSON of a Document without its file, with `_original_elements` among its
        properties on request. Streams the elements, of which there may be hundreds of thousands;
        the originals as they are stored, since parsing a large table would stop the server.
        """
        with self._database.reading() as connection:
            row = document_row(connection, account_id, docset_id, doc_id)
            properties = dict(row["properties"])
            if include_original_elements:
                properties.pop(_ORIGINALS, None)
                properties[_ORIGINALS] = []  # after all other properties
            remarks = _remarks(connection, row["content_id"])
            whole = Document(id=doc_id, properties=properties, remarks=remarks)
            document = whole.model_dump_json().encode()
            head, nothing, rest = document.partition(_NO_ELEMENTS)
            file.write(head + nothing[:-1])
            if include_elements:
                separator = b""
                for element in _elements(connection, row):
                    file.write(separator + element.model_dump_json().encode())
                    separator = b","
            file.write(nothing[-1:])
            if include_original_elements:
                before, empty, rest = rest.rpartition(_NO_ORIGINALS)
                file.write(before + empty[:-2])
                for piece in original_elements(connection, row["content_id"]):
                    file.write(piece)
            file.write(rest)

    def evidence(self, account_id: str, docset_id: str, doc_id: str) -> dict[str, Any]:
        """The evidence of each extracted value: confidence, page, bbox, element id, corrected."""
        with self._database.reading() as connection:
            row = document_row(connection, account_id, docset_id, doc_id)
            places = _stored_places(connection, row["content_id"])
        return {name: _placed(doc_id, item, places) for name, item in row["evidence"].items()}

    def value_evidence(
        self,
        account_id: str,
        docset_id: str,
        doc_ids: Sequence[str],
        fields: Sequence[str],
        confidence_limit: float,
    ) -> Sequence[DocumentEvidence]:
        """Values of some documents with confidence, source and quote."""
        with self._database.reading() as connection:
            docset_row(connection, account_id, docset_id)
        return value_evidence(self._database, doc_ids, fields, confidence_limit)

    def original(self, account_id: str, docset_id: str, doc_id: str) -> Original:
        """The original file."""
        with self._database.reading() as connection:
            row = document_row(connection, account_id, docset_id, doc_id)
        path = self._blobs.path(row["blob"])
        return Original(path, row["blob"], row["size"], row["content_type"], row["name"])

    def update_properties(
        self, account_id: str, docset_id: str, doc_id: str, updates: PropertyUpdates
    ) -> None:
        """Applies all replacements or none. BadRequest names the first that fails, Invalid a value
        that cannot be of the type of its property. Each value that is named, or that changes with a
        whole object, is a correction.
        """
        with self._database.writing_on(docset_key(docset_id)) as connection:
            docset = writable(connection, account_id, docset_id)
            row = document_row(connection, account_id, docset_id, doc_id)
            root = {"properties": copy.deepcopy(row["properties"])}
            corrected: set[str] = set()
            for operation in updates.operations:
                try:
                    replace(root, operation.path, operation.value)
                except BadPointer as error:
                    raise BadRequest(f"{error} {_PATHS} Nothing was changed.") from error
                name = _entity_name(operation.path)
                if name is not None:
                    corrected.add(name)
            check_properties(root["properties"], "operations")
            _check_own(row["properties"], root["properties"])
            known = {name: row["properties"][name] for name in _KNOWN if name in row["properties"]}
            root["properties"] = known | root["properties"]
            _typed(schema_of(docset), row["properties"], root["properties"])
            corrected |= _changed(row["properties"], root["properties"])
            evidence = self._corrected(row, root["properties"], corrected)
            connection.execute(
                update(documents)
                .where(documents.c.doc_id == doc_id)
                .values(properties=root["properties"], evidence=evidence)
            )
            log_properties(connection, docset_id, [doc_id])

    def _corrected(
        self, row: RowMapping, properties: dict[str, Any], names: set[str]
    ) -> dict[str, Any]:
        """The evidence after a person set the properties `names`."""
        before, after = row["properties"].get("entity", {}), properties.get("entity", {})
        evidence = dict(row["evidence"])
        for name in names:
            item = evidence.get(name) or {}
            evidence[name] = decided(before.get(name), item, after.get(name), self._clock())
        return evidence

    def delete(self, account_id: str, docset_id: str, doc_id: str) -> DocumentMetadata:
        """Removes the document and, unless something else needs it, its file."""
        with self._database.writing_on(docset_key(docset_id)) as connection:
            writable(connection, account_id, docset_id)
            row = document_row(connection, account_id, docset_id, doc_id)
            chosen = contents.c.content_id == row["content_id"]
            read = connection.execute(
                select(contents.c.notes, contents.c.page_count).where(chosen)
            ).one()
            log_change(connection, "delete", doc_id)
            connection.execute(delete(documents).where(documents.c.doc_id == doc_id))
            drop_changes(connection, docset_id, proposed_changes.c.doc_id == doc_id)
        drop_unused(self._database, {row["content_id"]})
        follow(self._search, docset_id)
        drop_blobs(self._database, self._blobs, {row["blob"]})
        return document_metadata(row, read.notes, read.page_count)


def _check_own(before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Refuses a page count that is no number and a path that is no text; what was stored stays."""
    count, path = after.get("page_count"), after.get("path")
    whole = isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= LARGEST_NUMBER
    if "page_count" in after and not whole and json_differs(before.get("page_count"), count):
        msg = "page_count is the number of pages. Nothing was changed."
        raise Invalid.at(_LOC, msg, "wrong_type")
    plain = isinstance(path, str) and not any(unicodedata.category(c) == "Cc" for c in path)
    if "path" in after and not plain and json_differs(before.get("path"), path):
        msg = "path is a text without control characters. Nothing was changed."
        raise Invalid.at(_LOC, msg, "wrong_type")


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> set[str]:
    """The properties with another value, or with none any more."""
    was, entity = before.get("entity", {}), after.get("entity", {})
    names = was.keys() | entity.keys()
    return {name for name in names if json_differs(was.get(name), entity.get(name))}


def _typed(schema: Schema | None, before: Mapping[str, Any], after: dict[str, Any]) -> None:
    """Gives names and changed values the form that the schema declares; refuses other values."""
    was = before.get("entity", {})
    entity = {composed(name): value for name, value in after.get("entity", {}).items()}
    if "entity" in after:
        after["entity"] = entity
    for shape in schema.properties if schema is not None else ():
        value = entity.get(shape.name)
        if json_differs(was.get(shape.name), value):
            fault = value_fault(value, shape, _LOC)
            if fault is not None:
                msg = f"{shape.name}: {fault.msg} Nothing was changed."
                raise Invalid([fault.model_copy(update={"msg": msg})])
            if shape.name in entity:
                entity[shape.name] = normal_form(value, shape)
        if shape.name in was:  # it can be corrected again after it was left out of the whole
            entity.setdefault(shape.name, None)


def document_row(
    connection: Connection, account_id: str, docset_id: str, doc_id: str
) -> RowMapping:
    """The row of a document; NotFound when this account has none with that id in the DocSet."""
    docset_row(connection, account_id, docset_id)
    row = (
        connection.execute(
            select(documents).where(
                documents.c.doc_id == doc_id, documents.c.docset_id == docset_id
            )
        )
        .mappings()
        .first()
    )
    if row is None:
        raise NotFound(f"No such document: {doc_id}")
    return row


def _listed(row: RowMapping) -> DocumentMetadata:
    return document_metadata(row, row["notes"], row["page_count"])


def document_metadata(
    row: RowMapping, remarks: Sequence[str] = (), pages: int | None = None
) -> DocumentMetadata:
    """A document as lists and Add Doc describe it."""
    return DocumentMetadata(
        account_id=row["account_id"],
        doc_id=row["doc_id"],
        docset_id=row["docset_id"],
        created_at=created_at(row).isoformat(),
        name=row["name"],
        size=row["size"],
        content_type=row["content_type"],
        properties=row["properties"],
        remarks=list(remarks),
        pages=pages,
    )


def _remarks(connection: Connection, content_id: str) -> list[str]:
    """Remarks for people on how the file was parsed."""
    notes: list[str] = connection.execute(
        select(contents.c.notes).where(contents.c.content_id == content_id)
    ).scalar_one()
    return notes


def _elements(connection: Connection, row: RowMapping) -> Iterator[StoredElement]:
    read = (
        select(
            elements.c.ordinal,
            elements.c.kind,
            elements.c.text,
            elements.c.properties,
            elements.c.bbox,
        )
        .where(elements.c.content_id == row["content_id"])
        .order_by(elements.c.ordinal)
    )
    for element in connection.execution_options(yield_per=_AT_ONCE).execute(read):
        yield StoredElement(
            id=element_id(row["doc_id"], element.ordinal),
            type=element.kind,
            text_representation=element.text,
            embedding=None,
            properties=element.properties,
            bbox=element.bbox,
        )


def _entity_name(pointer: str) -> str | None:
    parts = parse(pointer)
    return composed(parts[2]) if len(parts) > 2 and parts[:2] == ["properties", "entity"] else None


def _stored_places(connection: Connection, content_id: str) -> dict[int, int] | None:
    """Maps the partitioner's elements to stored ordinals; None when they are stored unchunked."""
    chunked = connection.execute(
        select(contents.c.original_elements.is_not(None)).where(contents.c.content_id == content_id)
    ).scalar_one()
    if not chunked:
        return None
    listed = select(elements.c.properties).where(elements.c.content_id == content_id)
    return first_chunks(connection.scalars(listed.order_by(elements.c.ordinal)))


def _element_of(doc_id: str, item: dict[str, Any], places: dict[int, int] | None) -> str | None:
    ordinal = item.get("element")
    if ordinal is not None and places is not None:
        ordinal = places.get(ordinal)
    return None if ordinal is None else element_id(doc_id, ordinal)


def _placed(doc_id: str, item: dict[str, Any], places: dict[int, int] | None) -> dict[str, Any]:
    """Evidence with the element ids of the value and its alternatives."""
    placed = item | {"element_id": _element_of(doc_id, item, places)}
    if "alternatives" in item:
        placed["alternatives"] = [_placed(doc_id, one, places) for one in item["alternatives"]]
    return placed
