"""A shard as the cluster keeps it: opened from the settings of its node."""

import fcntl
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from backend.search.shards.shard import Shard
from backend.search.share import Share
from backend.settings import Settings
from backend.store.database import Database
from backend.store.shared_files import open_shared_files
from backend.tasks.messages import Message


class ShardActor:
    """The body of the actor; several threads call it at once."""

    def __init__(self, place: int, count: int) -> None:
        settings = Settings()
        share = Share(place, count)
        self._root = _own_folder(settings.data_dir / "shards", share)
        database = Database(settings.resolved_database_url)
        shared = open_shared_files(settings, alone=database.is_sqlite)
        self._shard = Shard(database, self._root[0], shared, share)
        self._shard.keep()

    def about(self) -> str:
        """The name of its machine."""
        return socket.gethostname()

    def ask(self, kind: str, data: Any, blobs: Sequence[bytes]) -> tuple[str, Any, list[bytes]]:
        """Answers a question; see `Shard.ask`."""
        answer = self._shard.ask(Message(kind, data, blobs))
        return answer.kind, answer.data, list(answer.blobs)


def _own_folder(root: Path, share: Share) -> tuple[Path, Any]:
    """A folder that no other process uses, with the lock on it: a predecessor may still run when
    the cluster has given up on its node.
    """
    for turn in range(100):
        folder = root / f"{share.place}of{share.count}-{turn}"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (folder / "lock").open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            continue
        return folder / "indexes", lock
    raise RuntimeError(f"all folders of this shard below {root} are in use")
