"""The HTTP client of the service: async methods that return the contract's types.

Owns connections, retries, uploads, paging, event streams and their errors, and the background
thread for programs without an event loop. It knows nothing of tables and screens; address and token
are passed in.
"""

from typing import TYPE_CHECKING

from workbench.client.errors import (
    Ambiguous,
    AmbiguousName,
    AuthenticationFailed,
    BadAnswer,
    ConnectionFailed,
    Forbidden,
    Invalid,
    MissingExtension,
    Mistake,
    NotFound,
    RateLimited,
    Refusal,
    ResultPending,
    ServerFailed,
    SourceUnreadable,
    StorageFull,
    TimedOut,
    TooLarge,
    UnknownName,
    Unsupported,
    WorkbenchError,
)
from workbench.deferred import deferred

if TYPE_CHECKING:
    from workbench.client.async_client import AsyncClient
    from workbench.client.plans import QueryEvent
    from workbench.client.retry import Retry
    from workbench.client.tasks import TaskResult
    from workbench.contract.query import QueryResult

__all__ = [
    "Ambiguous",
    "AmbiguousName",
    "AsyncClient",
    "AuthenticationFailed",
    "BadAnswer",
    "ConnectionFailed",
    "Forbidden",
    "Invalid",
    "MissingExtension",
    "Mistake",
    "NotFound",
    "QueryEvent",
    "QueryResult",
    "RateLimited",
    "Refusal",
    "ResultPending",
    "Retry",
    "ServerFailed",
    "SourceUnreadable",
    "StorageFull",
    "TaskResult",
    "TimedOut",
    "TooLarge",
    "UnknownName",
    "Unsupported",
    "WorkbenchError",
]

__getattr__ = deferred(
    __name__,
    {
        "AsyncClient": "workbench.client.async_client",
        "QueryEvent": "workbench.client.plans",
        "QueryResult": "workbench.contract.query",
        "Retry": "workbench.client.retry",
        "TaskResult": "workbench.client.tasks",
    },
)
