"""Jobs that behave well and badly, run inside real worker processes."""

import errno
import gc
import logging
import os
import resource
import signal
import socket
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from backend.partition import ocr_models
from workbench.contract.errors import Unsupported

KEPT: list[bytes] = []


def echo(data: Any, blobs: Sequence[bytes], report: Any) -> tuple[Any, Sequence[bytes]]:
    report(1, 2, "pages")
    print("a library prints to standard output")
    return data, blobs


def limits(data: Any, _blobs: Sequence[bytes], _report: Any) -> tuple[Any, Sequence[bytes]]:
    """The soft limits of these kinds."""
    return [resource.getrlimit(kind)[0] for kind in data], ()


def set_aside(_data: Any, _blobs: Sequence[bytes], _report: Any) -> tuple[Any, Sequence[bytes]]:
    """How many objects the collector passes over, and how many it walks through."""
    return (gc.get_freeze_count(), len(gc.get_objects())), ()


def sleep(data: Any, _blobs: Sequence[bytes], _report: Any) -> tuple[Any, Sequence[bytes]]:
    time.sleep(data)
    return None, ()


def lack(_data: Any, _blobs: Sequence[bytes], _report: Any) -> tuple[Any, Sequence[bytes]]:
    raise OSError(errno.EMFILE, "Too many open files")


def read_file(data: Any, _blobs: Sequence[bytes], _report: Any) -> tuple[Any, Sequence[bytes]]:
    return None, [Path(data["path"]).read_bytes()]


def parent(_data: Any, _blobs: Sequence[bytes], _report: Any) -> tuple[Any, Sequence[bytes]]:
    return os.getppid(), ()


def report_and_spin(_data: Any, _blobs: Sequence[bytes], report: Any) -> Any:
    report(1, 2, "pages")
    while True:
        pass


def spin(_data: Any, _blobs: Sequence[bytes], _report: Any) -> tuple[Any, Sequence[bytes]]:
    while True:
        pass


def swell(_data: Any, _blobs: Sequence[bytes], _report: Any) -> tuple[Any, Sequence[bytes]]:
    return len(bytearray(4 * 2**30)), ()


def hold(data: Any, _blobs: Sequence[bytes], _report: Any) -> tuple[Any, Sequence[bytes]]:
    return len(b"x" * data), ()


def grow(data: Any, _blobs: Sequence[bytes], _report: Any) -> tuple[Any, Sequence[bytes]]:
    """Takes so many bytes bit by bit, and keeps them for a while."""
    size, seconds = data
    kept = []
    for _ in range(size // 2**22):
        kept.append(b"x" * 2**22)
        time.sleep(0.005)
    time.sleep(seconds)
    return len(kept) * 2**22, ()


def hold_in_pieces(data: Any, _blobs: Sequence[bytes], _report: Any) -> tuple[Any, Sequence[bytes]]:
    """Between which a little is kept, as after reading a document."""
    pieces = [bytes(2**16) for _ in range(data // 2**16)]
    KEPT.extend(bytes(600) for _ in range(9))
    return len(pieces), ()


def swell_elsewhere(
    _data: Any, _blobs: Sequence[bytes], _report: Any
) -> tuple[Any, Sequence[bytes]]:
    """In a library in C++, which has errors of its own for that."""
    return ocr_models.text_probabilities(np.zeros((3072, 3072, 3), np.uint8)), ()


def give_up_when_full(
    data: Any, _blobs: Sequence[bytes], _report: Any
) -> tuple[Any, Sequence[bytes]]:
    """As libraries in other languages do that get no more memory; `data` bytes are enough."""
    kept = []
    try:
        while len(kept) * 2**24 < data:
            kept.append(b"x" * 2**24)
    finally:
        os.abort()


def swell_and_stumble(
    _data: Any, _blobs: Sequence[bytes], _report: Any
) -> tuple[Any, Sequence[bytes]]:
    try:
        return len(bytearray(4 * 2**30)), ()
    except MemoryError:
        raise SystemError("error return without exception set")  # noqa: B904


def crash(_data: Any, _blobs: Sequence[bytes], _report: Any) -> tuple[Any, Sequence[bytes]]:
    os.kill(os.getpid(), signal.SIGSEGV)
    return None, ()


def refuse(_data: Any, _blobs: Sequence[bytes], _report: Any) -> tuple[Any, Sequence[bytes]]:
    raise Unsupported("This is a HEIC image, which cannot be read.")


def fail(_data: Any, _blobs: Sequence[bytes], _report: Any) -> tuple[Any, Sequence[bytes]]:
    raise KeyError("ours")


def lie(_data: Any, _blobs: Sequence[bytes], _report: Any) -> tuple[Any, Sequence[bytes]]:
    for handle in range(3, 64):
        try:
            os.write(handle, b"\xff" * 64)
        except OSError:
            continue
    return None, ()


def reach_network(data: Any, _blobs: Sequence[bytes], _r: Any) -> tuple[Any, Sequence[bytes]]:
    try:
        socket.create_connection(("127.0.0.1", data), timeout=2).close()
    except OSError:
        return "unreachable", ()
    return "reached", ()


def inquire(data: Any, _blobs: Sequence[bytes], report: Any) -> tuple[Any, Sequence[bytes]]:
    return [report.ask("sum", number, [b"!"]) for number in data], ()


def look_around(_data: Any, _blobs: Sequence[bytes], _r: Any) -> tuple[Any, Sequence[bytes]]:
    return sorted(name for name in os.environ if name.startswith("WORKBENCH_")), ()


def complain(_data: Any, _blobs: Sequence[bytes], _report: Any) -> tuple[Any, Sequence[bytes]]:
    try:
        raise IndexError("nobody foresaw this")
    except IndexError:
        logging.getLogger("reader").warning("a table could not be read", exc_info=True)
    return 1, ()
