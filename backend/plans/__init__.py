"""Questions become plans, feedback becomes edits of plans, plans become answers with their trace.

Owns the reading of English requests, the edit operations on a plan and its history, the running of
each step over the documents of a DocSet, and what is kept of a run. Refuses to know HTTP, how an
index ranks, and how documents come in: it reads the rows of the store and asks a `Retrieval` for
ranked passages.

To be read from below: `tables` knows documents, `reading` turns a request into pieces with the
words of `backend.language`, `edits` changes a plan, `running` runs one, `requests` makes of pieces
what the plan beside them needs. `service` is the door.
"""
