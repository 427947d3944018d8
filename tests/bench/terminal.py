"""How the app bears a million documents and a hundred thousand hits.

    python -m tests.bench.terminal [documents | hits | paging]

Each part runs in a process of its own, headless at 120 x 40, over a client without a server that
makes rows when they are asked for. Milliseconds from a key to its repaint, by the clock
and in processor time (on a machine that is shared only the latter says something); resident memory
of the whole process; the price of a page down as a ratio to Textual's DataTable over 5,000 rows.
"""

import asyncio
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

os.environ["TEXTUAL_ANIMATIONS"] = "none"

from textual.app import App, ComposeResult
from textual.widgets import DataTable, Static

from tests.tui.fake_client import ENTITY, NOW, FakeClient, document, hit
from workbench.client import QueryResult
from workbench.contract.docsets import DocSetMetadata, Page
from workbench.contract.documents import DocumentMetadata
from workbench.contract.plan import Plan
from workbench.contract.search import SearchRequest, SearchResponse
from workbench.sessions.session_file import SessionFile
from workbench.sessions.workspace import Workspace
from workbench.tui.app import WorkbenchApp
from workbench.tui.preferences import Preferences
from workbench.tui.widgets.table_list import Column, TableList

SIZE = (120, 40)
DOCUMENTS = 1_000_000
HITS = 100_000
ROWS = 5_000
GOAL_MS, GOAL_MB, GOAL_RATIO = 50.0, 200.0, 1 / 3
PATIENCE = 60.0
"""Seconds to wait for a frame."""
KEYS = [*["down"] * 40, *["pagedown"] * 40, "G", *["pageup"] * 40, "g", *["j", "k"] * 10]


class ManyClient(FakeClient):
    """A DocSet of a million documents, of which none is kept, and a search that finds a lot."""

    async def docset(self, docset_id: str) -> DocSetMetadata:
        return self.all[docset_id].model_copy(update={"size": DOCUMENTS})

    async def documents_page(
        self,
        docset_id: str,
        page_size: int = 100,
        page_token: str | None = None,
        *,
        among: Sequence[str] | None = None,
    ) -> Page[DocumentMetadata]:
        if among is not None:
            items = [document(docset_id, int(name.rpartition("-")[2])) for name in among]
            return Page[DocumentMetadata](items=items)
        start = int(page_token or 0)
        items = [document(docset_id, start + place) for place in range(page_size)]
        return Page[DocumentMetadata](items=items, next_page_token=str(start + page_size))

    async def run_plan(self, docset_id: str, wanted: Plan) -> QueryResult:
        return QueryResult(query_id="wb:q-many", plan=wanted, result=DOCUMENTS)

    async def node_output(
        self, query_id: str, node_id: int, offset: int = 0, limit: int = 200
    ) -> dict[str, Any]:
        rows = []
        for number in range(offset, min(DOCUMENTS, offset + limit)):
            shown = document("wb:ds-1", number)
            entity = (shown.properties or {})["entity"]
            rows.append(
                {
                    "doc_id": shown.doc_id,
                    "properties.path": shown.name,
                    **{ENTITY + name: value for name, value in entity.items()},
                }
            )
        return {"columns": [], "rows": rows, "total": DOCUMENTS}

    async def search(
        self,
        docset_id: str,
        request: SearchRequest,
        *,
        page_size: int = 100,
        page_token: str | None = None,
    ) -> SearchResponse:
        shared = [hit(number, request.return_type) for number in range(24)]
        results = [{**shared[n % 24], "id": f"e-{n}", "doc_id": f"wb:f-{n}"} for n in range(HITS)]
        return SearchResponse(results=results)


def app_over(client: FakeClient, folder: Path) -> WorkbenchApp:
    async def connect() -> Workspace:
        file = SessionFile(folder / "sessions.sqlite")
        return Workspace(client, file, clock=lambda: NOW)  # type: ignore[arg-type]

    return WorkbenchApp(
        connect,
        preferences=Preferences(pictures="boxes"),
        settings_file=folder / "settings.toml",
        docset="incidents",
    )


