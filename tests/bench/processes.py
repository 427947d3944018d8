"""Processor time of the processes that a benchmark has started."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def below(process: int) -> Iterator[int]:
    """The processes that a process has started, and those that they have."""
    for tasks in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, tasks.read_text().split()):
                yield child
                yield from below(child)


def named(*marks: str) -> list[int]:
    """Those of them below this process whose command has one of these marks."""
    found = []
    for process in below(os.getpid()):
        with suppress(OSError):
            command = Path(f"/proc/{process}/cmdline").read_bytes().decode(errors="replace")
            if any(mark in command for mark in marks):
                found.append(process)
    return found


def cost_of(process: int) -> float:
    """Seconds of processor time of a process so far; 0 for one that has ended."""
    with suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0
