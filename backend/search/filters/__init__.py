"""The language of `properties_filter`: parsing to a typed tree, and evaluating the tree as SQL,
over columns, or in plain Python.

Owns grammar, semantics and error messages. Which properties exist is passed in by the caller.
"""

from backend.search.filters.columns import can_judge, fulfilling
from backend.search.filters.evaluate import matches
from backend.search.filters.names import bind
from backend.search.filters.parser import parse
from backend.search.filters.sql import to_sql
from backend.search.filters.tree import Expression, Path

__all__ = ["Expression", "Path", "bind", "can_judge", "fulfilling", "matches", "parse", "to_sql"]
