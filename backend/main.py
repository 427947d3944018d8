"""The server process: opens the data folder, listens, writes the run file, and shuts down.

`python -m backend.main serve` runs in the foreground. With `--idle-exit`, as the app starts it, it
exits after a while without requests and open tasks.
"""

import argparse
import asyncio
import contextlib
import errno
import faulthandler
import fcntl
import logging
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import uvicorn
from sqlalchemy import make_url

from backend.api.app import create_app
from backend.api.gate import Gate
from backend.api.logs import start_logging
from backend.api.patience import PatientProtocol
from backend.api.service import Service, open_service
from backend.settings import UNUSABLE, Settings, wrong
from backend.store.blob_stores import open_blobs
from backend.store.blobs import SHARED_GRACE
from backend.store.database import Database, UnusableDatabase
from backend.store.moving import load
from backend.tasks.heap import share_arenas
from backend.tasks.own_address import NotPrivate
from backend.tasks.ray_worker import NoCluster, serve_node
from workbench.contract.errors import ServiceError
from workbench.contract.location import (
    RunFile,
    locked,
    make_private,
    run_path,
    settings_file,
    token_path,
    unusable,
)
from workbench.contract.setting_names import unknown_settings
from workbench.contract.version import __version__

_log = logging.getLogger("backend")
_REACHED_AT = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Where programs of this machine reach a server that listens on all of its addresses."""
_ADVICE = "`workbench doctor` shows its address, `workbench stop` ends it."
"""What to do about another backend on the same data."""
_INTERRUPTED = 130
"""The exit code that shells expect of a command that ctrl+c has ended."""
_GRACE_SECONDS = 3
_LAST_SECONDS = 8
"""After this many seconds a stop no longer waits: unfinished work is handled as after a crash. One
second later the process ends even if a thread keeps the interpreter, or a full pipe the log.
"""
_TIDY_TICKS = 300
"""Of a tenth of a second: how often freed memory and free pages go back to the system."""


def main(arguments: list[str] | None = None) -> int:
    """Runs the backend. Returns 0 after a graceful shutdown, 130 after one that ctrl+c asked for, 1
    with a message on standard error.
    """
    parser = argparse.ArgumentParser(prog="backend", description="The backend of the workbench.")
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="run in the foreground")
    serve.add_argument("--idle-exit", action="store_true", help="end when idle")
    worker = commands.add_parser("worker", help="be a node of the cluster")
    worker.add_argument("--places", type=int, help="jobs at once")
    worker.add_argument("--head", action="store_true", help="be its head as well")
    worker.add_argument("--address", help="address of this machine for the other nodes")
    loading = commands.add_parser("load", help="fill an empty cluster from an unpacked backup")
    loading.add_argument("folder", type=Path)
    chosen = parser.parse_args(arguments)
    try:
        settings = Settings()
    except UNUSABLE as error:
        print(wrong(error), file=sys.stderr)
        return 1
    start_logging(settings.log_level, settings.log_format)
    for sentence in unknown_settings(settings_file(), os.environ):
        _log.warning(sentence)
    share_arenas()
    # When memory runs out, Rust libraries have none for a backtrace either, and may hang.
    os.environ["RUST_BACKTRACE"] = "0"
    os.umask(0o077)  # others may read the data folder, but not the files in it
    try:
        if chosen.command == "worker":
            serve_node(settings, places=chosen.places, is_head=chosen.head, address=chosen.address)
            return 0
        if chosen.command == "load":
            _load(settings, chosen.folder)
            return 0
        with _only_one(settings.data_dir), _only_one_on_database(settings):
            return _serve(settings, idle_exit=chosen.idle_exit)
    except (UnusableFolder, UnusableDatabase, NoCluster, NotPrivate) as error:
        print(error, file=sys.stderr)
        return 1
    except ServiceError as error:  # of the disk: there are no requests yet
        print(f"The backend cannot start. {error.detail}", file=sys.stderr)
        return 1
    except OSError as error:
        where = "" if error.filename is None else f" ({error.filename})"
        why = error.strerror or str(error)
        print(f"The backend cannot start: {why}{where}.", file=sys.stderr)
        return 1


def _load(settings: Settings, folder: Path) -> None:
    database = Database(settings.resolved_database_url)
    try:
        if database.is_sqlite:
            raise UnusableDatabase("Which PostgreSQL? Set WORKBENCH_DATABASE_URL.")
        count = load(folder, database, open_blobs(settings, SHARED_GRACE))
        print(f"{count:,} files and the database are in the cluster.")
    finally:
        database.close()


class UnusableFolder(RuntimeError):
    """The data folder cannot be used, or another backend is using it."""


@contextlib.contextmanager
def _only_one(folder: Path) -> Iterator[None]:
    """Locks the data folder."""
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(locked(folder))
        except BlockingIOError as error:
            raise UnusableFolder(f"Another backend is running on {folder}. {_ADVICE}") from error
        except OSError as error:
            raise UnusableFolder(unusable(folder, error)) from error
        yield


@contextlib.contextmanager
def _only_one_on_database(settings: Settings) -> Iterator[None]:
    """Locks the database file, which may be outside the data folder.

    Uses flock, which SQLite does not. The file is opened before SQLite opens it and closed after:
    the system drops SQLite's own locks when any descriptor of the file is closed.
    """
    url = make_url(settings.resolved_database_url)
    if url.get_backend_name() != "sqlite" or not url.database:
        yield
        return
    file = Path(url.database)
    try:
        make_private(file.parent)
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UnusableDatabase(
            f"The database {file} cannot be opened ({error.strerror})."
        ) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EAGAIN):
                raise
            raise UnusableDatabase(f"Another backend is running on {file}. {_ADVICE}") from error
        yield
    finally:
        os.close(handle)


def _serve(settings: Settings, *, idle_exit: bool) -> int:
    """Serves until it is stopped; the exit code."""
    file = run_path(settings.data_dir)
    file.unlink(missing_ok=True)  # of a backend that was killed
    listener = _listen(settings)
    service = open_service(settings)
    # Large request bodies are spooled to the same disk as the files: the default may be in memory.
    tempfile.tempdir = str(settings.blob_dir / "incoming")
    service.tokens.ensure_local(token_path(settings.data_dir), settings.api_key)
    gate = create_app(service)
    config = uvicorn.Config(
        gate,
        http=PatientProtocol,
        loop="uvloop",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    server = Server(config, service, gate, idle_seconds=settings.idle_seconds if idle_exit else 0)
    service.stop = server.stop
    try:
        server.run_file = file
        server.run(sockets=[listener])
    finally:
        file.unlink(missing_ok=True)
    return _INTERRUPTED if server.interrupted else 0


class Server(uvicorn.Server):
    """Writes the run file once the server answers requests, and exits when idle."""

    def __init__(
        self, config: uvicorn.Config, service: Service, gate: Gate, *, idle_seconds: float
    ) -> None:
        super().__init__(config)
        self._service = service
        self._gate = gate
        self._idle_seconds = idle_seconds
        self._tidying: threading.Thread | None = None
        self.run_file: Path | None = None
        self.interrupted = False
        self._nowhere = Path(os.devnull).open("w")  # noqa: SIM115 (until the end)

    def stop(self) -> None:
        """Shuts the server down gracefully, from any thread."""
        if not self._service.stopping.is_set():
            last = threading.Timer(_LAST_SECONDS, _end_now)
            last.daemon = True
            last.start()
            faulthandler.dump_traceback_later(_LAST_SECONDS + 1, exit=True, file=self._nowhere)
        self._service.stopping.set()
        self._service.changes.fire()
        self._service.lanes.close()
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """SIGTERM and SIGINT shut down gracefully; a second one exits at once."""
        self.interrupted = self.interrupted or sig == signal.SIGINT
        self.force_exit = self.should_exit
        self.stop()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.run_file is not None and sockets and not self.should_exit:
            host, port = sockets[0].getsockname()[:2]
            host = _REACHED_AT.get(host, host)
            shown = f"[{host}]" if ":" in host else host
            _write_run_file(self.run_file, f"http://{shown}:{port}")
            _log.info("listening on http://%s:%s", shown, port)

    async def on_tick(self, counter: int) -> bool:
        try:
            if self._idle_seconds and counter % 50 == 0 and await asyncio.to_thread(self._idle):
                _log.info("idle: ending")
                self.stop()
            if counter % _TIDY_TICKS == 0:
                self._tidy()
        except Exception:  # such as no memory for a thread: it must not end the server
            _log.exception("the server could not look after itself")
        return await super().on_tick(counter)

    def _tidy(self) -> None:
        """Runs in a thread, one at a time, while requests are served."""
        if self._tidying is None or not self._tidying.is_alive():
            tidying = threading.Thread(target=self._service.tidy, name="tidy", daemon=True)
            tidying.start()
            self._tidying = tidying

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.stop()
        await super().shutdown(sockets)

    def _idle(self) -> bool:
        quiet = self._gate.idle_seconds() > self._idle_seconds
        return quiet and self._service.queue.open_count() == 0


def _end_now() -> None:
    _log.warning("the backend did not end in %d s and is ended at once", _LAST_SECONDS)
    os._exit(1)


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Explicit TCP, because asyncio sets TCP_NODELAY only for such sockets: without it, a response
    # sent as head and body would wait 40 ms for the client's acknowledgement.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        place = f"{settings.host}, port {settings.port}"
        raise OSError(f"it cannot listen on {place}: {error.strerror}") from error
    listener.set_inheritable(False)
    return listener


def _write_run_file(path: Path, url: str) -> None:
    run = RunFile(pid=os.getpid(), url=url, version=__version__, started=time.time())
    draft = path.with_suffix(".new")
    draft.write_text(run.model_dump_json())
    draft.replace(path)


if __name__ == "__main__":
    sys.exit(main())
