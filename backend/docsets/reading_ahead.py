"""Work on batches by several workers at once, whose results come in the order of the batches.

In order, so that one number says how far a walk is; a batch that takes long holds up the others'
results and not their work.
"""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from backend.tasks.runner import TaskContext

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def in_order(
    batches: Iterator[list[_Item]],
    work: Callable[[list[_Item]], _Result],
    context: TaskContext,
) -> Iterator[tuple[list[_Item], _Result]]:
    """Each batch with its result. Ends when there is no further batch and all are done.

    `batches` is asked again after it gave an empty batch: something may have arrived meanwhile.
    """
    ahead = context.workers + 1
    pending: deque[tuple[list[_Item], Future[_Result]]] = deque()
    # Lines in the log belong to the task after which a thread is named.
    pool = ThreadPoolExecutor(context.workers, thread_name_prefix=context.task.task_id)
    try:
        while True:
            while len(pending) < ahead and (batch := next(batches)):
                pending.append((batch, pool.submit(work, batch)))
            if not pending:
                return
            batch, future = pending.popleft()
            yield batch, future.result()
    finally:
        pool.shutdown(cancel_futures=True)
