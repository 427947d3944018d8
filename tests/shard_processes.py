"""Shards in processes of this machine, without Ray, asked as those of a cluster are.

Each is started as `python -m tests.shard_processes DATABASE_URL FOLDER SHARED PLACE COUNT`: it
prints where it answers, and ends with its input.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from backend.search.shards.fan_out import Awaited
from backend.search.shards.shard import Shard
from backend.search.share import Share
from backend.store.database import Database
from backend.store.shared_files import SharedFolder
from backend.tasks.lines import Exchange, Lines
from backend.tasks.messages import Message
from workbench.contract.processes import python_module

_HOST = "127.0.0.1"


class ShardProcesses:
    """See Hosts. The shards publish below `folder`; `environment` is that of them and of the lines
    to them, as for `Lines`.
    """

    def __init__(
        self, url: str, folder: Path, count: int, environment: Mapping[str, str] = os.environ
    ) -> None:
        self.lines = [Lines(environment) for _ in range(count)]
        self._url = url
        self._folder = folder
        self._environment = environment
        self._running: dict[int, subprocess.Popen[str]] = {}

    def ask(self, shard: int, question: Message) -> Awaited:
        return self.lines[shard].ask(question)

    def start(self, place: int, name: str) -> subprocess.Popen[str]:
        """Starts the shard with that place in a folder of that name."""
        folders = str(self._folder / name), str(self._folder / "files" / "shared")
        command = [self._url, *folders, str(place), str(len(self.lines))]
        process = self._running[place] = subprocess.Popen(
            python_module(__name__, *command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=dict(self._environment),
        )
        assert process.stdout is not None
        self.lines[place].lead_to(process.stdout.readline().strip())
        return process

    def kill(self, place: int) -> None:
        """Kills the shard with that place; questions still lead to where it was."""
        process = self._running.pop(place)
        process.kill()
        process.communicate()

    def close(self) -> None:
        """Ends all shards."""
        for lines in self.lines:
            lines.lead_to(None)
        for process in self._running.values():
            process.communicate()


def main(url: str, folder: str, shared: str, place: str, count: str) -> None:
    files = SharedFolder(Path(shared))
    shard = Shard(Database(url), Path(folder), files, Share(int(place), int(count)))
    shard.keep()
    print(Exchange(_HOST, shard.ask, os.environ).address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
