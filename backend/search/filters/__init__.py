"""The language of `properties_filter`: text to a typed tree, and the tree to SQL, to a mask over
columns, or to a verdict in Python.

Owns grammar, meaning and error messages. Refuses to know which documents exist: known names are
handed in.
"""

from backend.search.filters.columns import can_judge, fulfilling
from backend.search.filters.evaluate import matches
from backend.search.filters.names import bind
from backend.search.filters.parser import parse
from backend.search.filters.sql import to_sql
from backend.search.filters.tree import Expression, Path

__all__ = ["Expression", "Path", "bind", "can_judge", "fulfilling", "matches", "parse", "to_sql"]
