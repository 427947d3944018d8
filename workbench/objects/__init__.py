"""DocSets, plans and runs as Python objects, for notebooks and scripts without await.

Owns the synchronous interface over the client and its display in notebooks. HTTP belongs to the
client, columns to the frames. No repr makes a request.
"""

from workbench.objects.awaited import AsyncAmbiguousPlan
from workbench.objects.choices import PlanChoice
from workbench.objects.docset import DocSet
from workbench.objects.docsets import DocSets
from workbench.objects.document import Document
from workbench.objects.excerpt import Excerpt
from workbench.objects.page import Page
from workbench.objects.plans import AmbiguousPlan, PlanChanges, PlanDraft
from workbench.objects.run import Run
from workbench.objects.task import Task
from workbench.objects.workbench import Workbench, connect

__all__ = [
    "AmbiguousPlan",
    "AsyncAmbiguousPlan",
    "DocSet",
    "DocSets",
    "Document",
    "Excerpt",
    "Page",
    "PlanChanges",
    "PlanChoice",
    "PlanDraft",
    "Run",
    "Task",
    "Workbench",
    "connect",
]
