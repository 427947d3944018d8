"""Files that servers share by name: what every form of the port keeps."""

import errno
import os
from pathlib import Path

import pytest
from obstore.store import MemoryStore

from backend.settings import Settings
from backend.store.shared_files import (
    SharedFiles,
    SharedFolder,
    SharedObjects,
    open_shared_files,
)


@pytest.fixture(params=["folder", "objects"])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> SharedFiles:
    if request.param == "folder":
        return SharedFolder(tmp_path / "shared")
    return SharedObjects(MemoryStore())


def test_a_file_published_by_one_server_is_fetched_by_another(shared, tmp_path) -> None:
    source, target = tmp_path / "source", tmp_path / "deep" / "target"
    source.write_bytes(b"rows" * 100_000)
    assert shared.publish("runs/a/1.arrow", source)
    assert shared.names("runs") == ["runs/a/1.arrow"] and shared.names("tables") == []
    assert shared.fetch("runs/a/1.arrow", target)
    assert target.read_bytes() == source.read_bytes()
    assert [path.name for path in target.parent.iterdir()] == ["target"], "no draft is left"


def test_a_file_that_is_missing_or_removed_is_not_fetched(shared, tmp_path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    assert not shared.fetch("runs/a/1.arrow", target) and not target.exists()
    source.write_bytes(b"rows")
    shared.publish("runs/a/1.arrow", source)
    shared.remove(["runs/a/1.arrow", "runs/b/1.arrow"])
    assert not shared.fetch("runs/a/1.arrow", target) and shared.names("runs") == []


def test_a_constant_file_takes_no_further_room_on_the_same_file_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared, source, target = SharedFolder(tmp_path / "shared"), tmp_path / "a", tmp_path / "b"
    source.write_bytes(b"rows")
    for _ in range(2):
        assert shared.publish("indexes/a/1", source, constant=True)
        assert shared.fetch("indexes/a/1", target, constant=True)
    assert source.samefile(tmp_path / "shared" / "indexes" / "a" / "1") and source.samefile(target)

    def refused(*_paths: object) -> None:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", refused)
    assert shared.publish("indexes/a/2", source, constant=True)
    assert shared.fetch("indexes/a/2", target, constant=True)
    assert target.read_bytes() == b"rows" and not source.samefile(target)
    assert not shared.fetch("indexes/a/3", target, constant=True)
    assert {path.name for path in tmp_path.iterdir()} == {"shared", "a", "b"}, "no draft is left"


def test_a_failing_location_is_logged_and_does_no_harm(tmp_path, caplog) -> None:
    class Broken:
        def put(self, *_sent: object) -> None:
            raise OSError("no answer: key=secret")

    source = tmp_path / "source"
    source.write_bytes(b"rows")
    assert not SharedObjects(Broken()).publish("runs/a", source)
    assert "publishing runs/a failed: OSError" in caplog.text and "secret" not in caplog.text
    assert not SharedFolder(tmp_path / "source").publish("runs/a", source)


def test_one_machine_shares_nothing(tmp_path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    alone = open_shared_files(settings, alone=True)
    assert not alone.enabled and not alone.publish("runs/a", tmp_path) and alone.names("runs") == []
    assert not (tmp_path / "data").exists()
    assert open_shared_files(settings, alone=False).enabled
