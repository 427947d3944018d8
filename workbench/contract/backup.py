"""The format of a backup: a tar file that any program can unpack.

    manifest.json       first: what this is, and the SHA-256 of the database
    workbench.sqlite    the database as it was at one moment
    blobs/ab/ab…        each original file, named by its SHA-256

It does not contain indexes, which are rebuilt from the database, outputs of old query runs,
settings, or the sessions of the apps. Of access tokens it contains the hashes, which a restore
leaves out unless it is asked for them.
"""

import re
from typing import Final, Literal

from pydantic import BaseModel

MANIFEST: Final = "manifest.json"
DATABASE: Final = "workbench.sqlite"
BLOB_NAME: Final = re.compile(r"blobs/([0-9a-f]{2})/(\1[0-9a-f]{62})")


class Manifest(BaseModel):
    """The contents of the backup. `created` is in seconds since 1970; `missing` counts files that
    the database names but that no longer exist.
    """

    format: Literal["docset-workbench backup 1"] = "docset-workbench backup 1"
    version: str
    layout: str
    created: float
    database_sha256: str
    database_bytes: int
    blobs: int
    missing: int = 0


def blob_name(digest: str) -> str:
    """The path in the archive of the file with that SHA-256."""
    return f"blobs/{digest[:2]}/{digest}"
