"""The settings of the backend, in one typed object; each field's text is its documentation.

Read from a TOML file and from the environment, which wins. The file is `settings.toml` in the
platform's configuration folder, or the one named by `WORKBENCH_SETTINGS`. Environment names are
the field names in capitals behind `WORKBENCH_`; two underscores lead into a table, so that
`[models.chat] url` in the file is `WORKBENCH_MODELS__CHAT__URL`.
"""

import os
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from workbench.contract.location import data_dir, models_dir, settings_file

_MIB = 2**20
_OBJECT_STORES = ("s3://", "gs://", "az://")


class Endpoint(BaseModel):
    """A server that speaks the OpenAI protocol, on this machine or hosted, and a model it has."""

    # A wrong name here would leave a limit or a key without effect.
    model_config = ConfigDict(
        extra="forbid", use_attribute_docstrings=True, protected_namespaces=()
    )

    url: str
    """Base address with its version, such as `http://127.0.0.1:11434/v1`."""

    model: str = Field(min_length=1)
    """The model's name, as the endpoint spells it."""

    key: SecretStr | None = None
    """The endpoint's key. It is sent to that address only and never shown or logged."""

    seconds: float = Field(default=60.0, gt=0)
    """Longest wait for one answer."""

    at_once: int = Field(default=4, ge=1, le=64)
    """Requests under way at once, of all tasks together."""

    @field_validator("url")
    @classmethod
    def _plain_address(cls, value: str) -> str:
        """The address appears in logs and on screens, so it must not carry a secret."""
        url = urlsplit(value)
        if url.scheme not in ("http", "https") or not url.hostname:
            raise ValueError("the address must begin with http:// or https:// and name a host")
        if "@" in url.netloc or url.query or url.fragment:
            raise ValueError("the address must hold no user, query or fragment; a key goes in key")
        return value.rstrip("/")


class LanguageEndpoint(Endpoint):
    """An endpoint whose model writes: for chat, or for looking at pictures."""

    output: Literal["schema", "tool", "text"] = "schema"
    """How typed answers are asked for: a JSON `schema`, a `tool` call, or `text` with the schema in
    the instructions, for models that know neither."""

    context: int = Field(default=16_000, ge=1_000)
    """Tokens that one request may have, the answer included."""

    answer: int = Field(default=4_000, ge=100)
    """Tokens that one answer may have."""

    task_tokens: int = Field(default=2_000_000, ge=1)
    """Tokens that one task may spend; what is left then is done without the model."""

    task_seconds: float = Field(default=3_600.0, gt=0)
    """Time that one task may spend on the model; what is left then is done without it."""

    input_price: float | None = Field(default=None, ge=0)
    """What a million tokens sent cost, in any currency; with `output_price` the cost is shown."""

    output_price: float | None = Field(default=None, ge=0)
    """What a million tokens received cost."""


class EmbeddingEndpoint(Endpoint):
    """An endpoint whose model makes vectors of texts."""

    dimensions: int | None = Field(default=None, ge=1, le=16_384)
    """Length of the vectors to ask for, where the model can be asked; else what it makes."""


