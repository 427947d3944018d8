"""The README's three whole sessions: question, plan, feedback, what changed, and the answer.

They run over the sample reports, read from their files and with their properties extracted, and say
what the service says: a change of its words shows here.
"""

import tempfile
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select

from backend.extraction.engine import extract
from backend.partition import partition
from backend.plans.service import PlanService
from backend.store.database import Database
from backend.store.operation_log import log_change
from backend.store.tables import contents, docsets, documents, elements, metadata
from tests.backend.plans.desk import ACCOUNT, NOW, WordSearch
from tests.sample_reports import write_reports
from workbench.contract.ids import new_id
from workbench.contract.partition_options import PartitionOptions
from workbench.contract.plan import EditRequest, Plan, Query
from workbench.contract.plan_validation import walk
from workbench.contract.query import QueryResult
from workbench.contract.schema import Schema
from workbench.demo.documents import DEMO_SCHEMA, DemoDocument

_REPORTS = 32
_MOST_ROWS = 4


def sessions_block() -> str:
    """The three sessions, each with its title."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        reports = Reports(Path(folder))
        blocks = [_corrected(reports), _traced(reports), _compared(reports)]
        reports.close()
    lead = f"Three sessions over {_REPORTS} reports like those of the demo; no model is set."
    return "\n\n".join([lead, *blocks])


def _corrected(reports: "Reports") -> str:
    session = Session(reports, "A filter is corrected, and one step taken back")
    session.ask("reports with substantial damage")
    session.say("only those since 2021 whose pilot had less than 1,000 hours")
    session.say("minor damage instead of substantial")
    session.say("undo")
    session.run()
    return session.text()


def _traced(reports: "Reports") -> str:
    session = Session(reports, "Groups with another measure, down to the page")
    session.ask("number of reports per cause")
    session.say("make it the average damage cost")
    session.say("top 3")
    result = session.run()
    session.open_first_row(result, "damage_cost")
    return session.text()


def _compared(reports: "Reports") -> str:
    session = Session(reports, "Two branches, and two versions of a plan compared")
    session.ask("difference between the number of reports with visual and instrument weather")
    before = session.run()
    session.say("only those with substantial damage")
    after = session.run()
    session.compare(before, after)
    return session.text()


class Reports:
    """The sample reports in a store of their own, with the service over them."""

    def __init__(self, folder: Path) -> None:
        self._database = Database(f"sqlite:///{folder}/store.db")
        metadata.create_all(self._database.engine)
        self.docset_id = new_id("ds")
        schema = Schema.model_validate(DEMO_SCHEMA)
        written = write_reports(folder / "files", count=_REPORTS)
        with self._database.writing() as connection:
            connection.execute(insert(docsets).values(
                docset_id=self.docset_id, account_id=ACCOUNT, name="Sample incident reports",
                created_at=NOW, readonly=False, properties={}, prompts={}, embedding={},
                schema=schema.model_dump(mode="json"), language="english",
            ))  # fmt: skip
            for report in written:
                self._add(connection, report, schema)
        ticks = count()
        self.service = PlanService(
            self._database, WordSearch(self._database), folder / "runs", folder / "tables",
            lambda: NOW + next(ticks) / 1000,
        )  # fmt: skip

    def close(self) -> None:
        self._database.close()

    def standing(self, doc_id: str, name: str) -> tuple[str, dict[str, Any]]:
        """The file of a document, and the place of a property's value in it."""
        chosen = select(documents.c.name, documents.c.evidence).where(documents.c.doc_id == doc_id)
        with self._database.reading() as connection:
            file, evidence = connection.execute(chosen).one()
        return file, evidence[name]

    def _add(self, connection: Connection, report: DemoDocument, schema: Schema) -> None:
        path = report.path
        read = partition(
            path, name=path.name, options=PartitionOptions(), progress=lambda done, total: None
        )
        extracted = extract(read.elements, schema)
        content_id, doc_id = new_id("c"), new_id("f")
        connection.execute(insert(contents).values(
            content_id=content_id, blob="0" * 64, created_at=NOW, page_count=read.page_count,
            notes=[],
        ))  # fmt: skip
        connection.execute(insert(elements), [
            {"content_id": content_id, "ordinal": i, "kind": e.type, "properties": {},
             "page_number": e.page_number, "bbox": e.bbox, "text": e.text_representation}
            for i, e in enumerate(read.elements)
        ])  # fmt: skip
        entity = {name: value.value for name, value in extracted.items()}
        evidence = {name: {"page": v.page, "bbox": v.bbox} for name, v in extracted.items()}
        connection.execute(insert(documents).values(
            doc_id=doc_id, docset_id=self.docset_id, account_id=ACCOUNT, content_id=content_id,
            blob="0" * 64, created_at=NOW, name=path.name, size=path.stat().st_size,
            content_type=read.content_type, properties={"entity": entity, "path": path.name},
            evidence=evidence,
        ))  # fmt: skip
        log_change(connection, "add", doc_id)


