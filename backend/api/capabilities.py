"""Bodies about the server itself: health and capabilities."""

from typing import Literal

from pydantic import BaseModel, Field


class Health(BaseModel):
    """`started` is in seconds since 1970, `places` how many documents can be worked on at once.

    `waits_for` says what keeps tasks waiting although the server answers.
    """

    status: Literal["ok"]
    version: str
    pid: int
    started: float
    places: int
    waits_for: list[str]


class Ready(BaseModel):
    """The backend accepts work; `waits_for` says what keeps it waiting."""

    status: Literal["ready"]
    waits_for: list[str]


class Limits(BaseModel):
    """The limits in force, named as their settings; sizes in bytes, times in seconds."""

    max_upload: int
    max_body: int
    max_options: int
    max_open_tasks: int
    max_page_size: int = 1000
    submit_rate: float
    workers: int
    worker_memory: int
    worker_cpu_seconds: int | None
    worker_wall_seconds: int
    result_hours: float


class Capabilities(BaseModel):
    """What a server can do. Formats are content types; pages count from 1 in all formats."""

    version: str
    formats: list[str]
    ocr_languages: list[str]
    stem_languages: list[str] = Field(description="Languages that a new DocSet may name.")
    embedding: str = Field(description="Provider of vectors for new DocSets.")
    embedding_providers: list[str]
    chat_model: str | None = Field(description="The language model that helps, if one is set.")
    vision_model: str | None = Field(description="The model that describes pictures, if one is.")
    limits: Limits
