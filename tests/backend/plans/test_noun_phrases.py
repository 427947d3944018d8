"""Questions without a verb ask for what they name; nothing else in them is negated or dropped."""

from collections import Counter
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from tests.backend.plans.requests.collections import RECORDS, SCHEMAS, texts
from workbench.contract.errors import Invalid

_LEASES = RECORDS["leases"]()


@pytest.fixture(scope="module")
def leases(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder = tmp_path_factory.mktemp("leases")
    return make_desk(folder, "leases", SCHEMAS["leases"], _LEASES, texts("leases", _LEASES))


def _leaves(result: Any) -> list[Any]:
    if isinstance(result, dict):
        return [leaf for key, value in result.items() if key != "doc_id" for leaf in _leaves(value)]
    if isinstance(result, list):
        return [leaf for value in result for leaf in _leaves(value)]
    return [result]


@pytest.mark.parametrize(
    "question", ["date of the latest lease", "signing date of the latest lease"]
)
def test_the_property_before_of_is_shown(leases: Desk, question: str) -> None:
    shown = _leaves(leases.result(leases.ask(question)))
    assert max(lease["signed_on"] for lease in _LEASES) in shown
    assert len(shown) <= 2, "the date, and at most the name of the lease"


def test_other_than_negates_the_nearest_condition_only(leases: Desk) -> None:
    plan = leases.ask("How many leases for uses other than office took place before 2024?")
    meant = [x for x in _LEASES if x["use"] != "Office" and x["signed_on"] < "2024-01-01"]
    assert _leaves(leases.result(plan)) == [len(meant)]


def test_neither_and_nor_both_negate(leases: Desk) -> None:
    plan = leases.ask("How many leases are neither furnished nor signed before 2024?")
    meant = [x for x in _LEASES if not x["furnished"] and x["signed_on"] >= "2024-01-01"]
    assert _leaves(leases.result(plan)) == [len(meant)]


def test_per_cent_may_be_two_words(leases: Desk) -> None:
    plan = leases.ask("share of furnished leases, in per cent")
    share = sum(lease["furnished"] for lease in _LEASES) / len(_LEASES)
    assert _leaves(leases.result(plan)) == [pytest.approx(100 * share)]


def test_years_are_kept_by_how_many_documents_they_have(leases: Desk) -> None:
    years = Counter(lease["signed_on"][:4] for lease in _LEASES)
    least = sorted(years.values())[-2]
    result = leases.result(leases.ask(f"which years had at least {least} leases"))
    assert len(result) == sum(many >= least for many in years.values()) < len(years)


@pytest.mark.parametrize(
    "question",
    ["average age of the deposits", "years in which the average deposit was over 3000 euros"],
)
def test_what_is_measured_or_grouped_is_never_dropped(leases: Desk, question: str) -> None:
    with pytest.raises(Invalid):
        leases.ask(question)


@pytest.mark.parametrize(
    "question",
    [
        "What is the average rent, whatever the use?",
        "average rent regardless of use",
        "average rent no matter what the use is",
    ],
)
def test_whatever_it_is_narrows_nothing(leases: Desk, question: str) -> None:
    plan = leases.ask(question)
    rents = [lease["monthly_rent_eur"] for lease in _LEASES]
    assert _leaves(leases.result(plan)) == [pytest.approx(sum(rents) / len(rents))]


def test_a_value_before_what_is_averaged_narrows_it(leases: Desk) -> None:
    rents = [x["monthly_rent_eur"] for x in _LEASES if x["use"] == "Office"]
    plan = leases.ask("average Office rent")
    assert _leaves(leases.result(plan)) == [pytest.approx(sum(rents) / len(rents))]


def test_the_part_of_a_share_may_come_first(leases: Desk) -> None:
    offices = [lease for lease in _LEASES if lease["use"] == "Office"]
    plan = leases.ask("percent furnished of the Office leases")
    share = 100 * sum(lease["furnished"] for lease in offices) / len(offices)
    assert _leaves(leases.result(plan)) == [pytest.approx(share)]


@pytest.mark.parametrize(
    "question",
    [
        "share of furnished leases per use, only those over 50 %",
        "share of furnished leases per use where it is over 50 %",
        "share of furnished leases per use, only uses above 50 percent",
    ],
)
def test_only_those_above_are_groups(leases: Desk, question: str) -> None:
    furnished = {
        use: [x["furnished"] for x in _LEASES if x["use"] == use]
        for use in {x["use"] for x in _LEASES}
    }
    kept = {use for use, all_of_it in furnished.items() if 2 * sum(all_of_it) > len(all_of_it)}
    found = {row["properties"]["key"] for row in leases.result(leases.ask(question))}
    assert found == kept
    assert 0 < len(kept) < len(furnished)
