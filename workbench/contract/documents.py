"""Document bodies: metadata, the document itself, and updates of its properties."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from workbench.contract.elements import StoredElement
from workbench.contract.wire import Correct, JsonValue

_REMARKS = (
    "Extension: parts of the file that could not be read, or were read in another way. Omitted if"
    " there are none."
)
_PAGES = "Extension: number of pages of the file; omitted if it is unknown."
Pages = Annotated[int | None, Field(exclude_if=lambda pages: pages is None, description=_PAGES)]
Remarks = Annotated[list[str], Field(exclude_if=lambda remarks: not remarks, description=_REMARKS)]


class DocumentMetadata(BaseModel):
    """A document as lists and Add Doc describe it. `size` is in bytes, `created_at` ISO 8601."""

    model_config = ConfigDict(extra="allow")

    account_id: str
    doc_id: str
    docset_id: str
    created_at: str
    name: str
    size: int
    content_type: str
    properties: dict[str, Any] | None = None
    remarks: Remarks = []
    pages: Pages = None


class Document(BaseModel):
    """A document with its elements. Extracted properties are under `properties.entity`.

    `binary_data` is the original file in base64, on request only.
    """

    id: str
    elements: list[StoredElement] = []
    properties: dict[str, Any] = {}
    remarks: Remarks = []
    binary_data: str | None = None


class ReplaceOperation(Correct):
    """One JSON-Patch replace; `path` is a JSON pointer from the document root."""

    op: Literal["replace"] = "replace"
    path: str = Field(max_length=2000, pattern="^/")
    value: JsonValue


class PropertyUpdates(Correct):
    """Body of the property update: all operations are applied, or none."""

    operations: list[ReplaceOperation] = Field(max_length=1000)
