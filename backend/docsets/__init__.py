"""The rules of DocSets and documents.

    docsets           create, list, change, lock, clone, delete
    documents         list, read, correct, delete
    adding            a file becomes a document: submit, prepare, commit
    preparing         the worker's part of that
    embedding         vectors of texts, computed in the right process and cached
    embedding_job     the worker's part of that
    reembedding       recomputes the vectors of a DocSet with another model
    partitioning      files to elements without storing them
    partition_answer  the layout of the answer, which clients read while it grows
    property_jobs     extract, delete and suggest properties over a whole DocSet
    fetching          files from a web address
    listing           filters of document lists
    paging            page tokens
    webhooks          notifies an address when a task has ended

Knows nothing of HTTP; the routes of `backend.api` translate.
"""
