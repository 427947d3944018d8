"""Every kind of step with every field of its own: a sound example, and another value for each.

The table is checked against the catalogue, so a new kind or field must be entered here.
"""

from dataclasses import dataclass, field
from typing import Any

from tests.contract.plans import plan, step
from workbench.contract.plan import Plan

ORBIT, MASS = "properties.entity.orbit", "properties.entity.mass_kg"
LAUNCH, TEXT = "properties.entity.launch_date", "text_representation"
LEO = {"term": {"properties.entity.orbit.keyword": "LEO"}}
GEO = {"match_phrase": {"properties.entity.orbit": "GEO"}}
NEARBY = [{"field": ORBIT, "query": "LEO"}, {"field": "status", "query": "lost"}]
HEAVY = [{"field": MASS, "range_filter": True, "start": 500}]
AVERAGE = [{"func": "avg", "field": MASS, "name": "mean"}]
LARGEST = [{"func": "max", "field": MASS, "name": "most", "where": HEAVY}]


@dataclass(frozen=True)
class Example:
    """A step behind others (`before`, the last of them its input unless `inputs` says otherwise).

    `fields` are all of its fields but those in `alone`, which exclude others and are tried alone;
    `other` has another value for each.
    """

    before: tuple[dict[str, Any], ...]
    fields: dict[str, Any]
    other: dict[str, Any]
    alone: dict[str, Any] = field(default_factory=dict)
    inputs: tuple[int, ...] | None = None

    def plan(self, kind: str, **changed: Any) -> Plan:
        """The example as a plan, with some fields changed; None leaves one out."""
        place = len(self.before)
        inputs = self.inputs if self.inputs is not None else (place - 1,) if place else ()
        fields = {**self.fields, **changed}
        kept = {name: value for name, value in fields.items() if value is not None}
        return plan(*self.before, step(kind, place, *inputs, **kept))


ALL = step("QueryDatabase", 0)
SECOND = step("QueryDatabase", 1)
GROUPED = step("GroupBy", 1, 0, field=ORBIT)
COUNTS = (ALL, step("Count", 1, 0), step("Count", 2, 0, distinct_field=ORBIT))

