"""A request with two meanings is refused with both of them, each as a plan that can be run."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from backend.plans.requests.choose import Candidate
from backend.plans.requests.deciding import chosen, undecided
from backend.plans.requests.offering import MOST_CHOICES, choices_of
from backend.plans.requests.same_answers import Answers, answers_of
from backend.plans.requests.sense import Sense
from tests.backend.plans.desk import ACCOUNT, Desk
from workbench.contract.errors import Choice, Invalid
from workbench.contract.plan import EditReport, Plan

Desks = Callable[[str], Desk]
FROM_GERMANY = [
    "Keep where supplier country is Germany",
    "Keep where customer country is Germany",
]


def offered(desk: Desk, plan: Plan, *feedback: str) -> list[Choice]:
    """What an edit may mean, which is refused as it stands."""
    with pytest.raises(Invalid) as refusal:
        desk.edit(plan, *feedback)
    (fault,) = refusal.value.faults
    assert fault.type == "ambiguous"
    return fault.choices or []


def plan_of(choice: Choice) -> Plan:
    return Plan.model_validate(choice.plan)


def test_feedback_about_a_value_of_two_properties_offers_both(desks: Desks) -> None:
    desk = desks("invoices")
    choices = {c.words: c for c in offered(desk, desk.ask("all invoices"), "only from Germany")}
    assert sorted(choices) == sorted(FROM_GERMANY)
    for words, name in zip(FROM_GERMANY, ("supplier_country", "customer_country"), strict=True):
        choice = choices[words]
        wanted = desk.expected(lambda r, name=name: r[name] == "Germany")
        assert set(desk.keys(plan_of(choice))) == wanted and wanted
        assert EditReport.model_validate(choice.edit).applied[0].op == "add_filter"


@pytest.mark.parametrize(
    ("question", "feedback", "words"),
    [
        ("all invoices", "sort by country",
         ["Sort by supplier country from low to high",
          "Sort by customer country from low to high"]),
        ("average amount by country of the supplier", "sort by vat",
         ["Compute the average amount keur, average vat pct of each group; sort by average vat pct"
          " from high to low",
          "Compute the average amount keur, total vat pct of each group; sort by total vat pct from"
          " high to low"]),
        ("invoices with amount over 10 and more than 5 line items", "remove it",
         ["Remove the step “Keep where amount keur is more than 10”",
          "Remove the step “Keep where line items is more than 5”"]),
        ("invoices with amount over 10 and more than 5 line items", "remove the filter",
         ["Remove the step “Keep where amount keur is more than 10”",
          "Remove the step “Keep where line items is more than 5”"]),
        ("invoices with amount over 10 and more than 5 line items", "double it",
         ["Keep where amount keur is more than 20", "Keep where line items is more than 10"]),
    ],
    ids=["order", "order of groups", "condition", "filter", "number"],
)  # fmt: skip
def test_a_choice_states_its_changes(
    desks: Desks, question: str, feedback: str, words: list[str]
) -> None:
    desk = desks("invoices")
    choices = offered(desk, desk.ask(question), feedback)
    assert sorted(choice.words for choice in choices) == sorted(words)
    for choice in choices:
        desk.run(plan_of(choice))


def test_a_question_begun_anew_in_feedback_offers_its_readings_too(desks: Desks) -> None:
    desk = desks("invoices")
    before = desk.begin("all invoices")
    choices = offered(desk, before, "start over: invoices from Germany")
    assert sorted(choice.words for choice in choices) == sorted(FROM_GERMANY)
    ops = [item["op"] for item in choices[0].edit["applied"]]
    assert ops[0] == "start_over" and plan_of(choices[0]).query == before.query


def test_a_choice_of_a_question_is_a_plan_like_any_other(desks: Desks) -> None:
    desk = desks("invoices")
    with pytest.raises(Invalid) as refusal:
        desk.ask("invoices from Germany by approver")
    (fault,) = refusal.value.faults
    plan = plan_of((fault.choices or [])[0])
    assert plan.estimates and plan.llm_plan and plan.edit is not None
    edited = desk.edit(plan, "top 3")
    assert set(desk.rows(edited)) <= set(desk.rows(plan))


def test_a_chosen_edit_can_be_undone_and_redone_in_words(desks: Desks) -> None:
    desk = desks("invoices")
    before = desk.begin("all invoices")
    first, _ = offered(desk, before, "only from Germany")
    chosen = plan_of(first)
    undone = desk.edit(chosen, "undo")
    assert undone.nodes == before.nodes
    assert desk.edit(undone, "redo").nodes == chosen.nodes


def test_an_offer_cannot_be_redone(fresh: Desk) -> None:
    before = fresh.ask("satellites with mass over 100 and cost over 5")
    assert len(offered(fresh, before, "double it")) == 2
    with pytest.raises(Invalid, match="nothing to redo"):
        fresh.edit(before, "redo")


def test_an_offer_alone_changes_nothing(desks: Desks) -> None:
    desk = desks("invoices")
    before = desk.edit(desk.begin("all invoices"), "only paid")
    offered(desk, before, "by country")
    assert desk.edit(before, "undo").nodes == desk.ask("all invoices").nodes


def test_plans_that_do_the_same_are_not_a_choice(desks: Desks) -> None:
    desk = desks("invoices")
    plan = desk.ask("paid invoices")
    assert choices_of([plan, plan]) == [] and choices_of([plan]) == []
    assert choices_of([plan, desk.ask("unpaid invoices")], before=plan) == []


def test_too_many_meanings_are_asked_about_and_not_listed(desks: Desks) -> None:
    desk = desks("invoices")
    several = (
        "invoices with amount over 10 and vat over 5 and more than 5 line items issued after 2020"
        " due after 2020 with payment method card"
    )
    before = desk.begin(several)
    assert sum(n.node_type == "BasicFilter" for n in before.nodes.values()) > MOST_CHOICES
    assert offered(desk, before, "remove it") == []


def test_the_steps_that_long_choices_share_are_only_counted(desks: Desks) -> None:
    desk = desks("invoices")
    several = desk.ask(
        "invoices with amount over 10 and vat over 5 and more than 5 line items issued after 2020"
        " due after 2020 by card"
    )
    paid = desk.edit(several, "only those that are paid")
    assert [choice.words for choice in choices_of((several, paid))] == [
        "Only the 6 steps that every choice has",
        "Keep where paid is true; and the 6 steps that every choice has",
    ]


def test_a_reading_that_passes_over_a_value_that_another_one_reads_is_not_trusted(
    desks: Desks,
) -> None:
    desk = desks("invoices")
    supplier = desk.records[0]["supplier"]
    questions = ("invoices with amount over 100", f"invoices from {supplier} with amount over 100")
    without, named = map(desk.ask, questions)
    rules = Candidate(without, (), {}, Answers.named("a"), (supplier,), by_rules=True, likely=0.4)
    other = Candidate(named, (), {}, Answers.named("b"), likely=0.06)
    assert chosen([rules]) is rules
    assert chosen([rules, other]) is None


def test_a_plan_that_omits_a_requested_computation_is_rejected(desks: Desks) -> None:
    desk = desks("invoices")
    plan = desk.ask("invoices with amount over 100")
    likely = Candidate(plan, (), {}, Answers.named("a"), likely=0.99)
    assert chosen([likely]) is likely
    lacks = {"average lacks what it asks for": 1.0}
    assert (
        chosen([Candidate(plan, (), lacks, Answers.named("a"), by_rules=True, likely=0.99)]) is None
    )


@pytest.mark.parametrize("number", ["100", "forty"])
def test_a_plan_that_ignores_a_number_is_rejected(desks: Desks, number: str) -> None:
    plan = desks("invoices").ask("invoices with amount over 100")
    assert chosen([Candidate(plan, (), {}, Answers.named("a"), (number,), likely=0.99)]) is None


def test_a_plan_far_likelier_than_all_others_is_accepted_and_one_of_two_close_ones_is_not(
    desks: Desks,
) -> None:
    large, small = map(desks("invoices").ask, ("amount over 100", "amount under 100"))
    best = Candidate(large, (), {}, Answers.named("a"), likely=0.4)
    far = Candidate(small, (), {}, Answers.named("b"), likely=0.1)
    assert chosen([best, far]) is best
    assert chosen([best, replace(far, likely=0.3)]) is None
    assert chosen([replace(best, skipped=("banana",)), far]) is None


def test_a_plan_is_not_accepted_if_the_words_contradict_themselves(desks: Desks) -> None:
    plan = desks("invoices").ask("amount over 100")
    best = Candidate(plan, (), {}, Answers.named("a"), likely=0.4)
    contradiction = Invalid.at(("body",), "both directions at once", "contradictory")
    assert chosen([best], refused=contradiction) is None


def test_a_plan_that_ignores_the_unit_of_a_duration_is_rejected(desks: Desks) -> None:
    """Days are no answer to `how many hours`."""
    plan = desks("invoices").ask("amount over 100")
    best = Candidate(plan, (), {}, Answers.named("a"), ("hours",), ("hours",), likely=0.9)
    assert chosen([best]) is None
    assert chosen([replace(best, lacking=())]) is not None


def test_a_list_of_values_and_the_documents_with_only_these_answer_alike(desks: Desks) -> None:
    """Two forms of one answer are no reason to ask which is meant."""
    desk = desks("invoices")
    sense = Sense(desk.service.collection(desk.docset_id, ACCOUNT))
    listed, shown, others, paid = (
        answers_of(desk.ask(question), sense)
        for question in ("list the different suppliers", "show the supplier of every invoice",
                         "list the different payment methods", "show the supplier of paid invoices")
    )  # fmt: skip
    assert listed.alike(shown)
    assert not listed.alike(others)
    assert not listed.alike(paid)


def test_a_list_in_order_answers_like_one_without_but_not_like_one_in_another_order(
    desks: Desks,
) -> None:
    desk = desks("invoices")
    sense = Sense(desk.service.collection(desk.docset_id, ACCOUNT))
    plain, up, down, first = (
        answers_of(desk.ask(question), sense)
        for question in ("count by supplier", "count by supplier, fewest first",
                         "count by supplier, most first", "supplier with the most invoices")
    )  # fmt: skip
    assert plain.alike(up) and plain.alike(down)
    assert not up.alike(down)
    assert not first.alike(plain)


def test_a_guess_without_words_is_offered_and_never_applied_unasked(desks: Desks) -> None:
    """No word names which number of a satellite is over 500."""
    desk = desks("satellites")
    with pytest.raises(Invalid) as refusal:
        desk.ask("satellites over 500")
    (fault,) = refusal.value.faults
    assert fault.type == "ambiguous" and fault.choices
    plan = plan_of(fault.choices[0])
    assert desk.keys(plan) and plan.edit is not None
    assert any("guessed from the question: Keep where" in text for text in plan.edit.warnings)


def test_a_refusal_without_choices_does_not_promise_any() -> None:
    (fault,) = undecided([], None, ("body", "query"), "satellites around launches").faults
    assert fault.type == "not_understood" and "several" not in fault.msg
