"""Recognises errors that mean a lack of memory, threads, descriptors or disk space."""

import errno
import re
from collections.abc import Iterator

# Native libraries raise errors of their own where Python raises MemoryError.
_OUT_OF_MEMORY = re.compile(r"(?i)insufficient memory|failed to allocate|bad.?alloc")


def is_out_of_memory(error: BaseException | None) -> bool:
    """Whether the error, or one that led to it (as lxml chains them), is a lack of memory."""
    return any(
        isinstance(one, MemoryError) or _OUT_OF_MEMORY.search(str(one)) for one in _chain(error)
    )


_MACHINE = frozenset(
    {errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EDQUOT, errno.EIO}
)


def is_of_machine(error: BaseException | None) -> bool:
    """Whether threads, descriptors or disk space are lacking, or a disk fails."""
    return any(
        (isinstance(one, OSError) and one.errno in _MACHINE)
        or (isinstance(one, RuntimeError) and "can't start new thread" in str(one))
        for one in _chain(error)
    )


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
