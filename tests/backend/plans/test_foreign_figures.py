"""Figures that are not written in English are read as what they mean, or both are offered."""

import re
from collections.abc import Callable

import pytest

from backend.language.figures import spellings
from tests.backend.plans.desk import Desk
from workbench.contract.errors import Invalid

Desks = Callable[[str], Desk]


@pytest.mark.parametrize(
    ("text", "meanings"),
    [
        ("over 1,250.50 in 2023", ["over 1,250.50 in 2023"]),
        ("over 1.234.567", ["over 1234567"]),
        ("over 1.234,5 since 3.4.2023", ["over 1234.5 since 2023-04-03"]),
        ("before 13.04.23.", ["before 2023-04-13."]),
        ("on 31.02.2023", ["on 31.02.2023"]),
        ("over 1.250 euro", ["over 1250 euro", "over 1.250 euro"]),
        ("above 2,5", ["above 2.5", "above 2,5"]),
        ("above 3½ or ¾k", ["above 3.5 or 0.75k"]),
        ("above .5 but not ..5 or 1⅓", ["above 0.5 but not ..5 or 1⅓"]),
        ("over 1,00,000", ["over 100000"]),
        ("over 12,15,100", ["over 1215100", "over 12,15,100"]),
        ("above 0.045 or 12.5", ["above 0.045 or 12.5"]),
        ('named "1.250" of 3,000', ['named "1.250" of 3,000']),
        ("number 3,5,7 and A-1.250", ["number 3,5,7 and A-1.250"]),
    ],
)
def test_a_figure_has_one_meaning_or_two(text: str, meanings: list[str]) -> None:
    assert [way.text for way in spellings(text)] == meanings


def test_a_day_with_points_is_the_day_first(desks: Desks) -> None:
    desk = desks("invoices")
    plan = desk.ask("How many invoices were issued before 13.04.2023?")
    same = desk.ask("How many invoices were issued before 2023-04-13?")
    assert desk.result(plan) == desk.result(same)
    assert plan.edit is not None and "read “13.04.2023” as 2023-04-13" in plan.edit.warnings
    assert "Note: read “13.04.2023” as 2023-04-13." in (plan.llm_plan or "")


def test_a_figure_that_can_be_two_numbers_is_asked_about(desks: Desks) -> None:
    desk = desks("invoices")
    with pytest.raises(Invalid) as refused:
        desk.ask("How many invoices have an amount over 1.500?")
    (fault,) = refused.value.faults
    assert fault.type == "ambiguous" and "“1.500” can be 1500 or 1.500" in fault.msg
    assert len(fault.choices or []) == 2


def test_feedback_with_such_a_figure_offers_changes_of_the_plan(desks: Desks) -> None:
    desk = desks("invoices")
    plan = desk.ask("How many invoices are there?")
    with pytest.raises(Invalid) as refused:
        desk.edit(plan, "only those with an amount over 1.500")
    (fault,) = refused.value.faults
    assert len(fault.choices or []) == 2
    edited = desk.edit(plan, "only those issued since 03.04.2023")
    assert edited.edit is not None and any("2023-04-03" in w for w in edited.edit.warnings)


@pytest.mark.parametrize("figure", ["9" * 39, "9" * 400, "1" + ",000" * 13, "9" * 60 + ".5"])
@pytest.mark.parametrize(
    "words",
    [
        "with an amount over {}",
        "the first {} invoices",
        "{} million",
        "select * where line_items > {}",
    ],
)
def test_endless_figures_are_refused_and_not_calculated_with(
    desks: Desks, figure: str, words: str
) -> None:
    desk = desks("invoices")
    with pytest.raises(Invalid, match="more than 18 digits"):
        desk.ask(words.format(figure))
    with pytest.raises(Invalid, match="more than 18 digits"):
        desk.edit(desk.everything(), words.format(figure))


@pytest.mark.parametrize("figure", ["0x1F", "0b11", "1e1", "1.5E3", "3⅓", "12h30", "3²", "$4b7"])
@pytest.mark.parametrize("words", ["line items = {}", "invoices with {} line items"])
def test_no_part_of_a_number_in_another_notation_is_read_as_a_number(
    desks: Desks, figure: str, words: str
) -> None:
    desk = desks("invoices")
    with pytest.raises(Invalid, match=re.escape(figure.lstrip("$"))):
        desk.ask(words.format(figure))
    with pytest.raises(Invalid, match=re.escape(figure.lstrip("$"))):
        desk.edit(desk.ask("all invoices"), f"only {words.format(figure)}")


@pytest.mark.parametrize(
    ("asked", "same"),
    [
        ("invoices with line items ≠ 5", "invoices with line items != 5"),
        ("invoices with more than 2½ line items", "invoices with more than 2.5 line items"),
        ("invoices with vat pct > −1", "invoices with vat pct > -1"),
        ("invoices with vat pct > .5", "invoices with vat pct > 0.5"),
        ("invoices with ~5 line items", "invoices with about 5 line items"),
        ("how\u200bmany in\u00advoices are paid", "how many invoices are paid"),
    ],
)
def test_mathematical_and_invisible_signs_have_their_meaning(
    desks: Desks, asked: str, same: str
) -> None:
    desk = desks("invoices")
    assert desk.result(desk.ask(asked)) == desk.result(desk.ask(same))


@pytest.mark.parametrize(
    "numbers", ["10,11,12,13,14,15,16,17,18,19", "100,200,300,400,500,600,700"]
)
def test_a_list_without_spaces_is_not_an_endless_figure_in_sql(desks: Desks, numbers: str) -> None:
    desk = desks("invoices")
    statement = "select count(*) from t where line_items in ({})"
    spaced = desk.ask(statement.format(numbers.replace(",", ", ")))
    assert desk.result(desk.ask(statement.format(numbers))) == desk.result(spaced)
    with pytest.raises(Invalid, match="more than 18 digits"):
        desk.ask(statement.format(f"{numbers},{'9' * 19}"))


def test_a_quoted_name_may_have_any_number_of_digits(desks: Desks) -> None:
    with pytest.raises(Invalid) as refused:
        desks("invoices").ask(f"invoices with invoice number '{'7' * 40}' and amount over abc")
    assert "digits" not in refused.value.detail
