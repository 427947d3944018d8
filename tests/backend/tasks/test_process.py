"""A worker process beside the server that started it."""

import os
import sys
from contextlib import closing

from backend.tasks.process import Process


def test_a_worker_leaves_ctrl_c_to_the_server() -> None:
    code = "import signal; signal.raise_signal(signal.SIGINT); print('alive')"
    worker = Process([sys.executable, "-c", code], os.environ)
    with closing(worker.input), closing(worker.output):
        assert worker.output.read() == b"alive\n"
        assert worker.ended(10) and worker.code == 0
