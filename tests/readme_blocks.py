"""The parts of the README that are made from the code.

`python -m tests.readme_blocks` writes them; a test compares.
"""

from pathlib import Path
from typing import get_args

from pydantic import BaseModel

from backend.settings import Models, Settings
from tests.readme_sessions import sessions_block
from tests.readme_why import why_block
from workbench.commands.catalogue import COMMANDS

README = Path(__file__).parent.parent / "README.md"


def settings_table() -> str:
    """Each setting with its environment name, its default and its text."""
    lines = ["| setting | default | meaning |", "|---|---|---|"]
    lines += _rows("WORKBENCH_", Settings)
    return "\n".join(lines)


def models_table() -> str:
    """Each setting of an endpoint; `chat` and the others differ only where their texts say so."""
    lines = ["| setting of a model | default | meaning |", "|---|---|---|"]
    told: set[str] = set()
    for kind, field in Models.model_fields.items():
        name = f"WORKBENCH_MODELS__{kind.upper()}"
        lines.append(f"| `{name}__…` |  | {field.description} |")
        (block,) = (part for part in get_args(field.annotation) if part is not type(None))
        fresh = [row for row in _rows("…__", block) if row not in told]
        told.update(fresh)
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


BLOCKS = {
    "commands": commands_table,
    "why": why_block,
    "sessions": sessions_block,
    "settings": settings_table,
    "models": models_table,
}


def written(text: str) -> str:
    """The README with its blocks as the code has them now."""
    for name, block in BLOCKS.items():
        begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n{block()}\n{end}{rest.partition(end)[2]}"
    return text


if __name__ == "__main__":
    README.write_text(written(README.read_text()))
