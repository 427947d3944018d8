"""Values that were read wrongly, such as a distributor AGREEMENT, do not take over questions."""

import pytest

from tests.backend.plans.desk import ACCOUNT, Desk, make_desk
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan, Query

SCHEMA = [
    {"name": "title", "type": {"type": "string"}},
    {"name": "distributor", "type": {"type": "string"}},
    {"name": "supplier", "type": {"type": "string"}},
    {"name": "agreement_date", "type": {"type": "date"}},
    {"name": "governing_law", "type": {"type": "string"}},
    {"name": "term", "type": {"type": "int"}},
]
TITLES = ["DISTRIBUTION AGREEMENT", "SUPPLY AGREEMENT", "CONSULTING AGREEMENT"]
DISTRIBUTORS = [
    *["AGREEMENT"] * 6, "Territory", "Ostrava Glass a.s.", "Quayside Partners LP",
    "Arlen Foods Inc.", "Pirelle SA", "Pirelle SA",
]  # fmt: skip
SUPPLIERS = ["Mosswood Trading LLC", "Quayside Partners LP", "Arlen Foods Inc."]
TEXT = "The Supplier sells the Goods to the Distributor in the Territory under this Agreement."
JUNK = "distributor is AGREEMENT"
REMARK = "read “Territory” as distributor, although most documents have that word"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    records = [
        {
            "title": TITLES[place % 3],
            "distributor": name,
            "supplier": SUPPLIERS[place % 3],
            "agreement_date": f"20{15 + place % 3}-04-0{1 + place % 9}",
            "governing_law": ["California", "New York", "Texas"][place % 3],
            "term": [None, 3][place % 2],
        }
        for place, name in enumerate(DISTRIBUTORS)
    ]
    texts = [[TEXT] for _ in records]
    return make_desk(tmp_path_factory.mktemp("k"), "contracts", SCHEMA, records, texts)


def _plans(desk: Desk, question: str) -> list[Plan]:
    """The plan of a question, or the plans that are offered."""
    try:
        return [desk.ask(question)]
    except Invalid as refused:
        choices = [choice for fault in refused.faults for choice in fault.choices or ()]
        return [Plan.model_validate(choice.plan) for choice in choices]


def _steps(plan: Plan) -> str:
    return "; ".join(str(node.description) for node in plan.nodes.values())


@pytest.mark.parametrize(
    "question",
    [
        "How many agreements are there?",
        "agreements from 2016",
        "agreements with Mosswood Trading as supplier",
        "agreements with Quayside as distributor",
    ],
)
def test_the_noun_of_the_documents_is_no_value_not_even_in_a_reading_on_offer(
    desk: Desk, question: str
) -> None:
    assert [_steps(plan) for plan in _plans(desk, question) if JUNK in _steps(plan)] == []


@pytest.mark.parametrize(
    "question",
    [
        "agreements whose distributor is AGREEMENT",
        "agreements where the distributor is agreement",
    ],
)
def test_a_value_is_found_by_the_noun_beside_its_property(desk: Desk, question: str) -> None:
    assert len(desk.result(desk.ask(question))) == 6


@pytest.mark.parametrize(
    "question",
    ["how many territories", "agreements about territory", "agreements from 2016 and territory"],
)
def test_a_word_of_most_documents_is_no_value_by_itself(desk: Desk, question: str) -> None:
    assert "distributor" not in _steps(desk.ask(question))


def test_the_answer_says_so_and_how_to_name_the_value(desk: Desk) -> None:
    query = Query(docset_id=desk.docset_id, query="how many territories")
    answer = desk.service.run(query, ACCOUNT, lambda event: None, lambda: False)
    assert answer.result == 12 and answer.unused == ["territories"]
    assert answer.warnings == [
        "most documents have the word “territories”, so it alone is not read as a value, but"
        " “distributor is Territory” is"
    ]


def test_so_does_a_refusal(desk: Desk) -> None:
    with pytest.raises(Invalid, match="but “distributor is Territory” is"):
        desk.ask("number of agreements per territory")


def test_so_does_the_answer_to_feedback(desk: Desk) -> None:
    edited = desk.edit(desk.ask("agreements from 2015"), "only territory, sorted by date")
    assert "“distributor is Territory” is" in str(edited.edit)


@pytest.mark.parametrize(
    "question",
    ["territory agreements", "agreements that are territory", "Which are not territory?"],
)
def test_beside_the_noun_of_the_documents_it_is_a_value_with_a_remark(
    desk: Desk, question: str
) -> None:
    plan = desk.ask(question)
    assert "Territory" in _steps(plan) and plan.edit is not None
    assert REMARK in plan.edit.warnings


def test_a_remark_on_feedback_stays_with_its_step(desk: Desk) -> None:
    edited = desk.edit(desk.ask("agreements from 2015"), "only the territory ones")
    assert REMARK in str(edited.edit)
    further = desk.edit(edited, "only those of Mosswood Trading")
    assert str(further.edit).count(REMARK) == 1
    without = desk.edit(further, "no matter which distributor")
    assert "Territory" not in _steps(without) and REMARK not in str(without.edit)


@pytest.mark.parametrize(
    "question",
    ["agreements with the distributor Territory", "agreements with Territory as distributor"],
)
def test_a_value_beside_its_property_needs_no_remark(desk: Desk, question: str) -> None:
    plan = desk.ask(question)
    assert len(desk.result(plan)) == 1
    assert "although most documents" not in str(plan.edit)
