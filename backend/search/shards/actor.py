"""A shard as the cluster keeps it: opened from the settings of its node. Servers ask it by lines of
their own; the cluster only says where it is.
"""

import fcntl
import os
import socket
from pathlib import Path
from typing import Any

from backend.search.shards.shard import Shard
from backend.search.share import Share
from backend.settings import Settings
from backend.store.database import Database
from backend.store.shared_files import open_shared_files
from backend.tasks.lines import Exchange


class ShardActor:
    """The body of the actor."""

    def __init__(self, place: int, count: int) -> None:
        from ray.util import get_node_ip_address

        settings = Settings()
        share = Share(place, count)
        self._root = _own_folder(settings.data_dir / "shards", share)
        database = Database(settings.resolved_database_url)
        shared = open_shared_files(settings, alone=database.is_sqlite)
        self._shard = Shard(database, self._root[0], shared, share)
        self._shard.keep()
        self._exchange = Exchange(get_node_ip_address(), self._shard.ask, os.environ)

    def about(self) -> tuple[str, str]:
        """The name of its machine, and the address at which it answers questions."""
        return socket.gethostname(), self._exchange.address


def _own_folder(root: Path, share: Share) -> tuple[Path, Any]:
    """A folder with the lock on it: a predecessor may still run when its node is given up."""
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
