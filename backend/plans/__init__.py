"""Questions become plans, feedback becomes edits, plans become answers with a trace.

Owns the reading of English requests, the edit operations on a plan and its history, the execution
of each step over the documents of a DocSet, and stored runs. Knows nothing of HTTP, of how an index
ranks, or of how documents arrive: it reads the rows of the store and asks a `Retrieval` for ranked
passages.

Bottom up: `tables` has the documents, `reading` turns a request into pieces with the words of
`backend.language`, `edits` changes a plan, `running` runs one, `requests` turns pieces into
operations on the plan at hand. `service` is the entry point.
"""
