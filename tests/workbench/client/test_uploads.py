"""Uploads: multipart bodies that servers understand, read from disk piece by piece."""

import json
from collections.abc import AsyncIterator

import httpx
import pytest
from starlette.datastructures import Headers
from starlette.formparsers import MultiPartParser

from workbench.client import ConnectionFailed, SourceUnreadable, TooLarge
from workbench.client.uploads import prepare
from workbench.contract.partition_options import PartitionOptions

ACCEPTED = {"task_id": "wb:t-1"}


async def parts(request: httpx.Request) -> dict[str, tuple[str | None, bytes, str | None]]:
    """File name, content and media type of each part, by the name of the part."""

    async def content() -> AsyncIterator[bytes]:
        yield request.content

    form = await MultiPartParser(Headers(request.headers), content()).parse()
    parts: dict[str, tuple[str | None, bytes, str | None]] = {
        name: (None, value.encode(), None)
        if isinstance(value, str)
        else (value.filename, await value.read(), value.content_type)
        for name, value in form.multi_items()
    }
    await form.close()
    return parts


async def test_a_file_arrives_whole_with_its_base_name_and_type(scene, tmp_path):
    path = tmp_path / "Bericht über Öl.pdf"
    content = bytes(range(256)) * 4096
    path.write_bytes(content)
    made = scene(lambda request: httpx.Response(202, json=ACCEPTED))
    progress: list[tuple[int, int]] = []
    await made.client.submit_document("ds", path, on_sent=lambda *sent: progress.append(sent))
    request = made.requests[0]
    assert int(request.headers["Content-Length"]) == len(request.content)
    assert (await parts(request))["file"] == ("Bericht über Öl.pdf", content, "application/pdf")
    assert str(tmp_path).encode() not in request.content
    assert progress[-1] == (len(content), len(content))
    sizes = [sent for sent, _ in progress]
    assert len(sizes) == 4 and sizes == sorted(sizes)


async def test_bytes_get_the_given_name_and_an_empty_file_is_sent(scene):
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
async def test_options_are_sent_as_json(scene, options):
    made = scene(lambda request: httpx.Response(202, json=ACCEPTED))
    await made.client.submit_partition(b"x", options=options)
    assert json.loads((await parts(made.requests[0]))["options"][1])["text_mode"] == "ocr_standard"


async def test_a_name_cannot_break_out_of_its_header(scene):
    made = scene(lambda request: httpx.Response(202, json=ACCEPTED))
    await made.client.submit_document("ds", b"x", name='a"\r\nX-Evil: 1\r\n.txt')
    assert b"\r\nX-Evil" not in made.requests[0].content
    assert set(await parts(made.requests[0])) == {"file"}


@pytest.mark.parametrize("missing", ["nowhere.pdf", "."])
def test_a_missing_file_or_a_folder_is_refused_before_anything_is_sent(tmp_path, missing):
    with pytest.raises(SourceUnreadable):
        prepare(tmp_path / missing)


async def test_a_file_that_shrinks_during_the_upload_is_not_stored(tmp_path):
    path = tmp_path / "log.txt"
    path.write_bytes(b"x" * 1000)
    upload = prepare(path)
    path.write_bytes(b"x")
    with pytest.raises(SourceUnreadable, match="shorter"):
        _ = [piece async for piece in upload.pieces()]


class Shaky:
    """A server whose connection breaks `breaks` times after it has read an upload; it `takes` the
    upload or not.
    """

    def __init__(self, breaks: int, *, takes: bool) -> None:
        self.breaks, self.takes = breaks, takes
        self.tasks: dict[str, str] = {}

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            listed = {
                task_id: {"action": "add", "task_status": "queued", "userdata": mark}
                for task_id, mark in self.tasks.items()
            }
            return httpx.Response(200, json={"tasks": listed})
        broken = self.breaks > 0
        self.breaks -= 1
        if self.takes or not broken:
            self.tasks[f"wb:t-{len(self.tasks) + 1}"] = request.headers["X-Aryn-Userdata"]
        if broken:
            raise httpx.ReadError("the line broke")
        return httpx.Response(202, json={"task_id": f"wb:t-{len(self.tasks)}"})


async def test_an_upload_whose_response_was_lost_is_not_sent_twice(scene):
    server = Shaky(1, takes=True)
    made = scene(server)
    assert await made.client.submit_document("ds", b"content") == "wb:t-1"
    assert [request.method for request in made.requests] == ["POST", "GET"]
    assert len(server.tasks) == 1


async def test_an_upload_that_the_server_never_had_is_sent_again(scene):
    server = Shaky(2, takes=False)
    made = scene(server)
    assert await made.client.submit_document("ds", b"content") == "wb:t-1"
    assert [request.method for request in made.requests] == ["POST", "GET", "POST", "GET", "POST"]
    marks = {r.headers.get("X-Aryn-Userdata") for r in made.requests if r.method == "POST"}
    assert len(marks) == 1, "each attempt is known by the same mark"


async def test_an_upload_that_breaks_repeatedly_is_reported(scene):
    made = scene(Shaky(9, takes=False))
    with pytest.raises(ConnectionFailed, match="not known whether"):
        await made.client.submit_document("ds", b"content")


async def test_a_file_over_the_limit_is_refused_although_the_connection_broke(scene):
    def respond(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            raise httpx.WriteError("Broken pipe")
        listed = request.url.path.endswith("/list")
        return httpx.Response(200, json={"tasks": {}} if listed else {"limits": {"max_upload": 6}})

    made = scene(respond)
    with pytest.raises(TooLarge, match="has 7 bytes; the server accepts at most 6"):
        await made.client.submit_document("ds", b"content")
