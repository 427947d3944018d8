"""The elements of a document as one byte string, the form in which workers get them.

This is a separate module, because a process that parses hostile files imports no database code.
"""

import json
import zlib
from typing import Any

from workbench.contract.elements import Element

PICTURE = "binary_representation"
"""Properties are read from text; pictures would only fill the pipe to the worker."""


def unpacked_elements(packed: bytes) -> list[Element]:
    """The elements of a document, possibly compressed, without pictures."""
    text = packed if packed.startswith(b"[") else zlib.decompress(packed)
    wire: list[dict[str, Any]] = json.loads(text)
    for element in wire:
        element.pop(PICTURE, None)
    return [Element.model_validate(element) for element in wire]
