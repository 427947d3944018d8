"""A call to the service as a command line for a shell."""

import json
import shlex
from collections.abc import Mapping
from typing import Any


def curl(base_url: str, path: str, body: Mapping[str, Any]) -> str:
    """The token is left to the shell: it does not belong on a clipboard."""
    data = shlex.quote(json.dumps(body, ensure_ascii=False))
    return (
        f"curl -sS -X POST {shlex.quote(base_url + path)} \\\n"
        '  -H "Authorization: Bearer $WORKBENCH_API_KEY" \\\n'
        "  -H 'Content-Type: application/json' \\\n"
        f"  -d {data}\n"
    )
