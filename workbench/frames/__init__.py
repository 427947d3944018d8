"""Answers of the service as tables of data: Arrow first, then Polars and pandas from it.

Owns the columns and types of hits, documents, elements, tables, node outputs and traces, and how
they are displayed in a notebook. The answers themselves are passed in. Data-frame packages are only
imported when a frame is requested.
"""

from workbench.frames.documents import Documents
from workbench.frames.elements import Elements
from workbench.frames.facets import Facets
from workbench.frames.frame import Frame
from workbench.frames.hits import Hits
from workbench.frames.runs import NodeOutput, Trace
from workbench.frames.tables import TableFrame

__all__ = ["Documents", "Elements", "Facets", "Frame", "Hits", "NodeOutput", "TableFrame", "Trace"]
