"""Display names for the kinds of search and their results."""

from collections.abc import Mapping

from workbench.contract.search import QueryType, ReturnType

KIND_WORDS: Mapping[QueryType, str] = {
    "keyword": "literal",
    "lexical": "words",
    "vector": "meaning",
    "hybrid": "both",
}
THING_WORDS: Mapping[ReturnType, str] = {"element": "elements", "doc": "documents"}
LIST_WORDS: Mapping[str, str] = {str(kind): words for kind, words in KIND_WORDS.items()}
"""The same for the lists of a hybrid search, whose names come from the server."""
