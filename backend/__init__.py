"""The bundled backend: the HTTP service of DocSets, search, properties, tasks and query plans.

Packages from the ground up: `settings`; `store`, `tasks` and `inference` hold data, run jobs and
compute vectors; `language`, `partition`, `extraction` and `search` read text, files and indexes;
`docsets` and `plans` contain the rules; `api` speaks HTTP; `main` is the process. The wire types
that it shares with its clients are in `workbench.contract`.

Glossary:

    DocSet       a collection of documents with one schema of properties and its own indexes
    element      a part of a document as its pages show it: a paragraph, a table, a picture
    property     a named fact about a document, from the schema or set by a person
    value        what one document has for one property
    confidence   how likely a value is right, from 0 to 1; corrections by a person have 1
    source       where a value comes from: a place in the document, a calculation, or a person
    evidence     what shows that a value is right: quote, page and box in each document behind it
    hit          one result of a search, with its rank and score
    reading      one interpretation of a request: the operations that its words may mean
    choice       readings that are too close to call, offered to the person who asked
    step         one node of a plan: it takes the documents or rows of the steps before it
    coverage     how many documents had a usable value at a step; others lack it or are doubtful

The routes of five requests, and of a key, through the code, file by file in the order in which
they get to work:

Upload (a file becomes a searchable document):

    workbench/client/documents.py          sends the file: POST /docs
    backend/api/documents.py               parses the form
    backend/docsets/adding.py              stores the bytes, submits a task, and is its body
    backend/tasks/queue.py                 keeps the task until a server claims it
    backend/tasks/runner.py                claims it and runs the body in a thread
    backend/tasks/pool.py                  lends the body a worker process
    backend/tasks/worker.py                the worker: limits itself, calls the job
    backend/docsets/preparing.py           the job: elements, values and vectors from bytes
    backend/partition/engine.py            the file as elements
    backend/docsets/extracting.py          the elements and the schema
    backend/extraction/engine.py           the values of the properties
    backend/docsets/contents.py            writes the result beside what readers see
    backend/search/engine.py               brings the indexes up to date

Question (a sentence becomes a plan, the plan an answer):

    workbench/client/plans.py              sends the question: POST /plan, then the plan
    backend/api/plans.py                   both routes
    backend/api/service.py                 the parts of the process, wired together
    backend/plans/service.py               finds the DocSet's table and vocabulary
    backend/plans/requests/planner.py      the question as a plan, or as choices
    backend/plans/reading/clauses.py       reads it by the rules
    backend/plans/requests/choose.py       compares the readings of the rules and of the grammar
    backend/plans/reading/assembly.py      reads it by the grammar
    backend/plans/edits/applying.py        builds the plan that a reading describes
    backend/plans/requests/deciding.py     takes one plan, or offers two
    backend/plans/running/execution.py     runs a plan from its first step to its last event
    backend/plans/running/run.py           runs the steps, each with its trace
    backend/plans/running/coverage.py      counts the documents left out
    backend/plans/running/answering.py     the answer as events and as one body
    backend/plans/running/runs.py          stores the trace and the rows behind the answer

Feedback (a remark changes the plan):

    workbench/client/plans.py              sends plan and remark: PATCH /plan
    backend/api/plans.py                   the route
    backend/api/service.py                 the parts of the process, wired together
    backend/plans/service.py               finds the DocSet's table and vocabulary
    backend/plans/requests/editor.py       applies the remark clause by clause, reports on each
    backend/plans/requests/follow_ups.py   compares the edits it may mean
    backend/plans/reading/grammar_edits.py the grammar of remarks
    backend/plans/edits/applying.py        applies the operations
    backend/plans/edits/draft.py           the plan under edit
    backend/plans/requests/journal.py      records old and new plan, for undo and redo

Hit to frame (a search becomes a table in a notebook):

    workbench/objects/docset.py            `docset.search(...)`
    workbench/objects/searching.py         fetches pages until there are enough hits
    workbench/client/__init__.py           loads the client on first use
    workbench/client/async_client.py       the client, one mixin per section of the interface
    workbench/client/search.py             sends the request: POST /search/
    backend/api/search.py                  the route
    backend/api/service.py                 the parts of the process, wired together
    backend/search/engine.py               filter, query, ranking and page
    backend/search/views.py                record, indexes and property table at one operation
    backend/search/finding.py              ranks the candidates of each index
    backend/search/results.py              hits as JSON
    workbench/contract/search.py           the types of request and response
    workbench/frames/hits.py               the hits as a table
    workbench/frames/frame.py              what all tables can do: pandas, charts, files

Cancel (a task stops, and its processor core is free):

    workbench/client/tasks.py              sends the request: POST /cancel/
    backend/api/tasks.py                   the route
    backend/api/calls.py                   finds the service and the account
    backend/api/service.py                 cancels the row, then the work
    backend/tasks/queue.py                 marks the task as cancelled, once
    backend/store/notices.py               notifies other servers, in case one of them runs it
    backend/tasks/runner.py                stops the body if it runs here
    backend/tasks/pool.py                  kills its worker process
    backend/tasks/process.py               ends the process

Key to screen (`Enter` on the plans screen asks, and the answer appears under its version):

    workbench/tui/screens/plans.py         the keys of the plans screen and what they do
    workbench/tui/keys.py                  maps keys to actions
    workbench/tui/screens/plan_frame.py    what the screen shows
    workbench/sessions/plan_session.py     plan, edit and run; files each run under its version
    workbench/sessions/plan_versions.py    the versions, with undo and redo
    workbench/sessions/plan_run.py         a run with its events
    workbench/sessions/session_file.py     stores it all, and notifies the notebook
    workbench/tui/screens/plan_output.py   the answer; greyed when another version gave it
    workbench/tui/answer_words.py          its words
"""
