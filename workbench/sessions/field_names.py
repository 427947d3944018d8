"""Display names for the fields of steps, which differ from those in plans."""

import re
from collections.abc import Mapping

INPUTS = "inputs"
"""The steps that feed a step; a field of every kind."""

_NAMES: Mapping[str, str] = {
    "K": "how many",
    "aggregations": "measures",
    "any_of": "or other tests",
    "bucket": "dates by",
    "default_value": "value if unknown",
    "descending": "largest first",
    "distinct_field": "different values of",
    "doc_filter": "documents",
    "end": "to",
    "end_at": "to the",
    "end_exclusive": "to: not itself",
    "end_field": "to property",
    "exists": "is known",
    "field": "property",
    "field_one": "property of the first",
    "field_two": "property of the second",
    "fields": "properties",
    INPUTS: "input steps",
    "is_date": "compare as dates",
    "llm_cluster": "group by meaning",
    "llm_cluster_instruction": "how to group",
    "llm_group_instruction": "how to name groups",
    "match": "compare text",
    "negate": "keep the others",
    "new_field": "new property",
    "new_field_type": "type of values",
    "num_records": "how many",
    "opensearch_filter": "OpenSearch filter",
    "per": "for each",
    "primary_field": "property of documents",
    "properties_filter": "condition",
    "query": "value",
    "query_phrase": "near to",
    "query_text": "search words",
    "query_type": "search by",
    "rag_mode": "answer from passages",
    "range_filter": "a range",
    "skip": "pass over the first",
    "start": "from",
    "start_at": "from the",
    "start_exclusive": "from: not itself",
    "start_field": "from property",
    "then": "then by",
    "threshold": "least score",
    "top_k": "at most",
    "values": "any of",
    "with_ties": "keep ties",
}
_OF_A_KIND: Mapping[tuple[str, str], str] = {("QueryDatabase", "query"): "OpenSearch query"}
_USUAL = frozenset(
    ("K", "aggregations", "descending", "fields", "match", "num_records", "properties_filter",
     "query_phrase", "query_text", "question", INPUTS)
)  # fmt: skip
_USUAL_OF_A_KIND = frozenset({("BasicFilter", "query")})


def field_label(name: str, kind: str = "") -> str:
    """The name of a field of a kind of step: `num_records` is `how many`."""
    return _OF_A_KIND.get((kind, name)) or _NAMES.get(name) or name.replace("_", " ")


def is_usual(name: str, kind: str) -> bool:
    """Whether people often set that field, so that a form shows it even while it is empty."""
    return name in _USUAL or (kind, name) in _USUAL_OF_A_KIND


def with_labels(sentence: str, kind: str = "") -> str:
    """The sentence with display names in place of the field names in backquotes."""
    return re.sub(r"`(\w+)`", lambda match: f"“{field_label(match[1], kind)}”", sentence)
