"""Shards in threads of the test, reached by bytes as those of a cluster are."""

import io
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from backend.search.shards.fan_out import Shards
from backend.search.shards.shard import Shard
from backend.search.share import shares
from backend.store.database import Database
from backend.store.shared_files import SharedFiles
from backend.tasks.messages import Message, receive, send
from backend.tasks.outcomes import PlaceLost

COUNT = 3


class LocalShards:
    """See Hosts. `lost` are the shards that do not answer."""

    def __init__(
        self, database: Database, root: Path, count: int, shared: SharedFiles | None = None
    ) -> None:
        self._threads = ThreadPoolExecutor(2 * count + 1)
        self.asked: list[str] = []
        self.lost: set[int] = set()
        self.shards = [
            Shard(database, root / f"shard-{share.place}", shared or SharedFiles(), share)
            for share in shares(count)
        ]

    def ask(self, shard: int, question: Message) -> "Future[Message]":
        self.asked.append(question.kind)
        if shard in self.lost:
            raise PlaceLost("the node is gone")
        return self._threads.submit(self._answer, shard, carried(question))

    def _answer(self, shard: int, question: Message) -> Message:
        return carried(self.shards[shard].ask(question))

    def close(self) -> None:
        self._threads.shutdown()
        for shard in self.shards:
            shard.close()


def carried(message: Message) -> Message:
    """The message after its way through a pipe."""
    stream = io.BytesIO()
    send(stream, message)
    stream.seek(0)
    return receive(stream)


@contextmanager
def local_shards(
    database: Database,
    root: Path,
    least: int = 1,
    shared: SharedFiles | None = None,
) -> Iterator[tuple[LocalShards, Shards]]:
    """Shards below a folder, and how an engine asks them."""
    hosts = LocalShards(database, root, COUNT, shared)
    yield hosts, Shards(hosts, COUNT, least)
    hosts.close()
