"""An S3 of the tests' own: moto, in a process of its own, with one empty bucket."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.ray_cluster import free_ports

URL = "s3://originals/blobs"
_KEYS = {"AWS_ACCESS_KEY_ID": "tests", "AWS_SECRET_ACCESS_KEY": "tests", "AWS_REGION": "us-east-1"}


@contextmanager
def running(log: Path, address: str = "127.0.0.1") -> Iterator[dict[str, str]]:
    """Yields the environment with which programs reach the bucket of `URL`."""
    (port,) = free_ports(1)
    command = [sys.executable, "-m", "moto.server", "-H", address, "-p", str(port)]
    with log.open("wb") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file, env=os.environ | _KEYS)
    endpoint = f"http://{address}:{port}"
    try:
        deadline = time.monotonic() + 60
        while not _makes_bucket(endpoint):
            ended = process.poll() is not None
            assert not ended and time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)
        yield _KEYS | {"AWS_ENDPOINT_URL": endpoint, "AWS_ALLOW_HTTP": "true"}
    finally:
        process.kill()
        process.wait()


def requests(log: Path) -> int:
    """How many requests the server has answered, by its log."""
    return log.read_text().count(' HTTP/1.1"')


def _makes_bucket(endpoint: str) -> bool:
    try:
        return httpx.put(f"{endpoint}/originals").is_success
    except httpx.HTTPError:
        return False
