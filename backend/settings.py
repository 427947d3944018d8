"""The settings of the backend, in one typed object; each field's text is its documentation.

Read from a TOML file and from the environment, which wins. The file is `settings.toml` in the
platform's configuration folder, or the one named by `WORKBENCH_SETTINGS`. Environment names are
the field names in capitals behind `WORKBENCH_`; two underscores lead into a table, so that
`[models.chat] url` in the file is `WORKBENCH_MODELS__CHAT__URL`.
"""

import os
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import Literal, get_args
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)
from sqlalchemy.engine import make_url

from workbench.contract.location import data_dir, models_dir, settings_file

_MIB = 2**20
_MOST_BYTES = 2**50
_MOST_SECONDS = 10**9
"""More than the system's timers and limits accept would fail where they are set."""
_OBJECT_STORES = ("s3://", "gs://", "az://")


class Endpoint(BaseModel):
    """A server with an OpenAI-compatible API, local or hosted, and one of its models."""

    # A wrong name here would leave a limit or a key without effect.
    model_config = ConfigDict(
        extra="forbid", use_attribute_docstrings=True, protected_namespaces=()
    )

    url: str
    """Base address with its version, such as `http://127.0.0.1:11434/v1`."""

    model: str = Field(min_length=1)
    """The model's name, as the endpoint spells it."""

    key: SecretStr | None = None
    """The endpoint's key. It is sent only to that address, and never shown or logged."""

    seconds: float = Field(default=60.0, gt=0, le=_MOST_SECONDS)
    """Longest wait for an answer."""

    at_once: int = Field(default=4, ge=1, le=64)
    """Maximum number of concurrent requests of all tasks together."""

    @field_validator("key")
    @classmethod
    def _plain_key(cls, value: SecretStr | None) -> SecretStr | None:
        """It travels in a header, which has no other letters."""
        text = "" if value is None else value.get_secret_value()
        if not (text.isascii() and text.isprintable()):
            raise ValueError("a key has only ASCII characters and no line breaks")
        return value

    @field_validator("url")
    @classmethod
    def _plain_address(cls, value: str) -> str:
        """The address appears in logs and on screens, so it must not carry a secret."""
        url = urlsplit(value)
        if url.scheme not in ("http", "https") or not url.hostname:
            raise ValueError("the address must begin with http:// or https:// and name a host")
        if "@" in url.netloc or url.query or url.fragment:
            raise ValueError(
                "the address must have no user, query or fragment; the key belongs in `key`"
            )
        return value.rstrip("/")


class LanguageEndpoint(Endpoint):
    """An endpoint with a model for chat or for pictures."""

    output: Literal["schema", "tool", "text"] = "schema"
    """How structured answers are requested: a JSON `schema`, a `tool` call, or `text` with the
    schema in the instructions, for models without support for either."""

    context: int = Field(default=16_000, ge=1_000)
    """Maximum tokens of a request and its answer together."""

    answer: int = Field(default=4_000, ge=100)
    """Maximum tokens of an answer."""

    task_tokens: int = Field(default=2_000_000, ge=1)
    """Maximum tokens for a task; the rest of it is done without the model."""

    task_seconds: float = Field(default=3_600.0, gt=0, le=_MOST_SECONDS)
    """Maximum time that a task waits for the model; the rest of it is done without."""

    input_price: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """Price of a million input tokens, in any currency; with `output_price`, costs are shown."""

    output_price: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """Price of a million output tokens."""


class EmbeddingEndpoint(Endpoint):
    """An endpoint with an embedding model."""

    dimensions: int | None = Field(default=None, ge=1, le=16_384)
    """Length of the vectors to request from models with a choice; else the model's default."""


