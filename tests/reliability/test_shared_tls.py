"""PostgreSQL and the head of a cluster are reached by TLS where the settings say so."""

import os
import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import OperationalError

from tests import postgresql_server
from tests.backend_process import BackendProcess
from tests.certificates import Certificate, certificate
from tests.ray_cluster import cluster
from tests.reliability.mixed_load import STORAGE
from tests.reliability.test_shared_cluster import new_docset

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
    monkeypatch.setenv("RAY_USE_TLS", "1")
    monkeypatch.setenv("RAY_TLS_SERVER_CERT", str(made.certificate))
    monkeypatch.setenv("RAY_TLS_SERVER_KEY", str(made.key))
    monkeypatch.setenv("RAY_TLS_CA_CERT", str(made.authority))
    with cluster(_ADDRESS) as ray:
        ray.begin(places=0)
        assert _answer(ray.head, made, certified=True, seconds=200)
        assert _answer(ray.head, made, certified=False) == b""
        host, _, port = ray.head.rpartition(":")
        with socket.create_connection((host, int(port)), timeout=10) as plain:
            plain.sendall(_HELLO)
            assert plain.recv(100) == b""
