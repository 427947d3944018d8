"""PostgreSQL and the nodes of a cluster talk by TLS where the settings say so."""

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import OperationalError

from backend.search.shards.wire import packed
from backend.tasks.lines import Lines
from backend.tasks.outcomes import PlaceLost
from backend.tasks.ray_node import node_environment
from tests import network, postgresql_server
from tests.backend_process import BackendProcess
from tests.bench.processes import named
from tests.certificates import Certificate, certificate
from tests.ray_cluster import KEY, cluster
from tests.reliability.mixed_load import STORAGE
from tests.reliability.test_shared_cluster import (
    begin,
    new_docset,
    search,
    settings,
    state,
    until,
)

_ADDRESS = f"127.{100 + os.getpid() // 250 % 100}.{os.getpid() % 250}.9"


@pytest.fixture
def encrypted(tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database on a PostgreSQL that is reached by TLS only."""
    if (binaries := postgresql_server.programs()) is None:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    made = certificate(tmp_path / "certificates", _ADDRESS)
    listen = (_ADDRESS, f"{_ADDRESS}/32")
    with (
        postgresql_server.running(binaries, listen, made) as url,
        postgresql_server.database_on(url) as database,
    ):
        yield database


def test_a_server_talks_to_postgresql_by_tls_alone(encrypted: str, tmp_path: Path) -> None:
    server = BackendProcess(tmp_path / "a", {"database_url": encrypted, "workers": "1"}).start()
    with server.client() as http:
        sent = {"file": ("a.txt", "Some words.")}
        http.post(f"{STORAGE}/{new_docset(http)}/docs", files=sent).raise_for_status()
    connections = text(
        "SELECT count(*), bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    engine = create_engine(encrypted)
    with engine.connect() as connection:
        count, all_encrypted = connection.execute(connections).one()
    engine.dispose()
    server.stop()
    assert count >= 2 and all_encrypted, "one of them only listens for notices"


def test_a_server_refuses_a_database_with_another_certificate(
    encrypted: str, tmp_path: Path
) -> None:
    stranger = certificate(tmp_path / "stranger", _ADDRESS)
    url = make_url(encrypted).update_query_dict({"sslrootcert": str(stranger.authority)})
    with pytest.raises(OperationalError, match="certificate verify failed"):
        create_engine(url).connect()
    other = {"database_url": url.render_as_string(hide_password=False)}
    with pytest.raises(AssertionError, match="did not start"):
        BackendProcess(tmp_path / "a", other).start()


_HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
"""How a caller of gRPC begins."""


def _answer(head: str, made: Certificate, *, certified: bool, seconds: float = 0) -> bytes:
    """What the head answers by TLS; it is tried for some seconds."""
    host, _, port = head.rpartition(":")
    context = ssl.create_default_context(cafile=str(made.authority))
    context.set_alpn_protocols(["h2"])
    if certified:
        context.load_cert_chain(made.certificate, made.key)
    deadline = time.monotonic() + seconds
    while True:
        try:
            with (
                socket.create_connection((host, int(port)), timeout=10) as plain,
                context.wrap_socket(plain, server_hostname=host) as caller,
            ):
                caller.sendall(_HELLO)
                return caller.recv(100)
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


@pytest.mark.soak
def test_the_head_of_a_cluster_admits_only_callers_with_a_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray", reason="the extra `cluster` is not installed")
    made = certificate(tmp_path / "certificates", _ADDRESS)
    for name, value in made.settings.items():
        monkeypatch.setenv(name, value)
    with cluster(_ADDRESS) as ray:
        ray.begin(places=0)
        assert _answer(ray.head, made, certified=True, seconds=200)
        assert _answer(ray.head, made, certified=False) == b""
        host, _, port = ray.head.rpartition(":")
        with socket.create_connection((host, int(port)), timeout=10) as plain:
            plain.sendall(_HELLO)
            assert plain.recv(100) == b""


_SECRET = b"confidential"
_GUIDE = Path(__file__).parents[2] / "workbench" / "guide" / "past-one-machine.md"


def _certificates_of_the_guide(folder: Path, addresses: list[str]) -> None:
    """Runs the commands of the guide that make certificates, for these machines."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    (commands,) = re.findall(r"```sh\n(openssl .*?)```", _GUIDE.read_text(), re.DOTALL)
    (machines,) = re.findall(r"for address in (.*?); do", commands)
    folder.mkdir()
    own = commands.replace(machines, " ".join(addresses))
    subprocess.run(["sh", "-ec", own], cwd=folder, check=True, capture_output=True)


def test_the_commands_of_the_guide_make_a_certificate_for_each_machine(tmp_path: Path) -> None:
    addresses = ["10.0.0.7", "10.0.0.8"]
    _certificates_of_the_guide(tmp_path / "made", addresses)
    for address in addresses:
        command = ["openssl", "verify", "-CAfile", "ca.pem", "-verify_ip", address]
        subprocess.run([*command, f"{address}.pem"], cwd=tmp_path / "made", check=True)


@contextmanager
def _overheard(interface: str) -> Iterator[list[bytes]]:
    """Collects the packets on a network that have the secret in them."""
    heard: list[bytes] = []
    every_protocol = socket.htons(3)
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, every_protocol) as ear:
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2**23)
        ear.bind((interface, 0))
        ear.settimeout(0.2)
        ended = threading.Event()

        def listen() -> None:
            while not ended.is_set():
                try:
                    packet = ear.recv(2**17)
                except TimeoutError:
                    continue
                if _SECRET in packet:
                    heard.append(packet)

        listener = threading.Thread(target=listen)
        listener.start()
        try:
            yield heard
        finally:
            ended.set()
            listener.join()


