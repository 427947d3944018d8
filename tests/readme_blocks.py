"""The parts of the README that are made from the code.

`python -m tests.readme_blocks` writes them; a test compares.
"""

from pathlib import Path

from backend.settings import Settings
from workbench.cli import COMMANDS

README = Path(__file__).parent.parent / "README.md"


def settings_table() -> str:
    """Each setting with its environment name, its default and its text."""
    lines = ["| setting | default | meaning |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = "" if field.default_factory else _shown(field.default)
        text = " ".join((field.description or "").split())
        lines.append(f"| `WORKBENCH_{name.upper()}` | {default} | {text} |")
    return "\n".join(lines)


def commands_table() -> str:
    """Each command with its sentence."""
    lines = ["| command | what it does |", "|---|---|", "| `workbench` | open the app |"]
    lines += [f"| `workbench {command.name}` | {command.sentence} |" for command in COMMANDS]
    return "\n".join(lines)


def _shown(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(f"`{item}`" for item in value)
    return f"`{value}`"


BLOCKS = {"settings": settings_table, "commands": commands_table}


def written(text: str) -> str:
    """The README with its blocks as the code has them now."""
    for name, block in BLOCKS.items():
        begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n{block()}\n{end}{rest.partition(end)[2]}"
    return text


if __name__ == "__main__":
    README.write_text(written(README.read_text()))
