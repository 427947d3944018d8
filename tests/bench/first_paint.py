"""Start to first paint of the app, as a ratio to an empty Textual app.

    python tests/bench/first_paint.py [rounds]

Both start in a process of their own, on the same headless screen of 120 x 40, with no backend to
be had: the paint must not wait for one. The figure is the median over the rounds, measured in turn
so that a busy machine slows both alike. Goal: at most 1.30. Wall time runs from the start of the
interpreter to the first frame; processor time stands beside it.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
GOAL = 1.30

_PROBE = """
import json, resource, time

def painted(app, widgets):
    # The first frame is the one that shows at least that many widgets.
    found = {}
    original = app._display

    def display(screen, renderable):
        original(screen, renderable)
        if renderable is not None and not found and len(screen._compositor.widgets) >= widgets:
            used = resource.getrusage(resource.RUSAGE_SELF)
            found.update(wall=time.time(), cpu=used.ru_utime + used.ru_stime)
            app.set_timer(0.05, app.exit)

    app._display = display
    app.run(headless=True, size=(120, 40))
    print(json.dumps(found))
"""

_EMPTY = f"""{_PROBE}
from textual.app import App
painted(App(), 1)
"""

_OURS = f"""{_PROBE}
import asyncio
from workbench.tui.app import WorkbenchApp

async def never():
    await asyncio.Event().wait()

painted(WorkbenchApp(never), 8)
"""


def measure(code: str, folder: str) -> tuple[float, float]:
    """Seconds by the clock and of processor time until the first frame."""
    import time

    environment = {
        **{k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"},
        "PYTHONPATH": str(ROOT),
        "TEXTUAL_ANIMATIONS": "none",
        "WORKBENCH_SETTINGS": str(Path(folder) / "settings.toml"),
    }
    started = time.time()
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    result = json.loads(done.stdout.strip().splitlines()[-1])
    return result["wall"] - started, result["cpu"]


def main(rounds: int = 9) -> int:
    walls: dict[str, list[float]] = {"empty": [], "ours": []}
    cpus: dict[str, list[float]] = {"empty": [], "ours": []}
    with tempfile.TemporaryDirectory() as folder:
        for warm_up in (True, *[False] * rounds):
            for name, code in (("empty", _EMPTY), ("ours", _OURS)):
                wall, cpu = measure(code, folder)
                if not warm_up:
                    walls[name].append(wall)
                    cpus[name].append(cpu)
    for label, kept in (("wall", walls), ("cpu", cpus)):
        empty, ours = statistics.median(kept["empty"]), statistics.median(kept["ours"])
        print(f"{label:>5}  empty {empty * 1000:5.0f} ms  app {ours * 1000:5.0f} ms", end="  ")
        print(f"ratio {ours / empty:.2f}")
    ratio = statistics.median(walls["ours"]) / statistics.median(walls["empty"])
    print(f"goal {GOAL:.2f}: {'met' if ratio <= GOAL else 'missed'}")
    return 0 if ratio <= GOAL else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
