"""The errors that mean too little memory, whatever library they come from."""

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
