"""A shard in a process of its own, without Ray: prints where it answers, and ends with its input.

python -m tests.bench.shard_process DATABASE_URL FOLDER SHARED PLACE COUNT
"""

import os
import sys
from pathlib import Path

from backend.search.shards.shard import Shard
from backend.search.share import Share
from backend.store.database import Database
from backend.store.shared_files import SharedFolder
from backend.tasks.lines import Exchange


def main(url: str, folder: str, shared: str, place: str, count: str) -> None:
    files = SharedFolder(Path(shared))
    shard = Shard(Database(url), Path(folder), files, Share(int(place), int(count)))
    shard.keep()
    print(Exchange("127.0.0.1", shard.ask, os.environ).address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
