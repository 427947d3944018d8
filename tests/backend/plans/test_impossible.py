"""Requests without words, impossible dates, arithmetic and markup are refused with a reason."""

from collections.abc import Callable
from pathlib import Path

import pytest

from backend.language.impossible_dates import impossible_date
from tests.backend.plans.desk import ACCOUNT, Desk, make_desk
from workbench.contract.errors import Invalid
from workbench.contract.plan import Query

Desks = Callable[[str], Desk]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("on 2024-13-01", "there is no month 13"),
        ("on 2024-00-10", "there is no month 0"),
        ("since 2024-01-00.", "there is no day 0"),
        ("2023-02-29T10:00", "February 2023 has 28 days"),
        ("between 2024-05-01 and 2024-06-31", "June 2024 has 30 days"),
        ("02/30/2024", "February 2024 has 29 days"),
        ("31/04/2024", "April 2024 has 30 days"),
        ("31.04.2024", "April 2024 has 30 days"),
        ("on 30 February 2024", "February 2024 has 29 days"),
        ("before the 31st of June", "June has 30 days"),
        ("February 30, 2024", "February 2024 has 29 days"),
        ("on April 31", "April has 30 days"),
        ("opened 99999999 years ago", "the calendar begins with the year 1"),
        ("opened 30,000 months ago", "the calendar begins with the year 1"),
    ],
)
def test_a_date_that_does_not_exist_has_a_reason(text: str, reason: str) -> None:
    fault = impossible_date(text)
    assert fault is not None and fault.reason == reason


@pytest.mark.parametrize(
    "text",
    [
        "on 2024-02-29, 12/31/2024, 31.12.2024 or Feb 29",
        "the first 30 February invoices",
        "INV-2024-13-01 and 2024-13-01/A",
        "version 1.13.24 or 10.20.2024.1",
        'named "2024-13-01"',
    ],
)
def test_existing_dates_and_other_text_are_unchanged(text: str) -> None:
    assert impossible_date(text) is None


@pytest.mark.parametrize("date", ["2024-13-01", "02/30/2024", "31.04.2024", "February 30, 2024"])
@pytest.mark.parametrize("words", ["challenged on {}", "not challenged on {}"])
def test_no_request_is_answered_without_such_a_date(desks: Desks, date: str, words: str) -> None:
    desk = desks("appeals")
    asked = f"how many appeals were {words.format(date)}"
    with pytest.raises(Invalid, match=f"“{date}” is no date: "):
        desk.ask(asked)
    with pytest.raises(Invalid, match=f"“{date}” is no date: "):
        desk.edit(desk.everything(), f"only those {words.format(date)}")
    query = Query(docset_id=desk.docset_id, query=asked)
    with pytest.raises(Invalid, match=f"“{date}” is no date: "):
        desk.service.run(query, ACCOUNT, lambda event: None, lambda: False)


def test_a_value_in_the_form_of_such_a_date_can_be_asked_for(tmp_path: Path) -> None:
    schema = [
        {"name": "lot", "field_type": "string", "description": "Number of the lot"},
        {"name": "crates", "field_type": "int", "description": "How many crates it has"},
    ]
    records = [{"lot": f"2024-{13 + i}-{20 + i}", "crates": i} for i in range(8)]
    texts = [[f"Lot {record['lot']}"] for record in records]
    desk = make_desk(tmp_path, "lots", schema, records, texts)
    assert desk.keys(desk.ask("the lot 2024-15-22")) == ["2024-15-22"]


@pytest.mark.parametrize("words", ["days to ruling / 0", "days to ruling*3", "total fee + 10"])
def test_arithmetic_with_a_number_is_refused(desks: Desks, words: str) -> None:
    desk = desks("appeals")
    with pytest.raises(Invalid, match="is not calculated"):
        desk.ask(words)
    with pytest.raises(Invalid, match="is not calculated"):
        desk.edit(desk.everything(), words)


@pytest.mark.parametrize(
    "words",
    [
        "costs > costs",
        "days to verdict > days to verdict",
        "the costs are more than the costs",
        "ratio of costs to costs by council",
    ],
)
def test_a_property_compared_with_itself_is_refused(desks: Desks, words: str) -> None:
    with pytest.raises(Invalid, match="compares a property with itself"):
        desks("appeals").ask(words)


def test_a_range_of_dates_may_be_named_in_reverse(desks: Desks) -> None:
    desk = desks("appeals")
    for words in ("challenged between {} and {}", "challenged from {} to {}", "between {} and {}"):
        for early, late in (("2023", "2025"), ("May 2023", "June 2024")):
            ordered = desk.ask(f"how many appeals were {words.format(early, late)}")
            reversed_ = desk.ask(f"how many appeals were {words.format(late, early)}")
            assert desk.result(ordered) == desk.result(reversed_) > 0


@pytest.mark.parametrize("words", ["<script>do(1)</script>", 'with <img src="1">', "<b>top 3</b>"])
def test_markup_is_refused(desks: Desks, words: str) -> None:
    desk = desks("appeals")
    with pytest.raises(Invalid, match="is markup"):
        desk.ask(words)
    with pytest.raises(Invalid, match="is markup"):
        desk.edit(desk.everything(), words)


@pytest.mark.parametrize("marks", ["???", "...", "-", ", ; .", "()", "'' ''", '""', "。。。", "★"])
def test_a_request_without_words_is_refused(desks: Desks, marks: str) -> None:
    desk = desks("appeals")
    with pytest.raises(Invalid, match="has no words"):
        desk.ask(marks)
    with pytest.raises(Invalid, match="has no words"):
        desk.edit(desk.everything(), marks)


@pytest.mark.parametrize("words", ["what?", "of", "(the)", "is -", "what is it?"])
def test_words_without_content_ask_for_no_documents(desks: Desks, words: str) -> None:
    with pytest.raises(Invalid, match=r"asks for nothing|was not understood"):
        desks("appeals").ask(words)


def test_quoted_marks_are_searched_for(desks: Desks) -> None:
    plan = desks("appeals").ask('"?"')
    assert [node.extras.get("query") for node in plan.nodes.values()] == [None, "?"]


def test_comparisons_and_quotations_are_neither(desks: Desks) -> None:
    desk = desks("appeals")
    assert "is markup" not in _refusal(desk, "appeals named “<b>”")
    assert not _refusal(desk, "how many appeals have costs <9000 and >20")


def _refusal(desk: Desk, question: str) -> str:
    try:
        desk.ask(question)
    except Invalid as error:
        return error.detail
    return ""
