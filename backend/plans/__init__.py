"""Questions become plans, feedback becomes edits, plans become answers with a trace.

Owns the reading of English requests, the edit operations on a plan and its history, the execution
of each step over the documents of a DocSet, and stored runs. It knows nothing of HTTP, of ranking
inside an index, or of how documents arrive: it reads the rows of the store and asks a `Retrieval`
for ranked passages.

Bottom up: `tables` contains the documents, `reading` turns a request into pieces with the words of
`backend.language`, `edits` changes a plan, `running` runs one, `requests` turns pieces into
operations on a plan. `service` is the entry point.
"""
