"""A plan says in one sentence what it does."""

from workbench.contract.plan import Plan
from workbench.sessions.node_form import read
from workbench.sessions.understanding import understood

FILTER = {
    "node_type": "BasicFilter", "field": "year", "query": 2018, "match": "exact",
    "description": "Keep where year is 2018",
}  # fmt: skip


def plan(*nodes):
    wired = {
        str(i): {"node_id": i, "inputs": [i - 1] if i else [], **n} for i, n in enumerate(nodes)
    }
    return Plan.model_validate({"nodes": wired, "result_node": len(nodes) - 1})


SOURCE = {"node_type": "QueryDatabase", "description": "Read all documents of invoices"}
COUNT = {"node_type": "Count", "description": "Count the documents"}


def test_the_sentence_omits_that_all_documents_are_read():
    assert understood(plan(SOURCE, FILTER, COUNT)) == "keep where year is 2018; count the documents"
    assert understood(plan(SOURCE)) == "read all documents of invoices"
    narrowed = {**SOURCE, "description": "Read invoices with ice", "query_text": "ice"}
    assert understood(plan(narrowed, COUNT)) == "read invoices with ice; count the documents"


def test_a_step_changed_by_hand_has_a_current_description():
    before = plan(SOURCE, FILTER, COUNT)
    changed = read(before, 1, {"query": "2019"})
    after = before.model_copy(update={"nodes": {**before.nodes, "1": changed}})
    assert understood(after) == "keep year = 2019; count the documents"
