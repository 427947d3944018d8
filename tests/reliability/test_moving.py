"""A backup of one machine fills a cluster, and one of the cluster another machine."""

from pathlib import Path

import httpx
import pytest
from sqlalchemy import Text, cast, func, select

from backend.store.database import Database
from backend.store.migrating import migrate
from backend.store.moving import copy_rows
from backend.store.tables import docsets, operations, query_runs
from tests.backend_process import BackendProcess
from tests.reliability.mixed_load import STORAGE, documents
from workbench.cli import main

TOKEN = "the same on both"


def contents(http: httpx.Client, docset: str) -> dict[str, bytes]:
    path = f"{STORAGE}/{docset}/docs"
    return {
        one["name"]: http.get(f"{path}/{one['doc_id']}/binary").raise_for_status().content
        for one in documents(http, docset)
    }


def hits(http: httpx.Client, docset: str) -> int:
    response = http.post(f"/v1/query/search/{docset}", json={"query": "words"}).raise_for_status()
    return len(response.json()["results"])


def test_documents_move_into_a_cluster_and_back(
    postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    single = BackendProcess(tmp_path / "single", {"workers": "1", "api_key": TOKEN}).start()
    monkeypatch.setenv("WORKBENCH_API_KEY", TOKEN)
    with single.client() as http:
        http.headers["Authorization"] = f"Bearer {TOKEN}"
        docset = http.post(STORAGE, json={"name": "moved"}).raise_for_status().json()["docset_id"]
        for number in range(3):
            sent = {"file": (f"{number}.txt", f"Some words of number {number}.")}
            http.post(f"{STORAGE}/{docset}/docs", files=sent).raise_for_status()
        before = contents(http, docset)
    assert main(["backup", str(tmp_path / "1.tar"), "--url", single.url]) == 0
    single.stop()

    shared = {"database_url": postgresql, "blob_url": f"file://{tmp_path / 'files'}"}
    for name, value in shared.items():
        monkeypatch.setenv(f"WORKBENCH_{name.upper()}", value)
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(tmp_path / "scratch"))
    restore = ["restore", str(tmp_path / "1.tar"), "--cluster"]
    assert main(restore) == 0
    assert main(restore) == 1, "it has DocSets already"
    server = BackendProcess(tmp_path / "server", shared | {"workers": "1", "api_key": TOKEN})
    server.start()
    with server.client() as http:
        http.headers["Authorization"] = f"Bearer {TOKEN}"
        assert contents(http, docset) == before and hits(http, docset) == 3
        sent = {"file": ("new.txt", "Some words that are new.")}
        http.post(f"{STORAGE}/{docset}/docs", files=sent).raise_for_status()
        before = contents(http, docset)
        assert hits(http, docset) == 4
    assert main(["backup", str(tmp_path / "2.tar"), "--url", server.url]) == 0
    server.stop()

    for name in shared:
        monkeypatch.delenv(f"WORKBENCH_{name.upper()}")
    folder = tmp_path / "again"
    assert main(["restore", str(tmp_path / "2.tar"), "--into", str(folder)]) == 0
    again = BackendProcess(folder, {"workers": "1", "api_key": TOKEN}).start()
    with again.client() as http:
        http.headers["Authorization"] = f"Bearer {TOKEN}"
        assert contents(http, docset) == before and hits(http, docset) == 4
    again.stop()


def test_sql_null_and_json_null_stay_distinct_and_numbers_continue(
    postgresql: str, tmp_path: Path
) -> None:
    first = Database(f"sqlite:///{tmp_path / 'a.sqlite'}")
    second, third = Database(postgresql), Database(f"sqlite:///{tmp_path / 'b.sqlite'}")
    fields = {"account_id": "wb:a-1", "created_at": 1.5, "readonly": True, "name": "é\n"}
    empty = {"properties": {"a": [1, None]}, "prompts": {}, "embedding": {}, "language": "english"}
    for database in (first, second, third):
        migrate(database)
    with first.writing() as connection:
        for number, schema in enumerate((None, {"properties": []})):
            row = {"docset_id": f"wb:ds-{number}", "schema": schema, **fields, **empty}
            connection.execute(docsets.insert().values(row))
        logged = {"docset_id": "wb:ds-0", "doc_id": "wb:f-1", "number": 1, "kind": "add"}
        connection.execute(operations.insert().values(sequence=41, **logged))
    for source, target in ((first, second), (second, third)):
        with source.reading() as rows, target.writing() as connection:
            copy_rows(rows, connection)
    read = select(docsets).order_by(docsets.c.docset_id)
    kinds = select(func.coalesce(cast(docsets.c.schema, Text), "none")).order_by(
        docsets.c.docset_id
    )
    with first.reading() as one, third.reading() as other:
        assert one.execute(read).all() == other.execute(read).all()
        assert [kind == "none" for kind in one.scalars(kinds)] == [
            kind == "none" for kind in other.scalars(kinds)
        ]
        assert other.scalar(select(func.count()).select_from(query_runs)) == 0
    with second.writing() as connection:
        number = connection.scalar(
            operations.insert()
            .values(logged | {"doc_id": "wb:f-2"})
            .returning(operations.c.sequence)
        )
    assert number == 42
    for database in (first, second, third):
        database.close()
