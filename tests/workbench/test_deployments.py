"""The guide's files for Docker Compose and Kubernetes keep to the schemas of these programs,
and hold settings and commands that exist.
"""

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
import yaml

from backend.settings import Settings
from workbench.commands.running import parsed
from workbench.guide import page

RELEASE = "1.33"  # of Kubernetes
_OPERATORS = {"ray.io", "postgresql.cnpg.io"}
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
    assert words[0] == "workbench"
    parsed(words[1:])


def pods(value: Any) -> Iterator[dict[str, Any]]:
    """All pods that an object of Kubernetes makes, as objects of their own."""
    if isinstance(value, dict):
        if "spec" in (template := value.get("template", {})):
            yield {"apiVersion": "v1", "kind": "Pod", **template}
        for inner in value.values():
            yield from pods(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from pods(inner)


def assert_accepted(thing: dict[str, Any]) -> None:
    """Kubernetes takes this object and knows each of its fields."""
    import kubernetes_validate  # late: every collection of tests would pay its second and a half

    try:
        kubernetes_validate.validate(thing, RELEASE, strict=True)
    except kubernetes_validate.ValidationError as error:
        pytest.fail(f"{thing['kind']}: {list(error.path)}: {error.message}")


def test_compose_takes_its_file() -> None:
    import jsonschema  # late, as above

    place = files("check_jsonschema").joinpath("builtin_schemas/vendor/compose-spec.json")
    schema = json.loads(place.read_text("utf-8"))
    jsonschema.validate(yaml.safe_load(COMPOSE), schema)
    for wrong in ("  head:\n    imagee: x", "  head:\n    ports: 8000"):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(yaml.safe_load(f"services:\n{wrong}"), schema)


def test_kubernetes_takes_its_objects_and_the_pods_of_its_operators() -> None:
    own = [one for one in objects() if one["apiVersion"].partition("/")[0] not in _OPERATORS]
    kinds = {"Secret", "ConfigMap", "Deployment", "Service", "NetworkPolicy"}
    assert {one["kind"] for one in own} == kinds
    made = [pod for one in objects() for pod in pods(one)]
    assert len(made) == 3
    for one in (*own, *made):
        assert_accepted(one)
    for wrong in ({"imagee": "x"}, {"resources": {"limits": {"memory": ["2Gi"]}}}):
        made[0]["spec"]["containers"][0] |= wrong
        with pytest.raises(pytest.fail.Exception, match="Pod"):
            assert_accepted(made[0])


def test_only_the_nodes_and_servers_reach_the_ports_of_ray_in_kubernetes() -> None:
    (policy,) = (one["spec"] for one in objects() if one["kind"] == "NetworkPolicy")
    among_each_other, from_elsewhere = policy["ingress"]
    assert among_each_other == {"from": [{"podSelector": policy["podSelector"]}]}
    (server,) = (one for one in containers(objects()) if one["name"] == "server")
    assert from_elsewhere == {"ports": [{"port": int(server["command"][-1])}]}
    wanted = policy["podSelector"]["matchLabels"].items()
    made = [pod for one in objects() for pod in pods(one)]
    assert len(made) == 3 and all(wanted <= pod["metadata"]["labels"].items() for pod in made)


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
