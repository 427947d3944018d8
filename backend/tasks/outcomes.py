"""The outcome of a job as a message between machines, and back as a return value or exception.

result, refused, limit, stopped, died, fault    as `pool` lists them
unreachable                                     the store of the files does not respond
lost                                            the place was lost with its node or the head
"""

from backend.store.blobs import BlobsUnreachable
from backend.tasks.messages import Message
from backend.tasks.pool import (
    LimitReached,
    Refusal,
    WorkerDied,
    WorkerFault,
    WorkerStopped,
)
from workbench.contract.errors import ServiceError


class PlaceLost(WorkerStopped):
    """The place of a job was lost. Nothing is wrong with the document, and it counts no crash."""


def message_of(error: Exception) -> Message:
    """The end of a job that raised this error."""
    match error:
        case LimitReached():
            return Message("limit", error.detail)
        case BlobsUnreachable():
            return Message("unreachable", error.detail)
        case ServiceError():
            return Message("refused", {"status": error.status, "detail": error.detail})
        case WorkerStopped():
            return Message("stopped")
        case WorkerDied():
            return Message("died", str(error))
    return Message("fault", str(error))


def result_of(end: Message) -> Message:
    """The result message; otherwise raises the remote exception, or PlaceLost."""
    match end.kind:
        case "result":
            return end
        case "limit":
            raise LimitReached(str(end.data))
        case "refused":
            raise Refusal(int(end.data["status"]), str(end.data["detail"]))
        case "unreachable":
            raise BlobsUnreachable(str(end.data))
        case "stopped":
            raise WorkerStopped
        case "died":
            raise WorkerDied(str(end.data))
        case "lost":
            raise PlaceLost(str(end.data))
    raise WorkerFault(str(end.data))