EXAMPLES: dict[str, Example] = {
    "QueryDatabase": Example(
        (),
        {
            "index": "ds",
            "query": LEO,
            "result_filter": {"exists": {"field": MASS}},
            "doc_filter": {"sample_ratio": 0.9, "seed": 3},
            "properties_filter": "properties.entity.mass_kg > 1",
            "query_text": "battery",
            "query_type": "keyword",
            "top_k": 5,
        },
        {
            "index": "other",
            "query": GEO,
            "result_filter": {"match_all": {}},
            "doc_filter": {"doc_ids": ["none"], "exclude": True},
            "properties_filter": "properties.entity.mass_kg > 2",
            "query_text": "antenna",
            "query_type": "lexical",
            "top_k": 6,
        },
    ),
    "QueryVectorDatabase": Example(
        (),
        {
            "index": "ds",
            "query_phrase": "overheated battery",
            "opensearch_filter": LEO,
            "result_filter": {"exists": {"field": MASS}},
            "doc_filter": {"sample_ratio": 0.9, "seed": 3},
            "rag_mode": True,
            "top_k": 5,
        },
        {
            "index": "other",
            "query_phrase": "lost antenna",
            "opensearch_filter": GEO,
            "result_filter": {"match_all": {}},
            "doc_filter": {"doc_ids": ["none"], "exclude": True},
            "rag_mode": False,
            "top_k": 6,
        },
    ),
    "BasicFilter": Example(
        (ALL,),
        {"field": MASS, "range_filter": True, "start": 10, "end": 5000},
        {"field": "cost_musd", "range_filter": False, "start": 20, "end": 4000},
        alone={
            "query": {"field": ORBIT, "query": "LEO"},
            "match": {"field": ORBIT, "query": "LEO", "match": "prefix"},
            "values": {"field": ORBIT, "values": ["LEO", "GEO"]},
            "negate": {"field": ORBIT, "query": "LEO", "negate": True},
            "is_date": {"field": LAUNCH, "range_filter": True, "is_date": True, "start": "2020"},
            "start_exclusive": {"field": MASS, "start": 100, "start_exclusive": True},
            "end_exclusive": {"field": MASS, "end": 100, "end_exclusive": True},
            "exists": {"field": MASS, "exists": False},
            "start_at": {"field": MASS, "start_at": "avg"},
            "end_at": {"field": MASS, "end_at": "median"},
            "start_field": {"field": MASS, "start_field": "cost_musd"},
            "end_field": {"field": MASS, "end_field": f"{MASS}.minus.cost_musd"},
            "any_of": {"field": ORBIT, "any_of": NEARBY},
            "kin": {"field": ORBIT, "values": ["LEO"], "kin": {"asked": ["LEO"], "added": []}},
        },
    ),
    "LlmFilter": Example(
        (ALL,),
        {"field": TEXT, "question": "Did it overheat?", "threshold": 0.5, "mode": "strict"},
        {"field": ORBIT, "question": "Was it lost?", "threshold": 0.9, "mode": "loose"},
    ),
    "LlmExtractEntity": Example(
        (ALL,),
        {
            "field": TEXT,
            "question": "Which part failed?",
            "new_field": "part",
            "new_field_type": "string",
            "choices": ["battery", "antenna"],
            "examples": ["battery"],
        },
        {
            "field": "status",
            "question": "What is wrong?",
            "new_field": "fault",
            "new_field_type": "int",
            "choices": ["battery"],
            "examples": ["antenna"],
        },
    ),
    "GroupBy": Example(
        (ALL,),
        {"field": LAUNCH, "fields": [LAUNCH, ORBIT], "bucket": "year"},
        {"field": "entity.launch_date", "fields": [LAUNCH], "bucket": "quarter"},
    ),
    "AggregateCount": Example((ALL, GROUPED), {}, {}),
    "AggregateCollect": Example((ALL, GROUPED), {}, {}),
    "Aggregate": Example((ALL, GROUPED), {"aggregations": AVERAGE}, {"aggregations": LARGEST}),
    "TopK": Example(
        (ALL,),
        {
            "field": ORBIT,
            "primary_field": "satellite_id",
            "K": 2,
            "descending": True,
            "llm_cluster": True,
            "llm_cluster_instruction": "by height",
        },
        {
            "field": "operator",
            "primary_field": "operator",
            "K": 1,
            "descending": False,
            "llm_cluster": False,
            "llm_cluster_instruction": "by owner",
        },
    ),
    "Count": Example((ALL,), {"distinct_field": ORBIT}, {"distinct_field": "operator"}),
    "Math": Example(
        COUNTS,
        {"operation": "subtract"},
        {"operation": "divide"},
        alone={"percent": {"operation": "divide", "percent": True}},
        inputs=(1, 2),
    ),
    "Sort": Example(
        (ALL,),
        {"field": MASS, "descending": True, "default_value": 0},
        {"field": "cost_musd", "descending": False, "default_value": 1},
        alone={"then": {"field": ORBIT, "then": [{"field": MASS, "descending": True}]}},
    ),
    "Limit": Example(
        (ALL,),
        {"num_records": 2, "per": [ORBIT]},
        {"num_records": 3, "per": []},
        alone={
            "with_ties": {"num_records": 2, "with_ties": True},
            "skip": {"num_records": 1, "skip": 1},
        },
    ),
    "Distinct": Example((ALL,), {"field": ORBIT}, {"field": "operator"}),
    "Project": Example((ALL,), {"fields": [ORBIT, MASS]}, {"fields": [ORBIT]}),
    "FieldIn": Example(
        (ALL, SECOND),
        {"field_one": ORBIT, "field_two": ORBIT},
        {"field_one": "operator", "field_two": "operator"},
        inputs=(0, 1),
    ),
    "Unroll": Example((ALL,), {"field": ORBIT}, {"field": "operator"}),
    "KMeanClustering": Example(
        (ALL,),
        {"field": TEXT, "new_field": "theme", "K": 3},
        {"field": ORBIT, "new_field": "kind", "K": 2},
    ),
    "LLMClustering": Example(
        (ALL,),
        {
            "field": "operator",
            "new_field": "owner",
            "llm_group_instruction": "by name",
            "instruction": "by name",
            "K": 3,
        },
        {
            "field": ORBIT,
            "new_field": "height",
            "llm_group_instruction": "by height",
            "instruction": "by height",
            "K": 2,
        },
    ),
    "SummarizeData": Example(
        (ALL,), {"question": "What overheated?"}, {"question": "What was lost?"}
    ),
}
