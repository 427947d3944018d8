"""Opens the store of original files that the settings name: a folder or an object store."""

from backend.settings import Settings
from backend.store.blobs import BlobStore
from backend.store.database import UnusableDatabase


def open_blobs(settings: Settings, grace: float) -> BlobStore:
    """The store, which keeps new files for `grace` seconds. UnusableDatabase without its extra."""
    if settings.object_store is None:
        return BlobStore(settings.blob_dir, grace)
    try:
        from backend.store.object_blobs import ObjectBlobs
    except ModuleNotFoundError as error:
        raise UnusableDatabase(
            "An object store needs the extra `cluster`: pip install 'docset-workbench[cluster]'."
        ) from error
    room = settings.blob_cache
    return ObjectBlobs.at(settings.object_store, settings.blob_dir, grace=grace, room=room)
