"""The rules of DocSets and documents: what may be done with them, and what happens then.

    docsets         create, list, change, lock, clone, delete
    documents       list, read, correct, delete
    adding          the way of a file to a document: submit, prepare, commit
    preparing       the part of it that runs in a worker process
    embedding       vectors of texts, made where they belong to be made and kept in a cache
    embedding_job   the part of it that runs in a worker process
    reembedding     the vectors of a DocSet made anew by another model
    partitioning    files to elements without keeping them
    partition_answer  the layout of the answer that is read while it grows
    property_jobs   extract, delete and suggest properties over a whole DocSet
    fetching        files from an address on the web
    listing         filters of document lists
    paging          page tokens
    webhooks        telling others that a task has ended

Refuses to know HTTP; routes translate.
"""
