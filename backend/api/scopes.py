"""The scope that a request needs, by its method and path.

Anything not listed here as read-only counts as a change, so a new route is closed to read-only
tokens by default.
"""

from typing import Final

from workbench.contract.tokens import Scope

_RANK: Final[dict[Scope, int]] = {"read": 0, "write": 1, "admin": 2}
_ADMIN = (
    "/v1/workbench/stop",
    "/v1/workbench/tokens",
    "/v1/workbench/metrics",
    "/v1/workbench/backup",
    "/v1/workbench/storage/",
    "/v1/workbench/cluster",
)
_OPERATOR = ("/v1/workbench/backup", "/v1/workbench/storage/")
"""Paths that show something of every account, or change it."""
_READING_POSTS = (
    "/v1/query",
    "/v1/workbench/plans/",
    "/v1/workbench/facets/",
    "/v1/workbench/completions/",
    "/v1/workbench/review/",
)
"""They only ask, with a body; a query run stores nothing but its own trace."""


def needed(method: str, path: str) -> Scope:
    """The least scope that a token needs for this request."""
    if path.startswith(_ADMIN):
        return "admin"
    if method in ("GET", "HEAD", "OPTIONS") or path.startswith(_READING_POSTS):
        return "read"
    return "write"


def is_for_operator(path: str) -> bool:
    """Whether only the machine's own token may do this, whatever the scope."""
    return path.startswith(_OPERATOR)


def covers(granted: Scope, wanted: Scope) -> bool:
    """Whether a token of scope `granted` allows what needs `wanted`."""
    return _RANK[granted] >= _RANK[wanted]