@dataclass
class Session:
    """One session, written down as it goes."""

    reports: Reports
    title: str
    lines: list[str] = field(default_factory=list)
    plan: Plan | None = None

    def ask(self, question: str) -> None:
        query = Query(docset_id=self.reports.docset_id, query=question)
        self.plan = self.reports.service.generate(query, ACCOUNT)
        self.lines.append(f"? {question}")
        for node_id in walk(self.plan):
            node = self.plan.node(node_id)
            inputs = f" (of {', '.join(map(str, node.inputs))})" if len(node.inputs) > 1 else ""
            self.lines.append(f"  {node_id}. {node.description}{inputs}")

    def say(self, feedback: str) -> None:
        query = Query(docset_id=self.reports.docset_id, plan=self.plan)
        request = EditRequest(query=query, feedback=feedback)
        self.plan = self.reports.service.edit(request, ACCOUNT)
        self.lines.append(f"> {feedback}")
        report = self.plan.edit
        if report is not None and report.diff is not None:
            self.lines += [f"  {line}" for line in report.diff.lines]

    def run(self) -> QueryResult:
        query = Query(docset_id=self.reports.docset_id, plan=self.plan)
        result = self.reports.service.run(query, ACCOUNT, lambda event: None, lambda: False)
        rows = result.result
        if not isinstance(rows, list):
            self.lines.append(f"= {rows}")
            return result
        self.lines.append(f"= {len(rows)} results")
        for item in rows[:_MOST_ROWS]:
            values = item["properties"]
            properties = values.get("entity") or values
            named = list(properties.items())[:3] if "entity" in values else list(properties.items())
            self.lines.append("  " + ", ".join(f"{name}: {_shown(v)}" for name, v in named))
        if len(rows) > _MOST_ROWS:
            self.lines.append(f"  and {len(rows) - _MOST_ROWS} more")
        return result

    def open_first_row(self, result: QueryResult, name: str) -> None:
        """The documents behind the first row, and where their value stands."""
        plan = result.plan
        assert plan is not None
        window = self.reports.service.node_output(result.query_id, plan.result_node, ACCOUNT, 0, 1)
        row = window.rows[0]
        self.lines.append(f"@ what is behind {row['properties.key']}")
        for doc_id in row["doc_ids"]:
            file, place = self.reports.standing(doc_id, name)
            box = ", ".join(f"{edge:.2f}" for edge in place["bbox"] or ())
            where = f"on page {place['page']}, box [{box}]" if box else "not stated"
            self.lines.append(f"  {file}: {name} {where}")

    def compare(self, before: QueryResult, after: QueryResult) -> None:
        comparison = self.reports.service.compare_runs(before.query_id, after.query_id, ACCOUNT)
        self.lines.append(f"@ {comparison.value_before} became {comparison.value_after}")
        changed = comparison.documents
        self.lines.append(
            f"  documents behind it: {changed.gained_total} more, {changed.lost_total} fewer"
        )

    def text(self) -> str:
        body = "\n".join(self.lines)
        return f"{self.title}:\n\n```text\n{body}\n```"


def _shown(value: Any) -> str:
    return f"{value:,.0f}" if isinstance(value, float) else str(value)
