"""Tokens: what is kept of them, how long they open, and the one of the machine."""

import stat
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import select

from backend.api.tokens import ACCOUNT, Access, Tokens, token_hash
from backend.store.database import Database
from backend.store.tables import metadata
from backend.store.tables import tokens as table
from workbench.contract.errors import BadRequest, NotFound, Refused
from workbench.contract.location import read_token
from workbench.contract.tokens import NewToken

OPERATOR, CLERK = Access(ACCOUNT, name="local"), Access("wb:a-1", name="own")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path / 'store.sqlite'}")
    metadata.create_all(opened.engine)
    yield opened
    opened.close()


def test_a_token_is_shown_once_and_only_its_hash_is_stored(database: Database) -> None:
    made = Tokens(database).make(NewToken(name="report", scope="read"), CLERK)
    with database.reading() as connection:
        [row] = connection.execute(select(table)).all()
    assert made.token not in str(row) and row.token_hash == token_hash(made.token)
    assert made.token not in Tokens(database).list(OPERATOR).model_dump_json()


def test_no_token_reads_as_an_option_of_a_command(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = count()
    monkeypatch.setattr("secrets.token_urlsafe", lambda _: f"-{next(numbers)}")
    tokens = Tokens(database)
    tokens.ensure_local(tmp_path / "token", None)
    for token in (tokens.make(NewToken(name="x"), CLERK).token, read_token(tmp_path)):
        assert token is not None and token[0] != "-"


def test_a_token_gives_access_to_its_account_until_it_expires(database: Database) -> None:
    tokens = Tokens(database, now=lambda: 1000.0)
    made = tokens.make(NewToken(name="x", scope="read", days=1, account_id="wb:a-2"), OPERATOR)
    access = tokens.access(token_hash(made.token))
    assert access is not None
    assert (access.account_id, access.scope, access.expires_at) == ("wb:a-2", "read", 87_400.0)


def test_revoking_takes_effect_in_other_processes_within_a_second(
    database: Database,
) -> None:
    now = [0.0]
    here, elsewhere = Tokens(database, lambda: now[0]), Tokens(database, lambda: now[0])
    made = here.make(NewToken(name="x"), CLERK)
    digest = token_hash(made.token)
    assert elsewhere.access(digest) is not None
    here.revoke(made.token_id, CLERK)
    assert here.access(digest) is None
    now[0] = 1.1
    assert elsewhere.access(digest) is None
    with pytest.raises(NotFound):
        here.revoke(made.token_id, CLERK)


def test_the_token_of_the_machine_is_readable_by_its_user_only(
    database: Database, tmp_path: Path
) -> None:
    path = tmp_path / "token"
    path.touch(0o644)  # left over by a full disk
    tokens = Tokens(database)
    tokens.ensure_local(path, None)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    access = tokens.access(token_hash(path.read_text()))
    assert access is not None and access.account_id == ACCOUNT and access.scope == "admin"
    kept = path.read_text()
    path.chmod(0o644)  # copied with the folder by somebody who did not mind
    tokens.ensure_local(path, None)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text() == kept and len(tokens.list(OPERATOR).items) == 1
    with pytest.raises(BadRequest, match="token of the machine"):
        tokens.revoke(tokens.list(OPERATOR).items[0].token_id, OPERATOR)
    with pytest.raises(BadRequest, match="choose another"):
        tokens.make(NewToken(name="local"), OPERATOR)


def test_a_binary_token_file_is_reported_with_a_remedy(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WORKBENCH_API_KEY", raising=False)
    path = tmp_path / "token"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(OSError, match="remove it"):
        Tokens(database).ensure_local(path, None)
    assert read_token(tmp_path) is None


def test_only_the_token_of_the_machine_reaches_other_accounts(database: Database) -> None:
    tokens = Tokens(database)
    own = tokens.make(NewToken(name="own", scope="admin"), CLERK)
    others = tokens.make(NewToken(name="others", account_id="wb:a-2"), OPERATOR)
    assert own.account_id == "wb:a-1"
    with pytest.raises(Refused):
        tokens.make(NewToken(name="x", scope="admin", account_id=ACCOUNT), CLERK)
    assert [record.name for record in tokens.list(CLERK).items] == ["own"]
    second = Access(ACCOUNT, name="another of the machine's account")
    with pytest.raises(Refused):
        tokens.make(NewToken(name="x", account_id="wb:a-2"), second)
    assert tokens.list(second).items == []
    for stranger in (CLERK, second):
        with pytest.raises(NotFound):
            tokens.revoke(others.token_id, stranger)
    assert tokens.revoke(own.token_id, CLERK).name == "own"
    assert tokens.revoke(others.token_id, OPERATOR).name == "others"
