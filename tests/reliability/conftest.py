"""What the tests of several layouts and of several servers share."""

import os
import uuid
from collections.abc import Iterator

import pytest
from sqlalchemy import create_engine, make_url, text


@pytest.fixture
def postgresql() -> Iterator[str]:
    """A database of its own on the server that `WORKBENCH_TEST_POSTGRESQL` names, as
    `postgresql+psycopg://user@host/postgres`.
    """
    named = os.environ.get("WORKBENCH_TEST_POSTGRESQL")
    if not named:
        pytest.skip("WORKBENCH_TEST_POSTGRESQL names no server")
    name = f"workbench_{uuid.uuid4().hex}"
    server = create_engine(named, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield make_url(named).set(database=name).render_as_string(hide_password=False)
    with server.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    server.dispose()
