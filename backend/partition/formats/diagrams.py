"""Diagrams of office documents (SmartArt): a picture and the words of its shapes as a list."""

from backend.partition.archive import Archive
from backend.partition.flow import Flow

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"


def read_into(flow: Flow, archive: Archive, part: str) -> None:
    """Adds the diagram whose data model is `part`; nothing without it."""
    if part not in archive:
        return
    shapes = archive.xml(part).iterfind(f"{_DGM}ptLst/{_DGM}pt")
    texts = ["".join(node.text or "" for node in shape.iter(f"{_A}t")) for shape in shapes]
    texts = [text for text in texts if text.strip()]
    if texts:
        flow.image("Diagram")
    for text in texts:
        flow.item(text)