async def timed(pilot: Any, keys: Sequence[str]) -> dict[str, list[float]]:
    """Milliseconds from each key to the frame that shows it. What stands beside a list follows
    once the cursor rests, in frames of its own.
    """
    app, original = pilot.app, pilot.app._display
    frames: list[tuple[float, float]] = []

    def display(screen: Any, renderable: Any) -> None:
        original(screen, renderable)
        frames.append((time.perf_counter(), time.process_time()))

    app._display = display
    took: dict[str, list[float]] = {"wall": [], "cpu": []}
    for key in keys:
        while getattr(app.screen, "is_moving", False):  # as if the person had stopped before
            await pilot.pause(0.02)
        await pilot.pause()
        frames.clear()
        wall, cpu = time.perf_counter(), time.process_time()
        await pilot.press(key)
        while not frames:
            if time.perf_counter() - wall > PATIENCE:
                raise RuntimeError(f"{key} changed nothing on the screen of {type(app).__name__}")
            await pilot.pause()
        took["wall"].append(1000 * (frames[0][0] - wall))
        took["cpu"].append(1000 * (frames[0][1] - cpu))
    app._display = original
    return took


def p95(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20)[18]


def tell(title: str, took: Mapping[str, Sequence[float]]) -> bool:
    figures = "  ".join(
        f"{name} p50 {statistics.median(v):5.1f} p95 {p95(v):5.1f} ms" for name, v in took.items()
    )
    met = p95(took["cpu"]) <= GOAL_MS
    print(f"{title:34} {figures}  goal p95 <= {GOAL_MS:.0f} ms: {'met' if met else 'missed'}")
    return met


async def many_documents(folder: Path) -> bool:
    """Keys on the list of a million documents, from its beginning to its end, and the memory."""
    app = app_over(ManyClient(), folder)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause(2)
        table = app.screen.query_one(TableList)
        assert table.total == DOCUMENTS, table.total
        met = tell(f"{DOCUMENTS:,} documents", await timed(pilot, KEYS))
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    verdict = "met" if used <= GOAL_MB else "missed"
    print(
        f"{'  memory of the app, at its most':34} {used:.0f} MB  goal <= {GOAL_MB:.0f}: {verdict}"
    )
    return met and used <= GOAL_MB


async def many_hits(folder: Path) -> bool:
    app = app_over(ManyClient(), folder)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause(1)
        await pilot.press("5")
        await pilot.pause(0.5)
        app.screen.query_one("#query").value = "ice on the wing"
        await pilot.press("enter")
        await pilot.pause(15)
        assert len(app.screen.query_one("#hits").rows) == HITS
        return tell(f"{HITS:,} hits", await timed(pilot, KEYS))


async def paging(_: Path) -> bool:
    """A page down over rows that were not drawn before, less the price of a key in an app that
    draws one letter for it.
    """
    names = [f"column {number}" for number in range(6)]

    class Bare(App[None]):
        def compose(self) -> ComposeResult:
            yield Static()

        def on_key(self) -> None:
            shown = self.query_one(Static)
            shown.update("b" if str(shown.render()) == "a" else "a")

    class Ours(App[None]):
        def compose(self) -> ComposeResult:
            yield TableList([Column(name, lambda row: f"cell {row}") for name in names], str)

        def on_mount(self) -> None:
            self.query_one(TableList).show_rows(range(ROWS))
            self.query_one(TableList).focus()

    class Rival(App[None]):
        def compose(self) -> ComposeResult:
            yield DataTable(cursor_type="row")

        def on_mount(self) -> None:
            table = self.query_one(DataTable)
            table.add_columns(*names)
            table.add_rows([[f"cell {row}"] * len(names) for row in range(ROWS)])
            table.focus()

    async def cost(app: App[None]) -> float:
        async with app.run_test(size=SIZE) as pilot:
            await pilot.press("pagedown")
            return statistics.median((await timed(pilot, ["pagedown"] * 40))["cpu"])

    bare, ours, rival = [await cost(make()) for make in (Bare, Ours, Rival)]
    ratio = (ours - bare) / (rival - bare)
    print(
        f"{'page down over 5,000 rows, cpu':34} ours {ours - bare:.1f} ms  DataTable"
        f" {rival - bare:.1f} ms  ratio {ratio:.2f}  goal <= {GOAL_RATIO:.2f}:"
        f" {'met' if ratio <= GOAL_RATIO else 'missed'}"
    )
    return ratio <= GOAL_RATIO


PARTS = {"documents": many_documents, "hits": many_hits, "paging": paging}


def main() -> int:
    if len(sys.argv) > 1:
        with tempfile.TemporaryDirectory() as folder:
            return 0 if asyncio.run(PARTS[sys.argv[1]](Path(folder))) else 1
    done = [subprocess.run([sys.executable, "-m", __spec__.name, part]) for part in PARTS]
    return max(process.returncode for process in done)


if __name__ == "__main__":
    sys.exit(main())
