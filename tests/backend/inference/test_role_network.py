"""What questions want of properties, by the network that ships."""

from dataclasses import replace

import numpy as np
import pytest

from backend.inference.phrase_vectors import encoder
from backend.inference.role_network import (
    QUESTION_TOKENS,
    Column,
    Foreseen,
    RoleNetwork,
    asked_tokens,
    network,
)
from backend.plans.requests.roles import ROLES, TRAITS

REPAIRS = [
    Column("boat", "string", "Name of the boat"),
    Column("yard", "choice", "", ["Cove", "Eastpoint", "Slipway"]),
    Column("brought in on", "date", "Day the boat came to the yard"),
    Column("handed back on", "date", "Day the owner took it home; empty if it is still here"),
    Column("bill", "float", "What the owner was charged, in pounds"),
    Column("insured", "bool", "True if the insurer pays"),
]


def foreseen(question: str) -> Foreseen:
    return network().foreseen(question, "repairs", REPAIRS)


def likeliest(question: str, role: str) -> str:
    """The property that most likely has a role."""
    odds = foreseen(question).roles[:, ROLES.index(role)]
    return REPAIRS[int(np.argmax(odds))].label


@pytest.mark.parametrize(
    ("question", "role", "label"),
    [
        ("How many repairs did each yard do?", "group", "yard"),
        ("Which repairs were charged most to the owner?", "down", "bill"),
        ("What is the average charge?", "avg", "bill"),
        ("Which boats have not been taken home yet?", "unknown", "handed back on"),
        ("Which repairs came to the yard in May 2024?", "from", "brought in on"),
        ("How many are paid by the insurer?", "is", "insured"),
    ],
)
def test_a_property_is_found_by_its_role_in_the_question(
    question: str, role: str, label: str
) -> None:
    assert likeliest(question, role) == label


@pytest.mark.parametrize(
    ("question", "trait", "other"),
    [
        ("How many repairs are there?", "count", "groups"),
        ("How many repairs did each yard do?", "groups", "count"),
        ("Which repairs came to the yard in May 2024?", "list", "figure"),
        ("What percentage is insured?", "share", "list"),
    ],
)
def test_the_sort_of_answer_is_foreseen(question: str, trait: str, other: str) -> None:
    odds = foreseen(question).traits
    assert odds[TRAITS.index(trait)] > odds[TRAITS.index(other)]


def test_a_question_beyond_the_properties_is_less_likely_answerable() -> None:
    known = foreseen("What is the average bill?").traits[0]
    assert known > foreseen("What is the average age of the mechanics?").traits[0]


def test_a_question_about_no_properties_is_read_too() -> None:
    made = network().foreseen("how many?", "things", [])
    assert made.roles.shape == (0, len(ROLES))
    assert made.traits.shape == (len(TRAITS),)


def test_truncated_text_does_not_affect_what_precedes_it() -> None:
    """Properties behind the limit share the last place."""
    many = [Column(f"measure number {n}", "float", "Reading of the gauge") for n in range(60)]
    made = RoleNetwork(encoder()).foreseen("really " * 3_000, "things", many)
    assert made.roles.shape == (60, len(ROLES))
    assert np.allclose(made.roles[-1], made.roles[-2])


def test_a_property_in_words_includes_values_from_the_question() -> None:
    column = Column("status", "choice", "Where it stands", ["closed", "open", "refused"], ["open"])
    assert words_of(column) == "status, choice = open (closed, refused): Where it stands"
    assert words_of(Column("bill", "float")) == "bill, float"
    assert words_of(Column("yard", "choice", "", ["Cove"])) == "yard, choice (Cove)"


def words_of(column: Column) -> str:
    return "".join(text for text, _ in column.parts)


def test_a_value_is_predicted_if_the_question_paraphrases_it() -> None:
    status = Column("status", "choice", "", ["approved", "refused", "waiting for papers"])
    made = network().foreseen("Which claims were turned down?", "claims", [status])
    assert max(made.values[0], key=lambda value: made.values[0][value]) == "refused"


def test_values_that_do_not_fit_are_not_foreseen() -> None:
    long = Column("cause", "choice", "", ["word " * 40, "fire"], ["word " * 40])
    assert list(network().foreseen("fires?", "claims", [long]).values[0]) == []


NOW = {"brought in on": ("from", "to"), "yard": ("is cove",)}
STANDING = [replace(column, now=NOW.get(column.label, ())) for column in REPAIRS]


@pytest.mark.parametrize(
    ("follow_up", "label", "role"),
    [
        ("only the insured ones", "yard", "is"),
        ("per yard instead", "yard", "group"),
        ("most expensive first", "bill", "down"),
        ("what did they cost on average?", "bill", "avg"),
    ],
)
def test_after_a_follow_up_a_property_has_the_role_that_it_asks_for_or_leaves(
    follow_up: str, label: str, role: str
) -> None:
    made = network().foreseen(follow_up, "repairs", STANDING, ["list"])
    labels = [column.label for column in STANDING]
    assert made.roles[labels.index(label), ROLES.index(role)] > 0


def test_a_follow_up_keeps_or_changes_the_sort_of_answer() -> None:
    kept = network().foreseen("only the insured ones", "repairs", STANDING, ["count"]).traits
    listed = network().foreseen("which ones are they?", "repairs", STANDING, ["count"]).traits
    count, list_ = TRAITS.index("count"), TRAITS.index("list")
    assert kept[count] > kept[list_]
    assert listed[list_] > listed[count]


def test_what_the_plan_before_does_is_read_with_a_property() -> None:
    column = Column("yard", "choice", values=["Cove", "Slipway"], now=["is cove", "group"])
    assert "".join(text for text, _ in column.parts) == (
        "yard, choice, now is cove, group (Cove, Slipway)"
    )


def test_what_is_known_of_the_plan_before_survives_a_long_follow_up() -> None:
    pieces = encoder().pieces
    now = ["groups", "count"]
    short = asked_tokens(pieces, "by yard", "repairs", now)
    assert short == pieces.tokens("by yard (repairs, now groups, count)", 44)
    long = asked_tokens(pieces, "talk " * 90 + "by yard", "repairs", now)
    assert len(long) == QUESTION_TOKENS
    assert long[-6:] == short[-6:]
