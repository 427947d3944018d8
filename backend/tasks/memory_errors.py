"""The errors that mean too little of something, whatever library they come from."""

import errno
import re

# Libraries in other languages have errors of their own for what Python calls a MemoryError.
_OUT_OF_MEMORY = re.compile(r"(?i)insufficient memory|failed to allocate|bad.?alloc")


def is_want_of_memory(error: BaseException | None) -> bool:
    """Also where it was met on the way to another error, as lxml has it."""
    while error is not None:
        if isinstance(error, MemoryError) or _OUT_OF_MEMORY.search(str(error)):
            return True
        error = error.__cause__ or error.__context__
    return False


_MACHINE = frozenset(
    {errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EDQUOT, errno.EIO}
)


def is_of_machine(error: BaseException | None) -> bool:
    """Whether the machine has no threads, descriptors or room at the moment, or its disk fails:
    nothing that the document could help.
    """
    while error is not None:
        if isinstance(error, OSError) and error.errno in _MACHINE:
            return True
        if isinstance(error, RuntimeError) and "can't start new thread" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False
