"""`python -m backend`: the backend, for a terminal. Ctrl+c ends it even while it is loading.

An interrupted start needs no cleanup: it leaves nothing behind that a crash could not.
"""

import os
import signal
import sys

if __name__ == "__main__":
    signal.signal(signal.SIGINT, lambda _number, _frame: os._exit(130))
    # `workbench serve` blocks the signal while one program becomes the other.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    from workbench.contract.readable_clock import refuse_unreadable_clock

    refuse_unreadable_clock()
    from backend.main import main

    sys.exit(main())
