"""Models: what turns text into vectors, and what answers questions in words.

    embeddings      what an embedder is, and the identity that binds vectors to their maker
    providers       which embedders there are here: static, minilm, endpoint
    installing      models that are installed on request, with their pinned hashes
    catalogue       what is told of each
    minilm_graph    the network of MiniLM, written by onnx_file
    language        questions to a language model
    checking        whether all of them answer

Owns providers, their identities and their threads, and what a question to a language model may
cost. Refuses to know about DocSets, requests and databases: it takes texts and gives arrays and
typed answers.
"""
