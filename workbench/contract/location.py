"""Where a backend and its clients meet on one machine: settings, data folder, run file, token.

Both sides need these paths before they can communicate, so they are part of the contract. A backend
writes its address to the run file when it is ready; a client reads address and token from the
folder.
"""

import errno
import fcntl
import os
import shutil
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from platformdirs import user_config_path, user_data_path
from pydantic import BaseModel, ValidationError

_APP = "docset-workbench"


class RunFile(BaseModel):
    """The facts about a running backend. `started` is in seconds since 1970."""

    pid: int
    url: str
    version: str
    started: float


def settings_file() -> Path:
    """The TOML file of settings, which may be missing.

    It is the one named by `WORKBENCH_SETTINGS`, else `settings.toml` in the configuration folder.
    """
    named = os.environ.get("WORKBENCH_SETTINGS")
    return Path(named) if named else user_config_path(_APP) / "settings.toml"


def data_dir() -> Path:
    """The data folder.

    It is `WORKBENCH_DATA_DIR`, else `data_dir` in the settings file, else the platform's. What is
    wrong in the file is for the backend to report.
    """
    named = os.environ.get("WORKBENCH_DATA_DIR")
    if not named:
        try:
            named = tomllib.loads(settings_file().read_text("utf-8")).get("data_dir")
        except (OSError, ValueError):
            named = None
    if not isinstance(named, str) or not named or "\0" in named:
        return user_data_path(_APP)
    return Path(named).expanduser()


def make_private(folder: Path) -> None:
    """Creates the folder and missing parents, accessible to the owner only."""
    for missing in reversed([place for place in (folder, *folder.parents) if not place.exists()]):
        missing.mkdir(exist_ok=True, mode=0o700)


def open_private(path: str, flags: int) -> int:
    """For `open(..., opener=open_private)`: new files are accessible to the owner only."""
    return os.open(path, flags, 0o600)


def unusable(folder: Path, error: OSError) -> str:
    """The message for people when the data folder cannot be created or written."""
    why, cure = error.strerror or str(error), "let this user write to it"
    if folder.exists() and not folder.is_dir():
        why, cure = "it is a file", "move it"
    elif error.errno in (errno.ENOSPC, errno.EDQUOT):
        cure = "make room for it"
    return (
        f"The data folder {folder} cannot be used ({why}): {cure}, or name another one in"
        " WORKBENCH_DATA_DIR."
    )


def run_path(folder: Path) -> Path:
    return folder / "run.json"


def token_path(folder: Path) -> Path:
    return folder / "token"


def models_dir(folder: Path) -> Path:
    """Where models are installed, each in a folder of its name."""
    return folder / "models"


def read_run_file(folder: Path) -> RunFile | None:
    """The run file of the data folder; None if it is missing or unreadable."""
    try:
        return RunFile.model_validate_json(run_path(folder).read_bytes())
    except (OSError, ValidationError):
        return None


def read_token(folder: Path) -> str | None:
    """The access token: `WORKBENCH_API_KEY`, else the token file; None without either."""
    given = os.environ.get("WORKBENCH_API_KEY")
    if given:
        return given
    try:
        return token_path(folder).read_text("utf-8").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Makes the data folder if it is missing and locks it for a backend or a restore; the system
    releases the lock however the process ends. Removes what an interrupted restore has left there.

    BlockingIOError if another process has locked it, any other OSError if it cannot be used.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with open(folder / "lock", "w", opener=open_private) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except PermissionError as error:  # what some file systems answer instead
            raise BlockingIOError(error.errno, error.strerror) from error
        shutil.rmtree(restore_folder(folder), ignore_errors=True)
        yield


def restore_folder(folder: Path) -> Path:
    """Where a restore unpacks while it has locked the data folder."""
    return folder / ".restore"
