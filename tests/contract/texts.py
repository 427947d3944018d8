"""The documents that the tests of the contract add."""

from typing import Any

_REPORT = """# Incident {number}

State: {state}

Injuries: {injuries}

The crane struck the gantry while unloading in strong wind.
"""

INCIDENTS = {
    f"report-{number}.md": _REPORT.format(number=number, state=state, injuries=injuries)
    for number, (state, injuries) in enumerate([("Ohio", 0), ("Texas", 2), ("Texas", 5)])
}
SCHEMA: dict[str, Any] = {
    "properties": [
        {"name": "state", "field_type": "string", "description": "Where it happened"},
        {"name": "injuries", "field_type": "int", "description": "People hurt"},
    ]
}
TABLE = "# A table\n\nSome text.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
LONG = "a line of text that goes on\n\n" * 60_000
"""Takes seconds to partition."""
