"""What a property asks for, by its words and its examples."""

from collections.abc import Callable

import pytest

from backend.extraction.engine import extract
from backend.extraction.wanted import options, wanted
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


@pytest.mark.parametrize(
    ("name", "description", "examples", "kind"),
    [
        ("seller", "Company that sells", (), "legal"),
        ("guest", "Person who stayed", (), "person"),
        ("governing_law", "State or country whose law applies", (), "place"),
        ("validity", "", ("4 years",), "duration"),
        ("where", "", ("12 Mill Lane, 43000 Larkham",), "address"),
    ],
)
def test_words_and_examples_say_which_form_is_wanted(
    name: str, description: str, examples: tuple[str, ...], kind: str
) -> None:
    asks = wanted(name, description, examples)
    others = {"legal", "person", "place", "duration", "address"} - {kind}
    assert asks.match(kind) > max(asks.match(other) for other in others)


def test_a_description_may_list_the_possible_values() -> None:
    assert options("How it is paid: prepaid, collect or as arranged") == (
        "prepaid", "collect", "as arranged",
    )  # fmt: skip
    assert options("Company that sells: the one at the head") == ()
    assert options("Date of the letter") == ()


def test_a_listed_value_keeps_its_spelling(document: Build, schema: MakeSchema) -> None:
    definition = {
        "type": "string",
        "description": "Outcome of the test: passed, failed or not done",
    }
    result = extract(document("Overall outcome: PASSED"), schema(("outcome", definition)))
    assert result["outcome"].value == "passed"


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("The tenant took the breakdown cover for the whole season.", True),
        ("The tenant asked us to leave the breakdown cover out of this hire.", False),
        ("We offer a breakdown cover at 8 per cent; the tenant chose not to take it.", False),
        ("The notice prohibits breakdown cover on this vehicle.", False),
        ("This hire is sold as non-breakdown-cover.", False),
        ("The breakdown cover was taken; there is none for the trailer.", True),
    ],
)
def test_a_sentence_denies_by_more_than_not(
    sentence: str, answer: bool, document: Build, schema: MakeSchema
) -> None:
    read = extract(
        document("Hire agreement", sentence, "Signed in Larkham."),
        schema(("breakdown_cover", {"type": "bool", "description": "Breakdown cover taken"})),
    )["breakdown_cover"]
    guesses = [read.value] if read.value is not None else [g.value for g in read.alternatives]
    assert guesses[:1] == [answer]


def test_an_illness_may_be_any_words_and_an_inspector_may_not() -> None:
    assert wanted("diagnosis", "", ()).loose > 0.7
    assert wanted("inspector", "", ()).loose < 0.4


def test_nouns_for_people_and_firms_ask_for_names() -> None:
    assert wanted("magistrate", "", ()).match("person") > 0.8
    assert wanted("tribunal", "", ()).match("body") > 0.8


@pytest.mark.parametrize(
    ("name", "description", "person"),
    [
        ("witness name", "", True),
        ("inspector", "who looked at it", True),
        ("patient number", "", False),
        ("buyer", "", False),
        ("name", "", False),
    ],
)
def test_a_person_is_wanted_if_nothing_else_is(name: str, description: str, person: bool) -> None:
    assert wanted(name, description, ()).is_person is person


def test_nothing_with_a_digit_is_a_person(document: Build, schema: MakeSchema) -> None:
    incident = document(("Title", "Incident 4"), "Town: Graz", "The crane struck the gantry.")
    result = extract(incident, schema(("witness name", "string")))["witness name"]
    assert "Incident 4" not in (result.value, *(other.value for other in result.alternatives))


@pytest.mark.parametrize(
    ("name", "description"),
    [("performance date", ""), ("next appointment", "Date fixed for seeing this patient again.")],
)
def test_a_date_is_read_whoever_its_name_or_description_mentions(
    name: str, description: str, document: Build, schema: MakeSchema
) -> None:
    letter = document(f"{name.capitalize()}: 13 March 2025", "Written on 2 January 2025.")
    asked = schema((name, {"type": "date", "description": description}))
    assert extract(letter, asked)[name].value == "2025-03-13"
