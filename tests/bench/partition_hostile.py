"""Hostile files through real workers, beside an ordinary task that must not notice.

    python tests/bench/partition_hostile.py [--seconds 120] [--memory 1024]

Every file of the set goes through a pool of two worker processes with limits of processor time (in
seconds) and memory (in megabytes). Meanwhile a second caller partitions one ordinary file over and
over in the same pool. A file is well served when it ends with elements or with an error that says
why; the ordinary task is when it never fails. The data lies where WORKBENCH_BENCH says, else in
`../shared/bench` beside the repository.
"""

import argparse
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from backend.tasks.messages import Message  # noqa: E402
from backend.tasks.pool import Limits, WorkerDied, WorkerFault, WorkerPool  # noqa: E402
from workbench.contract.errors import ServiceError  # noqa: E402
from workbench.contract.partition_options import PartitionOptions  # noqa: E402

DATA = Path(os.environ.get("WORKBENCH_BENCH") or ROOT.parent / "shared" / "bench") / "partition"
JOB = "backend.docsets.partition_job:partition_file"


def partitioned(pool: WorkerPool, source: Path) -> Message:
    options = PartitionOptions().model_dump(mode="json", by_alias=True)
    data = {"path": str(source), "name": source.name, "options": options, "room": 0, "eyes": False}
    return pool.run(JOB, data, progress=_silent, started=_silent)


def _silent(*_progress: Any) -> None:
    """Nobody watches."""


def outcome(pool: WorkerPool, source: Path) -> tuple[str, str]:
    """`read`, `refused` or `LOST`, and what was told."""
    try:
        message = partitioned(pool, source)
    except ServiceError as error:
        return "refused", f"{error.status} {error.detail}"
    except (WorkerDied, WorkerFault) as error:
        return "LOST", f"{type(error).__name__}: {str(error).strip().splitlines()[-1:]}"
    return "read", f"{message.data['pages']} pages, {len(message.blobs[0])} bytes"


class Neighbour:
    """Somebody else's ordinary task, all the while."""

    def __init__(self, pool: WorkerPool, source: Path) -> None:
        self._pool, self._source = pool, source
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._work)
        self.done = self.failed = 0
        self.longest = 0.0
        self._thread.start()

    def _work(self) -> None:
        while not self._ended.is_set():
            began = time.monotonic()
            kind, message = outcome(self._pool, self._source)
            self.longest = max(self.longest, time.monotonic() - began)
            self.done += kind == "read"
            if kind != "read":
                self.failed += 1
                print(f"  the ordinary task: {kind} {message}", flush=True)

    def close(self) -> None:
        self._ended.set()
        self._thread.join()


def usual(data: Path, seconds: int = 120, memory: int = 1024) -> tuple[Path, Limits]:
    """An ordinary file, and limits in seconds of processor time and megabytes."""
    ordinary = min((data / "dprt" / "pdf").glob("*.pdf"))
    return ordinary, Limits(memory * 2**20, seconds, 10 * seconds)


def run(folder: Path, ordinary: Path, limits: Limits) -> int:
    """0 when every file was served well and the ordinary task never failed, else 1."""
    pool = WorkerPool(2, limits)
    neighbour = Neighbour(pool, ordinary)
    counts = {"read": 0, "refused": 0, "LOST": 0}
    try:
        for source in sorted(path for path in folder.iterdir() if path.suffix != ".tsv"):
            began = time.monotonic()
            kind, message = outcome(pool, source)
            counts[kind] += 1
            print(f"{source.name}: {kind}, {time.monotonic() - began:.1f} s: {message}", flush=True)
    finally:
        neighbour.close()
        pool.close()
    shown = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    print(
        f"{folder.name}: {shown}; meanwhile {neighbour.done} ordinary tasks, "
        f"{neighbour.failed} failed, the longest {neighbour.longest:.1f} s"
    )
    return int(counts["LOST"] + neighbour.failed > 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--memory", type=int, default=1024)
    arguments = parser.parse_args()
    if not DATA.is_dir():
        print(f"No bench data: {DATA} does not exist. Set WORKBENCH_BENCH.")
        return 0
    return run(DATA / "hostile", *usual(DATA, arguments.seconds, arguments.memory))


if __name__ == "__main__":
    sys.exit(main())
