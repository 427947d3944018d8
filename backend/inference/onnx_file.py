"""Writes ONNX files, as far as our own graph needs the format.

An ONNX file is one protocol-buffer message. Writing its few field types here avoids the onnx
package (31 MB with dependencies); onnxruntime, which reads the file, does not need it. Field
numbers are those of the format's `onnx.proto`.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

Attribute = int | float | str
Axes = Sequence[str | int]

MICROSOFT = "com.microsoft"
"""The domain of onnxruntime's own operators."""

_IR_VERSION = 9
_OPERATORS = 18
_KINDS = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7}
_VARINT, _BYTES, _FIXED32 = 0, 2, 5


class Graph:
    """A graph built node by node; values are identified by name."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []
        self._count = 0

    def constant(self, array: npt.NDArray[np.generic]) -> str:
        """Adds a constant and returns its name."""
        name = self._name()
        dims = b"".join(_number(1, size) for size in array.shape)
        data = np.ascontiguousarray(array).tobytes()
        tensor = dims + _number(2, _KINDS[array.dtype.name]) + _text(8, name) + _field(9, data)
        self._constants.append(_field(5, tensor))
        return name

    def node(self, kind: str, *inputs: str, domain: str = "", **attributes: Attribute) -> str:
        """Adds an operator with one output and returns its name; an input "" is omitted."""
        return self.split(kind, 1, *inputs, domain=domain, **attributes)[0]

    def split(
        self, kind: str, count: int, *inputs: str, domain: str = "", **attributes: Attribute
    ) -> list[str]:
        """Adds an operator with `count` outputs."""
        names = [self._name() for _ in range(count)]
        node = b"".join(_text(1, name) for name in inputs)
        node += b"".join(_text(2, name) for name in names)
        node += _text(4, kind) + b"".join(_attributes(attributes)) + _text(7, domain)
        self._nodes.append(_field(1, node))
        return names

    def model(
        self, inputs: Mapping[str, tuple[str, Axes]], outputs: Mapping[str, tuple[str, Axes]]
    ) -> bytes:
        """The file. Inputs and outputs by name: number type, and axes by size or name."""
        graph = b"".join(self._nodes) + _text(2, "graph") + b"".join(self._constants)
        graph += b"".join(_field(11, _value(name, *of)) for name, of in inputs.items())
        graph += b"".join(_field(12, _value(name, *of)) for name, of in outputs.items())
        model = _number(1, _IR_VERSION) + _field(7, graph)
        for domain, version in (("", _OPERATORS), (MICROSOFT, 1)):
            model += _field(8, _text(1, domain) + _number(2, version))
        return model

    def _name(self) -> str:
        self._count += 1
        return f"v{self._count}"


def _attributes(attributes: Mapping[str, Attribute]) -> Iterable[bytes]:
    for name, value in attributes.items():
        match value:
            case int():
                encoded = _number(3, value) + _number(20, 2)
            case float():
                encoded = _key(2, _FIXED32) + np.float32(value).tobytes() + _number(20, 1)
            case str():
                encoded = _text(4, value) + _number(20, 3)
        yield _field(5, _text(1, name) + encoded)


def _value(name: str, kind: str, axes: Axes) -> bytes:
    shape = b"".join(
        _field(1, _text(2, axis) if isinstance(axis, str) else _number(1, axis)) for axis in axes
    )
    tensor = _number(1, _KINDS[kind]) + _field(2, shape)
    return _text(1, name) + _field(2, _field(1, tensor))


def _key(number: int, wire: int) -> bytes:
    return _varint(number << 3 | wire)


def _number(number: int, value: int) -> bytes:
    return _key(number, _VARINT) + _varint(value & 2**64 - 1)


def _text(number: int, value: str) -> bytes:
    return _field(number, value.encode())


def _field(number: int, data: bytes) -> bytes:
    return _key(number, _BYTES) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)
