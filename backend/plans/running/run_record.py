"""Records the progress of one run and how it ended."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from backend.plans.running.relations import Relation
from backend.plans.running.runs import Runs
from backend.plans.running.stage import RunCancelled
from backend.plans.tables.collection import Collection
from workbench.contract.errors import ServiceError
from workbench.contract.query import AnswerAccount, NodeProgress, NodeTrace


class RunRecord:
    """The record of a started run; `clock` returns seconds since 1970."""

    def __init__(
        self,
        runs: Runs,
        query_id: str,
        collection: Collection,
        names: Sequence[str],
        clock: Callable[[], float],
    ) -> None:
        self._runs = runs
        self._query_id = query_id
        self._collection = collection
        self._names = names
        self._clock = clock
        self._traces: list[NodeTrace] = []
        self._has_ended = False

    def advance(self, so_far: NodeProgress) -> None:
        """Records the progress of a step."""
        self._runs.advance(self._query_id, list(self._traces), so_far)

    def add(self, trace: NodeTrace, relation: Relation) -> None:
        """Records a finished step and stores its result."""
        self.add_trace(trace)
        self._runs.keep(self._query_id, trace.node_id, relation, self._names)

    def add_trace(self, trace: NodeTrace) -> None:
        """Records a finished step whose result is already stored."""
        if not self._traces:
            self._runs.keep_identities(self._query_id, self._collection)
        self._traces.append(trace)

    def succeed(self, account: AnswerAccount) -> None:
        """Records that all steps are finished, with the account of the answer."""
        self._end("done", None, account)

    @contextmanager
    def ended(self) -> Iterator[None]:
        """Records the end of a run that fails or is cancelled in the block."""
        status, message = "failed", "stopped by a server error"
        try:
            yield
        except RunCancelled:
            status, message = "cancelled", "the caller stopped the run"
            raise
        except ServiceError as error:
            message = error.detail
            raise
        finally:
            if not self._has_ended:
                self._end(status, message, None)

    def _end(self, status: str, message: str | None, account: AnswerAccount | None) -> None:
        self._has_ended = True
        traces = self._traces
        self._runs.finish(self._query_id, status, traces, self._clock(), message, account)
