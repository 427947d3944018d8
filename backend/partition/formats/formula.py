"""MathML files and OpenDocument formulas: each formula is an element."""

from backend.partition.archive import parse_xml
from backend.partition.document import Document, Request
from backend.partition.formats import mathematics
from backend.partition.formats.opendocument import source_of

_MATH = "{*}math"


def read(request: Request) -> Document:
    """A MathML text."""
    flow = request.flow
    for node in parse_xml(request.source.read_bytes(), flow.notes).iter(_MATH):
        flow.formula(mathematics.of_mathml(node))
    request.progress(1, 1)
    return Document(flow.elements)


def read_opendocument(request: Request) -> Document:
    """A formula in an OpenDocument file of its own."""
    flow = request.flow
    with source_of(request) as source:
        for node in source.root.iter(_MATH):
            flow.formula(mathematics.of_mathml(node))
    request.progress(1, 1)
    return Document(flow.elements)
