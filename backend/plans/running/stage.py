"""What a running step uses besides its input."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from backend.inference.embeddings import Embedder
from backend.inference.providers import embedder_for
from backend.plans.running.allowance import Allowance
from backend.plans.running.passages import Texts
from backend.plans.running.retrieval import Retrieval
from backend.plans.tables.collection import Collection
from backend.tasks.headroom import require_headroom
from workbench.contract.derived_fields import derived_columns
from workbench.contract.errors import ServiceError
from workbench.contract.plan_columns import document_columns
from workbench.contract.schema import PropertyKind


class RunCancelled(ServiceError):
    """The caller cancelled the run. Steps already done stay in the trace."""

    status = 499

    def __init__(self) -> None:
        super().__init__("The run was cancelled by its caller; completed steps are kept.")


@dataclass(frozen=True)
class Stage:
    """The collection, the texts of its documents, the search engine, and the cancellation check.

    `named` are the fields that the plan uses, `include` and `exclude` the caller's lists of
    documents; None and empty mean all. `embedder` returns the model that compares texts.
    """

    collection: Collection
    texts: Texts
    retrieval: Retrieval
    cancelled: Callable[[], bool]
    named: frozenset[str] = frozenset()
    include: list[str] | None = None
    exclude: list[str] = field(default_factory=list)
    embedder: Callable[[], Embedder] = lambda: embedder_for("static")
    report_rows: Callable[[int], None] = lambda rows: None
    allowance: Allowance = field(default_factory=Allowance)
    check_memory: Callable[[], None] = require_headroom

    @cached_property
    def columns(self) -> dict[str, PropertyKind]:
        """The fields of documents that the plan may use, including derived ones."""
        fields = self.collection.fields
        return document_columns(fields, derived_columns(self.named, fields))

    def go_on(self, rows: int = 0) -> None:
        """Checks between steps, and during long ones, whether the run may continue.

        `rows` is the number of input rows processed so far. Raises RunCancelled when the caller has
        disconnected, Unavailable when the run takes too long or memory is short.
        """
        if self.cancelled():
            raise RunCancelled
        self.allowance.check_time()
        self.check_memory()
        if rows:
            self.report_rows(rows)