def _answered(ports: list[int], host: str, docset: str, environment: Mapping[str, str]) -> int:
    """On how many of the ports a caller with these settings is answered about the DocSet."""
    answered = 0
    for port in ports:
        lines = Lines(environment)
        lines.lead_to(f"{host}:{port}")
        with suppress(PlaceLost):
            question = packed("state", {"docset": docset}, {})
            answered += lines.ask(question).result(10).kind == "result"
        lines.lead_to(None)
    return answered


def _later(http: httpx.Client, docset: str) -> Any:
    """The answer once there is one again."""
    began = time.monotonic()
    while (answer := search(http, docset, _SECRET.decode())).status_code != 200:
        assert answer.status_code == 503 and time.monotonic() - began < 300, answer.text
        time.sleep(0.1)
    print(f"a killed shard answers again after {time.monotonic() - began:.1f} s")
    return answer.json()


@pytest.mark.soak
@pytest.mark.parametrize("is_encrypted", [False, True], ids=["plain", "encrypted"])
def test_documents_and_hits_cannot_be_read_on_the_network_of_a_cluster_with_tls(
    postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_encrypted: bool
) -> None:
    """The head and a server here, a worker with a place and a shard on another machine. The shard
    answers nobody else, and is back when it was killed.
    """
    pytest.importorskip("ray", reason="the extra `cluster` is not installed")
    if not network.is_possible():
        pytest.skip("needs root and network namespaces")
    with network.network() as cables, cluster(cables.address) as ray:
        machine = cables.machine()
        folder = tmp_path / "certificates"
        _certificates_of_the_guide(folder, [cables.address, machine.address])

        def become(address: str) -> None:
            """The settings of that machine, for what is started next."""
            files = (folder / name for name in ("ca.pem", f"{address}.pem", f"{address}.key"))
            for name, value in Certificate(*files).settings.items():
                monkeypatch.setenv(name, value)
            monkeypatch.setenv("RAY_USE_TLS", str(int(is_encrypted)))

        files = f"file://{tmp_path / 'files'}"
        become(machine.address)
        data = str(tmp_path / "worker")
        ray.worker(machine, blob_url=files, database_url=postgresql, data_dir=data)
        become(cables.address)
        ray.worker(data_dir=str(tmp_path / "head"))
        one_shard = {"shards": "1", "shards_from": "1"}
        shared = settings(postgresql, tmp_path, ray.head) | one_shard
        with _overheard(cables.name) as heard:
            server = begin(BackendProcess(tmp_path / "server", shared))
            with server.client() as http:
                until(lambda: state(http)["places"] > 0 and all(state(http)["shards"]), 900)
                docset = new_docset(http)
                text = " ".join([_SECRET.decode()] * 1_000)
                path = f"{STORAGE}/{docset}/docs"
                sent = {"file": ("a.txt", text)}
                assert http.post(path, files=sent).raise_for_status().json()["name"] == "a.txt"
                until(lambda: not list((tmp_path / "server" / "indexes").glob("*/words")), 300)
                answer = search(http, docset, _SECRET.decode()).raise_for_status().json()
                assert len(answer["results"]) == 1
                (shard,) = named("ray::ShardActor")
                honest = node_environment(os.environ, KEY)
                strangers = [node_environment(os.environ, "another key")]
                if is_encrypted:
                    foreign = certificate(tmp_path / "foreign", cables.address)
                    strangers += [honest | {"RAY_USE_TLS": "0"}, honest | foreign.settings]
                ports = [port for _, port in network.listening(shard)]
                ask = partial(_answered, ports, machine.address, docset)
                assert (ask(honest), *map(ask, strangers)) == (1, *(0 for _ in strangers))
                os.kill(shard, signal.SIGKILL)
                assert _later(http, docset)["results"] == answer["results"]
                assert named("ray::ShardActor") != [shard], "its successor has answered"
            server.stop(60)
    assert bool(heard) != is_encrypted
