"""What Ray listens on is kept to one address."""

import os
import socket
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from backend.tasks import own_address
from backend.tasks.own_address import NotPrivate, needs_own_address, overseen
from backend.tasks.ray_worker import NoCluster, needs_ray

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux does it")
_ADDRESS = "127.3.2.1"
_START = (
    f"import socket, sys; from backend.tasks.own_address import listen_at; listen_at({_ADDRESS!r})"
)
_BOTH_FAMILIES = "socket.create_server(('::', 0), family=socket.AF_INET6, dualstack_ipv6=True)"


def _started(code: str) -> "subprocess.Popen[str]":
    """A child that has asked for one address, and goes on with the code."""
    with overseen() as (more, descriptors):
        return subprocess.Popen(
            [sys.executable, "-c", f"{_START}\n{code}"],
            env=os.environ | more,
            pass_fds=descriptors,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


def _printed(code: str) -> str:
    child = _started(code)
    output, errors = child.communicate(timeout=60)
    assert child.returncode == 0, errors
    return output.strip()


@pytest.mark.parametrize(
    ("made", "host"),
    [
        ("socket.create_server(('', 0))", _ADDRESS),
        (_BOTH_FAMILIES, f"::ffff:{_ADDRESS}"),
        ("socket.create_server(('127.0.0.1', 0))", "127.0.0.1"),
    ],
    ids=["all of IPv4", "all of both families", "one that was named"],
)
def test_a_socket_for_all_addresses_gets_the_one_and_another_what_it_asked_for(
    made: str, host: str
) -> None:
    assert _printed(f"print({made}.getsockname()[0])") == host


def test_a_socket_of_the_file_system_is_left_alone(tmp_path) -> None:
    path = tmp_path / "socket"
    _printed(f"socket.socket(socket.AF_UNIX).bind({str(path)!r})")
    assert path.is_socket()


def test_threads_that_run_already_and_children_of_a_child_are_asked_as_well() -> None:
    code = "print(socket.create_server(('', 0)).getsockname()[0])"
    assert (
        _printed(
            f"import subprocess; subprocess.run([sys.executable, '-c', \"import socket; {code}\"])"
        )
        == _ADDRESS
    )
    before = _START.replace("listen_at(", "(lambda _: None)(")
    script = (
        "import threading; ready = threading.Event()\n"
        f"def work():\n    ready.wait()\n    {code}\n"
        "thread = threading.Thread(target=work); thread.start()\n"
    )
    with overseen() as (more, descriptors):
        done = subprocess.run(
            [sys.executable, "-c", f"{before}\n{script}listen_at({_ADDRESS!r}); ready.set()"],
            env=os.environ | more, pass_fds=descriptors, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
    assert done.stdout.strip() == _ADDRESS, done.stderr


def test_nobody_else_reaches_it_by_another_address_of_the_machine() -> None:
    child = _started(
        "made = socket.create_server(('', 0)); print(made.getsockname()[1], flush=True); input()"
    )
    assert child.stdout is not None
    port = int(child.stdout.readline())
    socket.create_connection((_ADDRESS, port), timeout=10).close()
    for other in ("127.0.0.1", "127.3.2.2"):
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((other, port), timeout=10)
    child.communicate("\n", timeout=60)


def test_without_an_overseer_it_listens_nowhere() -> None:
    """The kernel refuses rather than let it listen everywhere."""
    overseer = (
        "import subprocess, sys, os; from backend.tasks.own_address import overseen\n"
        "with overseen() as (more, descriptors):\n"
        "    subprocess.Popen([sys.executable, '-c', sys.argv[1]], env=os.environ | more,"
        " pass_fds=descriptors)\n"
        "input()"
    )
    later = (
        "import os, time\n"
        "first = socket.create_server(('', 0)); parent = os.getppid()\n"
        "print(parent, flush=True)\n"
        "while os.getppid() == parent: time.sleep(0.01)\n"
        "try: print(socket.create_server(('', 0)).getsockname())\n"
        "except OSError as error: print(type(error).__name__, flush=True)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", overseer, f"{_START}\n{later}"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert int(process.stdout.readline()) == process.pid
    process.kill()
    assert process.stdout.readline() == "OSError\n"
    process.communicate()


def test_the_thread_of_an_overseer_ends_with_the_child() -> None:
    before = _overseers()
    _printed("socket.create_server(('', 0))")
    deadline = time.monotonic() + 30
    while _overseers() > before:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _overseers() -> int:
    import threading

    return sum(thread.name == "overseer" for thread in threading.enumerate())


def test_where_the_kernel_cannot_do_it_only_encrypted_nodes_start(monkeypatch) -> None:
    assert needs_own_address({}) and needs_own_address({"RAY_USE_TLS": "1"})
    monkeypatch.setattr(own_address, "_CALLS", {})
    assert not needs_own_address({"RAY_USE_TLS": "1"})
    with pytest.raises(NotPrivate, match="RAY_USE_TLS"):
        needs_own_address({"RAY_USE_TLS": "0"})
    monkeypatch.delenv("RAY_USE_TLS", raising=False)
    with suppress(NoCluster), pytest.raises(NotPrivate):
        needs_ray()
