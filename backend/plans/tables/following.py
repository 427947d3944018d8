"""Keeps the table of a collection current with the database.

The logs of documents and of changed properties name the documents to read again. Their rows are
replaced, everything else is shared with the previous table. Everything is read again only if new
values change the type of a property.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl
from sqlalchemy import Connection, Select, Table, Text, cast, select

from backend.plans.tables.collection import IDENTITY, PATH, RAW, Collection, Mark, State
from backend.plans.tables.property_columns import (
    TypeCounts,
    Values,
    column_of,
    settle,
    type_counts_of,
    values_of,
)
from backend.plans.tables.segments import in_file
from backend.plans.tables.trust import Trust, trust_of, trust_series, with_guesses
from backend.plans.tables.value_index import Counts
from backend.plans.tables.value_rules import ValueRules
from backend.store.chunks import chunks
from backend.store.tables import documents, operations, property_changes
from backend.tasks.headroom import require_headroom
from workbench.contract.inner_properties import declared_kinds, inner_value, outer_name
from workbench.contract.plan import MAX_REQUEST
from workbench.contract.plan_columns import (
    DATED,
    NUMERIC,
    Columns,
    reserved_names,
    trust_fields,
)
from workbench.contract.plan_nodes import ENTITY
from workbench.contract.schema import PropertyKind, Schema

_READ = 500
_FETCHED = 50
"""Rows that are fetched at once: a document has up to 2 MB of properties."""
_AT_ONCE = 50_000
"""Documents that exist as Python objects at once while a table is built."""
_AT_ONCE_BYTES = 2**23
"""Bytes of their properties and evidence, which take a multiple of it as objects and columns."""
_COPIES = 6
"""How often the properties of changed documents are in memory while their rows are replaced."""
_IN_MEMORY = 2**27
"""Bytes of a table beyond which it is built in files that are mapped into memory."""
_MOST_PIECES = 200
_SPLICED = 16
"""Changed documents that are spliced in one by one; with more the table is rebuilt."""


@dataclass(frozen=True)
class Followed:
    """A collection with the types of the values of each property, which following needs.

    Its table has all values as they were read, before the rules of the DocSet.
    """

    collection: Collection
    type_counts: Mapping[str, TypeCounts]


@dataclass(frozen=True)
class Step:
    """A collection after a change, and how many documents lost and gained each value.

    `touched` are the sequences of documents that were removed, replaced or added. All three are
    None if everything was read again.
    """

    followed: Followed
    touched: frozenset[int] | None = None
    gone: Counts | None = None
    come: Counts | None = None


def state_of(connection: Connection, docset_id: str, described: str) -> State:
    """The current state of a DocSet."""
    return State(
        described,
        _newest(connection, operations, docset_id),
        _newest(connection, property_changes, docset_id),
    )


def read(
    connection: Connection,
    docset_id: str,
    name: str,
    schema: Schema,
    state: State,
    folder: Path | None = None,
) -> Step:
    """Reads all documents of a DocSet.

    It reads in batches, because Python objects take many times the memory of the table, and builds
    a large table in files of `folder`. A batch whose property types a later document changes is
    read again.
    """
    declared = _declared(schema)
    listed = _listed(docset_id).execution_options(yield_per=_FETCHED)
    type_counts: dict[str, TypeCounts] = {}
    pieces: list[_Piece] = []
    size = 0
    for rows in _batches(connection.execute(listed)):
        require_headroom()  # a table whose memory cannot be allocated ends the process
        part = _Part.of(rows, declared)
        type_counts = _changed_counts(type_counts, {}, part.type_counts)
        piece = _Piece.of(part, _fields(declared, type_counts))
        size += int(piece.table.estimated_size())
        pieces.append(piece.mapped(folder) if folder and size > _IN_MEMORY else piece)
    fields = _fields(declared, type_counts)
    for number, piece in enumerate(pieces):
        if not piece.fits(fields):
            again = _listed(docset_id).where(documents.c.sequence.between(*piece.range))
            part = _Part.of(connection.execute(again).all(), declared)
            piece = _Piece.of(part, fields)
            pieces[number] = piece.mapped(folder) if folder and size > _IN_MEMORY else piece
    pieces = pieces or [_Piece.of(_Part.of([], declared), fields)]
    table = pl.concat([_with_columns(piece.table, fields) for piece in pieces], rechunk=False)
    unread = sum((Counter(piece.unread) for piece in pieces), Counter[str]())
    made = Collection(docset_id, name, schema, state, table, fields, dict(unread))
    return Step(Followed(made, type_counts))


def _batches(rows: Iterable[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
    """Rows of `_listed` in batches that are small enough to be Python objects."""
    batch: list[Sequence[Any]] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += len(row[3]) + len(row[4])
        if len(batch) == _AT_ONCE or size > _AT_ONCE_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def follow(
    connection: Connection,
    followed: Followed,
    name: str,
    schema: Schema,
    state: State,
    rules: ValueRules,
    folder: Path | None = None,
) -> Step:
    """The collection in its current state, from an earlier one.

    `rules` decide which values enter the counts of the step; `folder` is as in `read`.
    """
    docset_id, before = followed.collection.docset_id, followed.collection
    touched = _touched(connection, before)
    if touched is None or 2 * len(touched) > before.table.height + _READ:
        return read(connection, docset_id, name, schema, state, folder)
    rows = [
        row
        for chunk in chunks(touched)
        for row in connection.execute(_listed(docset_id).where(documents.c.doc_id.in_(chunk)))
    ]
    require_headroom(_COPIES * sum(len(row[3]) + len(row[4]) for row in rows))
    places = before.table.select("doc_id").with_row_index("place")
    places = places.filter(pl.col("doc_id").is_in(touched))
    old = before.table[places.get_column("place")]
    declared = _declared(schema)
    left, come = _Part.of(_rows_of(old), declared), _Part.of(rows, declared)
    type_counts = _changed_counts(followed.type_counts, left.type_counts, come.type_counts)
    fields = _fields(declared, type_counts)
    inner = {ENTITY + name for name in declared if outer_name(name, declared) is not None}
    if not inner <= before.fields.keys():
        return read(connection, docset_id, name, schema, state, folder)
    if any(fields.get(name, kind) != kind for name, kind in before.fields.items()):
        return read(connection, docset_id, name, schema, state, folder)
    new = come.table(fields)
    kept = _with_columns(before.table, fields)
    table = _spliced(kept, dict(places.select("doc_id", "place").iter_rows()), new)
    unreadable = Counter(before.unreadable)
    unreadable.update(come.unread(fields))
    unreadable.subtract(left.unread(fields))
    after = replace(
        before, name=name, schema=schema, state=state, table=table, fields=fields,
        unreadable=dict(+unreadable), files=(),
    )  # fmt: skip
    gone = value_counts(rules.applied(old, before.fields), before.fields)
    come_now = value_counts(rules.applied(new, fields), fields)
    changed = {*old.get_column("sequence"), *new.get_column("sequence")}
    return Step(Followed(after, type_counts), frozenset(changed), gone, come_now)


def value_counts(table: pl.DataFrame, fields: Columns) -> Counts:
    """How many documents have which value, for each property whose values are words. Texts that are
    longer than any request are left out: nobody asks for them by name.
    """
    counts_by_field: dict[str, dict[str, int]] = {}
    for name, kind in fields.items():
        if kind in NUMERIC or kind in DATED or kind == "bool" or _has_parts(name, fields):
            continue
        column = table.get_column(name)
        if isinstance(column.dtype, pl.List):
            column = column.explode()
        column = column.filter(column.str.len_bytes() <= _LONGEST)
        if len(column) < _FEW:
            counts = Counter(column.to_list())
            del counts[None]
            counts_by_field[name] = dict(counts)
        else:
            firsts = column.drop_nulls().to_frame("v").group_by("v", maintain_order=True).len()
            counts_by_field[name] = dict(firsts.iter_rows())
    return counts_by_field


def _has_parts(name: str, fields: Columns) -> bool:
    """Whether a property consists of others: their values are words, its own are not."""
    inside = fields[name] in ("object", "array")
    return inside and any(other.startswith(f"{name}.") for other in fields)


_FEW = 1_000
_LONGEST = 4 * MAX_REQUEST
"""Bytes of the longest text that a request can have."""


@dataclass(frozen=True)
class _Part:
    """Some documents: rows of `_listed`, and the values of their properties."""

    rows: Sequence[Any]
    values: Values
    trust: Trust
    type_counts: dict[str, TypeCounts]

    @classmethod
    def of(cls, rows: Sequence[Any], declared: Mapping[str, PropertyKind]) -> "_Part":
        values = values_of(row[3] for row in rows)
        trust = trust_of((row[4] for row in rows), values.entities)
        inner = {name: of for name in declared if (of := outer_name(name, declared)) is not None}
        for name, (outer, part) in inner.items():
            values.entities[name] = [inner_value(value, part) for value in values.of(outer)]
            trust.share(outer, name, part)
        type_counts: dict[str, TypeCounts] = {
            name: type_counts_of(column, declared.get(name))
            for name, column in values.entities.items()
        }
        return cls(rows, values, trust, type_counts)

    def table(self, fields: Columns) -> pl.DataFrame:
        """The table of these documents."""
        rows, values = self.rows, self.values
        columns = [
            pl.Series("sequence", [row[0] for row in rows], dtype=pl.Int64),
            pl.Series("doc_id", [row[1] for row in rows], dtype=pl.String),
            pl.Series("content_id", [row[2] for row in rows], dtype=pl.String),
            pl.Series(PATH, values.paths, dtype=pl.String),
            pl.Series(RAW, [row[3] for row in rows], dtype=pl.String),
        ]
        for name, kind in fields.items():
            key = name.removeprefix(ENTITY)
            read = with_guesses(values.of(key), self.trust.guesses.get(key))
            columns.append(column_of(name, kind, read))
            columns += trust_series(self.trust, name, key, fields)
        return pl.DataFrame(columns).select(*ALWAYS, *fields, *trust_fields(fields))

    def unread(self, fields: Columns) -> dict[str, int]:
        """How many values of each field do not have its type."""
        lost: dict[str, int] = {}
        for name, kind in fields.items():
            if kind in NUMERIC or kind in DATED or kind == "bool":
                values = self.values.of(name.removeprefix(ENTITY))
                read = column_of(name, kind, values).null_count()
                lost[name] = read - sum(value is None for value in values)
        return +Counter(lost)


@dataclass(frozen=True)
class _Piece:
    """The table of some documents, built while the types of properties were `fields`.

    `evident` are the properties that have evidence, possibly without a value.
    """

    table: pl.DataFrame
    fields: Columns
    unread: Mapping[str, int]
    evident: frozenset[str]

    @classmethod
    def of(cls, part: _Part, fields: Columns) -> "_Piece":
        trust = part.trust
        evident = frozenset().union(trust.confidences, trust.units, trust.guesses)
        return cls(part.table(fields), fields, part.unread(fields), evident)

    @property
    def range(self) -> tuple[int, int]:
        """The sequences of its first and its last document."""
        sequences = self.table.get_column("sequence")
        return sequences[0], sequences[-1]

    def mapped(self, folder: Path) -> "_Piece":
        """The same piece in a file, which takes no memory until it is read."""
        return replace(self, table=in_file(self.table, folder))

    def fits(self, fields: Columns) -> bool:
        """Whether reading with these types gives the same table, except for empty columns."""
        names = self.fields.keys() | {ENTITY + name for name in self.evident}
        return all(self.fields.get(name) == fields[name] for name in names & fields.keys())


def _declared(schema: Schema) -> dict[str, PropertyKind]:
    return declared_kinds(schema)


def _fields(
    declared: Mapping[str, PropertyKind], type_counts: Mapping[str, TypeCounts]
) -> dict[str, PropertyKind]:
    """The declared properties, then all others that documents have.

    A name that says how far another property can be trusted has that meaning alone. Schemas with
    such a name are refused now, but documents and older DocSets may have it.
    """
    named = dict.fromkeys([*declared, *(name for name, types in type_counts.items() if types)])
    kinds = {ENTITY + name: settle(declared.get(name), type_counts.get(name, {})) for name in named}
    reserved = reserved_names(kinds)
    return {name: kind for name, kind in kinds.items() if name not in reserved}


def _changed_counts(
    before: Mapping[str, TypeCounts], gone: Mapping[str, TypeCounts], come: Mapping[str, TypeCounts]
) -> dict[str, TypeCounts]:
    type_counts: dict[str, TypeCounts] = dict(before)
    for name in {**gone, **come}:
        changed = Counter(before.get(name, {}))
        changed.update(come.get(name, {}))
        changed.subtract(gone.get(name, {}))
        type_counts[name] = +changed
    return type_counts


def _touched(connection: Connection, before: Collection) -> list[str] | None:
    """The documents that were added, removed or changed since; None if that is unknown."""
    was, docset_id = before.state, before.docset_id
    touched: dict[str, None] = {}
    for log, mark in ((operations, was.operation), (property_changes, was.change)):
        if not _is_ours(connection, log, mark):
            return None
        later = select(log.c.doc_id).where(
            log.c.docset_id == docset_id, log.c.sequence > mark.sequence
        )
        touched.update(dict.fromkeys(connection.scalars(later)))
    # The log of a clone begins with one entry for all of its documents.
    return None if docset_id in touched else list(touched)


def _newest(connection: Connection, log: Table, docset_id: str) -> Mark:
    query = select(log.c.sequence, log.c.doc_id).where(log.c.docset_id == docset_id)
    row = connection.execute(query.order_by(log.c.sequence.desc()).limit(1)).one_or_none()
    return Mark() if row is None else Mark(*row)


def _is_ours(connection: Connection, log: Table, mark: Mark) -> bool:
    """Whether an entry belongs to the history of this database."""
    named = select(log.c.doc_id).where(log.c.sequence == mark.sequence)
    return mark == Mark() or connection.scalar(named) == mark.doc_id


def _listed(docset_id: str) -> Select[Any]:
    """The documents of a DocSet in order of arrival."""
    return (
        select(
            documents.c.sequence,
            documents.c.doc_id,
            documents.c.content_id,
            cast(documents.c.properties, Text),
            cast(documents.c.evidence, Text),
        )
        .where(documents.c.docset_id == docset_id)
        .order_by(documents.c.sequence)
    )


def _rows_of(table: pl.DataFrame) -> list[tuple[Any, ...]]:
    """Documents of a table in the form of `_listed`, without their evidence."""
    return table.select("sequence", "doc_id", "content_id", RAW, pl.lit("{}")).rows()


def _with_columns(table: pl.DataFrame, fields: Columns) -> pl.DataFrame:
    """The table with exactly these properties; new ones are unknown in all rows."""
    wanted = [*ALWAYS, *fields, *trust_fields(fields)]
    if table.columns == wanted:
        return table
    missing = [
        column
        for name, kind in fields.items()
        if name not in table.columns
        for column in (column_of(name, kind, []), *trust_series(Trust(), name, "", fields))
    ]
    added = [pl.lit(None, dtype=column.dtype).alias(column.name) for column in missing]
    return table.with_columns(added).select(wanted)


ALWAYS = ("sequence", *IDENTITY, RAW)
"""Columns that every table has before those of the properties and of `trust`."""


def _spliced(table: pl.DataFrame, places: Mapping[str, int], new: pl.DataFrame) -> pl.DataFrame:
    """The table without the documents at `places`, and with the new ones in their positions."""
    if new.height + len(places) > _SPLICED or table.n_chunks() > _MOST_PIECES:
        stayed = table.filter(~pl.col("doc_id").is_in(list(places)))
        return pl.concat([stayed, new]).sort("sequence")
    sequences = table.get_column("sequence")
    new = new.sort("sequence")
    at = sequences.search_sorted(new.get_column("sequence")).to_list()
    gone = set(places.values())
    pieces: list[pl.DataFrame] = []
    done = 0
    for place in sorted({*gone, *at}):
        pieces.append(table.slice(done, place - done))
        pieces += [new.slice(i, 1) for i, where in enumerate(at) if where == place]
        done = place + (place in gone)
    return pl.concat([*pieces, table.slice(done)], rechunk=False)
