"""DocSet bodies: metadata, creation, update, lists, and the answers of property jobs."""

from datetime import datetime
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import AfterValidator, AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

from workbench.contract.rereading import REREAD_AFTER_CORRECTIONS
from workbench.contract.schema import Schema
from workbench.contract.wire import Correct, Plain, PropertyName, Wire


def _few(prompts: object) -> object:
    # A dict reports a fault for each of its keys.
    if isinstance(prompts, dict) and len(prompts) > 10:
        raise ValueError("there are too many prompts")
    return prompts


Prompts = Annotated[dict[Literal["CHAT_SYSTEM"], str], BeforeValidator(_few)]


def _with_possible_settings(properties: dict[str, Any]) -> dict[str, Any]:
    reread = properties.get(REREAD_AFTER_CORRECTIONS)
    if reread is not None and not isinstance(reread, bool):
        raise ValueError(f"{REREAD_AFTER_CORRECTIONS} is true or false")
    limit = properties.get("confidence_limit")
    if limit is None:
        return properties
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not 0 <= limit <= 1:
        raise ValueError("confidence_limit is a number from 0 to 1")
    return properties


Properties = Annotated[dict[str, Any], AfterValidator(_with_possible_settings)]
"""Free properties of a DocSet; `confidence_limit` decides which values enter answers, and
`reread_after_corrections` whether corrections teach in the background.
"""


class DocSetMetadata(BaseModel):
    """A DocSet as the service describes it. `size` counts its documents."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True)

    account_id: str
    docset_id: str
    name: str
    created_at: datetime
    readonly: bool
    properties: dict[str, Any] | None = None
    size: int | None = None
    schema_: Schema | None = Field(default=None, alias="schema")
    prompts: Prompts = {}


def _not_blank(name: str) -> str:
    # Zero-width spaces and marks of direction are as invisible as blanks.
    if not any(letter.isprintable() and not letter.isspace() for letter in name):
        raise ValueError("a name cannot be blank")
    return name


Name = Annotated[str, Field(min_length=1, max_length=500), AfterValidator(_not_blank)]


class DocSetCreate(Correct):
    """Body of Create Docset. Explicit nulls mean the default."""

    model_config = ConfigDict(validate_by_name=True)

    name: Name
    properties: Properties | None = None
    schema_: Schema | None = Field(
        default=None, validation_alias=AliasChoices("schema", "query_schema")
    )
    prompts: Prompts | None = None
    embedding: str | None = Field(
        default=None,
        max_length=40,
        description="Extension: the embedding provider; the default is that of the settings.",
    )
    language: str | None = Field(
        default=None,
        max_length=20,
        description="Extension: the language of word stems in searches; default English, `none` "
        "for no stemming.",
    )


class DocSetUpdate(Correct):
    """Body of the update: null leaves a field unchanged, anything else replaces it."""

    model_config = ConfigDict(validate_by_name=True)

    name: Name | None = None
    properties: Properties | None = None
    schema_: Schema | None = Field(
        default=None, validation_alias=AliasChoices("schema", "query_schema")
    )
    prompts: Prompts | None = None


class SuggestRequest(Correct):
    """Body of suggest-properties: the sample of documents, and the existing schema.

    `instructions` is an extension: wishes in plain words that add, keep or drop properties.
    """

    doc_ids: Plain[str] | None = Field(default=None, max_length=10_000)
    sample_ratio: float | None = Field(default=None, ge=0, le=1)
    existing_schema: Schema | None = None
    instructions: str | None = Field(default=None, max_length=2_000)


class DocumentGroup(Wire):
    """Documents of one kind in the sample: words that most of them share and the others lack, and
    the names of the properties suggested for them.
    """

    words: list[str]
    doc_ids: list[str]
    properties: list[str]


class SuggestedSchema(Schema):
    """Answer of suggest-properties. `groups` is an extension: if the documents seem to be
    of several kinds, a group for each kind, the largest first; otherwise empty.
    """

    groups: list[DocumentGroup] = Field(default=[])


class PropertyNames(Correct):
    """Body of delete-properties."""

    names: Plain[PropertyName] = Field(min_length=1, max_length=500)


class JobResult(BaseModel):
    """Answer of a property job: 0 if all documents were processed."""

    exit_status: int


Item = TypeVar("Item", bound=BaseModel)


class Page(BaseModel, Generic[Item]):
    """One page of a list. `next_page_token` is null on the last page."""

    items: list[Item]
    next_page_token: str | None = None
