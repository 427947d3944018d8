"""A PostgreSQL server of the tests' own: on a Unix socket, in a folder that goes with it.

`WORKBENCH_TEST_POSTGRESQL` names another one instead, as `postgresql+psycopg://user@host/postgres`.
"""

import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import create_engine, make_url, text

from tests.certificates import Certificate

_DEBIAN = "/usr/lib/postgresql/*/bin"
_USER = "postgres"


def programs() -> Path | None:
    """The folder of `initdb` and `pg_ctl`; None where PostgreSQL is not installed."""
    if initdb := shutil.which("initdb"):
        return Path(initdb).resolve().parent
    return max(Path("/").glob(_DEBIAN.removeprefix("/")), default=None)


@contextmanager
def running(
    binaries: Path, listen: tuple[str, str] | None = None, tls: Certificate | None = None
) -> Iterator[str]:
    """Starts a server and yields its URL. It refuses to run as root, so root starts it as the user
    that Debian made for it.

    `listen` is an address at which it listens instead of the Unix socket, and the range of
    addresses that it admits; with a certificate it admits them by TLS only.
    """
    folder = Path(tempfile.mkdtemp(prefix="workbench-postgresql-"))
    as_owner: list[str] = []
    if os.geteuid() == 0:
        shutil.chown(folder, _USER)
        as_owner = ["runuser", "-u", _USER, "--"]

    def call(program: str, *arguments: str) -> None:
        command = [*as_owner, str(binaries / program), "-D", str(folder / "data"), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)

    try:
        call("initdb", "-U", _USER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        address, admitted = listen or ("", "")
        if listen is not None:
            with (folder / "data" / "pg_hba.conf").open("a") as file:
                file.write(f"{'hostssl' if tls else 'host'} all all {admitted} trust\n")
        encryption, checks = "", ""
        if tls is not None:
            copied = shutil.copy(tls.certificate, folder), shutil.copy(tls.key, folder)
            for file_name in copied if as_owner else ():
                shutil.chown(file_name, _USER)
            encryption = f" -c ssl=on -c ssl_cert_file={copied[0]} -c ssl_key_file={copied[1]}"
            checks = f"&sslmode=verify-full&sslrootcert={tls.authority}"
        options = f"-k {folder} -c listen_addresses='{address}' -c max_connections=200{encryption}"
        call("pg_ctl", "-w", "-o", options, "-l", str(folder / "log"), "start")
        try:
            yield f"postgresql+psycopg://{_USER}@/postgres?host={address or folder}{checks}"
        finally:
            call("pg_ctl", "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def database_on(server: str) -> Iterator[str]:
    """An empty database on that server, which is dropped at the end; yields its URL."""
    name = f"workbench_{uuid.uuid4().hex}"
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    try:
        yield make_url(server).set(database=name).render_as_string(hide_password=False)
    finally:
        with engine.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        engine.dispose()
