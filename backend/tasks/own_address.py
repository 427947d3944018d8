"""Keeps what Ray listens on to one address of the machine.

Ray asks the kernel for every address of a machine, and no setting of it says otherwise (Ray's pull
request 59852 changed that, and was reverted). So the kernel hands each `bind` of Ray to the process
that started it (seccomp's user notification, Linux 5.7), which puts in the address of the node.
That needs no root; a process whose overseer has ended cannot bind at all.
"""

import ctypes
import errno
import fcntl
import ipaddress
import logging
import os
import platform
import select
import socket
import struct
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

_LINE = "OVERSEER_SOCKET"
"""The environment variable with the number of the socket to the overseer."""
_WILDCARDS: dict[int, tuple[int, bytes]] = {
    socket.AF_INET: (4, bytes(4)),
    socket.AF_INET6: (8, bytes(16)),
}
"""Where the address is in a `sockaddr` of that family, and the one that means all addresses."""
_SIZES = (16, 28)
"""The sizes of these two; `bind` to addresses of other families is not asked about."""
_CALLS = {"x86_64": (0xC000003E, 49, 317), "aarch64": (0xC00000B7, 200, 277)}
"""The kernel's names of a processor and its numbers of `bind` and `seccomp`."""

_NO_NEW_PRIVILEGES = 38
_SET_FILTER, _IS_ACTION_AVAILABLE = 1, 2
_ALL_THREADS, _NEW_LISTENER, _LISTENER_OF_ALL_THREADS = 1, 8, 16
_ALLOW, _NOTIFY = 0x7FFF0000, 0x7FC00000
_LOAD, _JUMP_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_CALL_AT, _PROCESSOR_AT, _SIZE_AT = 0, 4, 32
_RECEIVE, _SEND, _IS_VALID = 0xC0502100, 0xC0182101, 0x40082102
_REQUEST = struct.Struct("=QII iIQ 6Q")
_RESPONSE = struct.Struct("=QqiI")
_CONTINUE = 1
_log = logging.getLogger(__name__)


class NotPrivate(RuntimeError):
    """Ray would listen on every address of this machine, unencrypted."""


def needs_own_address(environment: Mapping[str, str]) -> bool:
    """Whether what Ray listens on is kept to one address. False where the kernel cannot do so and
    `environment` makes Ray talk by TLS, which admits only callers with a certificate; NotPrivate
    where it does not.
    """
    if _is_possible():
        return True
    if environment.get("RAY_USE_TLS") in ("1", "true"):
        return False
    raise NotPrivate(
        "Ray would listen on every address of this machine, since its kernel (Linux 5.7 or later"
        " is needed) or its container does not let us prevent it. Set RAY_USE_TLS=1 with"
        " certificates (`workbench help past-one-machine`), so that strangers are refused."
    )


@contextmanager
def overseen() -> Iterator[tuple[dict[str, str], tuple[int, ...]]]:
    """More environment and the descriptors to leave open for a child that is started meanwhile. A
    thread of this process decides about the child's sockets, and those of its children, until
    all of them have ended.
    """
    ours, theirs = socket.socketpair()
    threading.Thread(target=_oversee, args=(ours,), name="overseer", daemon=True).start()
    with theirs:
        yield {_LINE: str(theirs.fileno())}, (theirs.fileno(),)


def listen_at(address: str) -> None:
    """From now on this process and its children listen at that address (IPv4) wherever they ask for
    all addresses. OSError if the kernel refuses, KeyError without an overseer.
    """
    with socket.socket(fileno=int(os.environ.pop(_LINE))) as line:
        listener = _asking_filter()
        try:
            socket.send_fds(line, [ipaddress.IPv4Address(address).packed], [listener])
        finally:
            os.close(listener)
        if not line.recv(1):
            raise OSError(errno.ECHILD, "the process that started this one has ended")


def _is_possible() -> bool:
    if platform.machine() not in _CALLS:
        return False
    try:
        _seccomp(_IS_ACTION_AVAILABLE, 0, ctypes.byref(ctypes.c_uint32(_NOTIFY)))
    except (OSError, AttributeError):  # AttributeError: not Linux
        return False
    return True


def _seccomp(operation: int, flags: int, argument: object) -> int:
    call = ctypes.CDLL(None, use_errno=True).syscall
    result = int(call(_CALLS[platform.machine()][2], operation, flags, argument))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def _asking_filter() -> int:
    """Has all threads of this process ask before they bind; the descriptor of the questions."""
    processor, bind, _ = _CALLS[platform.machine()]
    steps = (
        (_LOAD, 0, 0, _PROCESSOR_AT),
        (_JUMP_IF_EQUAL, 0, 5, processor),
        (_LOAD, 0, 0, _CALL_AT),
        (_JUMP_IF_EQUAL, 0, 3, bind),
        (_LOAD, 0, 0, _SIZE_AT),
        (_JUMP_IF_EQUAL, 2, 0, _SIZES[0]),
        (_JUMP_IF_EQUAL, 1, 0, _SIZES[1]),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _NOTIFY),
    )
    ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)  # instead of root
    program = _Program(len(steps), b"".join(struct.pack("=HBBI", *step) for step in steps))
    flags = _ALL_THREADS | _NEW_LISTENER | _LISTENER_OF_ALL_THREADS
    return _seccomp(_SET_FILTER, flags, ctypes.byref(program))


def _oversee(line: socket.socket) -> None:
    """Answers the questions of a child until it and its children have ended."""
    with line:
        address, descriptors, _, _ = socket.recv_fds(line, 4, 1)
        if not descriptors:
            return  # it has ended, or listens nowhere
        line.send(b"\n")
    (listener,) = descriptors
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    try:
        while poll.poll()[0][1] & select.POLLIN:
            with suppress(FileNotFoundError):  # who asked has ended
                _answer(listener, address)
    finally:
        os.close(listener)


def _answer(listener: int, address: bytes) -> None:
    """Answers one question."""
    request = bytearray(_REQUEST.size)
    fcntl.ioctl(listener, _RECEIVE, request)
    number, thread, *_ = _REQUEST.unpack(request)
    _, place, size, *_ = _REQUEST.unpack(request)[6:]
    try:
        memory = os.open(f"/proc/{thread}/mem", os.O_RDWR)
        try:
            # Only now is it certain that the memory is that of who asked.
            fcntl.ioctl(listener, _IS_VALID, struct.pack("=Q", number))
            _replace(memory, place, size, address)
        finally:
            os.close(memory)
        response = _RESPONSE.pack(number, 0, 0, _CONTINUE)
    except PermissionError as error:
        _log.warning("a process of Ray cannot listen: %s", error)
        response = _RESPONSE.pack(number, 0, -errno.EACCES, 0)
    fcntl.ioctl(listener, _SEND, response)


def _replace(memory: int, place: int, size: int, address: bytes) -> None:
    """Puts the address into a `sockaddr` that has that for all addresses."""
    asked = os.pread(memory, size, place)
    family = int.from_bytes(asked[:2], "little")
    start, wildcard = _WILDCARDS.get(family, (0, b"-"))
    if asked[start : start + len(wildcard)] == wildcard:
        mapped = bytes(10) + b"\xff\xff" + address  # the same address in IPv6
        os.pwrite(memory, mapped[-len(wildcard) :], place + start)
