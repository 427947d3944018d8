"""Identifiers: how ours are made. Those of other services are accepted as opaque text.

An id is `wb:<mark>-<26 letters and digits>`; the marks are listed in `Mark`. 130 random bits make
collisions unthinkable and ids unguessable.
"""

import secrets
from base64 import b32encode
from typing import Literal

Mark = Literal["a", "ds", "f", "t", "call", "c", "q", "k"]
"""a account, ds DocSet, f document, t task, call HTTP call, c parsed content, q query run, k token
(the record of it, not what is sent)."""

_ALPHABET = bytes.maketrans(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", b"0123456789abcdefghjkmnpqrstvwxyz"
)
_BYTES, _DIGITS = 17, 26


def new_id(mark: Mark) -> str:
    """A fresh id, for instance `wb:ds-4v0k…`."""
    digits = b32encode(secrets.token_bytes(_BYTES))[:_DIGITS]
    return f"wb:{mark}-{digits.translate(_ALPHABET).decode()}"


def element_id(doc_id: str, ordinal: int) -> str:
    """The id of the element at place `ordinal` (from 0) of a document.

    It is derived rather than stored, so that a cloned document, which shares its parsed content
    with the original, still has element ids of its own.
    """
    return f"{doc_id.replace(':f-', ':e-')}-{ordinal}"
