"""Reads arrays from the safetensors format: a JSON index, then their bytes."""

import json
import struct
from typing import Any

import numpy as np
import numpy.typing as npt

_TYPES = {"F16": "<f2", "F32": "<f4", "I64": "<i8"}


def tensors(data: bytes) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a file by name. Raises ValueError or KeyError for another format."""
    if len(data) < 8:
        raise ValueError("the file is too short")
    (length,) = struct.unpack_from("<Q", data)
    index = json.loads(data[8 : 8 + length])
    index.pop("__metadata__", None)
    return {name: _array(data, 8 + length, entry) for name, entry in index.items()}


def _array(data: bytes, base: int, entry: dict[str, Any]) -> npt.NDArray[Any]:
    start, stop = entry["data_offsets"]
    content = memoryview(data)[base + start : base + stop]
    return np.frombuffer(content, _TYPES[entry["dtype"]]).reshape(entry["shape"])
