"""Lazy loading of a package's public names.

A package that imports everything it exports makes each module as slow to import as the slowest.
This module imports nothing itself: it is loaded with every command, before ctrl+c is handled.
"""

TYPE_CHECKING = False  # `typing` takes longer to load than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def deferred(package: str, names: "Mapping[str, str]") -> "Callable[[str], Any]":
    """The `__getattr__` of a package; `names` maps public names to the modules that define them."""

    def load(name: str) -> "Any":
        from importlib import import_module

        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(names[name]), name)
        setattr(import_module(package), name, value)
        return value

    return load
