"""A place on a Ray cluster beside one of this machine: the same files through both pools.

    python -m tests.bench.pools [--turns 20]

Both are partitioned by the job of the product. The pools take turns, file by file. Processor time
is that of this process, its bridge to the cluster, the place, and the processes below them.
"""

import argparse
import hashlib
import io
import statistics
import tempfile
import time
from contextlib import closing
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from backend.store.blobs import BlobStore
from backend.tasks.pool import WorkerPool
from backend.tasks.pool_port import Pool
from tests.bench.processes import cost_of, named
from tests.ray_cluster import LIMITS, cluster, pool_on

_JOB = "backend.docsets.partition_job"
_TEXT = b"Some words."
_PAGES = 6
_LINES = 40
_LINE = "the parcel was weighed in the harbour and sent to Bergen on the same day"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=20)
    turns = parser.parse_args().turns
    with tempfile.TemporaryDirectory() as folder:
        blobs = BlobStore(Path(folder) / "blobs")
        paper = _paper()
        files = {"a text of a few words": _TEXT, "a PDF of six pages": paper}
        with (
            blobs.keeping([_TEXT]),
            blobs.keeping([paper]),
            cluster() as made,
            closing(WorkerPool(1, LIMITS, blobs.path)) as here,
        ):
            here.warm(_JOB)
            made.node(1, blob_url=f"file://{blobs.path(_digest(b'')).parents[1]}")
            with pool_on(made.head) as there:
                for name, content in files.items():
                    _compare(name, content, {"local": here, "cluster": there}, turns)


def _compare(name: str, content: bytes, pools: dict[str, Pool], turns: int) -> None:
    walls: dict[str, list[float]] = {pool: [] for pool in pools}
    costs: dict[str, list[float]] = {pool: [] for pool in pools}
    for turn in range(turns + 3):
        for pool, one in pools.items():
            began, cost = time.monotonic(), _cost()
            _partition(one, content)
            if turn >= 3:  # warm
                walls[pool].append(1000 * (time.monotonic() - began))
                costs[pool].append(1000 * (_cost() - cost))
    wall = {pool: statistics.median(values) for pool, values in walls.items()}
    mean = {pool: statistics.fmean(values) for pool, values in costs.items()}
    print(
        f"{name}: {mean['local']:.1f} and {mean['cluster']:.1f} ms of processor time, ratio"
        f" {mean['cluster'] / mean['local']:.2f}; until answered {wall['local']:.1f} and"
        f" {wall['cluster']:.1f} ms",
        flush=True,
    )


def _partition(pool: Pool, content: bytes) -> None:
    data = {"digest": _digest(content), "name": "a.txt", "options": {}, "room": 0, "eyes": False}
    if content.startswith(b"%PDF"):
        data["name"] = "a.pdf"
    options = {"progress": lambda *_: None, "started": lambda _: None}
    pool.run(f"{_JOB}:partition_file", data, **options)  # type: ignore[arg-type]


def _cost() -> float:
    others = named("ray::Place", "ray_bridge", "tasks.worker")
    return time.process_time() + sum(map(cost_of, others))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _paper() -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    for page in range(_PAGES):
        for line in range(_LINES):
            canvas.drawString(72, 760 - 16 * line, f"{page}.{line} {_LINE}")
        canvas.showPage()
    canvas.save()
    return out.getvalue()


if __name__ == "__main__":
    main()
