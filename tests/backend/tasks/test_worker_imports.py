"""What a worker process loads: it reads hostile files, and each one is started anew."""

import subprocess
import sys

SERVER = {"sqlalchemy", "alembic", "fastapi", "starlette", "tantivy", "httpx"}


def test_a_worker_that_reads_documents_loads_neither_database_nor_server() -> None:
    code = "import backend.docsets.partition_job, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {name.partition(".")[0] for name in done.stdout.split()} & SERVER == set()
