"""Answers of the service as tables of data: Arrow first, Polars and pandas from it.

Owns which columns a hit, document, element, table, node output or trace becomes, their types, and
how they look in a notebook. Refuses to know where the answers came from: it is given them. The
data-frame packages are imported when a frame is asked for, never before.
"""

from workbench.frames.documents import Documents
from workbench.frames.elements import Elements
from workbench.frames.facets import Facets
from workbench.frames.frame import Frame
from workbench.frames.hits import Hits
from workbench.frames.runs import NodeOutput, Trace
from workbench.frames.tables import TableFrame

__all__ = ["Documents", "Elements", "Facets", "Frame", "Hits", "NodeOutput", "TableFrame", "Trace"]
