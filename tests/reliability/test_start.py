"""A folder that cannot be served is reported at the start; two servers never share a file."""

import os
import shutil
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.backend_process import COMMAND, BackendProcess
from tests.reliability import faults


def refusal(folder: Path, **settings: str) -> str:
    """What a server prints that does not start."""
    return refused(BackendProcess(folder, settings))


def refused(backend: BackendProcess) -> str:
    with pytest.raises(AssertionError, match="did not start"):
        backend.start()
    assert backend.stop() == 1
    return backend.log.read_text()


_VECTORS = {"models__embedding__url": "http://127.0.0.1:9/v1", "models__embedding__model": "m"}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"log_level": "loud"}, "log_level is wrong"),
        ({"api_key": "   "}, "api_key is wrong"),
        ({"api_key": ""}, "api_key is wrong"),
        ({"host": " "}, "host is wrong"),
        ({"host": "no-such-host.invalid"}, "no-such-host.invalid"),
        ({"host": "é"}, "host is wrong"),
        ({"api_key": "é"}, "api_key is wrong"),
        ({"allowed_hosts": "localhost"}, '"allowed_hosts"'),
        ({"models": "none"}, '"models"'),
        ({"blob_url": "s3://"}, "blob_url is wrong"),
        ({"database_url": "sqlite:///"}, "database_url is wrong"),
        ({"database_url": "sqlite:///:memory:"}, "database_url is wrong"),
        ({"database_url": "postgresql+psycopg://me:secret@h:port/x"}, "database_url"),
        ({"embedding": "STATIC"}, "embedding is wrong"),
        ({"worker_memory": "9" * 20}, "worker_memory is wrong"),
        ({"worker_cpu_seconds": "9" * 20}, "worker_cpu_seconds is wrong"),
        ({"worker_wall_seconds": "9" * 20}, "worker_wall_seconds is wrong"),
        ({"request_seconds": "inf"}, "request_seconds is wrong"),
        ({"result_hours": "1e308"}, "result_hours is wrong"),
        ({**_VECTORS, "models__embedding__key": "sk-é"}, "models.embedding.key is wrong"),
    ],
)
def test_a_wrong_setting_is_a_sentence(
    tmp_path: Path, settings: dict[str, str], words: str
) -> None:
    printed = refusal(tmp_path / "data", **settings)
    assert words in printed and "Traceback" not in printed


@pytest.mark.parametrize("kilobytes", [0, 8, 40, 100, 200])
def test_a_first_start_on_a_full_disk_is_a_sentence(tmp_path: Path, kilobytes: int) -> None:
    with ExitStack() as stack:
        try:
            disk = stack.enter_context(faults.small_disk(tmp_path / "disk", 8))
        except faults.Impossible as reason:
            pytest.skip(str(reason))
        stack.enter_context(faults.almost_full_disk(kilobytes)(BackendProcess(disk)))
        printed = refusal(tmp_path / "log", data_dir=str(disk / "data"))
        assert "Traceback" not in printed
        assert "No space left" in printed or "disk is full" in printed


def test_a_misspelt_setting_is_reported_at_the_start(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    lines = (
        "worker = 1",
        'WORKBENCH_DATA_DIR = "/x"',
        "[app]",
        'theme = "dark"',
        "[models.chat]",
        'url = "http://x/v1"',
    )
    (data / "settings.toml").write_text("\n".join([*lines, 'model = "m"']))
    backend = BackendProcess(data, {"workers": "1", "log_levle": "DEBUG"}).start()
    log = backend.log.read_text()
    assert backend.stop() == 0
    assert "worker is not a setting and has no effect. Did you mean workers?" in log
    assert "WORKBENCH_LOG_LEVLE is not a setting and has no effect. Did you mean log_level?" in log
    assert "WORKBENCH_DATA_DIR is not a setting and has no effect. Did you mean data_dir?" in log
    assert log.count("is not a setting") == 3


def test_local_programs_reach_a_server_on_all_addresses(tmp_path: Path) -> None:
    backend = BackendProcess(tmp_path / "data", {"workers": "1", "host": "0.0.0.0"}).start()
    with backend.client() as http:
        assert http.get("/v1/storage/docsets").status_code == 200
    assert backend.stop() == 0


@pytest.mark.parametrize("content", [b"x = = 1", b"\xff\xfe"])
def test_a_broken_settings_file_is_a_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "settings.toml").write_bytes(content)
    printed = refusal(tmp_path / "data", settings=str(tmp_path / "settings.toml"))
    assert str(tmp_path / "settings.toml") in printed and "Traceback" not in printed


def test_a_second_server_on_the_same_database_does_not_start(tmp_path: Path) -> None:
    first = BackendProcess(tmp_path / "data", {"workers": "1"}).start()
    url = f"sqlite:///{tmp_path / 'data' / 'workbench.sqlite'}"
    assert "Another backend is running" in refusal(tmp_path / "other", database_url=url)
    (tmp_path / "data" / "lock").unlink()
    assert "Another backend is running" in refusal(tmp_path / "data")
    with first.client() as http:
        http.post("/v1/storage/docsets", json={"name": "x"}).raise_for_status()
    assert first.stop() == 0


def test_a_folder_in_place_of_a_file_is_not_a_fault_of_the_server(tmp_path: Path) -> None:
    backend = BackendProcess(tmp_path / "data", {"workers": "1"}).start()
    with backend.client() as http:
        docset = http.post("/v1/storage/docsets", json={"name": "x"}).json()["docset_id"]
        docs = f"/v1/storage/docsets/{docset}/docs"
        made = http.post(docs, files={"file": ("a.txt", "Some words.")}).json()
        [blob] = [
            path
            for path in (tmp_path / "data" / "blobs").rglob("*")
            if path.is_file() and len(path.name) == 64
        ]
        blob.unlink()
        blob.mkdir()
        answer = http.get(f"{docs}/{made['doc_id']}/binary")
        assert answer.status_code == 503 and str(tmp_path) not in answer.text
        checked = http.post("/v1/workbench/storage/check", json={}).json()
        assert [fault["subject"] for fault in checked["faults"]] == [blob.name]
        again = http.post(docs, files={"file": ("b.txt", "Some words.")})
        assert again.status_code in (200, 503) and str(tmp_path) not in again.text
        assert http.delete(f"{docs}/{made['doc_id']}").status_code == 200
    assert backend.stop() == 0
    backend.start()
    assert httpx.get(f"{backend.url}/v1/workbench/health").status_code == 200
    assert backend.stop() == 0


@pytest.mark.parametrize(
    ("name", "mode"), [("", 0o500), ("", 0), ("workbench.sqlite", 0o400), ("token", 0)]
)
def test_a_folder_that_this_user_may_not_use_is_a_sentence(
    tmp_path: Path, name: str, mode: int
) -> None:
    drop = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    if drop and shutil.which(drop[0]) is None:
        pytest.skip("root may write everywhere, and setpriv is missing")
    folder = tmp_path / "data"
    folder.mkdir()
    if name:
        (folder / name).touch()
    backend = BackendProcess(folder, module=COMMAND, inside=drop)
    backend.log.touch()
    (folder / name).chmod(mode)
    printed = refused(backend)
    folder.chmod(0o700)
    assert "Permission denied" in printed and str(folder) in printed, printed
    assert "Traceback" not in printed and "Errno" not in printed, printed
