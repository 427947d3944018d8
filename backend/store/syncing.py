"""Folder fsync: a new file only survives a power cut once its folder is on disk too."""

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Returns when the folder's entries are on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
