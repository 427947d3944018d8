"""What a question wants of the properties, and no words were found for, is added to its reading."""

from typing import Any

import pytest

from backend.plans.reading.assembly import Request
from backend.plans.reading.grammar_types import COUNT, First, FirstGroups, Limits
from backend.plans.reading.phrasing import Key, Measure
from backend.plans.reading.pieces import Quantity
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.foreseen_plans import foreseen_requests
from tests.backend.plans.calls import ENTITY, make_calls, outlook
from tests.backend.plans.desk import ACCOUNT, Desk
from workbench.contract.plan_nodes import BasicFilter


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return make_calls(tmp_path_factory.mktemp("calls"))


@pytest.fixture(scope="module")
def vocabulary(calls: Desk) -> Vocabulary:
    return calls.service._vocabulary(calls.docset_id, ACCOUNT)


def test_the_longest_is_the_first_by_the_number_that_is_foreseen(vocabulary: Vocabulary) -> None:
    seen = outlook({"minutes": ["down"]}, ["list", "first", "one"])
    firsts = [first for request in foreseen_requests(Request(), seen, vocabulary)
              for first in request.firsts]  # fmt: skip
    assert [(first.prop.field, first.high, first.count) for first in firsts] == [
        (ENTITY + "minutes", True, 1)
    ]


def test_the_longest_is_the_first_by_the_days_between_two_foreseen_dates(
    vocabulary: Vocabulary,
) -> None:
    roles = {"fixed_on": ["ends", "down"], "called_on": ["begins", "down"]}
    seen = outlook(roles, ["list", "first", "one", "between"])
    made = list(foreseen_requests(Request(), seen, vocabulary))
    firsts = [first for request in made for first in request.firsts]
    assert firsts[0].prop.field == ENTITY + "fixed_on.days_since.called_on"
    assert firsts[0].high


def test_documents_are_grouped_and_counted_by_the_property_that_is_foreseen(
    vocabulary: Vocabulary,
) -> None:
    seen = outlook({"engineer": ["group"]}, ["groups"])
    assert Request(keys=(Key((ENTITY + "engineer",)),), measures=(COUNT,)) in list(
        foreseen_requests(Request(), seen, vocabulary)
    )


def test_groups_are_the_weekdays_of_the_date_where_words_name_weekdays(
    vocabulary: Vocabulary,
) -> None:
    weekday = ENTITY + "called_on.weekday"
    seen = outlook({"called_on": ["group", "part"]}, ["groups"])
    made = foreseen_requests(Request(columns=(weekday,)), seen, vocabulary, [weekday])
    assert Request(keys=(Key((weekday,)),), measures=(COUNT,)) in list(made)


def test_the_group_with_the_highest_average_is_foreseen(vocabulary: Vocabulary) -> None:
    roles = {"engineer": ["group"], "minutes": ["avg", "down"]}
    seen = outlook(roles, ["groups", "first", "one"])
    made = list(foreseen_requests(Request(), seen, vocabulary))
    first = FirstGroups(Measure("avg", ENTITY + "minutes"), True)
    assert Request(keys=(Key((ENTITY + "engineer",)),), first_groups=(first,)) in made


def test_an_amount_is_of_the_number_that_is_foreseen(vocabulary: Vocabulary) -> None:
    over = Request(edits=(Limits("gt", Quantity(60)),))
    seen = outlook({"minutes": ["from"]}, ["list"])
    made = next(iter(foreseen_requests(over, seen, vocabulary)))
    assert [(c.field, c.start, c.start_exclusive) for c in made.conditions] == [
        (ENTITY + "minutes", 60, True)
    ]


def test_an_amount_of_days_is_of_the_two_dates_that_are_foreseen(vocabulary: Vocabulary) -> None:
    over = Request(edits=(Limits("gt", Quantity(10, "day")),))
    seen = outlook({"fixed_on": ["ends"], "called_on": ["begins"]}, ["list"])
    made = next(iter(foreseen_requests(over, seen, vocabulary)))
    assert [(c.field, c.start) for c in made.conditions] == [
        (ENTITY + "fixed_on.days_since.called_on", 10)
    ]


@pytest.mark.parametrize(
    ("roles", "values", "field", "holds"),
    [
        ({"urgency": ["is"]}, {"urgency": ["routine"]}, "urgency", {"query": "routine"}),
        ({"warranty": ["is not"]}, {}, "warranty", {"query": False}),
        ({"fixed_on": ["unknown"]}, {}, "fixed_on", {"exists": False}),
        ({"fixed_on": ["ends"], "called_on": ["begins"]}, {}, "fixed_on",
         {"start_field": ENTITY + "called_on"}),
    ],
)  # fmt: skip
def test_a_condition_that_no_word_names_is_added(
    vocabulary: Vocabulary, roles: dict[str, list[str]], values: dict[str, list[str]], field: str,
    holds: dict[str, Any],
) -> None:  # fmt: skip
    made = next(iter(foreseen_requests(Request(), outlook(roles, ["list"], values), vocabulary)))
    assert made.conditions[0].field == ENTITY + field
    assert {name: getattr(made.conditions[0], name) for name in holds} == holds


def test_a_property_that_is_tested_already_is_not_tested_again(vocabulary: Vocabulary) -> None:
    read = Request(conditions=(BasicFilter(field=ENTITY + "warranty", query=True, match="exact"),))
    seen = outlook({"warranty": ["is not"]}, ["list"])
    made = list(foreseen_requests(read, seen, vocabulary))
    assert all(request.conditions == read.conditions for request in made)


def test_explicit_words_are_kept(vocabulary: Vocabulary) -> None:
    minutes = vocabulary.get(ENTITY + "minutes")
    assert minutes is not None
    read = Request(columns=(ENTITY + "engineer",), firsts=(First(minutes, False, 3),))
    seen = outlook({"called_on": ["up"]}, ["list", "first"])
    made = [request.firsts[0] for request in foreseen_requests(read, seen, vocabulary)
            if request.firsts]  # fmt: skip
    assert [first.count for first in made] == [3]
