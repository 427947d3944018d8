"""The part of the product that people touch: notebook library, terminal app, command line.

Owns what is shown and how it is asked for. Refuses to know how anything is stored or computed: it
talks HTTP and shares only `backend.contract` with the backend, so it works against any server of
that contract.

`import workbench` is cheap: the public names below are loaded when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.client import AsyncClient, WorkbenchError
    from workbench.objects import DocSet, PlanDraft, Run, Workbench, connect

__all__ = ["AsyncClient", "DocSet", "PlanDraft", "Run", "Workbench", "WorkbenchError", "connect"]

_HOME = {
    "AsyncClient": "workbench.client",
    "WorkbenchError": "workbench.client",
    "DocSet": "workbench.objects",
    "PlanDraft": "workbench.objects",
    "Run": "workbench.objects",
    "Workbench": "workbench.objects",
    "connect": "workbench.objects",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'workbench' has no attribute '{name}'")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
