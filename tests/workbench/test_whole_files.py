"""A file that a person asked for appears when it is complete, or not at all."""

import ast
import os
import stat
import threading
from pathlib import Path

import pytest

from workbench.tui.saving import write
from workbench.whole_files import whole_file

WORKBENCH = Path(__file__).parent.parent.parent / "workbench"
IN_PLACE = {
    "whole_files.py",  # writes the draft
    "commands/restore.py",  # into a scratch folder, renamed when complete
    "contract/location.py",  # the lock of the data folder, which stays empty
    "launch.py",  # the backend's log
    "sessions/session_file.py",  # SQLite writes it from there on
    "widgets/uploader.py",  # pieces from the browser, in a folder nobody reads before the last one
}
"""Places that may write into a file under its own name."""


def test_a_file_appears_when_its_last_byte_is_written(tmp_path: Path) -> None:
    target = tmp_path / "answer.csv"
    with whole_file(target) as file:
        file.write(b"a,b\n" * 100_000)
        file.flush()
        assert not target.exists()
    assert target.stat().st_size == 400_000
    assert list(tmp_path.iterdir()) == [target]


def test_after_an_error_only_the_former_file_exists(tmp_path: Path) -> None:
    target = tmp_path / "answer.csv"
    target.write_text("before")
    with pytest.raises(ValueError, match="broke"), whole_file(target) as file:
        file.write(b"half of i")
        raise ValueError("broke")
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("with_links", [True, False])
def test_a_file_that_came_meanwhile_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_links: bool
) -> None:
    if not with_links:  # as on FAT and on some network folders

        def refuse(self: Path, target: Path) -> None:
            raise PermissionError(1, "Operation not permitted")

        monkeypatch.setattr(Path, "hardlink_to", refuse)
    target = tmp_path / "answer.csv"
    with pytest.raises(FileExistsError), whole_file(target, replace=False) as file:
        file.write(b"ours")
        target.write_text("theirs")
    assert target.read_text() == "theirs"
    target.unlink()
    with whole_file(target, replace=False) as file:
        file.write(b"ours")
    assert target.read_bytes() == b"ours"
    assert list(tmp_path.iterdir()) == [target]


def test_private_files_are_for_their_owner_and_links_stay_links(tmp_path: Path) -> None:
    target, link = tmp_path / "real.toml", tmp_path / "settings.toml"
    link.symlink_to(target)
    with whole_file(link, private=True) as file:
        file.write(b"x")
    assert link.is_symlink() and target.read_bytes() == b"x"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_missing_folder_is_reported_with_the_name_that_was_asked_for(tmp_path: Path) -> None:
    target = tmp_path / "nowhere" / "answer.csv"
    with pytest.raises(FileNotFoundError, match=r"nowhere/answer\.csv"), whole_file(target):
        pass


async def test_the_terminal_reports_a_file_it_could_not_write(tmp_path: Path) -> None:
    reports: list[str] = []

    class App:
        def notify(self, text: str, *, title: str, severity: str = "information") -> None:
            reports.append(title)

    existing = tmp_path / "here.txt"
    existing.write_text("mine")
    await write(App(), existing, b"other")  # type: ignore[arg-type]
    await write(App(), tmp_path / "free.txt", b"other")  # type: ignore[arg-type]
    assert reports == ["Not saved", "Saved"]
    assert existing.read_text() == "mine"


def test_the_workbench_writes_no_file_under_its_own_name() -> None:
    writers = {
        str(path.relative_to(WORKBENCH))
        for path in WORKBENCH.glob("**/*.py")
        if "demo" not in path.parts and any(map(_writes, ast.walk(ast.parse(path.read_text()))))
    }
    assert writers == IN_PLACE


def _writes(node: ast.AST) -> bool:
    """Whether it is a call of `write_text` or the like, or of `open` with a mode to write."""
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    modes = [one.value for one in node.args if isinstance(one, ast.Constant)]
    writing = any(isinstance(mode, str) and mode in ("wb", "w", "xb", "ab", "x") for mode in modes)
    return name in ("write_text", "write_bytes") or (name in ("open", "fdopen") and writing)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are of POSIX")
def test_a_pipe_is_written_into_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    link = tmp_path / "answer.csv"
    link.symlink_to(pipe)
    with whole_file(link) as file:
        file.write(b"a,b\n")
    reader.join(60)
    assert read == [b"a,b\n"]
    assert pipe.is_fifo() and link.is_symlink()


@pytest.mark.parametrize("place", ["/", "/tmp"])
def test_a_folder_is_named_before_anything_is_written(place: str) -> None:
    with pytest.raises(IsADirectoryError, match=place), whole_file(Path(place)):
        pytest.fail("there is nothing to write into")