class Models(BaseModel):
    """Models behind an endpoint. Each is optional: without one the built-in engines do the work."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    chat: LanguageEndpoint | None = None
    """The language model that helps with properties, plans and summaries."""

    vision: LanguageEndpoint | None = None
    """The model that describes pictures where `summarize_images` asks for it."""

    embedding: EmbeddingEndpoint | None = None
    """The model of the embedding provider `endpoint`: texts of documents are sent to it."""


class Settings(BaseSettings):
    """Everything that can be set. Sizes are bytes, times seconds unless said otherwise."""

    model_config = SettingsConfigDict(
        env_prefix="WORKBENCH_",
        env_nested_delimiter="__",
        extra="ignore",
        use_attribute_docstrings=True,
        hide_input_in_errors=True,  # it may be a key
    )

    data_dir: Path = Field(default_factory=data_dir)
    """Folder of the database, the files, the indexes, the token and the run file."""

    host: str = "127.0.0.1"
    """Address to listen on. Any other than loopback opens your documents to the network."""

    port: int = Field(default=0, ge=0, le=65535)
    """Port to listen on; 0 takes any free one and writes it to the run file."""

    allowed_hosts: list[str] = ["127.0.0.1", "localhost", "[::1]", "::1"]
    """Host names that requests may carry; others are refused, which stops web pages that rebind."""

    api_key: str | None = None
    """The access token. Without one it is made at the first start, in `token` (mode 0600). Servers
    that share a database need the same."""

    database_url: str | None = None
    """SQLAlchemy URL of the database; the default is a SQLite file in the data folder."""

    blob_url: str | None = None
    """Where original files are kept: a `file://` folder (default: in the data folder), or an
    object store, `s3://`, `gs://` or `az://` with bucket and prefix (needs the extra `cluster`)."""

    blob_cache: int = Field(default=10 * 2**30, ge=100 * _MIB)
    """Bytes of originals that this machine keeps at hand when they are in an object store."""

    workers: int = Field(default_factory=lambda: max(1, os.cpu_count() or 1), ge=1, le=64)
    """How many documents are worked on at once, each in a process of its own."""

    cluster: str | None = None
    """The cluster that works on documents in place of this machine: `ray:HOST:PORT` of its head.
    It needs the extra `cluster` and a `blob_url` that all machines can reach."""

    places: str = "1-64"
    """Least and most jobs that one server runs on the cluster at once; an autoscaler follows."""

    node_memory: int = Field(default=512 * _MIB, ge=100 * _MIB)
    """Shared memory of a node of the cluster, through which results travel."""

    worker_memory: int = Field(default=832 * _MIB, ge=256 * _MIB)
    """Memory that the work on one document may take beyond the worker's own; each further worker
    may add a quarter of it."""

    worker_cpu_seconds: int | None = Field(default=None, ge=1)
    """Processor time that the work on one document may take. Without one it goes by the document:
    a minute, one more for each megabyte and 16 s for each page, at most an hour."""

    worker_wall_seconds: int = Field(default=7200, ge=1)
    """Time that the work on one document may take by the clock."""

    max_upload: int = Field(default=512 * _MIB, ge=1)
    """Largest body of an upload."""

    max_body: int = Field(default=2 * _MIB, ge=1)
    """Largest JSON body."""

    max_pages: int = Field(default=20_000, ge=1)
    """Pages of a PDF or picture; one with more is refused before any of them is read."""

    max_options: int = Field(default=_MIB, ge=1)
    """Largest `options` string."""

    max_open_tasks: int = Field(default=1000, ge=1)
    """Open tasks per account; one more is answered with 429."""

    submit_rate: float = Field(default=200.0, gt=0)
    """Submissions per second and account, in bursts of up to twice as many; then comes a 429."""

    run_rows: int = Field(default=1_000_000, ge=1)
    """Rows that a step of a query may make out of arrays."""

    run_memory: int = Field(default=256 * _MIB, ge=_MIB)
    """Memory that one run of a query may take for such rows; an answer in one piece may have a
    quarter of it."""

    run_seconds: float = Field(default=600.0, gt=0)
    """Time that one run of a query may take."""

    request_seconds: float = Field(default=60.0, gt=0)
    """Time that a search, a sentence about a plan, or the check of a plan may take; a language
    model may add to it what it takes."""

    result_hours: float = Field(default=48.0, gt=0)
    """How long results of finished tasks are kept."""

    fetch_seconds: float = Field(default=120.0, gt=0)
    """Time that fetching a file from an address may take in all."""

    allow_private_fetch: bool = False
    """Whether file_url and webhooks may point to loopback and private addresses."""

    webhook_secret: str | None = None
    """Key that signs webhooks, as Standard Webhooks does (HMAC-SHA256); unsigned without one."""

    idle_seconds: float = Field(default=900.0, gt=0)
    """A backend started by the app ends by itself after this long without requests or tasks."""

    confidence_limit: float = Field(default=0.5, ge=0, le=1)
    """Least confidence of a value that answers use; what is below is counted as doubtful. A DocSet
    may have a limit of its own, in its properties as `confidence_limit`."""

    embedding: str = "static"
    """Provider of vectors for new DocSets: `static` (built in), `minilm` (after `workbench models
    install minilm`), `endpoint` (the one of `models.embedding`) or `none`."""

    embedding_cache: int = Field(default=100_000, ge=0)
    """How many vectors of `minilm` and `endpoint` are kept for texts that come again."""

    models: Models = Models()
    """Models behind an endpoint; see the table below."""

    failpoints: str = ""
    """For tests alone: places at which the backend kills itself; see backend.store.failpoints."""

    log_level: str = "INFO"
    """How much is logged: DEBUG, INFO, WARNING or ERROR."""

    log_format: Literal["text", "json"] = "text"
    """Lines for people, or one JSON object a line."""

    @field_validator("host")
    @classmethod
    def _an_address(cls, value: str) -> str:
        """A blank one would mean every address of the machine."""
        if not value.strip():
            raise ValueError("it must be an address of this machine, such as 127.0.0.1")
        return value.strip()

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, value: str | None) -> str | None:
        if value and not value.startswith(("sqlite:///", "postgresql+psycopg://")):
            raise ValueError("it must begin with postgresql+psycopg:// or sqlite:///")
        return value

    @field_validator("api_key")
    @classmethod
    def _a_key(cls, value: str | None) -> str | None:
        """A blank one would open the server to whoever sends none."""
        if value is not None and (not value.strip() or not value.isprintable()):
            raise ValueError("a token is printable and not blank; leave it out to have one made")
        return value

    @field_validator("log_level")
    @classmethod
    def _known_level(cls, value: str) -> str:
        if value.upper() not in ("DEBUG", "INFO", "WARNING", "ERROR"):
            raise ValueError("it must be DEBUG, INFO, WARNING or ERROR")
        return value

    @field_validator("cluster")
    @classmethod
    def _known_cluster(cls, value: str | None) -> str | None:
        if value:
            engine, _, head = value.partition(":")
            host, _, port = head.rpartition(":")
            if engine != "ray" or not host or not port.isdigit():
                raise ValueError("it must be ray:HOST:PORT, such as ray:10.0.0.1:6379")
        return value

    @field_validator("places")
    @classmethod
    def _a_range(cls, value: str) -> str:
        least, dash, most = value.partition("-")
        if not (dash and least.isdigit() and most.isdigit() and int(least) <= int(most) > 0):
            raise ValueError("it must be LEAST-MOST, such as 0-50")
        return value

    @field_validator("blob_url")
    @classmethod
    def _known_files(cls, value: str | None) -> str | None:
        known = ("file:///", *_OBJECT_STORES)
        if value and "://" in value and not value.startswith(known):
            raise ValueError(f"it must begin with {', '.join(known[:-1])} or {known[-1]}")
        return value

    @property
    def resolved_database_url(self) -> str:
        return self.database_url or f"sqlite:///{self.data_dir / 'workbench.sqlite'}"

    @property
    def cluster_head(self) -> str | None:
        """`HOST:PORT` of the head of the cluster, where there is one."""
        return self.cluster.removeprefix("ray:") if self.cluster else None

    @property
    def place_range(self) -> tuple[int, int]:
        """Least and most jobs that one server runs on the cluster at once."""
        least, _, most = self.places.partition("-")
        return int(least), int(most)

    @property
    def object_store(self) -> str | None:
        """The URL of the object store that keeps the originals, where one does."""
        url = self.blob_url or ""
        return url if url.startswith(_OBJECT_STORES) else None

    @property
    def blob_dir(self) -> Path:
        """The folder of originals on this machine: all of them, or those of the cache."""
        if self.object_store is not None:
            return self.data_dir / "blob_cache"
        if self.blob_url is None:
            return self.data_dir / "blobs"
        return Path(self.blob_url.removeprefix("file://"))

    @property
    def index_dir(self) -> Path:
        return self.data_dir / "indexes"

    @property
    def models_dir(self) -> Path:
        """Installed models, a folder each."""
        return models_dir(self.data_dir)

    @property
    def runs_dir(self) -> Path:
        """Outputs of query nodes, one Arrow file each."""
        return self.data_dir / "runs"

    @property
    def tables_dir(self) -> Path:
        """The properties of large DocSets as tables, for plans; copies that are made again."""
        return self.data_dir / "tables"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        file = TomlConfigSettingsSource(settings_cls, toml_file=settings_file())
        return init_settings, env_settings, file


def wrong(error: ValidationError | TOMLDecodeError | UnicodeDecodeError | OSError) -> str:
    """A line for each setting that is wrong; without its value, which may be a secret."""
    if not isinstance(error, ValidationError):
        why = error.strerror if isinstance(error, OSError) else error
        return f"The settings file {settings_file()} cannot be read: {why}."
    return "\n".join(
        f"The setting {'.'.join(map(str, fault['loc']))} is wrong:"
        f" {fault['msg'].removeprefix('Value error, ')}."
        for fault in error.errors(include_input=False)
    )
