"""The OpenAPI document: adds what the framework cannot know about the routes.

Bodies that the framework does not parse, the credential, statuses other than the usual refusals,
and the mark of extensions.
"""

from collections.abc import Collection
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from starlette.responses import JSONResponse

from workbench.contract.errors import DetailBody, ValidationBody

_ABOUT = """\
Documents in named collections (DocSets): partitioned into typed elements, with properties
extracted from them, searched, and questioned by query plans. Operations marked `x-extension` are
additions of this server; all others are those of the common interface. Every answer carries the
header `x-aryn-call-id`.
"""
_FILE = {
    "type": "object",
    "properties": {
        "file": {"type": "string", "format": "binary", "description": "The document."},
        "file_url": {
            "type": "string",
            "maxLength": 8192,
            "description": "Where to fetch it from instead.",
        },
        "options": {
            "type": "string",
            "description": (
                "Partition options, a JSON object as text. Additions of this server: "
                "`word_boxes` in `text_extraction_options` adds `words` to elements and cells; "
                "`merge_continued` in `table_extraction_options` makes one table of parts that "
                "otherwise name the table with their head in the property `continued_from`."
            ),
        },
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
# OpenAPI has no body for GET; the same names are read from the query string.
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

EXTENSIONS = "/v1/workbench"
"""The prefix of the paths that are not in the public specification."""
_SCHEMAS = "#/components/schemas/{model}"


def refusal(description: str, body: type[BaseModel] = DetailBody) -> dict[str, Any]:
    """A response of a route, with a body of that type.

    Refers to the schema by name: given the type, the framework would build a validator for each
    route and status, a quarter of a second of every start.
    """
    schema = {"$ref": _SCHEMAS.format(model=body.__name__)}
    return {"description": description, "content": {"application/json": {"schema": schema}}}


FILE_BYTES = {"type": "string", "format": "binary"}
_ANY_FILE = {"*/*": {"schema": FILE_BYTES}}
RANGES: dict[int | str, dict[str, Any]] = {
    200: {"description": "The whole file, with its own content type.", "content": _ANY_FILE},
    206: {"description": "The requested range.", "content": _ANY_FILE},
    304: {"description": "The caller has this file: If-None-Match names its ETag."},
    416: refusal("No such range, or more than one."),
}


def events(*names: str) -> dict[int | str, dict[str, Any]]:
    """The answer of an operation that sends server-sent events of these names."""
    event = {
        "type": "object",
        "properties": {
            "event": {"type": "string", "enum": list(names)},
            "data": {"type": "string"},
            "id": {"type": "string"},
        },
        "required": ["event", "data"],
    }
    description = "The answer, or server-sent events: the schema describes one event."
    return {200: {"description": description, "content": {"text/event-stream": {"schema": event}}}}


def operation_id(route: APIRoute) -> str:
    """The name of an operation in generated clients: its summary in words joined by `_`."""
    return (route.summary or route.name).lower().replace(" ", "_").replace("-", "_")


def install(app: FastAPI, path: str, *, open_paths: Collection[str]) -> None:
    """Serves the document at that path; it is built on the first request."""

    # A plain function: building the document takes part of a second, in a thread.
    @app.get(path, include_in_schema=False)
    def openapi() -> JSONResponse:
        if app.openapi_schema is None:
            app.openapi_schema = _text(app, open_paths)
        return JSONResponse(app.openapi_schema)


def _text(app: FastAPI, open_paths: Collection[str]) -> dict[str, Any]:
    """The framework's document with the credential and the header of every answer."""
    document = get_openapi(
        title=app.title, version=app.version, description=_ABOUT, routes=app.routes
    )
    components = document.setdefault("components", {})
    _, refusals = models_json_schema(
        [(DetailBody, "serialization"), (ValidationBody, "serialization")], ref_template=_SCHEMAS
    )
    components["schemas"] = refusals["$defs"] | components.get("schemas", {})
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    components["headers"] = {
        "CallId": {"description": "The id of this call.", "schema": {"type": "string"}}
    }
    document["security"] = [{"token": []}]
    for path, operations in document["paths"].items():
        for operation in operations.values():
            if path.startswith(EXTENSIONS):
                operation["x-extension"] = True
            if path in open_paths:
                operation["security"] = []
            for response in operation["responses"].values():
                call = {"x-aryn-call-id": {"$ref": "#/components/headers/CallId"}}
                response["headers"] = {**response.get("headers", {}), **call}
    return document
