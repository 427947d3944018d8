"""A server's report about itself in readable form: dates, sizes and kinds of files."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from workbench.formats import ago, value_words
from workbench.sessions.local_models import LocalModel
from workbench.tui.formats import byte_size, count, duration
from workbench.tui.lines import Line, Span, dim, line

_KINDS: tuple[tuple[str, str], ...] = (
    ("application/pdf", "PDF"),
    ("wordprocessingml", "Word"),
    ("msword", "Word"),
    ("presentationml", "PowerPoint"),
    ("ms-powerpoint", "PowerPoint"),
    ("spreadsheetml", "Excel"),
    ("ms-excel", "Excel"),
    ("x-sylk", "Excel"),
    ("opendocument", "OpenDocument"),
    ("rtf", "RTF"),
    ("epub", "EPUB"),
    ("html", "HTML"),
    ("image/", "pictures"),
    ("mathml", "MathML"),
    ("/xml", "XML"),
    ("markdown", "Markdown"),
    ("text/plain", "text"),
    ("text/csv", "CSV"),
    ("rfc822", "mail"),
    ("ms-outlook", "mail"),
)
_SIZES = frozenset({"max_upload", "max_body", "max_options", "worker_memory"})
_TIMES = frozenset({"worker_cpu_seconds", "worker_wall_seconds"})
_LONG = 6
_NAMES: Mapping[str, str] = {
    "ocr_languages": "scan languages",
    "stem_languages": "search languages",
    "embedding": "vectors",
    "embedding_providers": "available vectors",
    "chat_model": "language model",
    "vision_model": "picture model",
    "max_upload": "largest file",
    "max_body": "largest request",
    "max_options": "largest options",
    "max_open_tasks": "open tasks",
    "max_page_size": "rows per page",
    "submit_rate": "tasks per second",
    "worker_memory": "memory per worker",
    "worker_cpu_seconds": "CPU time per task",
    "worker_wall_seconds": "time per task",
    "result_hours": "results kept for",
    "pid": "process",
}
NAME_WIDTH = 20
"""Cells that a name takes, before its value begins."""


def server_lines(
    server: str, health: Mapping[str, Any], capabilities: Mapping[str, Any], now: float
) -> list[Line]:
    """The report of a `server` at `now` (Unix seconds); unknown parts have their own names."""
    known = dict(capabilities)
    limits = known.pop("limits", None) or {}
    version = known.pop("version", None) or health.get("version")
    formats = known.pop("formats", None) or ()
    lines = [_pair("address", server), _pair("version", value_words(version))]
    lines.append(_pair("state", value_words(health.get("status"))))
    if (started := health.get("started")) is not None:
        moment = f"{datetime.fromtimestamp(started):%Y-%m-%d %H:%M}"
        lines.append(_pair("started", f"{moment}, {ago(now - started)}"))
    shown = ("status", "version", "started")
    lines += [_entry(name, value) for name, value in health.items() if name not in shown]
    lines += [(), line(Span("Capabilities", "strong"))]
    if formats:
        lines.append(_pair("files", ", ".join(_file_kinds(formats))))
    long = {name: value for name, value in known.items() if _is_long(value)}
    lines += [_entry(name, value) for name, value in known.items() if name not in long]
    if limits:
        lines += [(), line(Span("Limits", "strong"))]
        lines += [_entry(name, value) for name, value in limits.items()]
    for name, value in long.items():
        words = _NAMES.get(name, name.replace("_", " "))
        lines += [(), line(Span(words.capitalize(), "strong"), dim(f"  {count(len(value))}"))]
        lines.append(line(", ".join(str(item).replace("_", " ") for item in value)))
    return lines


_BY_ITSELF = {"worker_cpu_seconds": "by size and pages"}
"""Defaults that the server computes for unset values."""


def _is_long(value: Any) -> bool:
    return isinstance(value, list) and len(value) > _LONG


def _entry(name: str, value: Any) -> Line:
    words = _NAMES.get(name, name.replace("_", " "))
    if value is None:
        return _pair(words, _BY_ITSELF.get(name) or ("no limit" if name in _TIMES else "none"))
    if name in _SIZES:
        return _pair(words, byte_size(value))
    if name in _TIMES:
        return _pair(words, duration(value))
    if name == "result_hours":
        return _pair(words, duration(value * 3600))
    if isinstance(value, list):
        return _pair(words, ", ".join(str(item).replace("_", " ") for item in value))
    return _pair(words, value_words(value, name))


def _pair(name: str, value: str) -> Line:
    return line(dim(f"{name:<{NAME_WIDTH}} "), value)


def _file_kinds(types: Iterable[str]) -> list[str]:
    """The kinds of files behind media types, without duplicates; an unknown type is unchanged."""
    names = (
        next((name for part, name in _KINDS if part in media), media.rpartition("/")[2])
        for media in types
    )
    return list(dict.fromkeys(names))


def offer_lines(models: Sequence[LocalModel], settings_file: str) -> list[Line]:
    """The language models that run on this machine, and what to write to use the first."""
    servers = dict.fromkeys(f"{one.server} at {one.url}" for one in models)
    return [
        line(Span("A language model runs on this machine", "strong")),
        *(line(words) for words in servers),
        line(dim("Choose it at "), "model", dim(f", or write to {settings_file}:")),
        *(line(Span(text, "accent")) for text in models[0].setting.splitlines()),
    ]
