"""Durable work: the queue, the processes that do it, their limits, cancellation and recovery.

Owns the `tasks` table and the worker processes, and knows nothing of the work itself. A body is a
function of a higher package, registered under a name. It gets a `TaskContext` and ends its task in
the transaction that holds its effects; only that transaction happens exactly once.

    queue       the rows: submit, claim, lease, finish, cancel, recover
    runner      threads that claim tasks and run their bodies
    pool        killable worker processes with limits on memory, processor and wall time
    worker      the child's side of the pipe
    messages    how both sides of the pipe talk
    guarding    unexpected errors inside a part of a document, as remarks
"""
