"""How fast list, result and cancel answer while two large PDFs are partitioned.

    python tests/bench/latency.py [seconds] [pages]

Starts a backend of its own with two workers, hands it PDFs of that many pages one after the other,
so that both workers are always busy, and meanwhile asks from a third process. The rival is the same
backend without work.
"""

import io
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Flowable, PageBreak, Paragraph, SimpleDocTemplate, Table

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.backend_process import BackendProcess

SUBMIT = "/v1/async/submit/document/partition"


def large_pdf(pages: int) -> bytes:
    """Text and a table on each page."""
    style = getSampleStyleSheet()
    sentence = "The crane struck the gantry while unloading in a strong wind from the west. "
    story: list[Flowable] = []
    for page in range(pages):
        story.append(Paragraph(f"Section {page + 1}", style["Heading1"]))
        story += [Paragraph(sentence * 6, style["BodyText"]) for _ in range(6)]
        rows = [[f"{row}.{column}" for column in range(6)] for row in range(15)]
        story += [Table(rows, style=[("GRID", (0, 0), (-1, -1), 0.5, "black")]), PageBreak()]
    out = io.BytesIO()
    SimpleDocTemplate(out, pagesize=A4).build(story)
    return out.getvalue()


def keep_busy(http: httpx.Client, content: bytes, over: threading.Event) -> None:
    """Keeps two partition tasks running and one queued."""
    open_tasks: list[str] = []
    while not over.is_set():
        listed = http.get("/v1/async/list").json()["tasks"]
        open_tasks = [t for t in open_tasks if listed[t]["task_status"] in ("queued", "running")]
        while len(open_tasks) < 3:
            answer = http.post(SUBMIT, files={"file": ("large.pdf", content)})
            open_tasks.append(answer.json()["task_id"])
        over.wait(0.5)


def measured(http: httpx.Client, seconds: float) -> dict[str, list[float]]:
    """Milliseconds of each call."""
    took: dict[str, list[float]] = {"list": [], "result": [], "cancel": []}

    def timed(name: str, call: Callable[[], httpx.Response]) -> httpx.Response:
        began = time.perf_counter()
        answer = call()
        took[name].append(1000 * (time.perf_counter() - began))
        return answer

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        task_id = http.post(SUBMIT, files={"file": "a line of text"}).json()["task_id"]
        timed("list", lambda: http.get("/v1/async/list"))
        timed("result", lambda task=task_id: http.get(f"/v1/async/result/{task}"))
        timed("cancel", lambda task=task_id: http.post(f"/v1/async/cancel/{task}"))
        time.sleep(0.05)
    return took


def report(title: str, took: dict[str, list[float]]) -> None:
    for name, values in took.items():
        cuts = statistics.quantiles(values, n=20)
        print(
            f"{title:12} {name:8} n={len(values):4} p50 {statistics.median(values):7.1f} ms"
            f"  p95 {cuts[18]:7.1f} ms  max {max(values):7.1f} ms"
        )


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 20.0
    pages = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    content = large_pdf(pages)
    print(f"{pages} pages, {len(content) / 2**20:.1f} MiB")
    with tempfile.TemporaryDirectory() as folder:
        backend = BackendProcess(Path(folder), {"workers": "2", "submit_rate": "1000"}).start()
        with backend.client() as http, backend.client() as other:
            report("idle", measured(http, seconds / 2))
            over = threading.Event()
            load = threading.Thread(target=keep_busy, args=(other, content, over))
            load.start()
            time.sleep(2)
            report("partitioning", measured(http, seconds))
            over.set()
            load.join()
        backend.stop()


if __name__ == "__main__":
    main()