class Models(BaseModel):
    """Models behind an endpoint. All are optional; the built-in engines work without them."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    chat: LanguageEndpoint | None = None
    """The language model for help with properties, plans and summaries."""

    vision: LanguageEndpoint | None = None
    """The model that describes pictures, if `summarize_images` is set."""

    embedding: EmbeddingEndpoint | None = None
    """The model of the embedding provider `endpoint`. The texts of documents are sent to it."""


class Settings(BaseSettings):
    """All settings. Sizes are in bytes, times in seconds, unless another unit is given."""

    model_config = SettingsConfigDict(
        env_prefix="WORKBENCH_",
        env_nested_delimiter="__",
        extra="ignore",
        use_attribute_docstrings=True,
        hide_input_in_errors=True,  # it may be a key
    )

    data_dir: Path = Field(default_factory=data_dir)
    """Folder for the database, files, indexes, token and run file."""

    host: str = "127.0.0.1"
    """Address to listen on. Any address but loopback exposes your documents to the network."""

    port: int = Field(default=0, ge=0, le=65535)
    """Port to listen on; 0 means any free port, which is written to the run file."""

    allowed_hosts: list[str] = ["127.0.0.1", "localhost", "[::1]", "::1"]
    """Host names accepted in requests; others are refused, which prevents DNS rebinding."""

    api_key: str | None = None
    """The access token. The default is created at the first start, in the file `token` (mode 0600).
    Servers that share a database need the same token."""

    database_url: str | None = None
    """SQLAlchemy URL of the database; the default is a SQLite file in the data folder."""

    blob_url: str | None = None
    """Storage for original files: a `file://` folder (default: in the data folder), or an object
    store, `s3://`, `gs://` or `az://` with bucket and prefix (needs the extra `cluster`)."""

    blob_cache: int = Field(default=10 * 2**30, ge=100 * _MIB)
    """Size of this machine's cache of originals from an object store."""

    workers: int = Field(default_factory=lambda: max(1, os.cpu_count() or 1), ge=1, le=64)
    """Number of documents processed at once, each in its own process."""

    cluster: str | None = None
    """The cluster that works on documents in place of this machine: `ray:HOST:PORT` of its head.
    It needs the extra `cluster` and a `blob_url` that all machines can reach."""

    places: str = "1-64"
    """Minimum and maximum number of jobs on the cluster at once; an autoscaler follows."""

    node_memory: int = Field(default=512 * _MIB, ge=100 * _MIB, le=_MOST_BYTES)
    """Shared memory of a node of the cluster, through which results travel."""

    shards: int = Field(default=0, ge=0, le=1_000)
    """Number of shards in which the cluster keeps the indexes of large DocSets; 0 keeps them on
    each server."""

    shards_from: int = Field(default=50_000, ge=1)
    """Documents from which on a DocSet is searched in shards."""

    worker_memory: int = Field(default=832 * _MIB, ge=256 * _MIB, le=_MOST_BYTES)
    """Maximum memory for processing a document, beyond the worker's own; each further worker may
    add a quarter of it."""

    worker_cpu_seconds: int | None = Field(default=None, ge=1, le=_MOST_SECONDS)
    """Maximum processor time for a document. The default depends on the document: a minute, one
    more for each megabyte, and 16 s for each page, at most an hour."""

    worker_wall_seconds: int = Field(default=7200, ge=1, le=_MOST_SECONDS)
    """Maximum elapsed time for a document."""

    max_upload: int = Field(default=512 * _MIB, ge=1)
    """Maximum size of an upload."""

    max_body: int = Field(default=2 * _MIB, ge=1)
    """Maximum size of a JSON body."""

    max_pages: int = Field(default=20_000, ge=1)
    """Maximum number of pages of a PDF or picture; larger ones are refused before they are read."""

    max_options: int = Field(default=_MIB, ge=1)
    """Maximum size of the `options` string."""

    max_open_tasks: int = Field(default=1000, ge=1)
    """Maximum number of open tasks per account; further ones are refused with 429."""

    submit_rate: float = Field(default=200.0, gt=0, le=_MOST_SECONDS)
    """Maximum submissions per second and account, in bursts of up to twice as many; others are
    refused with 429."""

    run_rows: int = Field(default=1_000_000, ge=1)
    """Maximum number of rows that a step of a query may make from arrays."""

    run_memory: int = Field(default=256 * _MIB, ge=_MIB)
    """Maximum memory of a run for such rows; an answer in one piece may have a quarter of it."""

    run_seconds: float = Field(default=600.0, gt=0, le=_MOST_SECONDS)
    """Maximum time of a run of a query."""

    request_seconds: float = Field(default=60.0, gt=0, le=_MOST_SECONDS)
    """Maximum time of a search, of reading a sentence about a plan, and of checking a plan, besides
    the time of a language model."""

    result_hours: float = Field(default=48.0, gt=0, le=_MOST_SECONDS)
    """How long the results of finished tasks are kept, in hours."""

    fetch_seconds: float = Field(default=120.0, gt=0, le=_MOST_SECONDS)
    """Maximum time to fetch a file from an address."""

    allow_private_fetch: bool = False
    """Whether `file_url` and webhooks may use loopback and private addresses."""

    webhook_secret: str | None = None
    """Key that signs webhooks, as Standard Webhooks does (HMAC-SHA256); unsigned without one."""

    idle_seconds: float = Field(default=900.0, gt=0, le=_MOST_SECONDS)
    """A backend started by the app stops after this time without requests or tasks."""

    confidence_limit: float = Field(default=0.5, ge=0, le=1)
    """Minimum confidence of values in answers; others count as doubtful. A DocSet may have its own
    limit, in its properties as `confidence_limit`."""

    embedding: Literal["static", "minilm", "endpoint", "none"] = "static"
    """Provider of vectors for new DocSets: `static` (built in), `minilm` (after `workbench models
    install minilm`), `endpoint` (the one of `models.embedding`) or `none`."""

    embedding_cache: int = Field(default=100_000, ge=0)
    """Number of vectors of `minilm` and `endpoint` that are cached for recurring texts."""

    models: Models = Models()
    """Models behind an endpoint; see the table below."""

    failpoints: str = ""
    """For tests only: places at which the backend kills itself; see backend.store.failpoints."""

    log_level: str = "INFO"
    """Log level: DEBUG, INFO, WARNING or ERROR."""

    log_format: Literal["text", "json"] = "text"
    """Log lines for people, or one JSON object per line."""

    @field_validator("data_dir")
    @classmethod
    def _a_path(cls, value: Path) -> Path:
        if "\0" in str(value):
            raise ValueError("it must be the path of a folder")
        return value

    @field_validator("host")
    @classmethod
    def _an_address(cls, value: str) -> str:
        """A blank one would mean every address of the machine."""
        if not value.strip() or not value.isascii():
            raise ValueError("it must be an address of this machine, such as 127.0.0.1")
        return value.strip()

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, value: str | None) -> str | None:
        if value and not value.startswith(("sqlite:///", "postgresql+psycopg://")):
            raise ValueError("it must begin with postgresql+psycopg:// or sqlite:///")
        try:
            url = make_url(value) if value else None
        except ValueError:
            raise ValueError("its host or port cannot be read") from None
        if url and url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:"):
            raise ValueError("it must name a file: a database in memory is gone with its server")
        return value

    @field_validator("api_key")
    @classmethod
    def _a_key(cls, value: str | None) -> str | None:
        """A blank one would open the server to whoever sends none."""
        if value is not None and not (value.strip() and value.isprintable() and value.isascii()):
            raise ValueError(
                "a token is not blank and has only ASCII characters; omit it to have one created"
            )
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
        if value and value.startswith(_OBJECT_STORES) and not urlsplit(value).netloc:
            raise ValueError("it must name a bucket, such as s3://documents/originals")
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
        """Minimum and maximum number of jobs that one server runs on the cluster at once."""
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


Unusable = ValidationError | SettingsError | TOMLDecodeError | UnicodeDecodeError | OSError
UNUSABLE = get_args(Unusable)
"""What reading the settings raises when they are wrong; `wrong` says it in words."""


def wrong(error: Unusable) -> str:
    """A line for each setting that is wrong; without its value, which may be a secret."""
    if isinstance(error, SettingsError):
        return f"A setting of the environment is not written as JSON: {error}."
    if not isinstance(error, ValidationError):
        why = error.strerror if isinstance(error, OSError) else error
        return f"The settings file {settings_file()} cannot be read: {why}."
    return "\n".join(
        f"The setting {'.'.join(map(str, fault['loc']))} is wrong:"
        f" {fault['msg'].removeprefix('Value error, ')}."
        for fault in error.errors(include_input=False)
    )
