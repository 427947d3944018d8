"""Loads the sample documents into a DocSet that a newcomer can search and question at once.

Idempotent: a second run recognizes the DocSet by name and mark and the documents by name, and adds
only what is missing.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.client import Refusal
from workbench.demo.documents import DEMO_SCHEMA, REPORTS, write_documents
from workbench.objects import DocSet, PlanDraft, Workbench
from workbench.objects.adding import Added

NAME = "Sample incident reports"
MARK = {"workbench_demo": 1}
"""A property of the sample DocSet: somebody's own DocSet may have the same name."""
QUESTION = "Which states had the most reports?"


@dataclass(frozen=True)
class Loaded:
    """The sample DocSet, and what this run added."""

    docset: DocSet
    created: bool
    added: Added
    plan: PlanDraft | None

    def sentence(self) -> str:
        if self.added.failed:
            first = self.added.failed[0]
            return (
                f"{len(self.added.failed)} sample documents failed, the first: {first.name}: "
                f"{first.error} The others were added; run the command again to retry."
            )
        done = f"{len(self.added.doc_ids)} added" if len(self.added) else "nothing to add"
        return f"{self.docset.name}: {len(self.docset)} documents, {done}."

    def summary(self) -> dict[str, Any]:
        return {
            "docset_id": self.docset.id,
            "name": self.docset.name,
            "documents": len(self.docset),
            "created": self.created,
            "added": len(self.added.doc_ids),
            "failed": [{"name": item.name, "error": item.error} for item in self.added.failed],
        }


def load_demo(workbench: Workbench, *, count: int = REPORTS, progress: bool = True) -> Loaded:
    """Creates or completes the sample DocSet with `count` documents, and plans a first question."""
    docset = _existing(workbench)
    created = docset is None
    if docset is None:
        docset = _create(workbench)
    added = _complete(docset, count, progress) if len(docset) < count else Added([])
    return Loaded(docset, created, added, _first_plan(docset))


def _complete(docset: DocSet, count: int, progress: bool) -> Added:
    """Adds missing sample documents until there are `count`."""
    names = {document.name for document in docset.documents()}
    with tempfile.TemporaryDirectory(prefix="workbench-demo-") as folder:
        written = write_documents(Path(folder), count=count)
        missing = [document.path for document in written if document.path.name not in names]
        return docset.add(missing[: count - len(docset)], progress=progress)


def _create(workbench: Workbench) -> DocSet:
    """A new DocSet, even if somebody already has one of that name."""
    created = workbench.engine.run(
        lambda client: client.create_docset(NAME, schema=DEMO_SCHEMA, properties=MARK)
    )
    return DocSet(workbench.engine, created)


def _existing(workbench: Workbench) -> DocSet | None:
    marked = (d for d in workbench.docsets if d.name == NAME and _marked(d))
    return next(marked, None)


def _marked(docset: DocSet) -> bool:
    return MARK.items() <= (docset.metadata.properties or {}).items()


def _first_plan(docset: DocSet) -> PlanDraft | None:
    """The plan of an earlier run, or a new one.

    None if there are no documents, or if another kind of server refuses the question: the DocSet is
    worth opening without a plan.
    """
    if not len(docset):
        return None
    earlier = docset.plans()
    try:
        return earlier[0] if earlier else docset.plan(QUESTION)
    except Refusal:
        return None
