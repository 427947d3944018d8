"""Names on disk: a new file survives a power cut only when its folder has been written as well."""

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Returns when what the folder names is on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
