"""The port through which tasks run their jobs: in processes of this machine, or on other machines.

Implementations: `pool.WorkerPool` (local) and `ray_pool.RayPool`. Both raise the errors that the
docstring of `pool` lists. A job's data may name its file as `digest`; the place that runs the job
replaces that by the local `path` of the file.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from backend.tasks.messages import Message

OnProgress = Callable[[int, int, str], None]
OnQuestion = Callable[[str, Any, Sequence[bytes]], Any]
"""Answers a question of a job: a kind, data and blobs. An error ends the job."""


def no_answer(_kind: str, _data: Any, _blobs: Sequence[bytes]) -> None:
    """For jobs that ask nothing."""


@dataclass(frozen=True)
class PoolState:
    """The state of a pool: its places, the busy and the starting ones, and the waiting jobs.

    `nodes` are the machines of the cluster, each with `name`, `address` and `places`; `problem`
    says why a place could not start. `shards` has the machine of each shard of the indexes, and
    `addresses` where it answers questions; None for one that does not respond.
    """

    engine: Literal["local", "ray"]
    connected: bool = True
    places: int = 0
    busy: int = 0
    starting: int = 0
    waiting: int = 0
    head: str | None = None
    nodes: list[dict[str, Any]] = field(default_factory=list)
    problem: str | None = None
    shards: list[str | None] = field(default_factory=list)
    addresses: list[str | None] = field(default_factory=list)


class Running(Protocol):
    """A job on its way."""

    def kill(self) -> None:
        """Stops it from any thread; its caller gets WorkerStopped, and its core is free."""
        ...


class Pool(Protocol):
    """Places that run one job each."""

    @property
    def size(self) -> int:
        """How many jobs can run at once; 0 while no place can be reached."""
        ...

    def state(self) -> PoolState:
        """The current state of the pool."""
        ...

    def warm(self, module: str) -> None:
        """Starts the places and has them import `module`, so that no job waits for it."""
        ...

    def run(
        self,
        entry: str,
        data: Any,
        *,
        blobs: Sequence[bytes] = (),
        progress: OnProgress,
        started: Callable[[Running], None],
        stopped: Callable[[], bool] = lambda: False,
        answer: OnQuestion = no_answer,
    ) -> Message:
        """Runs one job in the next free place and returns its result.

        `started` gets the running job, so that it can be killed; exceptions of `started` propagate.
        `stopped` says whether a job that waits for memory should give up.
        """
        ...

    def close(self) -> None:
        """Ends all places; running jobs raise WorkerStopped."""
        ...


def located(data: Any, files: Callable[[str], Path]) -> Any:
    """The data of a job with the local path of the file that it names by digest."""
    if isinstance(data, dict) and isinstance(digest := data.get("digest"), str):
        return data | {"path": str(files(digest))}
    return data


def no_files(digest: str) -> Path:
    """For pools whose jobs name no files."""
    raise LookupError(f"this pool has no files: {digest}")
