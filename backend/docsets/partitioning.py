"""Partitions a file without storing it: the task, its answer, and its progress lines.

The answer always has HTTP status 200; errors are inside it (`error`, `status_code`), because the
synchronous form has already begun to respond by the time anything can fail.
"""

from backend.docsets.adding import Adding
from backend.docsets.model_help import ModelHelp
from backend.docsets.partition_answer import laid_out, with_status
from backend.store.database import Database
from backend.tasks.queue import Finished
from backend.tasks.runner import TaskContext
from workbench.contract.errors import ServiceError, Unsupported

KIND = "partition"


def failed(error: ServiceError) -> Finished:
    """The answer for a document that could not be partitioned.

    An unsupported file type has the message and status that the public client expects; our own,
    more helpful message is in the status.
    """
    unreadable = error.status == Unsupported.status
    status = 500 if unreadable else error.status
    detail = "Failed to convert file to pdf" if unreadable else error.detail
    body = {"status_code": status, "elements": [], "error": f"{status}: {detail}"}
    return Finished(200, laid_out([f"Error: {error.detail}"], body))


def _finished(answer: bytes, message: str | None) -> Finished:
    return Finished(200, with_status(answer, message))


class Partitioning:
    """The body of tasks that partition a file."""

    def __init__(self, database: Database, adding: Adding, help: ModelHelp) -> None:
        self._database = database
        self._adding = adding
        self._help = help

    def run(self, context: TaskContext) -> None:
        """Partitions the file of a task; its answer is the task's result."""
        with self._adding.file_of(context) as file:
            self._partition(context, *file)

    def _partition(self, context: TaskContext, digest: str, size: int, name: str) -> None:
        options = context.task.request["options"]
        docset_id = options.get("add_to_docset_id")
        if docset_id:
            self._adding.add(context, docset_id, digest, size, name, _finished)
            return
        help = self._help.for_task(context)
        message = context.run(
            "backend.docsets.partition_job:partition_file",
            {"digest": digest, "name": name, "options": options}
            | {"most_pages": self._adding.most_pages}
            | self._help.wanted,
            answer=help.answer,
        )
        finished = _finished(message.blobs[0], help.message)
        with self._database.writing_on() as connection:
            context.finish(connection, finished, help.message)
