"""A script that uses every public call correctly, for strict type checks."""

import asyncio
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa

import workbench as wb
from workbench.objects import AsyncAmbiguousPlan


def connections(client: wb.Workbench, docset: wb.DocSet) -> None:
    version: str = wb.__version__
    address: str = client.url
    names: list[str] = [one.name for one in client.docsets]
    existing: wb.DocSet | None = client.docsets.get("reports")
    made: wb.DocSet = client.docsets.create("typed", schema={"year": int}, exist_ok=True)
    draft: wb.PlanDraft = client.plan(docset, "How many reports are there?")
    tasks: pl.DataFrame = client.tasks.to_polars()
    task: wb.Task = client.task("wb:t-1")
    events: Iterator[object] = client.task_events()
    models: int = len(client.models())
    able: dict[str, Any] = client.capabilities()
    client.cancel(task.id)
    pending: bool = client.result(task.id, wait=True).pending
    print(version, address, names, existing, made, draft, tasks, events, models, able, pending)
    client.close()


def documents(docset: wb.DocSet, folder: Path) -> None:
    added = docset.add([folder, b"A note."], skip_known=True, progress=False)
    failed: list[str] = [item.name for item in added.failed]
    task: wb.Task = docset.submit(b"A note.", name="note.txt")
    value: Any = task.result(timeout=60)
    done: bool = task.done()
    task.cancel()
    frame: pl.DataFrame = docset.documents(limit=10, confidence=True)[:5].to_polars()
    states: pl.Series = docset.documents()["state"]
    for page in docset.document_pages(size=100):
        first: str = page[0].name
        print(first)
    words = [element.text_representation for element in docset.elements("a.pdf", limit=3)]
    for part in docset.element_pages():
        print(len(part))
    table = docset.tables("a.pdf", strict=False)[0]
    texts: pa.Table = table.as_text().to_arrow()
    rows: pd.DataFrame = docset.tables().rows().to_pandas(arrow=True)
    print(table.caption, table.page, table.title(), table.columns)
    picture: bytes = docset.excerpt("a.pdf").picture
    file: bytes = docset.original("a.pdf")
    document: wb.Document = docset.document("a.pdf")
    sheet: bytes = document.page(1, width=800, boxes=True).picture
    known: pl.DataFrame = document.evidence(properties=["day"]).to_polars()
    print(document.id, document.name, document.properties, document.pages, document.remarks)
    print(document.elements, document.text, document.tables(strict=False), document.original())
    docset.delete_document("a.pdf")
    print(failed, value, done, frame, states, words, texts, rows, picture, file, sheet, known)


def properties(docset: wb.DocSet) -> None:
    again: wb.DocSet = docset.extract({"day": date}, overwrite_corrections=False)
    docset.set_property("a.pdf", "day", date(2026, 1, 2))
    evidence: pl.DataFrame = docset.evidence("a.pdf", properties=["day"]).to_polars()
    certainties: list[float] = [one.certainty for one in docset.to_review(["day"], below=None)]
    changes = docset.reread(["day"])
    docset.reread_after_corrections().reread_after_corrections(wanted=False)
    accepted: int = docset.accept_changes(changes[:3])
    print(certainties, accepted, docset.refuse_changes(), docset.undo_changes(), docset.changes())
    names = [
        prop.name for prop in docset.suggest(sample_ratio=0.5, instructions="dates").properties
    ]
    merges = docset.merge("state", ["AK", "Alaska"], into="Alaska")
    print(docset.merges() == merges, docset.undo_merge(0), evidence, names)
    docset.drop_properties(["day"])
    state: object = docset.embedding()
    task: wb.Task = docset.submit_model("static")
    print(again, state, task)


def questions(docset: wb.DocSet, folder: Path) -> None:
    hits = docset.search("wind", kind="lexical", where="year >= 2020", return_type="element")
    where: Path = hits.write(folder / "hits.csv")
    ranks: dict[str, tuple[int | None, float | None]] = hits.why(0)
    for page in docset.hit_pages("wind", size=100):
        print(page.items, page.shares)
    counted = docset.facets("state", query="wind", top=3)
    facets = [facet.field for facet in counted]
    print(counted.rows()[0].count, counted.plot("state").spec)
    texts = [item.text for item in docset.complete("sta").items]
    answer: wb.Run = docset.ask("How many reports are there?")
    plan: wb.PlanDraft = docset.plan("How many reports are there?")
    edited: wb.PlanDraft = plan.edit("only the first three")
    lines: list[str] = (edited - plan).lines
    try:
        docset.plan("reports by place")
    except wb.AmbiguousPlan as error:
        chosen: wb.PlanDraft = error.choices[0].apply()
        print(chosen, [(one.words, one.plan, one.report) for one in error.choices], error.detail)
    for change in edited.changes:
        print(edited.refuse(change), edited.accept(change))
    print(edited.undo().redo(), plan.versions(), plan.remarks(), plan.unused, plan.report)
    print(plan.replace(plan.plan.node(plan.plan.result_node)), plan.question, plan.understood)
    run: wb.Run = docset.take_plan(plan.plan).run()
    print(docset.plans(), run.words(), run.outcome, run.result, run.plan, run.query_id, run.notes)
    print(run.coverage, run.bounds, run.sentences, run.unused, run.merges, run.remarks())
    behind: pl.DataFrame = run.why(0).to_polars()
    left: pl.DataFrame = run.left_out("state").to_polars()
    step: pl.DataFrame = run[0].to_polars()
    chart: dict[str, Any] = run.plot("state", "count", kind="bar", log=True).spec
    print(chart, docset.documents().plot("year", color="state").altair())
    print(answer, where, ranks, facets, texts, lines, behind, left, step, run.trace)


def the_docset_itself(docset: wb.DocSet) -> None:
    copy: wb.DocSet = docset.clone()
    count: int = len(copy.refresh())
    kinds = [prop.kind for prop in copy.schema.properties]
    copy.set_readonly().set_readonly(False).rebuild_index(lambda done, total: None).delete()
    print(copy.id, copy.name, count, kinds)


async def awaited(client: wb.Workbench, docset: wb.DocSet) -> None:
    task: wb.Task = docset.submit(b"A note.", name="note.txt")
    same = await client.aio.docsets[docset.id]
    hits = await same.search("wind", limit=3)
    try:
        run = await (await same.plan("How many reports are there?")).run()
    except AsyncAmbiguousPlan as error:
        run = await error.choices[0].apply().run()
    async for page in same.document_pages(size=100):
        print(page.title())
    print(await task, len(same), hits.to_polars(), run.words(), (await run.why(0)).to_polars())


def main(folder: Path) -> None:
    try:
        with wb.connect() as client:
            docset = client.docsets["reports"]
            documents(docset, folder)
            properties(docset)
            questions(docset, folder)
            the_docset_itself(docset)
            asyncio.run(awaited(client, docset))
            connections(client, docset)
    except wb.Mistake as mistake:
        print(mistake)
    except wb.WorkbenchError as error:
        print(error)
