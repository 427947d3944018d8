"""What rows, nodes, changes and hits say, by the pure functions that put them into words."""

import json
from dataclasses import replace

import pytest

from tests.tui.fake_client import document, hit, plan, task
from workbench.contract.elements import StoredElement, Table
from workbench.contract.plan import EditReport, NodeEstimate, RefusedClause
from workbench.contract.plan_diff import diff
from workbench.contract.plan_nodes import CATALOGUE, Node
from workbench.contract.query import Event, Evidence
from workbench.contract.review import ReviewGuess
from workbench.frames.hit_words import read_hit
from workbench.frames.notes import AnswerNotes
from workbench.frames.shares import VALUE
from workbench.sessions.evidence import passages_of
from workbench.sessions.plan_layout import graph_rows
from workbench.sessions.plan_run import NodeProgress, PlanRun
from workbench.sessions.plan_versions import PlanVersion
from workbench.sessions.readings import readings
from workbench.sessions.step_sentences import what_it_does
from workbench.sessions.task_titles import task_title
from workbench.tui.answer_words import answer_lines, row_words
from workbench.tui.dialogs.properties import read_property
from workbench.tui.document_words import about
from workbench.tui.evidence_words import quoted, reading_lines
from workbench.tui.lines import Span, plain, width_of, wrap, wrap_within
from workbench.tui.plan_words import change_words, field_changes, plan_words
from workbench.tui.review_words import Choice, choice_lines
from workbench.tui.saving import free_path, safe_name
from workbench.tui.table_words import table_lines, table_of
from workbench.tui.task_words import kept_line, progress_line, result_text, state_of
from workbench.tui.widgets.hit_list import hit_lines, score_text, why_lines
from workbench.tui.widgets.node_form import node_lines
from workbench.tui.widgets.node_output import ColumnFacts, OutputRow, _with_bars, shown_columns
from workbench.tui.widgets.plan_changes import change_line, report_lines
from workbench.tui.widgets.plan_graph import node_line


def test_a_document_shows_its_first_remarks_and_how_many_more_there_are():
    remarks = [f"page {number} read by OCR" for number in range(1, 8)]
    shown = [
        plain(part)
        for part in about(document("wb:ds-1", 1).model_copy(update={"remarks": remarks}))
    ]
    assert [f"! {remark}" for remark in remarks[:4]] == shown[1:5]
    assert shown[5] == "  and 3 more remarks"


def test_values_of_a_document_are_in_columns_with_confidence_and_page():
    listed = readings(
        {"state": "WA", "visibility": 11, "remark": "a b c d e f g h i j k l m n o p"},
        {
            "state": {"confidence": 0.97, "page": 2},
            "visibility": {"confidence": 0.6, "page": 1, "unit": "mile"},
            "cause": {"alternatives": [{"value": "icing", "confidence": 0.4, "page": 3}]},
        },
    )
    lines = reading_lines(listed, 36)
    assert [plain(line).rstrip() for line in lines] == [
        "state       WA              0.97  p2",
        "visibility  11 miles        0.60  p1",
        "remark      a b c d e f g h i j k",
        "            l m n o p",
        "cause       —",
        "  perhaps   icing           0.40  p3",
    ]
    roles = {span.text: span.role for row in lines for span in row}
    assert (roles["0.97"], roles["0.60"], roles["0.40"]) == ("dim", "warn", "caution")


def test_passages_come_once_the_best_first_with_the_words_of_the_question():
    passage = {"doc_id": "f", "element_id": "e", "page": 2}
    row = {
        "evidence": [
            {**passage, "text": "The wing was clean.", "score": 0.4},
            {**passage, "text": "Ice accreted on the wings.", "score": 0.91},
            {**passage, "text": "Ice  accreted on the wings.", "score": 0.8},
        ]
    }
    assert [p.score for p in passages_of(row, None)] == [0.91, 0.4]
    marked = quoted("Ice accreted on the wings.", None, 60, "reports that mention ice on the wing?")
    assert [span.text for span in marked if span.role == "match"] == ["Ice", "wings"]


