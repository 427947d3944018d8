"""Adding many files: a few at a time, each with its own result."""

import asyncio
import io
import tracemalloc
from types import SimpleNamespace

from rich.console import Console

from workbench.client import ConnectionFailed, ServerFailed
from workbench.objects import adding
from workbench.objects.adding import Addition, add_all
from workbench.objects.progress import showing_additions


class Server:
    """Takes a moment per file, and counts the files in progress."""

    def __init__(self, there: list[tuple[str, int]] | None = None) -> None:
        self.there = there or []
        self.now = self.most = self.tasks = 0

    async def submit_document(self, docset_id, source, *, name, options, on_sent):
        self.now += 1
        self.most = max(self.most, self.now)
        self.tasks = max(self.tasks, len(asyncio.all_tasks()))
        on_sent(1, 1)
        await asyncio.sleep(0)
        return name

    async def wait(self, task_id):
        await asyncio.sleep(0)
        self.now -= 1
        failed = ServerFailed(500, "It broke.") if task_id.endswith("7") else None
        return SimpleNamespace(failure=failed, body={"doc_id": f"id of {task_id}"})

    async def documents(self, docset_id, page_size):
        for name, size in self.there:
            yield SimpleNamespace(name=name, size=size, doc_id=f"id of {name}")


def files(count: int) -> list[Addition]:
    return [Addition(b"", f"file {place}", size=place) for place in range(count)]


async def test_thousands_of_files_are_added_a_few_at_a_time_with_little_memory():
    server, many = Server(), files(5000)
    tracemalloc.start()
    added = await add_all(server, "ds", many)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert server.most <= 6 and server.tasks <= 8
    assert len(added) == 5000 and len(added.failed) == 500
    assert [item.name for item in added] == [item.name for item in many], "in their order"
    assert added.doc_ids[0] == "id of file 0"
    assert peak / 5000 < 2000, "bytes for each file"


async def test_existing_documents_are_skipped_on_request():
    server = Server(there=[("file 1", 1), ("file 2", 99)])
    added = await add_all(server, "ds", files(4), skip_known=True)
    assert [item.stage for item in added] == ["done", "known", "done", "done"]
    assert repr(added).splitlines()[0] == "Added(3 documents, 1 known)"
    assert added.to_polars()["doc_id"][1] == "id of file 1", "the document that is there"


async def test_progress_of_thousands_is_reported_in_constant_time():
    console = Console(file=io.StringIO(), force_terminal=True, width=80, color_system=None)
    with showing_additions(files(3000), console=console) as shown:
        await add_all(Server(), "ds", files(3000), on_change=shown)
    output = console.file.getvalue()
    assert "3000/3000" in output and "file 7: It broke." in output


async def test_an_accepted_file_has_not_failed_when_the_server_is_lost_for_a_while(
    monkeypatch,
):
    """The server did the work after its restart; adding again would duplicate it."""
    monkeypatch.setattr(adding, "_PAUSES", (0.0, 0.0, 0.0))

    class Killed(Server):
        lost = 0

        async def wait(self, task_id):
            self.lost += 1
            if self.lost <= self.away:
                raise ConnectionFailed("Nothing listens there.")
            return await super().wait(task_id)

    server = Killed()
    server.away = 3
    [file] = (await add_all(server, "ds", files(1))).items
    assert (file.stage, file.doc_id) == ("done", "id of file 0")
    server = Killed()
    server.away = 99
    [file] = (await add_all(server, "ds", files(1))).items
    assert file.stage == "failed" and "continues when the server runs again" in str(file.error)


def test_a_file_that_several_entries_lead_to_is_added_once(tmp_path):
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "b.txt").write_text("b")
    (tmp_path / "link.txt").symlink_to(tmp_path / "a.txt")
    entries = [tmp_path, tmp_path / "a.txt", f"{tmp_path}/../{tmp_path.name}/b.txt", b"x", b"x"]
    assert [file.name for file in adding.collect(entries)] == ["a.txt", "b.txt", "upload", "upload"]
