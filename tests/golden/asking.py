"""Takes the golden set from files to answers over HTTP, as a person with a folder would.

    python -m tests.golden.asking [KIND]

Prints each verdict with the answer, then the counts by kind: right, wrong with a remark, wrong in
silence, refused. Nothing but the schema and the files is given to the backend.
"""

import mimetypes
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.backend_process import BackendProcess
from tests.golden.common import Kind
from tests.golden.documents import kinds
from tests.golden.questions import for_kind
from tests.golden.scoring import Verdict, verdict
from tests.golden.truth import Question


@dataclass(frozen=True)
class Asked:
    """One question with its verdict and what was answered, in short."""

    question: Question
    verdict: Verdict
    answer: str


def ask_all(http: httpx.Client, kind: Kind) -> Iterator[Asked]:
    """Adds the documents of a kind to a new DocSet and asks all questions about them."""
    made = http.post("/v1/storage/docsets", json={"name": kind.noun, "schema": _schema(kind)})
    docset_id = made.raise_for_status().json()["docset_id"]
    for document in kind.documents:
        guessed = mimetypes.guess_type(document.name)[0] or "application/octet-stream"
        file = (document.name, document.content, guessed)
        http.post(f"/v1/storage/docsets/{docset_id}/docs", files={"file": file}).raise_for_status()
    for question in for_kind(kind.key):
        yield _ask(http, docset_id, question, kind)


def _ask(http: httpx.Client, docset_id: str, question: Question, kind: Kind) -> Asked:
    planned = http.post("/v1/query/plan", json={"docset_id": docset_id, "query": question.text})
    if 400 <= planned.status_code < 500:
        return Asked(question, "refused", planned.text[:160])
    plan = planned.raise_for_status().json()
    run = http.post("/v1/query", json={"docset_id": docset_id, "plan": plan})
    answer = run.raise_for_status().json()
    return Asked(question, verdict(question, plan, answer, kind), str(answer["result"])[:160])


def _schema(kind: Kind) -> dict[str, Any]:
    """The schema of a kind as the API takes it."""
    return {"properties": [_property(dict(definition)) for definition in kind.schema]}


def _property(definition: dict[str, Any]) -> dict[str, Any]:
    described = {key: definition[key] for key in ("type", "description", "examples", "choices")
                 if key in definition}  # fmt: skip
    if described["type"] == "array":
        described["item_type"] = {"type": "string"}
    return {"name": definition["name"], "type": described}


def main() -> None:
    wanted = sys.argv[1:] or list(kinds())
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        backend = BackendProcess(Path(folder) / "data", module="backend.main").start()
        try:
            http = backend.client()
            for key in wanted:
                counts: Counter[str] = Counter()
                for asked in ask_all(http, kinds()[key]):
                    counts[asked.verdict] += 1
                    text, truth = asked.question.text, asked.question.truth
                    print(f"{asked.verdict:16} {text} -> {asked.answer} (truth {truth})")
                print(f"{key}: {dict(counts)}\n")
        finally:
            backend.stop()


if __name__ == "__main__":
    main()
