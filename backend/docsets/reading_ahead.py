"""Processes batches in parallel and returns results in the order of the batches.

The order allows a single checkpoint. A slow batch delays the results of later ones but not their
work.
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
    """Yields each batch with its result.

    It ends with an empty batch, but asks `batches` again once the pending ones are done, because
    documents may have arrived meanwhile.
    """
    ahead = context.workers + 1
    pending: deque[tuple[list[_Item], Future[_Result]]] = deque()
    # Log lines are attributed to the task that the thread is named after.
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
