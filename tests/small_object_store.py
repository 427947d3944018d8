"""The part of S3's protocol that the backend uses, in memory and in the process of the test.

It outlives the servers that a test kills, and a test can look into it. `tests.object_store` runs a
complete stand-in, which has to be installed.
"""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_hex
from threading import Thread
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit
from xml.etree import ElementTree
from xml.sax.saxutils import escape

URL = "s3://originals/blobs"
_BUCKET = "/originals/"


class SmallObjectStore:
    """One bucket; `objects` maps the name of each object to its bytes and time of arrival."""

    def __init__(self, port: int) -> None:
        self.objects: dict[str, tuple[bytes, datetime]] = {}
        self.uploads: dict[str, dict[int, bytes]] = {}
        """The parts of large objects that are still arriving, by their numbers."""
        self.environment: Mapping[str, str] = {
            "AWS_ACCESS_KEY_ID": "tests",
            "AWS_SECRET_ACCESS_KEY": "tests",
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
            "AWS_ALLOW_HTTP": "true",
        }

    def digests(self) -> set[str]:
        """The originals in the bucket."""
        names = (name.rpartition("/")[2] for name in self.objects)
        return {name for name in names if len(name) == hashlib.sha256().digest_size * 2}


@contextmanager
def running() -> Iterator[SmallObjectStore]:
    """Serves an empty bucket on the loopback interface while the block runs."""

    class Handler(_Handler):
        pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Handler.store = SmallObjectStore(server.server_port)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Handler.store
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    store: SmallObjectStore

    def do_PUT(self) -> None:
        content, query = self._body(), self._query
        if "uploadId" in query:
            self.store.uploads[query["uploadId"]][int(query["partNumber"])] = content
        else:
            self.store.objects[self._name] = content, datetime.now(UTC)
        self._answer(200, ETag=_etag(content))

    def do_GET(self) -> None:
        query = self._query
        if "list-type" in query:
            self._answer(200, self._listing(query.get("prefix", "")))
        elif (found := self.store.objects.get(self._name)) is None:
            self._answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
        else:
            content, arrived = found
            modified = format_datetime(arrived, usegmt=True)
            self._answer(200, content, ETag=_etag(content), **{"Last-Modified": modified})

    do_HEAD = do_GET

    def do_DELETE(self) -> None:
        if "uploadId" in self._query:
            self.store.uploads.pop(self._query["uploadId"], None)
        else:
            self.store.objects.pop(self._name, None)
        self._answer(204)

    def do_POST(self) -> None:
        """Begins or ends an upload in parts, or deletes several objects."""
        if "uploads" in self._query:
            upload = token_hex(8)
            self.store.uploads[upload] = {}
            self._answer(200, _body_of("InitiateMultipartUploadResult", UploadId=upload))
        elif "uploadId" in self._query:
            self._body()
            parts = self.store.uploads.pop(self._query["uploadId"])
            content = b"".join(parts[number] for number in sorted(parts))
            self.store.objects[self._name] = content, datetime.now(UTC)
            self._answer(200, _body_of("CompleteMultipartUploadResult", ETag=_etag(content)))
        else:
            self._delete_some()

    def _delete_some(self) -> None:
        sent = ElementTree.fromstring(self._body()).iter()
        names = [one.text or "" for one in sent if one.tag.rpartition("}")[2] == "Key"]
        for name in names:
            self.store.objects.pop(name, None)
        deleted = "".join(f"<Deleted><Key>{escape(name)}</Key></Deleted>" for name in names)
        self._answer(200, f"<DeleteResult>{deleted}</DeleteResult>".encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""

    @property
    def _query(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))

    @property
    def _name(self) -> str:
        return unquote(urlsplit(self.path).path).removeprefix(_BUCKET)

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def _listing(self, prefix: str) -> bytes:
        items = "".join(
            f"<Contents><Key>{escape(name)}</Key><LastModified>{arrived.isoformat()}</LastModified>"
            f"<ETag>{escape(_etag(content))}</ETag><Size>{len(content)}</Size></Contents>"
            for name, (content, arrived) in sorted(self.store.objects.items())
            if name.startswith(prefix)
        )
        opening = "<ListBucketResult><IsTruncated>false</IsTruncated>"
        return f"{opening}{items}</ListBucketResult>".encode()

    def _answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _body_of(kind: str, **fields: str) -> bytes:
    inner = "".join(f"<{name}>{escape(text)}</{name}>" for name, text in fields.items())
    return f"<{kind}>{inner}</{kind}>".encode()


def _etag(content: bytes) -> str:
    return f'"{hashlib.md5(content, usedforsecurity=False).hexdigest()}"'
