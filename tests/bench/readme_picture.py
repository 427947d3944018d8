"""Draws the README's picture: the real app on the sample collection, driven by keys.

    python -m tests.bench.readme_picture

writes `.readme/plans.svg`. The backend, its data and the app's sessions live in a temporary folder.
"""

import asyncio
import os
import re
import tempfile
from pathlib import Path

from tests.backend_process import BackendProcess

PICTURE = Path(__file__).parent.parent.parent / ".readme" / "plans.svg"
SIZE = (120, 36)
QUESTION = "How many accidents were there in each state since 2020?"
FEEDBACK = "only with injuries, average damage cost instead of the count, top 8"


async def draw() -> str:
    """Asks, runs, corrects, runs again; the screen as SVG."""
    import workbench as wb
    from workbench.demo.documents import DEMO_SCHEMA, write_documents
    from workbench.tui.app import WorkbenchApp

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        backend = BackendProcess(folder / "data").start()
        os.environ |= {
            "WORKBENCH_DATA_DIR": str(backend.folder),
            "WORKBENCH_SETTINGS": str(folder / "settings.toml"),
            "TEXTUAL_ANIMATIONS": "none",
        }
        write_documents(folder / "reports")
        with wb.connect(backend.url, backend.token) as client:
            made = await asyncio.to_thread(
                client.docsets.create, "Sample incident reports", schema=DEMO_SCHEMA
            )
            await asyncio.to_thread(made.add, folder / "reports", progress=False)
        app = WorkbenchApp(docset="Sample incident reports")
        try:
            async with app.run_test(size=SIZE) as pilot:
                await pilot.pause(2)
                for key in ["6", "a", *QUESTION, "enter"]:
                    await pilot.press(key)
                await pilot.pause(2)
                for key in ["r"]:
                    await pilot.press(key)
                await pilot.pause(2)
                for key in ["e", *FEEDBACK, "enter"]:
                    await pilot.press(key)
                await pilot.pause(2)
                await pilot.press("r")
                await pilot.pause(2)
                return app.export_screenshot(title="workbench")
        finally:
            backend.stop()


def without_web_fonts(svg: str) -> str:
    """The picture names only fonts of the reader's own: it must not call another host."""
    return re.sub(r"@font-face\s*\{.*?\}", "", svg, flags=re.DOTALL)


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(without_web_fonts(asyncio.run(draw())))
