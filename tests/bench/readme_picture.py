"""Draws the README's moving picture: the real app on the sample collection, driven by keys.

    python -m tests.bench.readme_picture

writes `.readme/session.svg`: a question with what it will cost, its answer, a correction in words
with its changes, and the rows of both versions held against each other. The backend, its data and
the app's sessions live in a temporary folder.
"""

import asyncio
import os
import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.backend_process import BackendProcess

PICTURE = Path(__file__).parent.parent.parent / ".readme" / "session.svg"
SIZE = (108, 27)
SECONDS = 4.0
"""How long each frame stands."""
MOST_BYTES = 300_000
QUESTION = "How many accidents were there in each state since 2020?"
FEEDBACK = "only with injuries, top 5"
_PATIENCE = 600


async def session() -> list[str]:
    """The frames, as SVG."""
    import workbench as wb
    from tests.sample_reports import write_reports
    from workbench.demo.documents import DEMO_SCHEMA
    from workbench.tui.app import WorkbenchApp

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        backend = BackendProcess(folder / "data").start()
        os.environ |= {
            "WORKBENCH_DATA_DIR": str(backend.folder),
            "WORKBENCH_SETTINGS": str(folder / "settings.toml"),
            "TEXTUAL_ANIMATIONS": "none",
        }
        write_reports(folder / "reports")
        with wb.connect(backend.url, backend.token) as client:
            made = await asyncio.to_thread(
                client.docsets.create, "Sample incident reports", schema=DEMO_SCHEMA
            )
            await asyncio.to_thread(made.add, folder / "reports", progress=False)
        app = WorkbenchApp(docset="Sample incident reports")
        try:
            async with app.run_test(size=SIZE) as pilot:
                return await _frames(app, pilot)
        finally:
            backend.stop()


async def _frames(app: Any, pilot: Any) -> list[str]:
    frames: list[str] = []

    def take() -> None:
        frames.append(app.export_screenshot(title="workbench", simplify=True))

    def title(pane: str) -> str:
        return str(app.screen.query_one(f"#{pane}").border_title)

    await until(pilot, lambda: app.docset is not None)
    await pilot.press("6")
    await until(pilot, lambda: app.screen.place == "plans")
    await pilot.press("escape", "a", *QUESTION, "enter")
    await until(pilot, lambda: "about" in title("graph-pane"))
    take()
    await pilot.press("r")
    await until(pilot, lambda: "rows" in title("output-pane"))
    take()
    await pilot.press("e", *FEEDBACK, "enter")
    await until(pilot, lambda: "v1" in title("change-pane") and "about" in title("graph-pane"))
    take()
    await pilot.press("r")
    await until(pilot, lambda: "5 rows" in title("output-pane"))
    await pilot.press("D")
    await until(pilot, lambda: len(app.screen_stack) > 1)
    await pilot.press("up", "enter")
    await until(pilot, lambda: "→" in title("output-pane"))
    take()
    return frames


async def until(pilot: Any, condition: Callable[[], bool]) -> None:
    """Waits until it is so, and all of it is drawn."""
    for _ in range(_PATIENCE):
        await pilot.pause(0.1)
        if condition():
            await pilot.pause(0.5)
            return
    raise TimeoutError("the app did not come to that")


def without_web_fonts(svg: str) -> str:
    """The picture names only fonts of the reader's own: it must not call another host."""
    return re.sub(r"@font-face\s*\{.*?\}", "", svg, flags=re.DOTALL)


def moving(frames: Sequence[str], seconds: float) -> str:
    """One picture that shows the frames in turn; where nothing moves, the last one stands."""
    size = re.search(r'viewBox="(0 0 [\d.]+ [\d.]+)"', frames[0])
    assert size is not None
    whole = seconds * len(frames)
    share = 100 / len(frames)
    style = f"""
    @keyframes turn {{ 0%, {share:.3f}% {{ visibility: visible }}
      {share + 0.001:.3f}%, 100% {{ visibility: hidden }} }}
    @media (prefers-reduced-motion: no-preference) {{
      .frame {{ visibility: hidden; animation: turn {whole}s infinite }}
    }}"""
    parts = [
        f'<g class="frame" style="animation-delay: {place * seconds}s">{_named(frame, place)}</g>'
        for place, frame in enumerate(frames)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size[1]}">'
        f"<style>{style}</style>{''.join(parts)}</svg>\n"
    )


def _named(frame: str, place: int) -> str:
    """A frame whose names are its own, without blanks between its elements."""
    renamed = re.sub(r"terminal-(?:\d+-)?", f"f{place}-", without_web_fonts(frame))
    return re.sub(r">\s+<", "><", renamed)


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    drawn = moving(asyncio.run(session()), SECONDS)
    if len(drawn) > MOST_BYTES:
        raise SystemExit(f"{len(drawn):,} bytes are more than {MOST_BYTES:,}")
    PICTURE.write_text(drawn, "utf-8")
