"""Decides whose turn it is among the accounts with queued tasks, by skipping through an index.

Each step reads the oldest queued task of the next account, so the cost grows with the number of
waiting accounts and not with the number of their tasks.
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, func, insert, select, tuple_, update
from sqlalchemy.engine import RowMapping

from backend.store.tables import tasks, turns


@dataclass(frozen=True)
class Place:
    """An account's tasks in the queue: those of waiting calls, or the `listed` ones."""

    account_id: str
    listed: bool
    since: float
    """When the oldest of them was submitted."""
    turn: int
    """The account's last turn; 0 before its first."""

    def rank(self, turn: int) -> tuple[bool, int, float]:
        """Places with the lowest rank come first; `turn` is the account's latest turn."""
        return self.listed, turn, self.since

    def oldest(
        self, connection: Connection, fetching: bool | None, besides: Collection[str]
    ) -> RowMapping | None:
        """The row of its oldest task, locked for the caller; None when others took the last."""
        chosen = (
            _queued(fetching, besides)
            & (tasks.c.account_id == self.account_id)
            & (tasks.c.listed == self.listed)
        )
        return (
            connection.execute(
                select(tasks)
                .where(chosen)
                .order_by(tasks.c.created_at, tasks.c.changed)
                .limit(1)
                .with_for_update(skip_locked=True)
            )
            .mappings()
            .first()
        )


def waiting_accounts(
    connection: Connection, fetching: bool | None, besides: Collection[str]
) -> list[Place]:
    """All places of the queue in their order. `fetching` and `besides` are those of a claim."""
    kinds = (False, True) if fetching is None else (fetching,)
    heads = [head for fetches in kinds for head in _heads(connection, fetches, besides)]
    accounts = {account for _, account, _ in heads}
    last_turns = (
        {
            row.account_id: row.turn
            for row in connection.execute(select(turns).where(turns.c.account_id.in_(accounts)))
        }
        if accounts
        else {}
    )
    line = [
        Place(account, listed, since, last_turns.get(account, 0))
        for listed, account, since in heads
    ]
    return sorted(line, key=lambda place: place.rank(place.turn))


def is_overtaking(connection: Connection, *, fetches: bool, listed: bool) -> bool:
    """Whether a task is queued that would be claimed before a new one of that kind."""
    queued = _queued(fetches, ())
    if not listed:
        queued &= tasks.c.listed.is_(False)
    return connection.execute(select(tasks.c.task_id).where(queued).limit(1)).first() is not None


def take_turn(connection: Connection, account_id: str) -> int:
    """Records that the account has had its turn. The caller holds the lock of the account."""
    latest = connection.execute(select(func.max(turns.c.turn))).scalar_one() or 0
    turn = int(latest) + 1
    moved = connection.execute(
        update(turns).where(turns.c.account_id == account_id).values(turn=turn)
    )
    if moved.rowcount == 0:
        connection.execute(insert(turns).values(account_id=account_id, turn=turn))
    return turn


def _heads(
    connection: Connection, fetches: bool, besides: Collection[str]
) -> list[tuple[bool, str, float]]:
    """The time of each account's oldest task, for listed and unlisted ones."""
    heads: list[tuple[bool, str, float]] = []
    order = tasks.c.listed, tasks.c.account_id, tasks.c.created_at
    while True:
        step = select(*order).where(_queued(fetches, besides)).order_by(*order).limit(1)
        if heads:
            step = step.where(tuple_(*order[:2]) > tuple_(*heads[-1][:2]))
        row = connection.execute(step).first()
        if row is None:
            return heads
        heads.append((row.listed, row.account_id, row.created_at))


def _queued(fetching: bool | None, besides: Collection[str]) -> ColumnElement[bool]:
    queued = tasks.c.status == "queued"
    if fetching is not None:
        queued &= tasks.c.fetches.is_(fetching)
    return queued & tasks.c.task_id.not_in(besides) if besides else queued
