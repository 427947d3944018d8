"""The guide's files for Docker Compose and Kubernetes hold settings and commands that exist."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from backend.settings import Settings
from workbench.commands.running import command_parser
from workbench.guide import page

yaml = pytest.importorskip("yaml")
COMPOSE, KUBERNETES = re.findall(r"```yaml\n(.*?)```", page("past-one-machine"), re.DOTALL)


def objects() -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(KUBERNETES))


def containers(value: Any) -> Iterator[dict[str, Any]]:
    """All containers inside an object of Kubernetes."""
    if isinstance(value, dict):
        yield from value.get("containers", ())
        for inner in value.values():
            yield from containers(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from containers(inner)


def assert_settings(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The server takes these settings, and knows each of them."""
    for name, value in environment.items():
        assert isinstance(value, str), f"{name} is no text"
        if name.startswith("WORKBENCH_"):
            assert name.removeprefix("WORKBENCH_").lower() in Settings.model_fields, name
        monkeypatch.setenv(name, value)
    return Settings()


def assert_command(words: list[str]) -> None:
    program, command, *_ = words
    assert program == "workbench"
    command_parser(command).parse_args(words[1:])


def test_compose_starts_servers_and_workers_with_settings_that_hold(monkeypatch) -> None:
    body = yaml.safe_load(COMPOSE)
    services = body["services"]
    assert set(services) == {"database", "files", "head", "worker", "server"}
    for name in ("head", "worker", "server"):
        service = services[name]
        assert_command(service["command"])
        assert set(service["depends_on"]) <= set(services)
        settings = assert_settings(service["environment"], monkeypatch)
        assert settings.cluster_head == "head:6379" and settings.object_store is not None
    password = services["database"]["environment"]["POSTGRES_PASSWORD"]
    assert f":{password}@database/" in (settings.database_url or "")
    keys = services["files"]["environment"]
    assert keys["MINIO_ROOT_PASSWORD"] == services["server"]["environment"]["AWS_SECRET_ACCESS_KEY"]
    assert all(volume in body["volumes"] for volume in ("database", "files"))


def test_kubernetes_objects_name_each_other_and_settings_that_hold(monkeypatch) -> None:
    named = {(one["kind"], one["metadata"]["name"]): one for one in objects()}
    assert len(named) == len(objects()) and all("apiVersion" in one for one in objects())
    environment = (
        named["Secret", "workbench"]["stringData"] | named["ConfigMap", "workbench"]["data"]
    )
    made = [container for one in objects() for container in containers(one)]
    assert len(made) == 3
    for container in made:
        assert_command(container["command"])
        sources = [next(iter(source.items())) for source in container["envFrom"]]
        assert {(kind, ref["name"]) for kind, ref in sources} == {
            ("secretRef", "workbench"), ("configMapRef", "workbench"),
        }  # fmt: skip
        own = {one["name"]: one["value"] for one in container.get("env", ()) if "value" in one}
        settings = assert_settings(environment | own, monkeypatch)
    ray = named["RayCluster", "workbench"]["metadata"]["name"]
    assert settings.cluster_head == f"{ray}-head-svc:6379", "the service that KubeRay makes"
    assert "@database-rw/" in (settings.database_url or ""), "the service of CloudNativePG"
    probe = made[-1]["readinessProbe"]["httpGet"]
    assert probe["httpHeaders"][0]["value"] in json.loads(environment["WORKBENCH_ALLOWED_HOSTS"])
