"""What a check of the server's storage finds, and what it mended."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class StorageCheck(BaseModel):
    """What is to be looked at beside the database, the presence of files and the indexes."""

    model_config = ConfigDict(extra="forbid")

    repair: bool = Field(default=False, description="Mend what can be mended.")
    read_files: bool = Field(
        default=False, description="Read every file and compare its SHA-256; takes as long."
    )


class StorageFault(BaseModel):
    """One thing that is not as it should be. What is not `repaired` needs the `advice`."""

    part: Literal["database", "files", "index"]
    subject: str = Field(description="A file's SHA-256, a DocSet's id, or a table.")
    found: str
    repaired: bool = False
    advice: str = ""


class StorageReport(BaseModel):
    """How much was looked at, and all that was found."""

    documents: int
    files: int
    docsets: int
    faults: list[StorageFault]
