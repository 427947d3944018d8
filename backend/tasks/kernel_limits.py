"""Kernel limits on processes: ours stay below those that the process was started with.

Whoever starts the server may have limited it, with `ulimit` or a service manager. A smaller limit
stays in force: raising it is not our decision, and the kernel forbids it.
"""

import resource
from functools import cache


def lesser(*limits: int) -> int:
    """The smallest of some limits; `RLIM_INFINITY` if all are unlimited."""
    return min(
        (one for one in limits if one != resource.RLIM_INFINITY), default=resource.RLIM_INFINITY
    )


@cache
def _at_start(kind: int) -> int:
    return resource.getrlimit(kind)[0]


def limit(kind: int, most: int = resource.RLIM_INFINITY) -> None:
    """Limits this process to `most`, until the next call."""
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (lesser(most, _at_start(kind), hard), hard))


def limit_for_good(kind: int, most: int) -> None:
    """Limits this process to `most` for the rest of its life."""
    least = lesser(most, *resource.getrlimit(kind))
    resource.setrlimit(kind, (least, least))
