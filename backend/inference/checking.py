"""Checks the configured models and prints the results as JSON (run with `python -m`).

It is a separate process for `workbench doctor`, so that it reads the backend's settings without a
running backend. Each model gets one small question, for which a hosted model charges.
"""

import io
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Literal
from urllib.parse import urlsplit

from PIL import Image
from pydantic import BaseModel

from backend.inference.catalogue import models as list_models
from backend.inference.embeddings import ProviderFailed
from backend.inference.language import (
    Budget,
    ModelError,
    Picture,
    Question,
    T,
    Unreachable,
    WrongShape,
)
from backend.inference.language_line import language_model
from backend.inference.providers import Embedders
from backend.settings import UNUSABLE, EmbeddingEndpoint, LanguageEndpoint, Models, Settings, wrong

_TOKENS = 20_000
_SECONDS = 60.0


@dataclass(frozen=True)
class Checked:
    """The result for one model; `advice` says what to do when it does not work."""

    name: str
    ok: bool
    result: str
    advice: str = ""


class Sum(BaseModel):
    """The expected shape of the chat model's answer."""

    total: int


class Filled(BaseModel):
    """The expected shape of the vision model's answer."""

    colour: Literal["red", "green", "blue", "black", "white"]


def check(models: Models) -> Iterator[Checked]:
    """Checks each configured language model with a question."""
    if models.chat is None and models.vision is None:
        yield Checked("language model", True, "none set (not needed)")
    if models.chat is not None:
        adding = Question("Add the two numbers.", {"first": 19, "second": 23}, Sum, tries=2)
        yield _checked("chat model", models.chat, adding, Sum(total=42))
    if models.vision is not None:
        colour = Question("Which colour fills the picture?", {}, Filled, [_picture("red")], tries=2)
        yield _checked("vision model", models.vision, colour, Filled(colour="red"))


def check_vectors(settings: Settings) -> Iterator[Checked]:
    """Checks the embedding providers; an endpoint is asked for one vector."""
    embedders = Embedders(settings.models_dir, settings.models.embedding)
    providers = {model.name: model for model in list_models(embedders, settings.embedding)}
    ready = ", ".join(name for name, model in providers.items() if model.ready and name != "none")
    default = providers.get(settings.embedding)
    ok = default is not None and default.ready
    advice = "" if ok else f"{(default and default.detail) or 'There is no such model'}."
    yield Checked("vectors", ok, f"{settings.embedding} for new DocSets; ready: {ready}", advice)
    if settings.embedding != "static" and not (static := providers["static"]).ready:
        yield Checked("properties", False, "cannot be read", f"{static.detail}.")
    if settings.models.embedding is not None:
        yield _checked_endpoint(embedders, settings.models.embedding)
    embedders.close()


def _checked_endpoint(embedders: Embedders, endpoint: EmbeddingEndpoint) -> Checked:
    where = f"{endpoint.model} at {urlsplit(endpoint.url).netloc}"
    began = time.monotonic()
    try:
        vector = embedders.current("endpoint").embed(["vector"])[0]
    except ProviderFailed as error:
        advice = "Check [models.embedding] in the settings."
        return Checked("embedding model", False, f"{where}: {error.detail}", advice)
    took = time.monotonic() - began
    return Checked("embedding model", True, f"{where}: {len(vector)} numbers, {took:.1f} s")


def _checked(name: str, endpoint: LanguageEndpoint, question: Question[T], right: T) -> Checked:
    model = language_model(endpoint)
    assert model is not None
    where = f"{endpoint.model} at {urlsplit(endpoint.url).netloc}"
    began = time.monotonic()
    try:
        answer = model.ask(question, Budget(_TOKENS, _SECONDS))
    except ModelError as error:
        return Checked(name, False, f"{where}: {error.detail}", _advice(name, error))
    finally:
        model.close()
    took = f"{time.monotonic() - began:.1f} s, {answer.spent.text}"
    if answer.value != right:
        advice = "It responds, but its answer is wrong: do not rely on it."
        return Checked(name, True, f"{where}: typed answers, {took}", advice)
    return Checked(name, True, f"{where}: typed answers, {took}")


def _advice(name: str, error: ModelError) -> str:
    table = f"[models.{name.split()[0]}]"
    if isinstance(error, WrongShape):
        return f"Set another output in {table} of the settings: schema, tool or text."
    if isinstance(error, Unreachable):
        return f"Is it running? Its address is url in {table} of the settings."
    return f"Check {table} in the settings; without the model, rules do the work."


def _picture(colour: str) -> Picture:
    file = io.BytesIO()
    Image.new("RGB", (64, 64), colour).save(file, "PNG")
    return Picture(file.getvalue())


def main() -> int:
    """Prints a list of results; returns 1 with a message when the settings are invalid."""
    try:
        settings = Settings()
    except UNUSABLE as error:
        print(wrong(error), file=sys.stderr)
        return 1
    results = [*check_vectors(settings), *check(settings.models)]
    print(json.dumps([asdict(checked) for checked in results]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
