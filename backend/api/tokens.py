"""Access tokens: created, listed, revoked, and looked up for every request.

Only the SHA-256 of a token is stored and looked up, so the time of a look-up reveals nothing about
a token: nobody can steer its hash.
"""

import os
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import delete, insert, select

from backend.store.database import Database
from backend.store.tables import tokens
from workbench.contract.errors import BadRequest, NotFound, Refused
from workbench.contract.ids import new_id
from workbench.contract.tokens import MadeToken, NewToken, Scope, TokenList, TokenRecord

ACCOUNT = "wb:a-local"
"""The account of the person whose machine this is."""
_LOCAL = "local"
_DAY = 86_400.0
_REMEMBERED_SECONDS = 1.0
_REMEMBERED = 1000


@dataclass(frozen=True)
class Access:
    """What a token allows, and until when (seconds since 1970; None for ever)."""

    account_id: str
    expires_at: float | None = None
    scope: Scope = "admin"
    name: str = ""

    @property
    def is_operator(self) -> bool:
        """Whether it is the machine's own token, the only one that opens other accounts."""
        return self.account_id == ACCOUNT and self.name == _LOCAL


def token_hash(token: str) -> str:
    """The stored form of a token."""
    return sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


class Tokens:
    """The tokens in a database. Revoking takes effect within a second in every process."""

    def __init__(
        self,
        database: Database,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._clock = clock
        self._now = now
        self._lock = threading.Lock()
        self._known: dict[str, tuple[Access, float]] = {}

    def access(self, digest: str) -> Access | None:
        """The access of the token with that hash, also if expired: that is another error."""
        now = self._clock()
        known = self._known.get(digest)
        if known is not None and known[1] > now:
            return known[0]
        with self._database.reading() as connection:
            row = connection.execute(select(tokens).where(tokens.c.token_hash == digest)).first()
        if row is None:  # not cached: guesses must not fill the memory
            return None
        access = Access(row.account_id, row.expires_at, row.scope, row.name)
        with self._lock:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[digest] = access, now + _REMEMBERED_SECONDS
        return access

    def make(self, wanted: NewToken, maker: Access) -> MadeToken:
        """Creates a token with 256 random bits, returned only here. BadRequest for the name of the
        machine's own token; Refused for another account, unless `maker` is the operator.
        """
        if not maker.is_operator and wanted.account_id not in (None, maker.account_id):
            raise Refused("Only the token of the machine itself creates tokens of other accounts.")
        if wanted.name == _LOCAL:
            raise BadRequest(f"{_LOCAL!r} is the name of the machine's own token: choose another.")
        token = _new_token()
        created = self._now()
        record = TokenRecord(
            token_id=new_id("k"),
            name=wanted.name,
            account_id=wanted.account_id or maker.account_id,
            scope=wanted.scope,
            created_at=created,
            expires_at=None if wanted.days is None else created + wanted.days * _DAY,
        )
        with self._database.writing() as connection:
            connection.execute(insert(tokens).values(_values(record, token)))
        return MadeToken(**record.model_dump(), token=token)

    def list(self, asker: Access) -> TokenList:
        """The tokens of the asker's account, oldest first; all of them for the operator."""
        chosen = select(tokens).order_by(tokens.c.created_at)
        if not asker.is_operator:
            chosen = chosen.where(tokens.c.account_id == asker.account_id)
        with self._database.reading() as connection:
            rows = connection.execute(chosen).mappings()
            return TokenList(items=[TokenRecord.model_validate(dict(row)) for row in rows])

    def revoke(self, token_id: str, asker: Access) -> TokenRecord:
        """Revokes a token. NotFound for an unknown one, and for one of another account unless the
        operator asks; BadRequest for this machine's own token, which the next start would create
        again.
        """
        with self._database.writing() as connection:
            row = connection.execute(
                select(tokens).where(tokens.c.token_id == token_id)
            ).mappings().first()  # fmt: skip
            if row is None or not (asker.is_operator or asker.account_id == row["account_id"]):
                raise NotFound("There is no such token.")
            if row["name"] == _LOCAL:
                raise BadRequest(
                    "This is the token of the machine itself. To change it, stop the backend,"
                    " remove the file `token` of the data folder, and start again."
                )
            connection.execute(delete(tokens).where(tokens.c.token_id == token_id))
        with self._lock:
            self._known.pop(row["token_hash"], None)
        return TokenRecord.model_validate(dict(row))

    def ensure_local(self, path: Path, given: str | None) -> None:
        """Creates the token of this machine at the first start, in the file `path` (mode 0600), or
        uses the one `given` by a setting; it belongs to ACCOUNT and has every scope.
        """
        token = given or _kept_in(path) or _put_into(path, _new_token())
        record = TokenRecord(
            token_id=new_id("k"),
            name=_LOCAL,
            account_id=ACCOUNT,
            scope="admin",
            created_at=self._now(),
            expires_at=None,
        )
        with self._database.writing() as connection:
            connection.execute(delete(tokens).where(tokens.c.name == _LOCAL))
            connection.execute(insert(tokens).values(_values(record, token)))


def _values(record: TokenRecord, token: str) -> dict[str, Any]:
    return {**record.model_dump(), "token_hash": token_hash(token)}


def _new_token() -> str:
    """256 random bits. The random part may begin with a hyphen, which makes an option of it on a
    command line.
    """
    return f"wb_{secrets.token_urlsafe(32)}"


def _kept_in(path: Path) -> str | None:
    try:
        token = path.read_text("utf-8").strip() or None
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise OSError(f"{path} has no token: remove it, and a new one is created.") from error
    if path.stat().st_mode & 0o077:
        with suppress(PermissionError):  # another user's file, with an intended mode
            path.chmod(0o600)  # a copied folder may have lost it
    return token


def _put_into(path: Path, token: str) -> str:
    path.unlink(missing_ok=True)  # an empty file, perhaps with another mode
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(token)
    return token
