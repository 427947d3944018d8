"""The audit log on a disk that is full for a while."""

import errno
import io
import logging
from pathlib import Path

import pytest

from backend.api.audit import _PrivateFile


class _Disk(io.StringIO):
    full = True

    def write(self, text: str) -> int:
        if self.full:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(text)


def test_a_full_disk_is_reported_once_and_not_for_each_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    disk = _Disk()
    monkeypatch.setattr(_PrivateFile, "_open", lambda _: disk)
    log = _PrivateFile(tmp_path / "audit.log", delay=True)
    for full in (True, True, False, True, True):
        disk.full = full
        log.handle(logging.makeLogRecord({"msg": "an entry"}))
    assert "Traceback" not in capsys.readouterr().err
    assert [r.message.partition(" cannot")[2] for r in caplog.records] == [
        " be written: [Errno 28] No space left on device"
    ] * 2
    assert disk.getvalue() == "an entry\n"
    log.close()
