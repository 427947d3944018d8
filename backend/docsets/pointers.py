"""JSON pointers (RFC 6901) and the only patch operation of the interface: replace (RFC 6902)."""

from typing import Any

from workbench.contract.wire import composed


class BadPointer(ValueError):
    """The text is not a JSON pointer, or points to nothing."""


def parse(pointer: str) -> list[str]:
    """The unescaped parts: `/a~1b/0` gives `["a/b", "0"]`."""
    if not pointer.startswith("/"):
        raise BadPointer(f"{pointer!r} is not a JSON pointer: it must begin with a slash.")
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]


def replace(root: Any, pointer: str, value: Any) -> None:
    """Replaces the value at a pointer in place. BadPointer when there is none."""
    *way, last = parse(pointer)
    target = root
    for part in way:
        target = target[_key(target, part, pointer)]
    target[_key(target, last, pointer)] = value


def _key(target: Any, part: str, pointer: str) -> Any:
    if isinstance(target, dict):
        for name in (part, composed(part)):
            if name in target:
                return name
    digits = part.isascii() and part.isdigit() and (part == "0" or part[0] != "0")
    # No list is that long; Python refuses to parse numbers of thousands of digits.
    if isinstance(target, list) and digits and len(part) < 10 and int(part) < len(target):
        return int(part)
    raise BadPointer(f"There is nothing at {pointer!r} to replace.")
