"""The wire types of the service and the pure laws of those types.

Owns every body that crosses HTTP, one file per section of the interface, and what can be decided
from those bodies alone (canonical form, validation and difference of plans). Knows
nothing of storage, computation or display: it imports nothing else of this project, so client and
backend share it.
"""
