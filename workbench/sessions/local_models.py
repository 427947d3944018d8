"""Language models on this machine, behind servers that speak the OpenAI protocol.

Asks the usual loopback ports for their models, with a short timeout and bypassing any proxy. The
responses are not trusted: they may come from any program, so anything but a small plain answer is
ignored.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

USUAL_PORTS: Mapping[str, int] = {"Ollama": 11434, "LM Studio": 1234, "llama.cpp": 8080}
_SECONDS = 1.0
_MOST_BYTES = 256 * 1024
_MOST_MODELS = 50
_LONGEST_NAME = 200
_NOT_FOR_CHAT = ("embed", "rerank", "whisper", "bge-", "minilm", "clip")
"""Parts of the names of models that write nothing."""


@dataclass(frozen=True)
class LocalModel:
    """A model that writes, at a server of this machine."""

    server: str
    url: str
    model: str

    @property
    def setting(self) -> str:
        """The lines of the settings file that select it."""
        # The strings of JSON are strings of TOML.
        url, model = (json.dumps(text, ensure_ascii=False) for text in (self.url, self.model))
        return f"[models.chat]\nurl = {url}\nmodel = {model}"


async def local_models(ports: Mapping[str, int] = USUAL_PORTS) -> list[LocalModel]:
    """The models of all servers that answer, in the order of the ports; never raises."""
    per_server = await asyncio.gather(*(_models_at(name, port) for name, port in ports.items()))
    return [model for models in per_server for model in models]


async def _models_at(server: str, port: int) -> list[LocalModel]:
    import httpx  # users who only open the settings do not wait for it

    url = f"http://127.0.0.1:{port}/v1"
    body = b""
    try:
        async with (
            asyncio.timeout(_SECONDS),
            httpx.AsyncClient(trust_env=False, follow_redirects=False) as client,
            client.stream("GET", f"{url}/models") as answer,
        ):
            if answer.status_code != 200:
                return []
            async for piece in answer.aiter_bytes():
                body += piece
                if len(body) > _MOST_BYTES:
                    return []
        names = _names(json.loads(body))
    except (httpx.HTTPError, TimeoutError, ValueError, RecursionError):
        return []
    return [LocalModel(server, url, name) for name in names]


def _names(answer: Any) -> list[str]:
    """The names of models that write; none of an answer of another form."""
    listed = answer.get("data") if isinstance(answer, dict) else None
    items = listed if isinstance(listed, list) else []
    names = [item.get("id") for item in items[:_MOST_MODELS] if isinstance(item, dict)]
    return [name for name in names if isinstance(name, str) and _is_for_chat(name)]


def _is_for_chat(name: str) -> bool:
    plain = 0 < len(name) <= _LONGEST_NAME and name.isprintable()
    return plain and not any(part in name.lower() for part in _NOT_FOR_CHAT)
