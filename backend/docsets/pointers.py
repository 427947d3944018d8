"""JSON pointers (RFC 6901) and the one patch operation the interface knows: replace (RFC 6902)."""

from typing import Any


class BadPointer(ValueError):
    """The pointer is not one, or there is nothing at its end to replace."""


def parse(pointer: str) -> list[str]:
    """The unescaped parts: `/a~1b/0` gives `["a/b", "0"]`."""
    if not pointer.startswith("/"):
        raise BadPointer(f"{pointer!r} is no JSON pointer: it must begin with a slash.")
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]


def replace(root: Any, pointer: str, value: Any) -> None:
    """Sets what the pointer names to `value`, in place. BadPointer when there is nothing."""
    *way, last = parse(pointer)
    target = root
    for part in way:
        target = target[_key(target, part, pointer)]
    target[_key(target, last, pointer)] = value


def _key(target: Any, part: str, pointer: str) -> Any:
    if isinstance(target, dict) and part in target:
        return part
    digits = part.isascii() and part.isdigit() and (part == "0" or part[0] != "0")
    # No list is so long; Python refuses to read numbers of thousands of digits.
    if isinstance(target, list) and digits and len(part) < 10 and int(part) < len(target):
        return int(part)
    raise BadPointer(f"There is nothing at {pointer!r} to replace.")
