"""Request bodies that work, shown in the OpenAPI document and sent by its tests."""

from typing import Any

Examples = dict[str, Any]

_INCIDENTS = {
    "properties": [
        {"name": "state", "field_type": "string", "description": "Where it happened"},
        {"name": "injuries", "field_type": "int", "default": 0},
        {
            "name": "cause",
            "type": {"type": "choice", "choices": ["wind", "operator", "equipment"]},
        },
    ]
}

CREATE: Examples = {
    "a name": {"value": {"name": "incidents"}},
    "with a schema": {
        "value": {"name": "incidents", "properties": {"owner": "safety"}, "schema": _INCIDENTS}
    },
}
UPDATE: Examples = {"a new name": {"value": {"name": "incidents of 2024"}}}
EMBEDDING: Examples = {"the built-in model": {"value": {"provider": "static"}}}
SUGGEST: Examples = {"from all documents": {"value": {"sample_ratio": 1.0}}}
EXTRACT: Examples = {"three properties": {"value": _INCIDENTS}}
DELETE_PROPERTIES: Examples = {"two names": {"value": {"names": ["injuries", "cause"]}}}
PROPERTIES: Examples = {
    "correct a value": {
        "value": {
            "operations": [{"op": "replace", "path": "/properties/entity/state", "value": "Ohio"}]
        }
    }
}
SEARCH: Examples = {
    "words": {"value": {"query": "strong wind"}},
    "meaning, elements": {
        "value": {"query": "gusts", "query_type": "hybrid", "return_type": "element"}
    },
    "a filter": {
        "value": {
            "properties_filter": (
                "(properties.entity.state = 'Texas') AND (properties.entity.injuries >= 1)"
            ),
            "include_fields": ["doc_id", "$.properties.entity"],
        }
    },
}
FACETS: Examples = {
    "of all documents": {"value": {}},
    "of matching documents": {
        "value": {"search": {"query": "strong wind"}, "fields": ["state", "injuries"], "top": 5}
    },
}
COMPLETION: Examples = {
    "a property": {"value": {"filter": "injuries > 1 and sta"}},
    "a value": {"value": {"filter": "state = 'T", "cursor": 10}},
}
REVIEW: Examples = {
    "the least certain": {"value": {}},
    "all of one property": {"value": {"fields": ["state"], "below": None}},
}
_DECISION = {"doc_id": "wb:f-0123456789abcdefghjkmnpqrs", "field": "state"}
DECISIONS: Examples = {
    "another value": {"value": {"decisions": [{**_DECISION, "value": "Ohio"}]}},
    "there is none": {"value": {"decisions": [{**_DECISION, "value": None}]}},
    "not checked after all": {"value": {"decisions": [{**_DECISION, "reopen": True}]}},
}
REREAD: Examples = {
    "what was corrected": {"value": {}},
    "one property": {"value": {"fields": ["state"]}},
}
CHANGES: Examples = {"all": {"value": {}}, "two": {"value": {"change_ids": [1, 2]}}}
STORAGE: Examples = {
    "a look": {"value": {}},
    "read all files, mend": {"value": {"read_files": True, "repair": True}},
}
TOKEN: Examples = {
    "for a report": {"value": {"name": "weekly report", "scope": "read", "days": 30}}
}
_COUNT = {
    "query": "How many incidents are there?",
    "nodes": {
        "0": {
            "node_type": "QueryDatabase",
            "node_id": 0,
            "description": "All incidents",
            "inputs": [],
            "index": "",
            "query": None,
        },
        "1": {"node_type": "Count", "node_id": 1, "description": "Their number", "inputs": [0]},
    },
    "result_node": 1,
}


_SORTED = {
    "query": "Incidents by state, then the worst first",
    "nodes": {
        "0": {"node_type": "QueryDatabase", "node_id": 0, "inputs": [], "index": ""},
        "1": {
            "node_type": "Sort",
            "node_id": 1,
            "inputs": [0],
            "field": "state",
            "then": [{"field": "injuries", "descending": True}],
        },
    },
    "result_node": 1,
}

_MERGE = {"field": "state", "values": ["CA", "California"], "into": "California"}


def about(docset_id: str = "wb:ds-0123456789abcdefghjkmnpqrs") -> dict[str, Examples]:
    """Examples of bodies that name a DocSet, by operation."""
    question = {"docset_id": docset_id, "query": "How many incidents are there?"}
    plan = {"docset_id": docset_id, "plan": _COUNT}
    return {
        "plan": {"a question": {"value": question}},
        "edit": {
            "narrow it": {
                "value": {"query": plan, "feedback": "only those with more than 2 injuries"}
            }
        },
        "run": {
            "a question": {"value": question},
            "a plan": {"value": plan},
            "a plan with two orders": {"value": {"docset_id": docset_id, "plan": _SORTED}},
        },
        "merge": {"a state": {"value": _MERGE}},
        "validate": {"a plan": {"value": plan}},
        "diff": {"the same": {"value": {"before": _COUNT, "after": _COUNT}}},
    }
