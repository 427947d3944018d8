"""What is logged when the disk fails."""

import errno
import logging

import pytest
from sqlalchemy.exc import OperationalError

from backend.store.disk_faults import log_failure
from workbench.contract.errors import StorageFull

_FULL = OSError(errno.ENOSPC, "No space left on device", "/data/store.sqlite")


@pytest.mark.parametrize(
    ("error", "lines"),
    [
        (_FULL, 1),
        (OperationalError("insert", {}, Exception("database or disk is full")), 1),
        (StorageFull("No space left on the disk: nothing was stored."), 1),
        (ValueError("a fault of ours"), None),
    ],
)
def test_a_full_disk_is_logged_in_one_line_without_folders(
    caplog: pytest.LogCaptureFixture, error: Exception, lines: int | None
) -> None:
    log = logging.getLogger("backend.test")
    try:
        raise error
    except Exception as raised:
        log_failure(log, raised, "task %s could not be ended", "wb:t-1")
    assert "task wb:t-1 could not be ended" in caplog.text and "/data" not in caplog.text
    if lines is None:
        assert "Traceback" in caplog.text
    else:
        assert len(caplog.text.splitlines()) == lines
