"""SIGKILL under a mixed load, at random moments and at every named step.

After each kill: what was acknowledged is there, nothing is there by half or twice, no task and no
run is stuck, database, files and indexes agree, nothing temporary is left, no process lives on.
"""

import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pysqlite3
import pytest

from backend.store.failpoints import POINTS
from tests.backend_process import COMMAND, BackendProcess
from tests.reliability.mixed_load import ACTORS, Actor, drained

_SETTINGS = {"max_open_tasks": "100000", "submit_rate": "100000"}
_READY_SECONDS = 3.0


@dataclass
class Table:
    """What the rounds came to, by the step at which the server died."""

    kills: Counter[str] = field(default_factory=Counter)
    ended_there: Counter[str] = field(default_factory=Counter)
    """Without those in which the step did not come up in time, and the kill came from outside."""
    intact: Counter[str] = field(default_factory=Counter)
    ready: list[float] = field(default_factory=list)

    def lines(self, actors: Sequence[Actor]) -> list[str]:
        ready = sorted(self.ready)
        done = ", ".join(f"{type(actor).__name__} {actor.acknowledged}" for actor in actors)
        return [
            f"{'step':<24}{'kills':>7}{'at it':>7}{'all promises held':>19}",
            *(
                f"{step:<24}{count:7}{self.ended_there[step]:7}{self.intact[step]:19}"
                for step, count in sorted(self.kills.items())
            ),
            f"{'together':<24}{self.kills.total():7}{self.ended_there.total():7}"
            f"{self.intact.total():19}",
            f"acknowledged: {sum(actor.acknowledged for actor in actors)} ({done})",
            f"processor seconds to readiness: median {ready[len(ready) // 2]:.2f},"
            f" worst {ready[-1]:.2f}",
        ]


def starts(backend: BackendProcess) -> bool:
    """Whether it came up; a step that belongs to the start may have killed it."""
    try:
        backend.start()
    except AssertionError:
        assert backend.ended_by_itself(0)
        return False
    return True


def load(backend: BackendProcess, actors: Sequence[Actor], enough: Callable[[], bool]) -> bool:
    """Everybody works until the server is gone, or there is enough and it is killed; whether it
    went by itself.
    """
    faults: list[BaseException] = []

    def work(actor: Actor) -> None:
        with backend.client() as http:
            try:
                while True:
                    actor.act(http)
            except httpx.TransportError:
                return
            except BaseException as error:
                faults.append(error)

    threads = [threading.Thread(target=work, args=(actor,)) for actor in actors]
    for thread in threads:
        thread.start()
    while not (by_itself := backend.ended_by_itself(0.05)) and not enough() and not faults:
        continue
    if not by_itself:
        backend.kill()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]
    return by_itself


def all_have_acted(actors: Sequence[Actor], times: int) -> Callable[[], bool]:
    """Whether each of them has had so many answers since now, or a minute is over."""
    before, deadline = [actor.acknowledged for actor in actors], time.monotonic() + 60

    def enough() -> bool:
        pairs = zip(actors, before, strict=True)
        acted = all(actor.acknowledged - had >= times for actor, had in pairs)
        return acted or time.monotonic() > deadline

    return enough


def some_have_acted(actors: Sequence[Actor], seconds: float) -> Callable[[], bool]:
    """Whether that time has passed since the first answer that comes from now on."""
    before, ends = sum(actor.acknowledged for actor in actors), list[float]()

    def enough() -> bool:
        if not ends and sum(actor.acknowledged for actor in actors) > before:
            ends.append(time.monotonic() + seconds)
        return bool(ends) and time.monotonic() > ends[0]

    return enough


def check(backend: BackendProcess, actors: Sequence[Actor]) -> None:
    with backend.client() as http:
        drained(http)
        for actor in actors:
            actor.check(http)
        report = http.post("/v1/workbench/storage/check", json={"read_files": True})
        assert report.raise_for_status().json()["faults"] == []
    folder = backend.folder
    assert list((folder / "blobs" / "incoming").iterdir()) == []
    assert list(folder.glob("backup-*")) == []
    with closing(pysqlite3.connect(str(folder / "workbench.sqlite"))) as database:
        docsets = database.execute("SELECT count(*) FROM docsets").fetchone()[0]
        running = "SELECT count(*) FROM query_runs WHERE status = 'running'"
        assert database.execute(running).fetchone()[0] == 0
        used = "SELECT content_id FROM documents"
        unused = f"SELECT count(*) FROM contents WHERE content_id NOT IN ({used})"
        assert database.execute(unused).fetchone()[0] == 0
        kept = {
            row[0].replace(":", "-") for row in database.execute("SELECT query_id FROM query_runs")
        }
    assert len(list((folder / "indexes").iterdir())) <= docsets
    runs = folder / "runs"
    assert {path.name for path in (runs.iterdir() if runs.exists() else ())} <= kept


def processes_of(group: int) -> list[int]:
    """The living processes of a process group."""
    pids = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group and fields[0] != "Z":
                pids.append(int(entry.name))
    return pids


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def nobody_lives_on(group: int) -> None:
    deadline = time.monotonic() + 60
    while processes_of(group):
        assert time.monotonic() < deadline, "orphaned processes"
        time.sleep(0.05)


def _long() -> range:
    """The rounds of the long form, or the part of them that `WORKBENCH_KILL_ROUNDS` names."""
    first, _, end = os.environ.get("WORKBENCH_KILL_ROUNDS", "0-200").partition("-")
    return range(int(first), int(end))


@pytest.mark.parametrize(
    ("rounds", "workers", "module"),
    [(range(6), 1, None), pytest.param(_long(), 2, COMMAND, marks=pytest.mark.soak)],
    ids=["short", "long"],
)
def test_whatever_the_server_was_doing_when_it_died_its_promises_hold(
    tmp_path: Path, rounds: range, workers: int, module: str | None
) -> None:
    """Every other kill comes at a named step, the others at any moment."""
    chance = random.Random(len(rounds) + rounds.start)
    settings = _SETTINGS | {"workers": str(workers)}
    actors = [kind(random.Random(number)) for number, kind in enumerate(ACTORS)]
    table = Table()
    points = sorted(POINTS)
    random.Random(10).shuffle(points)
    backend = BackendProcess(tmp_path / "data", settings, module).start()
    with backend.client() as http:
        for actor in actors:
            actor.prepare(http)
    try:
        for number in rounds:
            step = points[number // 2 % len(points)] if number % 2 else "any moment"
            table.kills[step] += 1
            if step in POINTS:
                backend.kill()
                armed = {"failpoints": f"{step}:{chance.randint(1, 3)}"}
                backend = BackendProcess(tmp_path / "data", settings | armed, module)
                table.ended_there[step] += not starts(backend) or load(
                    backend, actors, all_have_acted(actors, 4)
                )
            else:
                load(backend, actors, some_have_acted(actors, chance.uniform(0, 1.5)))
                table.ended_there[step] += 1
            nobody_lives_on(backend.pid)
            backend = BackendProcess(tmp_path / "data", settings, module).start()
            table.ready.append(processor_seconds(backend.pid))
            check(backend, actors)
            table.intact[step] += 1
        backend.kill()
        backend = BackendProcess(tmp_path / "data", settings, COMMAND).start()
        table.ready.append(processor_seconds(backend.pid))
        assert backend.stop() == 0
    finally:
        print("\n".join(table.lines(actors)), flush=True)
    assert table.ready[-1] < _READY_SECONDS
    assert sum(actor.acknowledged for actor in actors) > len(rounds)
