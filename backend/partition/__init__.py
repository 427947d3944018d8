"""Bytes -> typed elements.

Owns everything between a file and its elements: format detection, a reader for each format, page
layout, tables, OCR, chunking and the Markdown and HTML forms. It is pure computation on one file
and is meant to run in a child process with limits on time and memory. It knows nothing of HTTP,
tasks, storage and the network.
"""

from backend.partition.document import PartitionFailure
from backend.partition.engine import Partition, partition
from backend.partition.html import to_html
from backend.partition.markdown import to_markdown
from backend.partition.rendering import render_page
from backend.partition.returned import as_pdf

__all__ = [
    "Partition",
    "PartitionFailure",
    "as_pdf",
    "partition",
    "render_page",
    "to_html",
    "to_markdown",
]
