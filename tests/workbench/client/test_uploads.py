"""Uploads: multipart bodies that servers understand, read from disk piece by piece."""

import json
from collections.abc import AsyncIterator

import httpx
import pytest
from starlette.datastructures import Headers
from starlette.formparsers import MultiPartParser

from backend.contract.partition_options import PartitionOptions
from workbench.client import SourceUnreadable
from workbench.client.uploads import prepare

ACCEPTED = {"task_id": "wb:t-1"}


async def parts(request: httpx.Request) -> dict[str, tuple[str | None, bytes, str | None]]:
    """File name, content and media type of each part, by the name of the part."""

    async def content() -> AsyncIterator[bytes]:
        yield request.content

    form = await MultiPartParser(Headers(request.headers), content()).parse()
    found: dict[str, tuple[str | None, bytes, str | None]] = {
        name: (None, value.encode(), None)
        if isinstance(value, str)
        else (value.filename, await value.read(), value.content_type)
        for name, value in form.multi_items()
    }
    await form.close()
    return found


async def test_a_file_arrives_whole_with_its_base_name_and_kind(scene, tmp_path):
    path = tmp_path / "Bericht über Öl.pdf"
    content = bytes(range(256)) * 4096
    path.write_bytes(content)
    made = scene(lambda request: httpx.Response(202, json=ACCEPTED))
    told: list[tuple[int, int]] = []
    await made.client.submit_document("ds", path, on_sent=lambda *sent: told.append(sent))
    request = made.requests[0]
    assert int(request.headers["Content-Length"]) == len(request.content)
    assert (await parts(request))["file"] == ("Bericht über Öl.pdf", content, "application/pdf")
    assert str(tmp_path).encode() not in request.content
    assert told[-1] == (len(content), len(content))
    assert len(told) == 4 and [sent for sent, _ in told] == sorted(sent for sent, _ in told)


async def test_bytes_take_the_name_given_and_an_empty_file_is_still_a_file(scene):
    made = scene(lambda request: httpx.Response(202, json=ACCEPTED))
    await made.client.submit_document("ds", b"", name="empty.txt")
    assert (await parts(made.requests[0]))["file"] == ("empty.txt", b"", "text/plain")


async def test_a_url_is_sent_for_the_server_to_fetch(scene):
    made = scene(lambda request: httpx.Response(202, json=ACCEPTED))
    await made.client.submit_document("ds", "https://example.org/a.pdf")
    sent = await parts(made.requests[0])
    assert set(sent) == {"file_url"} and sent["file_url"][1] == b"https://example.org/a.pdf"


@pytest.mark.parametrize(
    "options", [{"text_mode": "ocr_standard"}, PartitionOptions(text_mode="ocr_standard")]
)
async def test_options_travel_as_json(scene, options):
    made = scene(lambda request: httpx.Response(202, json=ACCEPTED))
    await made.client.submit_partition(b"x", options=options)
    assert json.loads((await parts(made.requests[0]))["options"][1])["text_mode"] == "ocr_standard"


async def test_a_name_cannot_break_out_of_its_header(scene):
    made = scene(lambda request: httpx.Response(202, json=ACCEPTED))
    await made.client.submit_document("ds", b"x", name='a"\r\nX-Evil: 1\r\n.txt')
    assert b"\r\nX-Evil" not in made.requests[0].content
    assert set(await parts(made.requests[0])) == {"file"}


@pytest.mark.parametrize("missing", ["nowhere.pdf", "."])
def test_a_file_that_is_not_one_is_refused_before_anything_is_sent(tmp_path, missing):
    with pytest.raises(SourceUnreadable):
        prepare(tmp_path / missing)


async def test_a_file_that_shrinks_meanwhile_is_not_stored_half(tmp_path):
    path = tmp_path / "log.txt"
    path.write_bytes(b"x" * 1000)
    upload = prepare(path)
    path.write_bytes(b"x")
    with pytest.raises(SourceUnreadable, match="shorter"):
        _ = [piece async for piece in upload.pieces()]
