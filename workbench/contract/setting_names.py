"""The names of the backend's settings, and the detection of unknown ones.

The backend reports a misspelt name in its log, and `workbench doctor`, which knows nothing of the
backend, on the screen. A test compares the list with the settings themselves.
"""

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path

SETTING_NAMES = frozenset(
    {
        "allow_private_fetch",
        "allowed_hosts",
        "api_key",
        "blob_cache",
        "blob_url",
        "cluster",
        "confidence_limit",
        "data_dir",
        "database_url",
        "embedding",
        "embedding_cache",
        "failpoints",
        "fetch_seconds",
        "host",
        "idle_seconds",
        "log_format",
        "log_level",
        "max_body",
        "max_open_tasks",
        "max_options",
        "max_pages",
        "max_upload",
        "models",
        "node_memory",
        "places",
        "port",
        "request_seconds",
        "result_hours",
        "run_memory",
        "run_rows",
        "run_seconds",
        "shards",
        "shards_from",
        "submit_rate",
        "webhook_secret",
        "worker_cpu_seconds",
        "worker_memory",
        "worker_wall_seconds",
        "workers",
    }
)
_PREFIX = "WORKBENCH_"
_OF_THE_APP = ("app", "keys")
"""Tables of the same file that the terminal app reads."""
_WHERE_THE_FILE_IS = "WORKBENCH_SETTINGS"


def unknown_settings(file: Path, environment: Mapping[str, str]) -> list[str]:
    """A sentence for each name in the settings file or variables that is no setting."""
    try:
        table = tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        table = {}
    names = [name for name in table if name not in SETTING_NAMES and name not in _OF_THE_APP]
    variables = [
        name
        for name in environment
        if name.startswith(_PREFIX)
        and name != _WHERE_THE_FILE_IS
        and _bare(name).partition("__")[0] not in SETTING_NAMES
    ]
    return [*(f"{file}: {_sentence(name)}" for name in names), *map(_sentence, variables)]


def _sentence(name: str) -> str:
    near = get_close_matches(_bare(name), sorted(SETTING_NAMES), n=1)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"{name} is not a setting and has no effect.{meant}"


def _bare(name: str) -> str:
    """The name of a variable in the file: `WORKBENCH_DATA_DIR` is `data_dir`."""
    return name.removeprefix(_PREFIX).lower()
