"""Rows of runs and tables of properties, made by one server and read by another."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from backend.plans.service import PlanService
from backend.plans.tables import collections as collections_module
from backend.plans.tables.collections import Collections
from backend.plans.tables.following import Followed
from backend.plans.tables.saved_tables import SavedTables
from backend.store.shared_files import SharedFiles, SharedFolder
from tests.backend.plans.desk import ACCOUNT, Desk
from workbench.contract.errors import NotFound


def server(desk: Desk, folder: Path, shared: SharedFiles) -> PlanService:
    """A server of its own on the database of the desk."""
    search = desk.service._search
    return PlanService(desk.database, search, folder / "runs", folder / "tables", shared=shared)


def test_rows_of_a_run_are_read_from_any_server(fresh: Desk, tmp_path: Path) -> None:
    shared = SharedFolder(tmp_path / "shared")
    first, second = (server(fresh, tmp_path / name, shared) for name in ("a", "b"))
    desk = replace(fresh, service=first)
    query_id = desk.run(desk.everything()).query_id
    here, there = (one.node_output(query_id, 0, ACCOUNT, 0, 1000) for one in (first, second))
    assert here.total == len(fresh.records) and there == here


def test_a_server_without_sharing_has_only_its_own_rows(fresh: Desk, tmp_path: Path) -> None:
    other = server(fresh, tmp_path / "b", SharedFiles())
    query_id = fresh.run(fresh.everything()).query_id
    with pytest.raises(NotFound, match="no stored rows"):
        other.node_output(query_id, 0, ACCOUNT, 0, 10)


def test_rows_of_a_deleted_docset_are_removed_everywhere(fresh: Desk, tmp_path: Path) -> None:
    shared = SharedFolder(tmp_path / "shared")
    first = server(fresh, tmp_path / "a", shared)
    desk = replace(fresh, service=first)
    query_id = desk.run(desk.everything()).query_id
    first.node_output(query_id, 0, ACCOUNT, 0, 1)
    first.drop(fresh.docset_id)
    first._runs._writer.shutdown(wait=True)
    assert shared.names("runs") == []


def test_a_table_is_read_from_the_files_of_another_server(
    fresh: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collections_module, "_WORTH_SAVING", 1)
    shared = SharedFolder(tmp_path / "shared")
    first = Collections(fresh.database, tmp_path / "a", shared=shared)
    table = first.open(fresh.docset_id, ACCOUNT).table
    first._refresh(fresh.docset_id, first._latest(fresh.docset_id))
    loaded: list[Followed | None] = []
    load = SavedTables.load

    def counted(self: SavedTables, docset_id: str) -> Followed | None:
        loaded.append(load(self, docset_id))
        return loaded[-1]

    monkeypatch.setattr(SavedTables, "load", counted)
    second = Collections(fresh.database, tmp_path / "b", shared=shared)
    assert second.open(fresh.docset_id, ACCOUNT).table.equals(table)
    assert loaded[0] is not None and loaded[0].collection.table.equals(table)
    files = [tmp_path / "shared" / name for name in shared.names("tables")]
    (segment,) = (file for file in files if file.suffix == ".parquet")
    assert pl.read_parquet(segment).height == table.height, "other programs can read it"
    second.drop(fresh.docset_id)
    assert shared.names("tables") == []