def test_passages_have_the_room_of_their_column_and_scores_two_decimals():
    text = "Ice accreted on the leading edge of the left wing."
    cited = {"doc_id": "f", "element_id": "e", "page": 2, "text": text, "score": 0.8034}
    row = {"score": 0.8034, "properties.path": "a.pdf", "evidence": [cited]}
    facts = ColumnFacts(question="mention ice")
    columns = _with_bars(list(row), [row], facts)
    cells = {column.label: column.cell(OutputRow(0, row)) for column in columns}
    assert cells["score"] == "0.80"
    assert [span.text for span in cells["evidence"] if span.role == "match"] == ["Ice"]
    assert plain(cells["evidence"]).startswith("0.80  p2 “Ice accreted")
    assert columns[-1].weight == 3 and columns[-1].least == 40


def test_a_quote_shows_the_value_however_it_is_written():
    quote = "Number | 7 | " + "words before | " * 9 + "Cost | $36,400 | Wind"
    line = quoted(quote, 36400.0, 50)
    assert [span.text for span in line if span.role == "match"] == ["36,400"]
    assert plain(line).index("36,400") < 50


@pytest.mark.parametrize("width", [40, 78, 118])
def test_a_node_fits_its_line_at_every_width(width):
    progress = NodeProgress("done", rows=1204, ms=640, approximate=True)
    for row in graph_rows(plan("q", limit=5)):
        shown = node_line(row, progress, "~", width)
        assert width_of(shown) <= max(width, 60)
        assert plain(shown).startswith("● ")
    assert "~1,204" in plain(shown)
    assert ("640 ms" in plain(shown)) == (width > 40), "time gives way to what the step does"


def test_changes_show_before_and_after():
    before, after = plan("q"), plan("q", group="state", limit=5)
    changed, added = diff(before, after).changes
    assert field_changes(changed) == "property city → state"
    assert change_words(added, before, after) == "5"
    line = plain(change_line(changed, field_changes(changed), None, 60, ask=True))
    assert line.startswith("~  3 GroupBy")
    assert line.endswith("y / n ")
    assert "rejected" in plain(change_line(changed, "", "refused", 60, ask=True))


def test_words_without_effect_are_listed_with_alternatives():
    refused = RefusedClause(
        clause="sparkle", reason="not understood", kind="not_understood", suggestions=["top 5"]
    )
    lines = [plain(line) for line in report_lines(EditReport(not_applied=[refused]))]
    assert lines == ["✗ “sparkle” not understood", "  try: top 5"]


def test_a_node_shows_dropped_rows_with_reasons():
    progress = NodeProgress("done", dropped={"below the threshold": 181}, warnings=("doubtful",))
    text = "\n".join(plain(line) for line in node_lines(plan("q").node(2), progress))
    assert "question  mentions icing" in text
    assert "181 dropped  below the threshold" in text
    assert "! doubtful" in text


def test_passages_that_decided_a_question_lead_to_their_page():
    run = PlanRun(plan("q"), None, 0)
    evidence = Evidence(
        doc_id="d2", element_id="e7", page=3, bbox=[0, 0, 1, 1], text="ice  on\nthe wing"
    )
    run.take_event(Event("result", "4"))
    run.take_event(Event("citations", [evidence.model_dump()]))
    run.take_event(Event("complete", ""))
    assert run.result.result == 4
    judged = {"doc_id": "d9", "element_id": "e1", "page": 5, "text": "x", "score": 0.7}
    passages = passages_of({"citations": [json.dumps(judged)]}, run.result)
    assert [(one.doc_id, one.page) for one in passages] == [("d2", 3), ("d9", 5)]


def test_a_number_and_a_text_are_shown_as_answers_and_tables_are_not():
    def shown(rows, **how):
        return [plain(line) for line in answer_lines(rows, AnswerNotes(), **how)]

    assert shown([{"value": 1234, "doc_ids": []}]) == ["1,234"]
    assert shown([{"value": 0.1882}], percent=100) == ["18.8 %"]
    assert shown([{"value": 18.82}], percent=1) == ["18.8 %"]
    assert shown([{"value": None}]) == ["no value"]
    assert shown([{"text": "a\nb"}]) == ["a", "b"]
    assert shown([{"key": "WA"}]) == []
    assert shown([{"value": 1}, {"value": 2}]) == []


