"""Worker processes of a forked backend, forked as well.

A worker imports for .9 s before its first job, loads weights for half a second in it, and the tests
start several hundred. Here a process that has done both forks them instead. A backend started as a
command starts its workers as commands, too.

    backend ── template            forked from it before it starts; knows all modules
       │          └─ (ends at once)
       └── worker ◄────┘           adopted by the backend, which waits for it and kills it
"""

import ctypes
import gc
import json
import os
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from backend.docsets import preparing
from backend.docsets.extracting import extracted
from backend.tasks import process, worker
from workbench.contract.elements import Element
from workbench.contract.schema import Schema
from workbench.demo.documents import DEMO_SCHEMA

assert preparing  # what `WorkerPool.warm` has workers import

TEMPLATE = "template"
"""The name of that process in `/proc/PID/comm`."""
_SET_NAME, _SET_CHILD_SUBREAPER = 15, 36
_LONGEST = 2**20
_Start = Callable[[Sequence[str], Mapping[str, str]], Any]


def _read_one() -> None:
    """Reads values from a text, which loads the weights."""
    text = "The aircraft, a Cessna 172, was damaged in Alaska on March 4, 2020."
    page = {"score": 1.0, "page_number": 1}
    element = Element(
        type="Text", bbox=[0.0, 0.0, 1.0, 1.0], properties=page, text_representation=text
    )
    asks_nothing: Any = None
    extracted([[element]], Schema.model_validate(DEMO_SCHEMA), asks_nothing, room=0)


_read_one()  # when the module is imported: what forks backends does nothing else


@dataclass
class _Forked:
    """What `backend.tasks.process` uses of a `subprocess.Popen`."""

    pid: int
    stdin: BinaryIO
    stdout: BinaryIO
    returncode: int | None = None


def fork_workers() -> None:
    """From now on, this process forks its workers. It must have one thread only."""
    if sys.platform != "linux":
        return
    _prctl(_SET_CHILD_SUBREAPER, 1)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    backend = os.getpid()
    if os.fork() == 0:
        _keep_open(theirs.fileno())
        _serve(theirs, backend)
        os._exit(0)
    theirs.close()
    lock, as_a_command = threading.Lock(), process._started

    def started(
        command: Sequence[str], environment: Mapping[str, str], descriptors: Sequence[int]
    ) -> Any:
        if worker.__name__ not in command:
            return as_a_command(command, environment, descriptors)
        with lock:
            return _ask(ours, environment) or as_a_command(command, environment, descriptors)

    process._started = started


def _ask(template: socket.socket, environment: Mapping[str, str]) -> _Forked | None:
    """A worker from the template; None if that was killed."""
    (their_in, our_out), (our_in, their_out) = os.pipe(), os.pipe()
    try:
        socket.send_fds(template, [json.dumps(dict(environment)).encode()], [their_in, their_out])
        answer = template.recv(_LONGEST)
    except OSError:
        answer = b""
    os.close(their_in)
    os.close(their_out)
    ends = os.fdopen(our_out, "wb"), os.fdopen(our_in, "rb")
    if answer:
        return _Forked(int(answer), *ends)
    for end in ends:
        end.close()
    return None


def _serve(requests: socket.socket, backend: int) -> None:
    """The template: forks a worker for each message, until the backend has ended."""
    _prctl(_SET_NAME, TEMPLATE.encode())
    gc.freeze()
    while True:
        request, pipes, *_ = socket.recv_fds(requests, _LONGEST, 2)
        if not request:
            return
        names_worker, name = os.pipe()
        between = os.fork()
        if between == 0:
            pid = os.fork()
            if pid == 0:
                _work(json.loads(request), pipes, backend)
            os.write(name, str(pid).encode())
            os._exit(0)
        os.waitpid(between, 0)  # then the backend has adopted the worker
        requests.send(os.read(names_worker, _LONGEST))
        for end in (*pipes, names_worker, name):
            os.close(end)


def _work(environment: dict[str, str], pipes: Sequence[int], backend: int) -> None:
    """Is the worker; never returns."""
    code = 1
    try:
        while os.getppid() != backend:  # not adopted yet
            if os.getppid() == 1:
                return
            time.sleep(0.001)
        _prctl(_SET_NAME, b"worker")
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        for number, end in enumerate(pipes):
            os.dup2(end, number)
        _keep_open()
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = [worker.__name__, str(backend)]
        worker.main()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _prctl(option: int, value: int | bytes) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _keep_open(*files: int) -> None:
    """Closes all files but the standard streams and these."""
    start = 3
    for file in sorted(files):
        os.closerange(start, file)
        start = file + 1
    os.closerange(start, os.sysconf("SC_OPEN_MAX"))
