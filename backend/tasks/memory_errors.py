"""Recognises errors that mean a lack of memory, threads, descriptors or disk space."""

import errno
import re

# Native libraries raise errors of their own where Python raises MemoryError.
_OUT_OF_MEMORY = re.compile(r"(?i)insufficient memory|failed to allocate|bad.?alloc")


def is_out_of_memory(error: BaseException | None) -> bool:
    """Whether the error, or one that led to it (as lxml chains them), is a lack of memory."""
    while error is not None:
        if isinstance(error, MemoryError) or _OUT_OF_MEMORY.search(str(error)):
            return True
        error = error.__cause__ or error.__context__
    return False


_MACHINE = frozenset(
    {errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EDQUOT, errno.EIO}
)


def is_of_machine(error: BaseException | None) -> bool:
    """Whether the machine lacks threads, descriptors or disk space, or its disk fails: no fault of
    the document.
    """
    while error is not None:
        if isinstance(error, OSError) and error.errno in _MACHINE:
            return True
        if isinstance(error, RuntimeError) and "can't start new thread" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False
