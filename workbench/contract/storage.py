"""The results of a check of the server's storage, and its repairs."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class StorageCheck(BaseModel):
    """What to check besides the database, the presence of files, and the indexes."""

    model_config = ConfigDict(extra="forbid")

    repair: bool = Field(default=False, description="Repair what can be repaired.")
    read_files: bool = Field(
        default=False, description="Read every file and compare its SHA-256, which takes longer."
    )


class StorageFault(BaseModel):
    """A fault. If it was not `repaired`, follow the `advice`."""

    part: Literal["database", "files", "index"]
    subject: str = Field(description="A file's SHA-256, a DocSet's id, or a table.")
    found: str
    repaired: bool = False
    advice: str = ""


class StorageReport(BaseModel):
    """How much was checked, and all faults."""

    documents: int
    files: int
    docsets: int
    faults: list[StorageFault]
