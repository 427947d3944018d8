"""Follow-ups do what their words ask for: no change without a word, no word without a change."""

from datetime import date

import pytest

from backend.plans.edits.draft import Draft
from backend.plans.edits.lifting import lift_queries
from backend.plans.reading.assembly import tokens_of
from backend.plans.requests.evidence import evidence_of, supported
from backend.plans.requests.plan_state import state_of
from tests.backend.plans.desk import ACCOUNT, Desk, make_desk
from tests.backend.plans.test_constructions import BOATS, _boats
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan

_LONG = "How many boats longer than 9 m are there of each type?"


@pytest.fixture(scope="module")
def boats(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return make_desk(tmp_path_factory.mktemp("asked"), "boats", BOATS, _boats(), [["A boat"]] * 12)


def _signs(boats: Desk, before: Plan, after: Plan, text: str) -> set[str]:
    """What speaks against `after` as the answer to a follow-up."""
    vocabulary = boats.service._vocabulary(boats.docset_id, ACCOUNT)
    evidence = evidence_of(tokens_of(text)[1], vocabulary, date(2026, 5, 28))
    was, now = (state_of(lift_queries(Draft.of(plan))) for plan in (before, after))
    return set(supported(evidence, was, now, before, after, fresh=False))


@pytest.mark.parametrize(
    ("question", "after", "text", "sign"),
    [
        ("sloops", "licensed sloops", "sloops with over 3 berths", "unanswered: property"),
        ("sloops", "all boats", "only those from Colne", "unanswered: value"),
        ("licensed sloops", "sloops", "highest price first", "unasked: condition gone"),
        ("licensed sloops", "sloops", "of those, the ones in Ashby", "of those: a condition goes"),
        ("sloops", "how many sloops", "sorted by price", "unasked: count"),
        ("sloops", "average price of the sloops", "their total price", "unasked: avg"),
        ("sloops", "total price of the sloops", "their average price", "unanswered: avg"),
        ("sloops", "total price of the sloops", "total price per port", "unanswered: each"),
        ("sloops", "sloops sorted by built", "biggest first", "superlative of size by a date"),
        ("sloops", "sloops sorted by name", "biggest first", "superlative of size by no number"),
    ],
)  # fmt: skip
def test_unrequested_changes_and_unanswered_words_are_noticed(
    boats: Desk, question: str, after: str, text: str, sign: str
) -> None:
    assert sign in _signs(boats, boats.begin(question), boats.begin(after), text)


@pytest.mark.parametrize(
    ("question", "after", "text"),
    [
        ("sloops", "sloops with a price under 600", "only those with a price under 600"),
        ("licensed sloops", "sloops", "forget the licence"),
        ("licensed sloops", "sloops", "licensed or not"),
        ("sloops", "how many sloops", "how many is that?"),
        ("sloops", "average price of the sloops", "I mean their average price"),
        ("sloops", "sloops sorted by price", "by price, please"),
        ("sloops", "average price of the sloops by home port", "the average price for each port"),
    ],
)
def test_requested_changes_are_not_doubted(
    boats: Desk, question: str, after: str, text: str
) -> None:
    assert _signs(boats, boats.begin(question), boats.begin(after), text) == set()


def test_there_refers_to_the_group_that_was_shown(boats: Desk) -> None:
    most = boats.edit(boats.begin(_LONG), "which type has the most?")
    assert list(boats.rows(most)) == ["sloop"]
    plan = boats.edit(most, "what is the average price there?")
    prices = [r["price"] for r in boats.records if r["type"] == "sloop"]
    assert boats.result(plan) == pytest.approx(sum(prices) / len(prices))


def test_the_documents_of_the_group_that_was_shown_can_be_listed(boats: Desk) -> None:
    most = boats.edit(boats.begin(_LONG), "which type has the most?")
    plan = boats.edit(most, "list the boats of that type")
    assert set(boats.keys(plan)) == boats.expected(lambda r: r["type"] == "sloop")


def test_the_document_with_the_highest_number_can_be_shown(boats: Desk) -> None:
    highest = boats.ask("What is the highest price of the ketches?")
    assert boats.keys(boats.edit(highest, "which one is that?")) == ["Puffin"]


def test_a_count_is_added_to_other_measures(boats: Desk) -> None:
    plan = boats.edit(boats.begin("average price per type"), "add the number of boats")
    assert boats.rows(plan) == {"ketch": [650.0, 6], "sloop": [700.0, 6]}


def test_an_ordinal_in_figures_orders(boats: Desk) -> None:
    plan = boats.edit(boats.begin("sloops"), "dearest 1st, by price")
    assert boats.keys(plan)[0] == "Skua"


def test_a_sum_can_be_called_like_a_function(boats: Desk) -> None:
    plan = boats.edit(boats.begin("boats per type"), "also sum(berths)")
    assert all(len(values) == 2 for values in boats.rows(plan).values())


@pytest.mark.parametrize(
    "question",
    ["Only those built in 2015.", "Just those from Colne", "Wow, nice. And Colne?",
     "What did we pay for those all together?"],
)  # fmt: skip
def test_a_first_question_that_narrows_an_earlier_one_is_refused(
    boats: Desk, question: str
) -> None:
    with pytest.raises(Invalid, match="refers to an earlier question"):
        boats.ask(question)
