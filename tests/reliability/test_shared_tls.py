"""What servers and PostgreSQL send each other is encrypted where the URL says so."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import OperationalError

from tests import postgresql_server
from tests.backend_process import BackendProcess
from tests.certificates import certificate
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
