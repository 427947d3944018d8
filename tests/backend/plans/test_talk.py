"""Words around a question cost it nothing, and what may narrow it is never dropped in silence."""

from collections.abc import Callable
from datetime import date

import pytest

from backend.language.tokens import tokenise
from backend.plans.reading.focus import focused
from backend.plans.reading.talk import talk
from tests.backend.plans.desk import ACCOUNT, Desk
from workbench.contract.errors import Invalid
from workbench.contract.plan import EditReport
from workbench.contract.plan_canonical import plan_hash

Desks = Callable[[str], Desk]


def kinds(text: str, *meant: str) -> dict[str, str]:
    tokens = tokenise(text)
    known = {i for i, token in enumerate(tokens) if token.text in meant}
    return {tokens[i].text: kind for i, kind in talk(tokens, known).items()}


def test_a_clause_about_people_is_talk_and_one_that_may_narrow_is_not() -> None:
    result = kinds("Ahoy, boats in Kiel, painted purple, my aunt insists", "boats", "Kiel")
    assert result["Ahoy"] == "greeting"
    assert result["aunt"] == "person"
    assert result["purple"] == "other"
    assert "boats" not in result and "Kiel" not in result


def test_a_clause_with_a_number_or_a_known_word_is_not_talk() -> None:
    assert kinds("my boats, I have 12 of them in Kiel", "boats", "Kiel") == {}


@pytest.mark.parametrize(
    "around",
    [
        "Ahoy there, {}",
        "I am writing to my landlord: {}",
        "{}, my neighbour keeps wondering",
        "{}? It is driving us mad",
        "could you dig up {}",
    ],
)
def test_words_around_a_question_do_not_change_its_plan(desks: Desks, around: str) -> None:
    desk = desks("invoices")
    plain = desk.ask("invoices with amount over 100")
    assert plan_hash(desk.ask(around.format("invoices with amount over 100"))) == plan_hash(plain)


def test_a_clause_that_may_narrow_a_question_is_refused_or_reported(desks: Desks) -> None:
    desk = desks("invoices")
    try:
        plan = desk.ask("invoices with amount over 100, nibbled by hamsters")
    except Invalid as refused:
        assert "hamsters" in refused.faults[0].msg
    else:
        assert any("hamsters" in warning for warning in (plan.edit or EditReport()).warnings)


@pytest.mark.parametrize(
    "around",
    [
        "Hello hello, spring's finally here. {} It's for my aunt's noticeboard.",
        "{} Thanks a million, you're a star.",
    ],
)
def test_sentences_of_talk_beside_a_question_are_ignored_and_reported(
    desks: Desks, around: str
) -> None:
    desk = desks("invoices")
    question = "How many invoices have an amount over 100?"
    plan = desk.ask(around.format(question))
    assert desk.result(plan) == desk.result(desk.ask(question))
    assert any(w.startswith("ignored") for w in (plan.edit or EditReport()).warnings)


@pytest.mark.parametrize("narrowing", ["Only the purple ones.", "The purple ones.", "Not Kiel."])
def test_a_sentence_that_could_narrow_is_never_ignored(desks: Desks, narrowing: str) -> None:
    with pytest.raises(Invalid):
        desks("invoices").ask(f"How many invoices have an amount over 100? {narrowing}")


@pytest.mark.parametrize(
    "around",
    [
        "Dear Sir, I should be grateful if you would send me a list of {} Yours truly, P. Q.",
        "The Harbour Board hereby requires a full schedule of {}",
        "You are kindly asked to provide {}",
        "Would it be possible to get {}",
        "For the purposes of the yearly review, kindly furnish {}",
        "Ooh, silly one from me (no giggling please): {}",
        "On the bus, typing with cold hands. {} That would make my day!",
        "{} Thank you kindly and have a lovely weekend!",
    ],
)
def test_a_letter_or_a_chat_around_a_question_leaves_its_answer_alone(
    desks: Desks, around: str
) -> None:
    desk = desks("invoices")
    question = "all invoices with an amount over 100."
    plan = desk.ask(around.format(question))
    assert desk.result(plan) == desk.result(desk.ask(question))
    assert any(w.startswith("ignored") for w in (plan.edit or EditReport()).warnings)
    assert plan.query == around.format(question)


@pytest.mark.parametrize(
    "narrowing",
    [
        "{}. I want those with tattoos.",
        "{}, lacquered only",
        "{}, provided they float",
        "Among the gilded ones, {}",
        "In Atlantis, {}",
        "{} (the smuggled ones)",
    ],
)
def test_words_that_may_narrow_a_question_are_not_talk(desks: Desks, narrowing: str) -> None:
    desk = desks("invoices")
    vocabulary = desk.service._vocabulary(desk.docset_id, ACCOUNT)
    text = narrowing.format("all invoices with an amount over 100")
    parts = focused(text, vocabulary, date(2026, 5, 28))
    assert parts is None or parts[0].strip(" .") == text.strip(" .")


def test_a_verb_that_only_asks_for_an_answer_is_not_a_property(desks: Desks) -> None:
    desk = desks("invoices")
    asked = desk.ask("For each supplier, kindly state the number of invoices")
    assert desk.result(asked) == desk.result(desk.ask("the number of invoices for each supplier"))
