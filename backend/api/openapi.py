"""What the OpenAPI text must be told by hand: bodies the framework does not read itself."""

from typing import Any

_FILE = {
    "type": "object",
    "properties": {
        "file": {"type": "string", "format": "binary", "description": "The document."},
        "file_url": {"type": "string", "description": "Where to fetch it instead."},
        "options": {"type": "string", "description": "Partition options, a JSON object as text."},
    },
}

UPLOAD: dict[str, Any] = {
    "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": _FILE}}}
}

_FLAGS = {
    "include_elements": True,
    "include_binary": False,
    "include_original_elements": False,
}

# OpenAPI knows no body on GET; the same names are read from the query string.
FORM_FLAGS: dict[str, Any] = {
    "parameters": [
        {
            "name": name,
            "in": "query",
            "required": False,
            "description": "Also read from a form-urlencoded body.",
            "schema": {"type": "boolean", "default": default},
        }
        for name, default in _FLAGS.items()
    ]
}

EXTENSION: dict[str, Any] = {"x-extension": True}
