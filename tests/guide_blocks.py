"""The parts of the guide that are made from the code.

`python -m tests.guide_blocks` writes them; a test compares.
"""

from pathlib import Path
from typing import get_args

from pydantic import BaseModel

from backend.settings import Models, Settings
from tests.guide_reference import reference
from tests.readme_sessions import sessions_block
from tests.readme_why import why_block
from workbench.commands.catalogue import COMMANDS
from workbench.tui.keys import KEYS

ROOT = Path(__file__).parent.parent
GUIDE = ROOT / "workbench" / "guide"


def settings_table() -> str:
    """Each setting with its environment name, its default and its text."""
    lines = ["| setting | default | meaning |", "|---|---|---|"]
    lines += _rows("WORKBENCH_", Settings)
    return "\n".join(lines)


def models_table() -> str:
    """Each setting of an endpoint; `chat` and the others differ only where their texts say so."""
    lines = ["| setting of a model | default | meaning |", "|---|---|---|"]
    names: set[str] = set()
    for kind, field in Models.model_fields.items():
        name = f"WORKBENCH_MODELS__{kind.upper()}"
        lines.append(f"| `{name}__…` |  | {field.description} |")
        (block,) = (part for part in get_args(field.annotation) if part is not type(None))
        fresh = [row for row in _rows("…__", block) if row not in names]
        names.update(fresh)
        lines += fresh
    return "\n".join(lines)


def _rows(prefix: str, block: type[BaseModel]) -> list[str]:
    rows = []
    for name, field in block.model_fields.items():
        default = "" if field.is_required() or field.default_factory else _shown(field.default)
        text = " ".join((field.description or "").split())
        rows.append(f"| `{prefix}{name.upper()}` | {default} | {text} |")
    return rows


def commands_table() -> str:
    """Each command with its sentence."""
    lines = ["| command | what it does |", "|---|---|", "| `workbench` | open the app |"]
    lines += [f"| `workbench {command.name}` | {command.sentence} |" for command in COMMANDS]
    return "\n".join(lines)


def _shown(value: object) -> str:
    if value is None or isinstance(value, BaseModel):
        return ""
    if isinstance(value, list):
        return ", ".join(f"`{item}`" for item in value)
    return f"`{value}`"


def keys_table() -> str:
    """Every key of the app, by the place where it works."""
    lines = ["| where | key | what it does |", "|---|---|---|"]
    for place, keys in KEYS.items():
        for key in keys:
            names = " or ".join(f"`{_key(name)}`" for name in key.keys.split(","))
            lines.append(f"| {place} | {names} | {key.tooltip} |")
    return "\n".join(lines)


def _key(name: str) -> str:
    """A key as printed on the keyboard."""
    names = {
        "question_mark": "?", "slash": "/", "left_square_bracket": "[",
        "right_square_bracket": "]", "space": "Space", "escape": "Esc", "enter": "Enter",
    }  # fmt: skip
    return names.get(name, name.replace("ctrl+", "Ctrl+"))


BLOCKS = {
    "commands": ("command-line", commands_table),
    "why": ("search", why_block),
    "sessions": ("questions", sessions_block),
    "settings": ("settings", settings_table),
    "models": ("settings", models_table),
    "keys": ("terminal", keys_table),
    "reference": ("reference", reference),
}
"""Each block with its page and what makes it."""


def written(page: str, text: str) -> str:
    """A page with its blocks as the code has them now."""
    for name, (of, block) in BLOCKS.items():
        if of == page:
            begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
            before, _, rest = text.partition(begin)
            text = f"{before}{begin}\n{block()}\n{end}{rest.partition(end)[2]}"
    return text


def main() -> None:
    for page in dict.fromkeys(of for of, _ in BLOCKS.values()):
        path = GUIDE / f"{page}.md"
        path.write_text(written(page, path.read_text()))


if __name__ == "__main__":
    main()
