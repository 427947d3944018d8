"""A server that was started with limits of its own reads documents within them."""

import resource
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limits are Linux's")

KINDS = resource.RLIMIT_FSIZE, resource.RLIMIT_DATA, resource.RLIMIT_AS, resource.RLIMIT_CPU
GIB = 2**30
LEAST = [GIB // 5, GIB, 8 * GIB, 20]
SERVER = """
import resource, sys
from backend.tasks.pool import Limits, WorkerPool

kinds, least, hard = eval(sys.argv[1])
for kind, most in zip(kinds, least):
    resource.setrlimit(kind, (most, most if hard else resource.getrlimit(kind)[1]))
pool = WorkerPool(1, Limits(memory=8 * 2**30, cpu_seconds=60, wall_seconds=60))
for _ in range(2):
    answer = pool.run(
        "tests.backend.tasks.jobs:limits", kinds, progress=lambda *_: None, started=lambda _: None
    )
    print(answer.data)
(worker,) = pool._free
worker._process.raise_limit(2**40)
print(worker._process.limit())
pool.close()
"""


@pytest.mark.parametrize("hard", [True, False])
def test_a_worker_keeps_to_the_smaller_limits_its_server_was_started_with(hard: bool) -> None:
    asked = repr((KINDS, LEAST, hard))
    server = subprocess.run(
        [sys.executable, "-c", SERVER, asked], capture_output=True, text=True, timeout=60
    )
    assert server.stdout.splitlines() == [str(LEAST), str(LEAST), str(LEAST[1])], server.stderr
