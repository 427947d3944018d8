"""A desk to test plans at: invented collections, a search in memory, and short calls."""

import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select

from backend.language.words import content_stems
from backend.plans.service import PlanService
from backend.search.filters import parse, to_sql
from backend.search.filters.tree import or_unknown
from backend.store.database import Database
from backend.store.operation_log import log_change
from backend.store.tables import contents, docsets, documents, elements, metadata
from workbench.contract.ids import new_id
from workbench.contract.plan import EditRequest, Plan, Query
from workbench.contract.query import Event, QueryResult
from workbench.contract.schema import Schema
from workbench.contract.search import QueryType

ACCOUNT = "wb:a-test"
NOW = 1_780_000_000.0  # 2026-05-28


@dataclass(frozen=True)
class RankedPassage:
    doc_id: str
    ordinal: int
    score: float
    parts: Mapping[str, tuple[int, float]] = field(default_factory=dict)


class WordSearch:
    """Ranks elements by the rare words they share with the query."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def candidates(
        self,
        docset_id: str,
        text: str,
        kind: QueryType,
        *,
        doc_ids: Collection[str] | None = None,
        depth: int = 1000,
    ) -> Sequence[RankedPassage]:
        query = (
            select(documents.c.doc_id, elements.c.ordinal, elements.c.text)
            .join(elements, elements.c.content_id == documents.c.content_id)
            .where(documents.c.docset_id == docset_id)
        )
        with self._database.reading() as connection:
            rows = [(row[0], row[1], row[2] or "") for row in connection.execute(query)]
        seen = Counter(word for _, _, body in rows for word in set(content_stems(body)))
        wanted = set(content_stems(text))
        passages: list[RankedPassage] = []
        for doc_id, ordinal, body in rows:
            if doc_ids is not None and doc_id not in doc_ids:
                continue
            if kind == "keyword":
                score = float(text.lower() in body.lower())
            else:
                shared = wanted & set(content_stems(body))
                score = sum(math.log(1 + len(rows) / seen[word]) for word in shared)
            if score > 0:
                passages.append(RankedPassage(doc_id, ordinal, score))
        return sorted(passages, key=lambda f: (-f.score, f.doc_id))[:depth]

    def fulfilling(
        self, docset_id: str, properties_filter: str, *, unknown_passes: bool = False
    ) -> Collection[str]:
        expression = parse(properties_filter)
        passing = to_sql(or_unknown(expression) if unknown_passes else expression, documents)
        query = select(documents.c.doc_id).where(documents.c.docset_id == docset_id, passing)
        with self._database.reading() as connection:
            return connection.scalars(query).all()


@dataclass(frozen=True)
class Desk:
    """One collection with the service over it."""

    service: PlanService
    database: Database
    docset_id: str
    records: list[dict[str, Any]]
    key: str
    begun: dict[tuple[str, ...], Plan] = field(default_factory=dict)

    def ask(self, question: str) -> Plan:
        return self.service.generate(Query(docset_id=self.docset_id, query=question), ACCOUNT)

    def begin(self, question: str, *feedback: str) -> Plan:
        """The plan that a test starts from: of a question, or after feedback.

        It is made once for all tests of this desk: hundreds of them start from the same few.
        """
        turns = question, *feedback
        if turns not in self.begun:
            self.begun[turns] = self.edit(self.ask(question), *feedback)
        return self.begun[turns].model_copy(deep=True)

    def edit(self, plan: Plan, *feedback: str) -> Plan:
        """The plan after each feedback in turn, kept as the public client keeps it."""
        for text in feedback:
            kept = Plan.model_validate(
                {
                    name: value
                    for name, value in plan.model_dump(mode="json").items()
                    if name in ("query", "nodes", "result_node", "llm_prompt", "llm_plan")
                }
            )
            query = Query(docset_id=self.docset_id, plan=kept)
            plan = self.service.edit(EditRequest(query=query, feedback=text), ACCOUNT)
        return plan

    def everything(self) -> Plan:
        """The plan that only reads all documents."""
        node = {
            "node_type": "QueryDatabase",
            "node_id": 0,
            "description": "Everything",
            "inputs": [],
            "index": self.docset_id,
        }
        return Plan.model_validate({"query": "all", "nodes": {"0": node}, "result_node": 0})

    def run(
        self, plan: Plan, emit: Callable[[Event], None] | None = None, **more: Any
    ) -> QueryResult:
        query = Query(docset_id=self.docset_id, plan=plan, **more)
        return self.service.run(query, ACCOUNT, emit or (lambda event: None), lambda: False)

    def result(self, plan: Plan) -> Any:
        return self.run(plan).result

    def keys(self, plan: Plan) -> list[Any]:
        """The keys of the documents that a plan finds, in order."""
        return [item["properties"]["entity"][self.key] for item in self.result(plan)]

    def rows(self, plan: Plan) -> dict[Any, Any]:
        """A small table as key -> value, or the list of values when there are several."""
        rows = {}
        for item in self.result(plan):
            properties = dict(item["properties"])
            key = properties.pop("key")
            values = list(properties.values())
            rows[tuple(key) if isinstance(key, list) else key] = (
                values[0] if len(values) == 1 else values
            )
        return rows

    def expected(self, test: Callable[[dict[str, Any]], Any]) -> set[Any]:
        """The keys of the records that pass a test, where comparing with nothing passes none."""
        return {record[self.key] for record in self.records if _passes(test, record)}


def _passes(test: Callable[[dict[str, Any]], Any], record: dict[str, Any]) -> bool:
    try:
        return bool(test(record))
    except TypeError:
        return False


def make_desk(
    folder: Path,
    name: str,
    schema: list[dict[str, Any]],
    records: list[dict[str, Any]],
    texts: list[list[str]],
) -> Desk:
    """A desk over invented documents; the first property of the schema is the key."""
    database = Database(f"sqlite:///{folder}/store.db")
    metadata.create_all(database.engine)
    docset_id = new_id("ds")
    read = Schema.model_validate({"properties": schema})
    with database.writing() as connection:
        connection.execute(
            insert(docsets).values(
                docset_id=docset_id,
                account_id=ACCOUNT,
                name=name,
                created_at=NOW,
                readonly=False,
                properties={},
                schema=read.model_dump(mode="json"),
                prompts={},
                embedding={},
                language="english",
            )
        )
        for number, (record, parts) in enumerate(zip(records, texts, strict=True)):
            add_document(connection, docset_id, f"{number}.txt", record, parts)
    ticks = count()
    service = PlanService(
        database,
        WordSearch(database),
        folder / "runs",
        folder / "tables",
        lambda: NOW + next(ticks) / 1000,
    )
    return Desk(service, database, docset_id, records, schema[0]["name"])


def add_document(
    connection: Any, docset_id: str, name: str, record: dict[str, Any], parts: list[str]
) -> str:
    content_id, doc_id = new_id("c"), new_id("f")
    connection.execute(
        insert(contents).values(
            content_id=content_id, blob="0" * 64, created_at=NOW, page_count=1, notes=[]
        )
    )
    for ordinal, text in enumerate(parts):
        connection.execute(
            insert(elements).values(
                content_id=content_id,
                ordinal=ordinal,
                kind="Text",
                page_number=1,
                bbox=[0.0, 0.1 * ordinal, 1.0, 0.1 * ordinal + 0.1],
                text=text,
                properties={},
            )
        )
    connection.execute(
        insert(documents).values(
            doc_id=doc_id,
            docset_id=docset_id,
            account_id=ACCOUNT,
            content_id=content_id,
            blob="0" * 64,
            created_at=NOW,
            name=name,
            size=len(json.dumps(record)),
            content_type="text/plain",
            properties={"entity": record, "path": name},
            evidence={},
        )
    )
    log_change(connection, "add", doc_id)
    return doc_id
