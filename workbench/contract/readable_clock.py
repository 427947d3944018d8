"""A clock that Python cannot read: from the year 2262 on, its nanoseconds exceed 64 bits."""

import sys
import time


def refuse_unreadable_clock() -> None:
    """Ends the program with a sentence in place of a traceback from some library."""
    try:
        time.time()
    except OverflowError:
        sys.exit(
            "The clock of this computer is set to a year after 2262, which Python cannot read."
            " Nothing was changed; set the clock and start again."
        )
