"""Identifiers. Those of other services are accepted as opaque text.

An id is `wb:<mark>-<26 letters and digits>`; the marks are listed in `Mark`. 130 random bits
make ids unique and unguessable.
"""

import secrets
from typing import Literal

Mark = Literal["a", "ds", "f", "t", "call", "c", "q", "k"]
"""a account, ds DocSet, f document, t task, call HTTP call, c parsed content, q query run, k token
(its record, not the secret)."""

_DIGITS = 26
_DIGIT_OF_BYTE = b"0123456789abcdefghjkmnpqrstvwxyz" * 8
"""Maps bytes to the 32 digits, each equally often."""


def new_id(mark: Mark) -> str:
    """A fresh id, for instance `wb:ds-4v0k…`."""
    return f"wb:{mark}-{secrets.token_bytes(_DIGITS).translate(_DIGIT_OF_BYTE).decode()}"


def element_id(doc_id: str, ordinal: int) -> str:
    """The id of the element at place `ordinal` (from 0) of a document.

    It is derived rather than stored, so that a cloned document, which shares its parsed content
    with the original, still has element ids of its own.
    """
    return f"{doc_id.replace(':f-', ':e-')}-{ordinal}"
