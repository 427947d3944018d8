"""Originals in an object store: the local folder is only a cache."""

import os
from pathlib import Path

import pytest
from obstore.store import MemoryStore

from backend.store.blobs import SHARED_GRACE
from backend.store.object_blobs import ObjectBlobs
from workbench.contract.errors import NotFound, Unavailable


def blobs_of(store: object, folder: Path, *, grace: float = 0.0, room: int = 2**20) -> ObjectBlobs:
    return ObjectBlobs(store, folder, grace=grace, room=room)


def test_a_file_stored_by_one_machine_is_read_by_another(tmp_path) -> None:
    store = MemoryStore()
    first, second = blobs_of(store, tmp_path / "a"), blobs_of(store, tmp_path / "b")
    with first.keeping([b"hello"]) as blob:
        pass
    assert list(second.digests()) == [blob.digest] and second.holds(blob.digest)
    assert second.path(blob.digest).read_bytes() == b"hello"
    first.discard(blob.digest, lambda: False)
    assert not second.holds(blob.digest)


def test_a_file_missing_everywhere_is_reported_as_missing(tmp_path) -> None:
    with pytest.raises(NotFound):
        blobs_of(MemoryStore(), tmp_path).path("0" * 64)


def test_the_cache_stays_within_its_size_and_loses_nothing(tmp_path) -> None:
    blobs = blobs_of(MemoryStore(), tmp_path, room=3_000)
    stored = {}
    for number in range(8):
        with blobs.keeping([bytes([number]) * 1_000]) as blob:
            stored[blob.digest] = number
        old = blobs.path(blob.digest)
        os.utime(old, (1, 1 + number))  # long ago, so no worker reads it
    cached = [file for file in tmp_path.rglob("*") if file.name in stored]
    assert sum(file.stat().st_size for file in cached) <= 3_000
    for digest, number in stored.items():
        assert blobs.path(digest).read_bytes() == bytes([number]) * 1_000


def test_files_that_another_server_is_about_to_reference_stay(tmp_path) -> None:
    store = MemoryStore()
    ours, other = (blobs_of(store, tmp_path / n, grace=SHARED_GRACE) for n in ("a", "b"))
    with ours.keeping([b"data"]) as blob:
        pass
    other.discard(blob.digest, lambda: False)
    assert ours.holds(blob.digest) and other.is_arriving(blob.digest)
    later = blobs_of(store, tmp_path / "c", grace=1e-9)
    later.discard(blob.digest, lambda: False)
    assert list(other.digests()) == []


class Broken:
    """An object store that does not respond."""

    def put(self, *_sent: object) -> None:
        from obstore.exceptions import GenericError

        raise GenericError("no answer: key=secret")


def test_an_unreachable_object_store_refuses_the_upload_and_names_no_key(tmp_path) -> None:
    blobs = blobs_of(Broken(), tmp_path)
    with pytest.raises(Unavailable) as refused, blobs.keeping([b"data"]):
        pass
    assert "secret" not in refused.value.detail


def test_an_object_with_other_content_is_refused(tmp_path) -> None:
    store = MemoryStore()
    first, second = blobs_of(store, tmp_path / "a"), blobs_of(store, tmp_path / "b")
    with first.keeping([b"hello"]) as blob:
        pass
    store.put(f"{blob.digest[:2]}/{blob.digest}", b"something else")
    with pytest.raises(Unavailable, match="different file"):
        second.path(blob.digest)
    assert not any(file.is_file() for file in (tmp_path / "b").rglob("*"))
