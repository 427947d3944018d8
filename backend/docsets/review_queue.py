"""Unchecked values, the least certain first, one page at a time.

The database sorts them, so a page costs the same memory whatever the size of the DocSet. A page
begins after the last value of the previous one rather than at an offset: values decided meanwhile
leave the queue, and skipped ones do not come again.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    CTE,
    ColumnElement,
    Connection,
    Float,
    FromClause,
    Integer,
    String,
    case,
    cast,
    column,
    func,
    literal,
    select,
    true,
    tuple_,
    values,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.engine import RowMapping

from backend.docsets.docsets import docset_row, schema_of
from backend.docsets.paging import Pager
from backend.docsets.value_evidence import quote, stored_elements
from backend.search.dialects import listed
from backend.search.filters import Path
from backend.search.filters.sql import json_path
from backend.store.database import Database
from backend.store.tables import documents
from workbench.contract.errors import Invalid
from workbench.contract.ids import element_id
from workbench.contract.review import (
    NOTHING_READ,
    ReviewGuess,
    ReviewPage,
    ReviewRequest,
    ReviewValue,
)
from workbench.contract.schema import PropertyKind, Schema
from workbench.contract.stored_evidence import stated_confidence

_THOUSAND = 1000
"""Certainty is compared in whole thousandths, which both databases round alike."""
_GUESSED = ("value", "confidence", "page", "bbox", "unit")


class ReviewQueue:
    """The queues of all DocSets; every call is bound to one account."""

    def __init__(self, database: Database, pager: Pager) -> None:
        self._database = database
        self._pager = pager

    def page(
        self,
        account_id: str,
        docset_id: str,
        request: ReviewRequest,
        *,
        page_size: int,
        page_token: str | None = None,
    ) -> ReviewPage:
        """A page of the queue. Invalid for a property that the DocSet does not have."""
        digest = hashlib.sha256(request.model_dump_json().encode()).hexdigest()
        scope = json.dumps(["review", docset_id, digest])
        after = self._pager.place(scope, page_token)
        with self._database.reading() as connection:
            docset = docset_row(connection, account_id, docset_id)
            kinds = _kinds(schema_of(docset), request.fields)
            if not kinds:
                return ReviewPage(items=[], total=0, checked=0)
            query = _Query(connection, docset_id, list(kinds), request)
            total, checked = query.count() if after is None else (None, None)
            rows = query.rows(after, page_size + 1)
            shown = rows[:page_size]
            items = _items(connection, shown, kinds)
        last = shown[-1] if len(rows) > page_size else None
        token = last and self._pager.token(scope, [last.certainty, last.sequence, last.place])
        return ReviewPage(items=items, total=total, checked=checked, next_page_token=token)


class _Query:
    """One row per document and requested property, with facts from its evidence."""

    def __init__(
        self, connection: Connection, docset_id: str, names: Sequence[str], request: ReviewRequest
    ) -> None:
        self._connection = connection
        chosen = documents.c.docset_id == docset_id
        if request.doc_ids is not None:
            chosen &= listed(connection, documents.c.doc_id, request.doc_ids)
        wanted = _wanted(names)
        read = _read(connection.dialect.name, chosen)
        packed, *facts = _facts(connection.dialect.name, read.c.evidence, wanted)
        # Materialized, or the evidence would be parsed again for each use of a fact.
        crossed = select(read.c.sequence, read.c.doc_id, wanted.c.place, wanted.c.name)
        joined = crossed.add_columns(packed.label("packed")).join_from(read, wanted, true())
        self._lines = joined.cte("lines").prefix_with("MATERIALIZED")
        corrected, element, confidence, guess = (fact(self._lines.c.packed) for fact in facts)
        none = 1 - func.coalesce(cast(guess, Float), 1 - NOTHING_READ)
        given = func.coalesce(cast(confidence, Float), 0.0)
        sure = case((element.is_(None), none), else_=given)
        self._certainty = cast(func.round(sure * _THOUSAND), Integer)
        self._checked = func.coalesce(corrected, "").in_(("1", "true"))
        below = _THOUSAND + 1 if request.below is None else round(request.below * _THOUSAND)
        self._is_open = ~self._checked & (self._certainty < below)

    def count(self) -> tuple[int, int]:
        """The numbers of open values and of values checked by a person."""
        counted = [func.sum(case((so, 1), else_=0)) for so in (self._is_open, self._checked)]
        row = self._connection.execute(select(*counted).select_from(self._lines)).one()
        return row[0] or 0, row[1] or 0

    def rows(self, after: Sequence[int] | None, most: int) -> Sequence[Any]:
        """The next open values, in order: certainty, sequence, place, doc_id, field."""
        lines = self._lines.c
        order = (self._certainty, lines.sequence, lines.place)
        columns = (self._certainty.label("certainty"), lines.sequence, lines.place, lines.doc_id)
        statement = select(*columns, lines.name.label("field")).where(self._is_open)
        if after is not None:
            statement = statement.where(tuple_(*order) > tuple_(*map(int, after)))
        return self._connection.execute(statement.order_by(*order).limit(most)).all()


Fact = Callable[[ColumnElement[Any]], ColumnElement[str | None]]


def _read(dialect: str, chosen: ColumnElement[bool]) -> FromClause:
    """The evidence of the chosen documents, on PostgreSQL as JSONB to avoid parsing it again."""
    columns = (documents.c.sequence, documents.c.doc_id)
    if dialect == "sqlite":
        return select(*columns, documents.c.evidence).where(chosen).subquery()
    evidence = cast(documents.c.evidence, JSONB).label("evidence")
    return select(*columns, evidence).where(chosen).cte("read").prefix_with("MATERIALIZED")


def _facts(
    dialect: str, evidence: ColumnElement[Any], wanted: CTE
) -> tuple[ColumnElement[Any], Fact, Fact, Fact, Fact]:
    """The facts about a property, extracted at once, and how to get each of them: corrected,
    element, confidence, and the confidence of the best guess; as text, or null.
    """
    places = ("corrected", "element", "confidence", "alternatives,0,confidence")
    if dialect == "sqlite":
        ends = (".corrected", ".element", ".confidence", ".alternatives[0].confidence")
        paths = [wanted.c.path + literal(end) for end in ends]

        def item(place: int) -> Fact:
            return lambda packed: cast(func.json_extract(packed, f"$[{place}]"), String)

        packed = func.json_extract(evidence, *paths)
        return packed, item(0), item(1), item(2), item(3)

    def inside(place: str) -> Fact:
        return lambda packed: func.jsonb_extract_path_text(packed, *place.split(","), type_=String)

    corrected, element, confidence, guess = map(inside, places)
    packed = func.jsonb_extract_path(evidence, wanted.c.name)
    return packed, corrected, element, confidence, guess


def _wanted(names: Sequence[str]) -> CTE:
    """The properties with their order and their JSON paths in the evidence."""
    columns = (column("place", Integer), column("name", String), column("path", String))
    data = [(place, name, json_path(Path((name,)))) for place, name in enumerate(names)]
    return values(*columns, name="wanted").data(data).cte("wanted")


def _kinds(schema: Schema | None, fields: Sequence[str] | None) -> dict[str, PropertyKind]:
    kinds = {prop.name: prop.kind for prop in schema.properties} if schema else {}
    for place, name in enumerate(fields or ()):
        if name not in kinds:
            fault = f"The DocSet has no property {name!r}."
            raise Invalid.at(("body", "fields", place), fault, "unknown_property")
    return kinds if fields is None else {name: kinds[name] for name in fields}


def _items(
    connection: Connection, rows: Sequence[Any], kinds: Mapping[str, PropertyKind]
) -> list[ReviewValue]:
    """The values with sources and quotes. The elements of a document are read once."""
    ids = {row.doc_id for row in rows}
    chosen = select(documents).where(documents.c.doc_id.in_(ids))
    known = {document["doc_id"]: document for document in connection.execute(chosen).mappings()}
    made: dict[str, list[ReviewValue]] = {doc_id: [] for doc_id in ids}
    items = []
    for row in rows:
        value = _value(known[row.doc_id], row.field, kinds[row.field])
        value.certainty = row.certainty / _THOUSAND
        made[row.doc_id].append(value)
        items.append(value)
    for doc_id, values_of_it in made.items():
        _place(connection, known[doc_id], values_of_it)
    return items


def _value(document: RowMapping, field: str, kind: PropertyKind) -> ReviewValue:
    item = document["evidence"].get(field) or {}
    return ReviewValue(
        doc_id=document["doc_id"],
        name=document["name"],
        field=field,
        kind=kind,
        certainty=0.0,
        value=document["properties"].get("entity", {}).get(field),
        confidence=stated_confidence(item),
        page=item.get("page"),
        bbox=item.get("bbox"),
        unit=item.get("unit"),
        alternatives=[
            ReviewGuess(**{name: one.get(name) for name in _GUESSED})
            for one in item.get("alternatives") or ()
        ],
    )


def _place(connection: Connection, document: RowMapping, shown: Sequence[ReviewValue]) -> None:
    """Adds element ids and quotes to the values and their alternatives."""
    guesses: list[tuple[ReviewGuess, str, int]] = []
    for value in shown:
        item = document["evidence"].get(value.field) or {}
        read = [item, *(item.get("alternatives") or ())]
        for guess, one in zip((value, *value.alternatives), read, strict=True):
            if isinstance(one.get("element"), int):
                guesses.append((guess, value.field, one["element"]))
    if not guesses:
        return
    stored = stored_elements(connection, document["content_id"], {place for *_, place in guesses})
    for guess, name, place in guesses:
        if place in stored:
            ordinal, text = stored[place]
            guess.element_id = element_id(document["doc_id"], ordinal)
            guess.quote = quote(text, guess.value, name)
