"""Durable work: the queue, the processes that do it, their limits, cancelling and recovery.

Owns the `tasks` table and the worker processes. Refuses to know what the work is: a body is a
function of a higher package, registered under a name, that gets a `TaskContext` and ends its task
in the same transaction as its effects. Nothing is exactly once except what that transaction makes
so.

    queue       the rows: submit, claim, lease, finish, cancel, recover
    runner      threads that claim tasks and run their bodies
    pool        killable worker processes with limits on memory, processor and wall time
    worker      the child's side of the pipe
    messages    how both sides of the pipe talk
    guarding    unforeseen errors inside a part of a document, as remarks
"""