def test_output_shows_the_main_columns_first_and_ids_only_for_unnamed_rows():
    assert shown_columns(["doc_id", "properties.path", "score"]) == ["score", "properties.path"]
    assert shown_columns(["properties.count", "properties.key", "doc_ids"]) == [
        "properties.key", "properties.count", "doc_ids",
    ]  # fmt: skip
    assert shown_columns(["doc_id"]) == ["doc_id"]


def test_a_step_that_has_not_run_shows_its_estimate():
    row = graph_rows(plan("q"))[2]
    guess = NodeEstimate(node_id=2, rows=31, exact=False, texts_read=212, ms=900)
    reported = plain(node_line(row, None, "", 80, guess))
    assert reported.startswith("○  2 Keep if: mentions icing · about 31")
    assert reported.rstrip().endswith("LlmFilter ≈")
    estimates = {2: guess, 0: NodeEstimate(node_id=0, rows=9, exact=True, ms=100)}
    reported = plan_words(version(), None, estimates)
    assert reported == "6 steps · about 1 s · reads 212 texts"


def version():
    return PlanVersion(1, None, "question", plan("q"), None, None, 1, {}, None, None, None, 0.0)


def test_a_hit_shows_its_place_and_reason():
    row = read_hit(hit(2, "element"), "element")
    lines = [plain(line) for line in hit_lines(row, 3, 60)]
    assert lines[0].startswith("  3  Carburetor icing")
    assert "p1" in lines[2]
    long = replace(row, name="a-rather-long-name-of-a-report.pdf")
    narrow = plain(hit_lines(long, 3, 46)[2])
    assert "… · p1" in narrow and narrow.rstrip().endswith(".032"), "the name gives way"
    assert score_text(row) == "words 3  meaning 15  .032"
    why = " ".join(why_lines(row, 3))
    assert "it adds 1/(60+3) = 0.0159" in why
    assert "Together 1/(60+3) + 1/(60+15)" in why


def test_properties_are_written_in_plain_words():
    assert read_property('"Accident date" date when').kind == "date"
    assert read_property("state").kind == "string"
    odd = read_property("wind speed of the wind in knots")
    assert (odd.name, odd.kind, odd.description) == ("wind", "string", "speed of the wind in knots")
    with pytest.raises(ValueError, match="Type a name"):
        read_property("  ")


def test_tasks_are_named_by_their_action():
    assert task_title(task(1)) == "add document report-0001.pdf"
    assert task_title(task(1, action="/v1/jobs/extract-properties", name=None)) == (
        "extract properties"
    )
    assert state_of(task(1, "done", outcome=500)) == "failed"
    assert result_text({"a": 1}) == '{\n  "a": 1\n}'


def test_files_never_overwrite_existing_ones(tmp_path):
    assert safe_name("../../etc/passwd") == "passwd"
    assert safe_name("..") == "document"
    (tmp_path / "a.pdf").write_text("x")
    assert free_path(tmp_path / "a.pdf").name == "a-2.pdf"


def test_the_time_left_is_shown_once_it_can_be_estimated():
    def reported(now, **known):
        return plain(progress_line(task(1, started=100.0, unit="pages", **known), now))

    assert reported(110.0, done=4, total=12) == "██░░░░  4 of 12 pages, 20 s left"
    assert reported(101.0, done=4, total=12) == "██░░░░  4 of 12 pages"
    assert reported(110.0, done=1, total=12) == "▌░░░░░  1 of 12 pages"
    assert reported(110.0) == "running"


def test_a_cancel_names_only_what_is_kept():
    assert plain(kept_line(task(1, done=12, total=40, unit="documents"))) == (
        "12 of 40 documents done and kept."
    )
    assert "not kept" in plain(kept_line(task(1, done=12, total=40, unit="pages")))
    assert plain(kept_line(task(1, "queued"))) == "It has not started yet."


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        ("BasicFilter", {"field": "properties.entity.damage", "query": "Substantial"},
         "Keep damage contains Substantial"),
        ("GroupBy", {"field": "properties.entity.event_date", "bucket": "year"},
         "Group by year of event date"),
        ("Aggregate", {"aggregations": [{"func": "avg", "field": "properties.entity.damage_cost"}]},
         "Compute average damage cost"),
        ("Sort", {"field": "properties.count", "descending": True}, "Sort by count, largest first"),
        ("Limit", {"num_records": 5, "per": ["state"]}, "Take the first 5 of each state"),
        ("Unheard", {"field": "x"}, "Unheard x"),
    ],
)  # fmt: skip
def test_a_step_is_described_by_its_fields(kind, fields, words):
    node = Node.model_validate({"node_id": 1, "node_type": kind, "inputs": [0], **fields})
    assert what_it_does(node) == words


