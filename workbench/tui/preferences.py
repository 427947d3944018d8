"""Reads the app's part of the settings file (theme, pictures, server, keys) and writes it back.

The file belongs to the whole product. Only single lines of `[app]` are written; everything else in
it, including comments, is unchanged.
"""

import json
import os
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from workbench.tui.keys import read_keymap
from workbench.tui.themes import DARK, THEMES
from workbench.whole_files import whole_file

PICTURES = ("auto", "kitty", "sixel", "halfblock", "boxes")
DENSITIES = ("compact", "comfortable")


@dataclass
class Preferences:
    """`problems` are sentences about entries that could not be used."""

    theme: str = DARK.name
    pictures: str = "auto"
    """How pages are drawn: `kitty` or `sixel` graphics, `halfblock` pictures, plain `boxes`, or the
    best of them that the terminal answers for.
    """
    auto_run: bool = True
    """Whether plans that take less than half a second run by themselves."""
    density: str = "compact"
    """The spacing of list rows: `compact`, or `comfortable` with a blank line between."""
    server: str | None = None
    """Address of a server to use in place of the bundled one."""
    token: str | None = None
    """Access token of that server."""
    keymap: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def settings_path() -> Path:
    """The settings file, as `workbench.contract.location.settings_file` names it.

    Repeated here because that module loads pydantic, which would delay the first paint.
    """
    named = os.environ.get("WORKBENCH_SETTINGS")
    return Path(named) if named else user_config_path("docset-workbench") / "settings.toml"


def read_preferences(path: Path) -> Preferences:
    """The preferences in that file; the defaults if it is missing or unreadable."""
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return Preferences()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return Preferences(problems=[f"{path} cannot be read ({error}); defaults are used."])
    app = table.get("app", {})
    preferences = Preferences()
    preferences.keymap, preferences.problems = read_keymap(table.get("keys", {}))
    named: tuple[tuple[str, tuple[str, ...] | None], ...] = (
        ("theme", None), ("pictures", PICTURES), ("density", DENSITIES), ("server", None),
    )  # fmt: skip
    for name, allowed in named:
        value = app.get(name)
        if value is None or value == "":
            continue
        if not isinstance(value, str) or (allowed and value not in allowed):
            choice = f"; choose one of {', '.join(allowed)}" if allowed else ""
            preferences.problems.append(f"[app] {name} = {value!r} cannot be used{choice}.")
        else:
            setattr(preferences, name, value)
    auto_run = app.get("auto_run", True)
    if isinstance(auto_run, bool):
        preferences.auto_run = auto_run
    else:
        preferences.problems.append(
            f"[app] auto_run = {auto_run!r} cannot be used; write true or false."
        )
    token = app.get("token")
    preferences.token = token if isinstance(token, str) and token else None
    if preferences.theme in ("dark", "light", "contrast"):
        preferences.theme = f"workbench-{preferences.theme}"
    return preferences


def write_preference(path: Path, name: str, value: str | bool | None) -> None:
    """Sets `name` in the `[app]` table of the file, or takes it out. Raises OSError."""
    _write(path, "app", name, value)


def write_model(path: Path, url: str, model: str) -> None:
    """Sets `[models.chat]` in the settings file. OSError also for another form of TOML."""
    text = path.read_text("utf-8") if path.exists() else ""
    try:
        tomllib.loads(with_value(text, "models.chat", "url", url))
    except tomllib.TOMLDecodeError:
        raise OSError("it already configures models in another form") from None
    _write(path, "models.chat", "url", url)
    _write(path, "models.chat", "model", model)


def write_key(path: Path, key_id: str, keys: str | None) -> None:
    """Sets or removes a command's keys in `[keys]` of the settings file. Raises OSError."""
    _write(path, "keys", key_id, keys)


def _write(path: Path, table: str, name: str, value: str | bool | None) -> None:
    from workbench.contract.location import (
        make_private,  # loads pydantic: not before the first paint
    )

    try:
        before = path.read_text("utf-8")
    except FileNotFoundError:
        before = ""
    after = with_value(before, table, name, value)
    make_private(path.parent)
    with whole_file(path, private=True) as file:
        file.write(after.encode())


def with_value(text: str, table: str, name: str, value: Any | None) -> str:
    """`text` with `name = value` in `[table]`; all other lines stay as they are."""
    lines = text.splitlines()
    quoted = json.dumps(name) if "." in name else name
    entry = [] if value is None else [f"{quoted} = {json.dumps(value, ensure_ascii=False)}"]
    start = next((i for i, row in enumerate(lines) if row.strip() == f"[{table}]"), None)
    if start is None:
        if entry:
            lines += [*([""] if lines else []), f"[{table}]", *entry]
        return "\n".join(lines) + "\n" if lines else ""
    end = next((i for i in range(start + 1, len(lines)) if lines[i].lstrip().startswith("[")), None)
    stop = len(lines) if end is None else end
    for index in range(start + 1, stop):
        if lines[index].partition("=")[0].strip() in (name, quoted):
            lines[index : index + 1] = entry
            return "\n".join(lines) + "\n"
    while stop > start + 1 and not lines[stop - 1].strip():
        stop -= 1
    lines[stop:stop] = entry
    return "\n".join(lines) + "\n"


def theme_names() -> list[str]:
    return [theme.name for theme in THEMES]
