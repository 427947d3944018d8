"""The changes that rereading proposes: list, accept one or all, refuse, undo.

A change is applied only if the document still has the value that it had when it was reread, and the
property a type that can have the new one. It is undone only if the document still has the value of
the change. So later edits by people stay.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, select, update
from sqlalchemy.engine import RowMapping

from backend.docsets.decided import Value, decided, json_differs
from backend.docsets.decisions import type_fault
from backend.docsets.docsets import docset_row, schema_of, writable
from backend.docsets.paging import Pager
from backend.docsets.property_values import values_of, with_values, write_values
from backend.docsets.value_evidence import quote, stored_elements
from backend.store.database import Database
from backend.store.property_log import log_properties
from backend.store.tables import docsets, documents, proposed_changes, rereadings, tasks
from workbench.contract.errors import Invalid, NotFound
from workbench.contract.ids import element_id
from workbench.contract.rereading import (
    Change,
    ChangeChoice,
    ChangeOutcome,
    ChangePage,
    ChangeState,
    Rereading,
)
from workbench.contract.review import ReviewGuess
from workbench.contract.schema import Schema
from workbench.contract.schema import SchemaProperty as Shape

_GUESSED = ("confidence", "page", "bbox", "unit")
_AT_ONCE = 100
"""Changes made in one transaction: some tenths of a second in which nobody else writes."""


class Changes:
    """The proposed changes of all DocSets; every call is bound to one account."""

    def __init__(
        self, database: Database, pager: Pager, clock: Callable[[], float] = time.time
    ) -> None:
        self._database = database
        self._pager = pager
        self._clock = clock

    def readings(self, account_id: str, docset_id: str) -> list[Rereading]:
        """The rereadings of a DocSet with the numbers of their changes, newest first."""
        counted = select(
            proposed_changes.c.rereading_id, proposed_changes.c.state, func.count()
        ).group_by(proposed_changes.c.rereading_id, proposed_changes.c.state)
        with self._database.reading() as connection:
            docset_row(connection, account_id, docset_id)
            rows = connection.execute(
                select(rereadings)
                .where(rereadings.c.docset_id == docset_id)
                .order_by(rereadings.c.sequence.desc())
            ).mappings()
            known = {row["rereading_id"]: row for row in rows}
            ours = proposed_changes.c.rereading_id.in_(list(known))
            counts: dict[str, dict[str, int]] = {}
            for rereading_id, state, number in connection.execute(counted.where(ours)):
                counts.setdefault(rereading_id, {})[state] = number
            # One that was cancelled, or has failed, has ended too.
            working = tasks.c.task_id.in_(list(known)) & tasks.c.status.in_(("queued", "running"))
            running = set(connection.scalars(select(tasks.c.task_id).where(working)))
        return [
            Rereading(
                rereading_id=rereading_id,
                created_at=row["created_at"],
                fields=row["fields"],
                documents=row["documents"],
                finished=rereading_id not in running,
                **counts.get(rereading_id, {}),
            )
            for rereading_id, row in known.items()
        ]

    def page(
        self,
        account_id: str,
        docset_id: str,
        rereading_id: str,
        *,
        state: ChangeState,
        page_size: int,
        page_token: str | None,
    ) -> ChangePage:
        """A page of the changes in one state; those of deleted documents are left out."""
        scope = json.dumps(["changes", rereading_id, state])
        after = self._pager.after(scope, page_token)
        of_it = _of(rereading_id) & (proposed_changes.c.state == state)
        with self._database.reading() as connection:
            self._check(connection, account_id, docset_id, rereading_id)
            joined = select(proposed_changes, documents.c.name, documents.c.content_id).join(
                documents, documents.c.doc_id == proposed_changes.c.doc_id
            )
            ordered = joined.where(of_it, proposed_changes.c.sequence > after)
            rows = connection.execute(
                ordered.order_by(proposed_changes.c.sequence).limit(page_size + 1)
            )
            listed = list(rows.mappings())
            shown = listed[:page_size]
            counted = select(func.count()).select_from(proposed_changes).where(of_it)
            total = connection.execute(counted).scalar_one()
            items = [_change(connection, row) for row in shown]
        more = len(listed) > page_size
        token = self._pager.token(scope, shown[-1]["sequence"]) if more else None
        return ChangePage(items=items, total=total, next_page_token=token)

    def accept(
        self, account_id: str, docset_id: str, rereading_id: str, choice: ChangeChoice
    ) -> ChangeOutcome:
        """Applies changes, some at a time, so that others can write meanwhile.

        Those named individually count as checked by a person.
        """

        named = choice.change_ids is not None

        def applied(row: RowMapping, shape: Shape, value: Any, item: Any) -> Value | None:
            after, now = row["after"]["value"], row["after"]["evidence"]
            if (item or {}).get("corrected") or json_differs(value, row["before"]["value"]):
                return None
            # It was read for the type that the property had then.
            if after is not None and type_fault(after, shape, ()) is not None:
                return None
            return after, decided(after, now, after, self._clock()) if named else now

        def accepted(connection: Connection, rows: Sequence[RowMapping]) -> int:
            done = _edit(connection, docset_id, rows, applied)
            for sequence, evidence in done.items():
                of_it = proposed_changes.c.sequence == sequence
                values = {"state": "accepted", "written": evidence}
                connection.execute(update(proposed_changes).where(of_it).values(values))
            return len(done)

        def chosen(connection: Connection) -> ColumnElement[bool]:
            return self._chosen(connection, rereading_id, choice)

        return self._in_pieces(account_id, docset_id, rereading_id, chosen, accepted)

    def refuse(
        self, account_id: str, docset_id: str, rereading_id: str, choice: ChangeChoice
    ) -> ChangeOutcome:
        """Refuses changes; the documents stay as they are."""
        with self._writing(account_id, docset_id, rereading_id) as connection:
            chosen = self._chosen(connection, rereading_id, choice)
            refused = update(proposed_changes).where(chosen).values(state="refused")
            done = connection.execute(refused).rowcount
        return ChangeOutcome(done=done, passed_over=0)

    def undo(self, account_id: str, docset_id: str, rereading_id: str) -> ChangeOutcome:
        """Undoes every accepted change; all are open again."""

        def undone(row: RowMapping, _shape: Shape, value: Any, item: Any) -> Value | None:
            if json_differs(value, row["after"]["value"]) or json_differs(item, row["written"]):
                return None
            return row["before"]["value"], row["before"]["evidence"]

        def reopened(connection: Connection, rows: Sequence[RowMapping]) -> int:
            done = _edit(connection, docset_id, rows, undone)
            them = proposed_changes.c.sequence.in_([row["sequence"] for row in rows])
            opened = update(proposed_changes).where(them).values(state="open", written=None)
            connection.execute(opened)
            return len(done)

        def chosen(connection: Connection) -> ColumnElement[bool]:
            return _of(rereading_id) & (proposed_changes.c.state == "accepted")

        return self._in_pieces(account_id, docset_id, rereading_id, chosen, reopened)

    def _in_pieces(
        self,
        account_id: str,
        docset_id: str,
        rereading_id: str,
        chosen: Callable[[Connection], ColumnElement[bool]],
        make: Callable[[Connection, Sequence[RowMapping]], int],
    ) -> ChangeOutcome:
        """Calls `make` for the chosen changes, a transaction per piece; it returns its count."""
        done = seen = last = 0
        while True:
            with self._writing(account_id, docset_id, rereading_id) as connection:
                later = chosen(connection) & (proposed_changes.c.sequence > last)
                rows = _rows(connection, later)
                if not rows:
                    return ChangeOutcome(done=done, passed_over=seen - done)
                done += make(connection, rows)
            seen, last = seen + len(rows), rows[-1]["sequence"]

    @contextmanager
    def _writing(self, account_id: str, docset_id: str, rereading_id: str) -> Iterator[Connection]:
        """A transaction on a rereading; its DocSet must be writable."""
        with self._database.writing() as connection:
            writable(connection, account_id, docset_id)
            self._check(connection, account_id, docset_id, rereading_id)
            yield connection

    def _chosen(
        self, connection: Connection, rereading_id: str, choice: ChangeChoice
    ) -> ColumnElement[bool]:
        """The open changes in a choice. Invalid for a change that this rereading does not have."""
        of_it = _of(rereading_id)
        if choice.change_ids is not None:
            named = of_it & proposed_changes.c.sequence.in_(choice.change_ids)
            known = set(connection.scalars(select(proposed_changes.c.sequence).where(named)))
            if unknown := set(choice.change_ids) - known:
                fault = f"This rereading has no change {min(unknown)}."
                raise Invalid.at(("body", "change_ids"), fault, "unknown_change")
            of_it = named
        return of_it & (proposed_changes.c.state == "open")

    def _check(
        self, connection: Connection, account_id: str, docset_id: str, rereading_id: str
    ) -> None:
        docset_row(connection, account_id, docset_id)
        ours = (rereadings.c.docset_id == docset_id) & (rereadings.c.rereading_id == rereading_id)
        if connection.execute(select(rereadings.c.sequence).where(ours)).first() is None:
            raise NotFound(f"No such rereading: {rereading_id}")


def drop_changes(connection: Connection, docset_id: str, chosen: ColumnElement[bool]) -> None:
    """Deletes changes of a DocSet in any state: those of documents or properties that are gone."""
    ours = select(rereadings.c.rereading_id).where(rereadings.c.docset_id == docset_id)
    connection.execute(
        delete(proposed_changes).where(proposed_changes.c.rereading_id.in_(ours), chosen)
    )


def _of(rereading_id: str) -> ColumnElement[bool]:
    return proposed_changes.c.rereading_id == rereading_id


def _rows(connection: Connection, chosen: ColumnElement[bool]) -> Sequence[RowMapping]:
    """The first of the chosen changes; those of a document follow one another."""
    ordered = select(proposed_changes).where(chosen).order_by(proposed_changes.c.sequence)
    return connection.execute(ordered.limit(_AT_ONCE)).mappings().all()


def _edit(
    connection: Connection,
    docset_id: str,
    rows: Sequence[RowMapping],
    edited: Callable[[RowMapping, Shape, Any, Any], Value | None],
) -> dict[int, Mapping[str, Any]]:
    """Sets the values that `edited` returns for a change and the present type, value and evidence.

    Where it returns None the value stays, and a property that was deleted meanwhile does not come
    back. Returns the evidence written, by change.
    """
    done: dict[int, Mapping[str, Any]] = {}
    ours = select(docsets).where(docsets.c.docset_id == docset_id)
    schema = schema_of(connection.execute(ours).mappings().one()) or Schema(properties=[])
    known = {prop.name: prop for prop in schema.properties}
    rows = [row for row in rows if row["field"] in known]
    for doc_id, changes in groupby(rows, key=lambda row: str(row["doc_id"])):
        for document in values_of(connection, [doc_id], docset_id):
            entity = dict(document["properties"].get("entity", {}))
            evidence = dict(document["evidence"])
            before = len(done)
            for row in changes:
                field = row["field"]
                value = edited(row, known[field], entity.get(field), evidence.get(field))
                if value is not None:
                    entity[field], evidence[field] = value
                    done[row["sequence"]] = value[1]
            if len(done) > before:
                write_values(connection, [with_values(document, entity, evidence)])
                log_properties(connection, docset_id, [doc_id])
    return done


def _change(connection: Connection, row: RowMapping) -> Change:
    places = {side: row[side]["evidence"].get("element") for side in ("before", "after")}
    wanted = {place for place in places.values() if isinstance(place, int)}
    stored = stored_elements(connection, row["content_id"], wanted) if wanted else {}
    shown = {}
    for side, place in places.items():
        value, item = row[side]["value"], row[side]["evidence"]
        guess = ReviewGuess(value=value, **{name: item.get(name) for name in _GUESSED})
        if place in stored:
            ordinal, text = stored[place]
            guess.element_id = element_id(row["doc_id"], ordinal)
            guess.quote = quote(text, value, row["field"])
        shown[side] = guess
    return Change(
        change_id=row["sequence"],
        doc_id=row["doc_id"],
        name=row["name"],
        field=row["field"],
        before=shown["before"],
        after=shown["after"],
        state=row["state"],
    )
