"""The worker side of a heavy run.

The worker has the table of the collection as a file, and no database, network or key: it asks the
server for everything else. It leaves nothing in the server's memory, and killing it cancels the
run.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from backend.inference.embeddings import Embedder, Identity, Matrix, ProviderFailed
from backend.inference.providers import embedder_for
from backend.plans.running.allowance import Allowance, RunLimits
from backend.plans.running.carried import LIST, read_collection, write_list
from backend.plans.running.execution import Listeners, RunRequest, answer, execute
from backend.plans.running.passages import Passage
from backend.plans.running.relations import Relation
from backend.plans.running.retrieval import Candidate
from backend.plans.running.stage import Stage
from backend.plans.running.stored_steps import write_step
from backend.plans.tables.narrowing import fields_in_use
from backend.tasks.worker import Report
from workbench.contract.errors import FieldFault, Invalid, Unavailable
from workbench.contract.plan import Plan
from workbench.contract.query import Event, NodeProgress, NodeTrace
from workbench.contract.search import QueryType


def run(data: Any, _blobs: Sequence[bytes], report: Report) -> tuple[Any, Sequence[bytes]]:
    """The job: runs what `children.Children` ordered; the answer as JSON, or the plan's faults."""
    ask = Asking(report)
    folder = Path(data["folder"])
    collection = read_collection(data["collection"], folder)
    order = RunRequest(**{**data["order"], "plan": Plan.model_validate(data["order"]["plan"])})
    stage = Stage(
        collection,
        AskedTexts(ask),
        AskedRetrieval(ask),
        lambda: False,
        include=data["include"],
        exclude=data["exclude"],
        embedder=partial(_embedder, data["embedding"], ask),
        allowance=Allowance(RunLimits(**data["limits"])),
        check_memory=lambda: None,  # this process has a memory limit of its own
    )
    emit: Callable[[Event], None] = ask.emit if data["listens"] else _ignore
    record = AskedRecord(ask, folder, fields_in_use(order.plan))
    show = partial(_show_list, ask, folder) if data["shows_lists"] else None
    try:
        relation, account = execute(order, stage, record, emit)
        ask("finished", account.model_dump(mode="json"))
        result = answer(order, relation, account, stage, Listeners(emit, show))
    except Invalid as error:
        return {"faults": [fault.model_dump() for fault in error.faults]}, ()
    return {}, [result.model_dump_json().encode()]


def _show_list(ask: "Asking", folder: Path, relation: Relation) -> None:
    file = folder / LIST
    ask("list", {"about": write_list(relation, file), "file": str(file)})


def _ignore(_event: Event) -> None:
    return None


class Asking:
    """Requests to the server. A refusal is raised as the same error that the server raised."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def __call__(self, kind: str, data: Any) -> Any:
        answered = self._report.ask(kind, data)
        match answered:
            case {"invalid": faults}:
                raise Invalid([FieldFault(**fault) for fault in faults])
            case {"provider": detail}:
                raise ProviderFailed(detail)
            case {"unavailable": detail}:
                raise Unavailable(detail)
        return answered["answer"]

    def emit(self, event: Event) -> None:
        beside = {
            name: None if value is None else value.model_dump(mode="json")
            for name, value in (("progress", event.progress), ("account", event.account))
        }
        self("event", {"name": event.name, "data": event.data, **beside})


class AskedTexts:
    """Texts of documents, requested in batches."""

    def __init__(self, ask: Asking) -> None:
        self._ask = ask

    def of(self, content_ids: Iterable[str]) -> dict[str, list[Passage]]:
        texts = self._ask("texts_of", list(dict.fromkeys(content_ids)))
        return {key: [Passage(*fields) for fields in items] for key, items in texts.items()}

    def at(self, places: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], Passage]:
        passages = (Passage(*fields) for fields in self._ask("texts_at", list(places)))
        return {(passage.content_id, passage.ordinal): passage for passage in passages}


@dataclass(frozen=True)
class AskedCandidate:
    """A passage from the server's search engine."""

    doc_id: str
    ordinal: int
    score: float
    parts: Mapping[str, tuple[int, float]]


class AskedRetrieval:
    """The server's search engine."""

    def __init__(self, ask: Asking) -> None:
        self._ask = ask

    def candidates(
        self,
        docset_id: str,
        text: str,
        kind: QueryType,
        *,
        doc_ids: Collection[str] | None = None,
        depth: int = 1000,
    ) -> Sequence[Candidate]:
        ids = None if doc_ids is None else list(doc_ids)
        asked = {"text": text, "kind": kind, "doc_ids": ids, "depth": depth}
        return [
            AskedCandidate(
                doc_id, ordinal, score, {name: (part[0], part[1]) for name, part in parts.items()}
            )
            for doc_id, ordinal, score, parts in self._ask("candidates", asked)
        ]

    def fulfilling(
        self, docset_id: str, properties_filter: str, *, unknown_passes: bool = False
    ) -> Collection[str]:
        asked = {"properties_filter": properties_filter, "unknown_passes": unknown_passes}
        doc_ids: list[str] = self._ask("fulfilling", asked)
        return doc_ids


class AskedEmbedder:
    """An embedding model that only the server can reach."""

    def __init__(self, identity: Identity, ask: Asking) -> None:
        self.identity = identity
        self._ask = ask

    def embed(self, texts: Sequence[str]) -> Matrix:
        return np.asarray(self._ask("embed", list(texts)), dtype=np.float32)


def _embedder(identity: dict[str, Any] | None, ask: Asking) -> Embedder:
    if identity is None:
        return embedder_for("static")
    return AskedEmbedder(Identity.parse(identity), ask)


class AskedRecord:
    """Writes the results of steps into the folder of the run; the server records the rest."""

    def __init__(self, ask: Asking, folder: Path, names: Sequence[str]) -> None:
        self._ask = ask
        self._folder = folder
        self._names = names

    def advance(self, so_far: NodeProgress) -> None:
        self._ask("advance", so_far.model_dump(mode="json"))

    def add(self, trace: NodeTrace, relation: Relation) -> None:
        write_step(self._folder, trace.node_id, relation, self._names)
        self._ask("add", trace.model_dump(mode="json"))


def candidate_fields(candidate: Candidate) -> list[Any]:
    """A passage as JSON, the counterpart of `AskedCandidate`."""
    parts = {name: list(part) for name, part in candidate.parts.items()}
    return [candidate.doc_id, candidate.ordinal, float(candidate.score), parts]


def order_fields(order: RunRequest) -> dict[str, Any]:
    """An order as JSON."""
    plain = {name: value for name, value in order.__dict__.items() if name != "plan"}
    return {**plain, "plan": order.plan.model_dump(mode="json")}


def limit_fields(limits: RunLimits) -> dict[str, Any]:
    """The limits of a run as JSON."""
    return asdict(limits)
