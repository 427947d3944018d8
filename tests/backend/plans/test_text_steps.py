"""Steps that read text: approximate, always the same, and with the places they read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backend.plans.edits.draft import Draft
from backend.plans.running import clustering
from tests.backend.plans.desk import ACCOUNT, Desk, make_desk
from tests.contract.plans import plan, source, step
from workbench.contract.plan import Query


@pytest.fixture
def desk(desks: Callable[[str], Desk]) -> Desk:
    return desks("satellites")


def places(desk: Desk, rest: int) -> set[Any]:
    return desk.expected(lambda r: int(r["satellite_id"][2:]) % 3 == rest)


def test_documents_are_judged_by_the_meaning_of_their_sentences(desk: Desk) -> None:
    judge = step("LlmFilter", 1, 0, question="Was it hit by space junk or debris?")
    assert set(desk.keys(plan(source(), judge))) == places(desk, 1)


def test_a_judgement_has_a_score_evidence_and_is_marked_approximate(desk: Desk) -> None:
    judge = step("LlmFilter", 1, 0, question="Did a battery overheat?")
    result = desk.run(plan(source(), judge))
    document = result.result[0]
    assert document["approximate"] is True
    assert 0 < document["score"] <= 1
    assert "battery" in document["evidence"][0]["text"]
    assert document["evidence"][0]["page"] == 1
    trace = desk.service.trace(result.query_id, ACCOUNT).nodes
    assert [node.approximate for node in trace] == [False, True]
    assert result.citations


def test_a_judgement_is_the_same_on_every_run(desk: Desk) -> None:
    judge = plan(source(), step("LlmFilter", 1, 0, question="Did a battery overheat?"))
    assert desk.result(judge) == desk.result(judge)


def test_a_higher_threshold_keeps_fewer_documents(desk: Desk) -> None:
    def kept(threshold: float) -> int:
        judge = step("LlmFilter", 1, 0, question="battery overheated", threshold=threshold)
        return len(desk.result(plan(source(), judge)))

    assert kept(0.99) <= kept(0.5) <= kept(0.01)


def test_a_single_document_can_be_judged(desk: Desk) -> None:
    one = step("BasicFilter", 1, 0, field="satellite_id", query="S-0", match="exact")
    judge = step("LlmFilter", 2, 1, question="Did a battery overheat?")
    assert desk.keys(plan(source(), one, judge)) == ["S-0"]


def test_a_value_is_read_from_the_text_or_unknown(desk: Desk) -> None:
    read = step(
        "LlmExtractEntity",
        1,
        0,
        question="What did debris strike?",
        new_field="part",
        new_field_type="string",
        choices=["solar panel", "antenna"],
    )
    documents = desk.result(plan(source(), read))
    values = {d["properties"]["entity"]["satellite_id"]: d["properties"]["part"] for d in documents}
    assert {key for key, value in values.items() if value == "solar panel"} == places(desk, 1)
    assert {value for key, value in values.items() if key not in places(desk, 1)} == {None}


def test_a_summary_cites_the_places_of_its_sentences(desk: Desk) -> None:
    summary = step("SummarizeData", 1, 0, question="What happened to the battery?")
    result = desk.run(plan(source(), summary))
    assert "battery cell overheated" in result.result
    assert "[1: " in result.result
    assert "battery" in result.citations[0].text


def test_a_summary_of_a_number_or_a_table_is_exact(desk: Desk) -> None:
    count = (step("Count", 1, 0), step("SummarizeData", 2, 1, question="?"))
    assert str(len(desk.records)) in desk.result(plan(source(), *count))
    table = (step("TopK", 1, 0, field="orbit", descending=True), step("SummarizeData", 2, 1))
    summary = desk.result(plan(source(), *table))
    assert all(orbit in summary for orbit in ("LEO", "MEO", "GEO"))


def test_spellings_that_look_alike_can_be_counted_together(desk: Desk) -> None:
    top = step("TopK", 1, 0, field="operator", descending=True, llm_cluster=True)
    assert len(desk.result(plan(source(), top))) == len({r["operator"] for r in desk.records})


def test_clusters_are_made_from_the_words_of_the_text(desk: Desk) -> None:
    cluster = step("KMeanClustering", 1, 0, new_field="theme", K=3)
    documents = desk.result(plan(source(), cluster))
    themes: dict[str, set[int]] = {}
    for document in documents:
        number = int(document["properties"]["entity"]["satellite_id"][2:])
        themes.setdefault(document["properties"]["theme"], set()).add(number % 3)
    assert sorted(len(rests) for rests in themes.values()) == [1, 1, 1]


def test_clusters_of_many_documents_are_computed_from_a_sample(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clustering, "_SAMPLE", 20)
    monkeypatch.setattr(clustering, "_BATCH", 7)
    result = desk.run(plan(source(), step("KMeanClustering", 1, 0, new_field="theme", K=3)))
    themes: dict[str, set[int]] = {}
    for document in result.result:
        number = int(document["properties"]["entity"]["satellite_id"][2:])
        themes.setdefault(document["properties"]["theme"], set()).add(number % 3)
    assert sorted(len(rests) for rests in themes.values()) == [1, 1, 1]
    assert "clusters were computed from a sample of 20 documents" in result.warnings


def test_a_text_query_ranks_only_documents_that_pass_later_filters(desk: Desk) -> None:
    ranked = source() | {"query_text": "battery overheated", "top_k": 5}
    leo = step("BasicFilter", 1, 0, field="orbit", query="LEO", match="exact")
    keys = desk.keys(plan(ranked, leo))
    assert len(keys) == 5
    assert set(keys) <= desk.expected(lambda r: r["orbit"] == "LEO")


def test_quoted_words_are_searched_literally(desk: Desk) -> None:
    assert set(desk.keys(desk.ask('satellites mentioning "solar panel"'))) == places(desk, 1)


def test_a_question_about_the_text_becomes_an_approximate_step(desk: Desk) -> None:
    asked = desk.ask("LEO satellites about debris")
    kinds = [node.node_type for node in Draft.of(asked).spine()]
    assert kinds == ["QueryDatabase", "BasicFilter", "LlmFilter"]


def test_an_answer_from_texts_includes_the_passage_that_answers(tmp_path: Path) -> None:
    """Also where that repeats no word of the question, and names by "it" whom it is about."""
    filling = "The station counted visitors, tents and radios in the month of June. "
    texts = [
        [filling * 3, "On Sunday the bear came to the tents. It took honey.", filling * 3],
        ["Visitors asked what a bear would eat. The ranger did not say.", filling * 3],
        *([[filling * 4, "A wolf was heard at night from the farm."]] * 4),
    ]
    schema = [{"name": "id", "field_type": "string"}]
    desk = make_desk(tmp_path, "bears", schema, [{"id": str(n)} for n in range(6)], texts)
    query = Query(docset_id=desk.docset_id, query="What did the bear eat?", rag_mode=True)
    result = desk.service.run(query, ACCOUNT, lambda event: None, lambda: False)
    assert "It took honey." in result.result
    assert any("honey" in citation.text for citation in result.citations)


def test_the_sentence_that_answers_comes_first_whatever_the_tense_of_its_verb(
    tmp_path: Path,
) -> None:
    texts = [
        ["The warden lived there with two mules.", "The mules ate the rope of the bell."],
        ["Nobody was hurt. The miller had gone out to feed the mules."],
        ["The boats stood in the yard until the mules were sold."],
    ]
    schema = [{"name": "id", "field_type": "string"}]
    desk = make_desk(tmp_path, "mules", schema, [{"id": str(n)} for n in range(3)], texts)
    query = Query(docset_id=desk.docset_id, query="What did the mules eat?", rag_mode=True)
    result = desk.service.run(query, ACCOUNT, lambda event: None, lambda: False)
    first = result.result.splitlines()[1]
    assert "ate the rope" in first and "[1: " in first