def test_every_kind_of_step_has_a_description():
    for kind in CATALOGUE:
        node = Node.model_validate({"node_id": 1, "node_type": kind, "inputs": []})
        assert what_it_does(node) != kind or kind == "Count"


def test_a_step_that_keeps_some_rows_says_how_many_of_how_many():
    row = graph_rows(plan("q"))[1]
    done = NodeProgress("done", rows=212, ms=1.2)
    line = plain(node_line(row, done, "", 80, rows_in=1204))
    assert line.startswith("●  1 Keep year = 2023 · 212 of 1,204")
    assert line.split()[-3:] == ["BasicFilter", "1", "ms"]
    assert plain(node_line(row, done, "", 44, rows_in=1204)).rstrip().endswith("212 of 1,204")


def test_only_a_table_has_cells_also_where_all_elements_have_the_same_box():
    page = {"page_number": 1}
    common = {"id": "e", "embedding": None, "bbox": [0, 0, 1, 1], "properties": page}
    heading, table = (
        StoredElement.model_validate({**common, "type": kind, "text_representation": "x"})
        for kind in ("Section-header", "table")
    )
    cells = [{"content": "x", "rows": [0], "cols": [0], "is_header": False}]
    original = {"bbox": [0, 0, 1, 1], "properties": page,
                "table": {"num_rows": 1, "num_cols": 1, "cells": cells}}  # fmt: skip
    assert table_of(heading, [original]) is None
    assert table_of(table, [original]) is not None


def test_words_that_are_left_out_leave_a_sign_and_no_half_word():
    text = (Span("one two "), Span("three four five", "dim"))
    lines = wrap_within(text, 10, 2)
    assert [plain(line) for line in lines] == ["one two ", "three…"]
    assert wrap_within(text, 10, 3) == wrap(text, 10)
    quote = ReviewGuess(value="five", confidence=0.4, page=1, quote="one two three four five six")
    shown = [plain(row) for row in choice_lines(Choice("1", quote, "word"), 24, 2)]
    assert shown[1].strip().startswith("“") and shown[1].rstrip().endswith("…")


@pytest.mark.parametrize("width", [20, 44, 52, 70])
def test_cells_of_a_table_are_broken_between_words(width):
    texts = [
        ["Description", "Quantity", "Amount"],
        ["of the whole load and all of it", "1", "Uncharacteristically"],
        ["Inspection", "3", "750.00"],
    ]
    cells = [
        {"content": text, "rows": [row], "cols": [column], "is_header": row == 0}
        for row, line in enumerate(texts)
        for column, text in enumerate(line)
    ]
    table = Table.model_validate({"num_rows": 3, "num_cols": 3, "cells": cells})
    lines = [plain(line) for line in table_lines(table, width)]
    longest = len("Description") + len("Quantity") + len("Uncharacteristically") + 4
    assert max(map(len, lines)) <= max(width, longest), "wider only where its words need it"
    shown = " ".join(lines).split()
    assert all(word in shown for text in texts for cell in text for word in cell.split())


def test_the_measures_of_a_step_are_in_words_and_not_json():
    item = {"func": "avg", "field": "properties.entity.damage_cost", "name": "avg_damage_cost"}
    step = Node(node_type="Aggregate", node_id=2, inputs=[1], aggregations=[item])
    text = "\n".join(plain(line) for line in node_lines(step, None))
    assert text == "measures  average damage cost"


def test_the_documents_behind_a_number_are_titled_with_it_as_shown() -> None:
    assert row_words({VALUE: 0.5}, percent=100) == "50.0 %"
    assert row_words({VALUE: 1204}) == "1,204"
    assert row_words({VALUE: 1204}, unit="EUR") == "1,204 EUR"
    assert row_words({VALUE: None}, percent=100) == "no value"
    assert row_words({"properties.key": 2013, "properties.count": 4}) == "2013"
