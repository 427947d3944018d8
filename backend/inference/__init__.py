"""Models: embeddings of texts, and answers of language models.

    embeddings      the embedder interface, and the identity that binds vectors to their provider
    providers       the embedders available here: static, minilm, endpoint
    installing      models installed on request, with pinned hashes
    catalogue       the description of each provider
    minilm_graph    the network of MiniLM, written by onnx_file
    byte_pairs      the tokens of the static vectors
    word_pieces     the tokens of MiniLM
    tensors         the format of their weights
    language        questions to a language model
    checking        tests whether all of them respond
    phrase_vectors  the meaning of short phrases, by a small fitted network that ships with the
    program
    role_network    what a question does with each property, by a network that shares layers with it
    reading_judge   how well a plan fits a question, by a third network
    value_reader    which values in a document a property means, by a fourth network
    branch          what the other networks share with the first
    small_bert      the layers of all of them on numpy

Owns providers, their identities and threads, and the budget of a question to a language model. It
knows nothing of DocSets, requests and databases: it takes texts and returns arrays and typed
answers.
"""
