"""Selects the fields of a result: RFC 9535 paths, or bare names as callers write them.

Selected fields keep their nesting, and selected array items their order. Paths that match nothing
add nothing.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

import re2
from jsonpath_rfc9535 import JSONPathEnvironment, JSONPathError, JSONPathQuery
from jsonpath_rfc9535.function_extensions import ExpressionType, FilterFunction

from backend.language.words import IN_NAMES
from workbench.contract.errors import Invalid
from workbench.contract.wire import composed

MAX_NODES = 20_000
"""Values that the paths of one search may select in one result."""

_NAME: Final = re.compile(rf"""[{IN_NAMES}]+|"[^"]+"|'[^']+'""")
_BARE: Final = re.compile(rf"(?:{_NAME.pattern})(?:\.(?:{_NAME.pattern}))*")
# Every descent or filter inside another multiplies the work.
_MOST_DESCENTS = 2
_MOST_FILTERS = 1


class _LinearMatch(FilterFunction):
    """`match` and `search` on RE2 in linear time; the library's own backtrack."""

    arg_types = [ExpressionType.VALUE, ExpressionType.VALUE]  # noqa: RUF012  (the library's form)
    return_type = ExpressionType.LOGICAL

    def __init__(self, whole: bool) -> None:
        self._whole = whole
        self._options = re2.Options()
        self._options.log_errors = False

    def __call__(self, value: object, pattern: object) -> bool:
        if not isinstance(value, str) or not isinstance(pattern, str):
            return False
        try:
            compiled = re2.compile(pattern, self._options)
        except re2.error:
            return False
        matched = compiled.fullmatch(value) if self._whole else compiled.search(value)
        return matched is not None


class _Environment(JSONPathEnvironment):
    max_recursion_depth = 64

    def setup_function_extensions(self) -> None:
        super().setup_function_extensions()
        self.function_extensions["match"] = _LinearMatch(whole=True)
        self.function_extensions["search"] = _LinearMatch(whole=False)


_ENVIRONMENT: Final = _Environment()


class Projection:
    """Compiled paths. None keeps everything."""

    def __init__(self, include_fields: Sequence[str] | None) -> None:
        """Invalid, at body.include_fields, for a malformed path."""
        self._paths: list[JSONPathQuery] | None = None
        if include_fields is not None:
            self._paths = [_compiled(path, place) for place, path in enumerate(include_fields)]
        self._written = include_fields or ()

    def may_touch(self, field: str) -> bool:
        """Whether a top-level field may be selected; true is always safe."""
        return self._paths is None or any(
            field in path or "*" in path or ".." in path or "?" in path for path in self._written
        )

    def of(self, result: dict[str, Any]) -> dict[str, Any]:
        """The selected fields of a result."""
        if self._paths is None:
            return result
        kept: dict[str | int, Any] = {}
        left = MAX_NODES
        for path in self._paths:
            try:
                for node in path.finditer(result):
                    left -= 1
                    if left < 0:
                        raise _wrong(f"the paths select more than {MAX_NODES} values of one result")
                    _put(kept, node.location, node.value)
            except JSONPathError as error:
                raise _wrong(str(error)) from error
        listed = _lists(kept)
        return listed if isinstance(listed, dict) else {}


class _Whole:
    """Wraps a selected value, to distinguish it from a branch that leads to one."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _put(kept: dict[str | int, Any], location: tuple[str | int, ...], value: Any) -> None:
    if not location:
        kept.update({name: _Whole(inner) for name, inner in dict(value).items()})
        return
    branch = kept
    for step in location[:-1]:
        inner = branch.setdefault(step, {})
        if isinstance(inner, _Whole):
            return
        branch = inner
    branch[location[-1]] = _Whole(value)


def _lists(branch: Any) -> Any:
    if isinstance(branch, _Whole):
        return branch.value
    if branch and all(isinstance(step, int) for step in branch):
        return [_lists(branch[place]) for place in sorted(branch)]
    return {name: _lists(inner) for name, inner in branch.items()}


def _compiled(path: str, place: int) -> JSONPathQuery:
    if path.count("..") > _MOST_DESCENTS or path.count("?") > _MOST_FILTERS:
        raise _wrong(
            f"a path may have {_MOST_DESCENTS} descents (..) and {_MOST_FILTERS} filter (?)",
            place,
        )
    try:
        return _ENVIRONMENT.compile(_rooted(composed(path.strip())))
    except (JSONPathError, RecursionError, ValueError, OverflowError) as error:
        raise _wrong(f"{path!r} is not a valid path: {error}", place) from error


def _rooted(path: str) -> str:
    """Turns a bare name into a path from the root."""
    if path.startswith("$"):
        return path
    if _BARE.fullmatch(path):
        names = [name.strip("\"'") for name in _NAME.findall(path)]
        return "$" + "".join(f"[{json.dumps(name, ensure_ascii=False)}]" for name in names)
    return f"$.{path}"


def _wrong(reason: str, place: int | None = None) -> Invalid:
    loc: list[str | int] = ["body", "include_fields"]
    return Invalid.at(loc if place is None else [*loc, place], reason, "jsonpath_error")
