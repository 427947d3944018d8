"""The user-facing part of the product: notebook library, terminal app, command line.

Knows nothing of storage and computation: it talks HTTP and shares only `workbench.contract` with
the backend, so it works with any server that follows that contract. `import workbench` is cheap:
public names are loaded on first use.
"""

from workbench.deferred import deferred

TYPE_CHECKING = False  # that of `typing` takes longer to load than all of this
if TYPE_CHECKING:
    from workbench.client import AsyncClient, Mistake, WorkbenchError

    __version__: str
    from workbench.objects import (
        AmbiguousPlan,
        DocSet,
        DocSets,
        Document,
        PlanDraft,
        Run,
        Task,
        Workbench,
        connect,
    )

__all__ = [
    "AmbiguousPlan",
    "AsyncClient",
    "DocSet",
    "DocSets",
    "Document",
    "Mistake",
    "PlanDraft",
    "Run",
    "Task",
    "Workbench",
    "WorkbenchError",
    "__version__",
    "connect",
]

_CLIENT = dict.fromkeys(("AsyncClient", "Mistake", "WorkbenchError"), "workbench.client")
_OBJECTS = dict.fromkeys(
    (
        "AmbiguousPlan",
        "DocSet",
        "DocSets",
        "Document",
        "PlanDraft",
        "Run",
        "Task",
        "Workbench",
        "connect",
    ),
    "workbench.objects",
)
__getattr__ = deferred(__name__, _CLIENT | _OBJECTS | {"__version__": "workbench.contract.version"})


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
