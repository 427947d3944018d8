"""The part of the product that people touch: notebook library, terminal app, command line.

Owns what is shown and how it is asked for. Refuses to know how anything is stored or computed: it
talks HTTP and shares only `workbench.contract` with the backend, so it works against any server of
that contract. `import workbench` is cheap: the public names are loaded when they are first used.
"""

from typing import TYPE_CHECKING

from workbench.deferred import deferred

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
