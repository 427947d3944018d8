"""Files: stored once, whole or not at all, removed only when unused."""

import errno
import hashlib
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from obstore.store import MemoryStore

from backend.store.blobs import SHARED_GRACE, Blob, BlobStore
from backend.store.object_blobs import ObjectBlobs
from workbench.contract.errors import NotFound, StorageFull, Unavailable


@pytest.fixture(params=["files", "objects"])
def blobs(tmp_path: Path, request: pytest.FixtureRequest) -> BlobStore:
    """Each kind of store, with the same guarantees."""
    if request.param == "files":
        return BlobStore(tmp_path)
    return ObjectBlobs(MemoryStore(), tmp_path, grace=0.0, room=2**20)


def test_a_stored_file_is_whole_under_its_name(blobs: BlobStore) -> None:
    with blobs.keeping([b"hello ", b"world"]) as blob:
        assert blob.digest == hashlib.sha256(b"hello world").hexdigest()
        assert blob.size == 11
    assert blobs.path(blob.digest).read_bytes() == b"hello world"


def test_the_same_bytes_are_stored_once(blobs: BlobStore) -> None:
    for _ in range(3):
        with blobs.keeping([b"same"]):
            pass
    assert len(list(blobs.digests())) == 1


def test_an_interrupted_upload_leaves_nothing(blobs: BlobStore, tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield b"half"
        raise ConnectionError

    with pytest.raises(ConnectionError), blobs.keeping(broken()):
        pass
    assert list(blobs.digests()) == []
    assert list((tmp_path / "incoming").iterdir()) == []


def test_a_full_disk_is_reported(blobs: BlobStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageFull), blobs.keeping([b"x"]):
        pass
    assert list(blobs.digests()) == []


def test_a_file_is_removed_only_when_unused(blobs: BlobStore) -> None:
    with blobs.keeping([b"data"]) as blob:
        blobs.discard(blob.digest, lambda: False)
        assert blobs.holds(blob.digest), "an upload of it was under way"
    assert not blobs.holds(blob.digest), "the upload ended without a row"
    with blobs.keeping([b"data"]):
        blobs.discard(blob.digest, lambda: True)
    blobs.discard(blob.digest, lambda: True)
    assert blobs.holds(blob.digest), "a row points to it"
    blobs.discard(blob.digest, lambda: False)
    assert not blobs.holds(blob.digest)


class SlowCheck:
    """Whether a blob is in use, as a database answers that takes its time: no, once it may."""

    def __init__(self) -> None:
        self.asked, self.may_answer = Event(), Event()

    def __call__(self) -> bool:
        self.asked.set()
        assert self.may_answer.wait(30)
        return False


def test_a_slow_removal_delays_only_an_upload_of_the_same_bytes(
    blobs: BlobStore,
) -> None:
    with blobs.keeping([b"data"]) as blob:
        pass
    in_use = SlowCheck()

    def store(data: bytes) -> Blob:
        with blobs.keeping([data]) as stored:
            return stored

    with ThreadPoolExecutor(3) as pool:
        removal = pool.submit(blobs.discard, blob.digest, in_use)
        assert in_use.asked.wait(30)
        assert pool.submit(store, b"other").result(30).size == 5
        again = pool.submit(store, b"data")
        with pytest.raises(TimeoutError):
            again.result(0.1)
        in_use.may_answer.set()
        removal.result(30)
        assert blobs.path(again.result(30).digest).read_bytes() == b"data"


def test_a_backup_begins_when_no_removal_is_running(blobs: BlobStore) -> None:
    with blobs.keeping([b"data"]) as blob:
        pass
    in_use = SlowCheck()

    def digests() -> list[str]:
        with blobs.retained():
            return list(blobs.digests())

    with ThreadPoolExecutor(2) as pool:
        pool.submit(blobs.discard, blob.digest, in_use)
        assert in_use.asked.wait(30)
        copy = pool.submit(digests)
        with pytest.raises(TimeoutError):
            copy.result(0.1)
        in_use.may_answer.set()
        assert copy.result(30) == []


def test_what_becomes_unused_during_a_backup_is_removed_after_it(blobs: BlobStore) -> None:
    with blobs.keeping([b"data"]) as blob:
        pass
    with blobs.retained():
        with blobs.retained():
            blobs.discard(blob.digest, lambda: False)
        assert blobs.holds(blob.digest), "another backup is running"
    assert not blobs.holds(blob.digest)


def test_the_last_of_two_who_need_a_file_removes_it(blobs: BlobStore) -> None:
    """The second finds the first still asking, who has seen that the second needs the file."""
    with blobs.keeping([b"data"]) as blob:
        pass
    asked, may_answer = Event(), Event()

    def needed_by_the_second() -> bool:
        asked.set()
        return may_answer.wait(30)

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(blobs.discard, blob.digest, needed_by_the_second)
        assert asked.wait(30)
        blobs.discard(blob.digest, lambda: False)
        may_answer.set()
        first.result(30)
    assert not blobs.holds(blob.digest)


def test_a_disk_failure_at_the_last_step_leaves_nothing_that_cannot_be_removed(
    blobs: BlobStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(_folder: Path) -> None:
        raise OSError(errno.EIO, "broken")

    with monkeypatch.context() as broken:
        broken.setattr("backend.store.blobs.sync_folder", failing)
        with pytest.raises(Unavailable, match="nothing was stored"), blobs.keeping([b"data"]):
            pass
    with blobs.keeping([b"data"]) as blob:
        pass
    blobs.discard(blob.digest, lambda: False)
    assert list(blobs.digests()) == []


def test_leftovers_of_a_crash_are_removed(blobs: BlobStore, tmp_path: Path) -> None:
    (tmp_path / "incoming" / "half").write_bytes(b"half")
    assert blobs.sweep_incoming() == 1
    assert list((tmp_path / "incoming").iterdir()) == []


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "A" * 64, "0" * 63, "/" * 64])
def test_only_names_of_blobs_lead_to_files(blobs: BlobStore, name: str) -> None:
    with pytest.raises(NotFound):
        blobs.path(name)


def test_files_that_another_server_is_about_to_reference_stay(tmp_path: Path) -> None:
    """Two servers on one folder do not know of each other's uploads."""
    ours, other = BlobStore(tmp_path, SHARED_GRACE), BlobStore(tmp_path, SHARED_GRACE)
    draft = tmp_path / "incoming" / "half"
    draft.write_bytes(b"half")
    with ours.keeping([b"data"]) as blob:
        other.discard(blob.digest, lambda: False)
        assert other.is_arriving(blob.digest), "so the doctor does not call it unused"
        assert other.sweep_incoming() == 0
    assert ours.path(blob.digest).exists() and draft.exists()
    for file in (draft, ours.path(blob.digest)):
        os.utime(file, (1, file.stat().st_mtime - SHARED_GRACE - 1))
    assert other.sweep_incoming() == 1
    other.discard(blob.digest, lambda: False)
    assert list(other.digests()) == []


def test_uploading_the_same_bytes_again_renews_their_grace(tmp_path: Path) -> None:
    ours, other = BlobStore(tmp_path, SHARED_GRACE), BlobStore(tmp_path, SHARED_GRACE)
    with ours.keeping([b"data"]) as blob:
        pass
    os.utime(ours.path(blob.digest), (1, 1))
    with ours.keeping([b"data"]):
        other.discard(blob.digest, lambda: False)
    assert ours.path(blob.digest).exists()
