"""What people say when they correct a result, in many ways that must come to one plan."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.backend.plans.desk import Desk
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan
from workbench.contract.plan_canonical import plan_hash

Desks = Callable[[str], Desk]
QUICK = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

ABOVE_40 = "repairs with parts above 40 euros"
TWO = "repairs with parts above 40 euros and fewer than 2 visits"
BY_TOWN = "average parts cost by town"

# What is asked, the wish in plain words, and other ways to say it.
ONE_WISH: list[tuple[str, str, list[str]]] = [
    ("repairs in Moss", "Skien instead", [
        "Moss -> Skien", "that was supposed to be Skien", "the town is wrong, it should be Skien",
        "Moss is a mistake, Skien", "scrap that, Skien",
    ]),
    ("repairs in Moss", "also Skien", [
        "and Skien", "you forgot Skien", "allow Skien as well", "expand the town to Skien",
    ]),
    ("repairs with warranty", "not in Moss", [
        "cut Moss", "Moss should be left out", "only other towns than Moss", "kick out Moss",
        "I would like Moss removed", "everywhere but Moss",
    ]),
    ("repairs in Moss", "without warranty", [
        "only the ones that didn't have warranty", "warranty: no", "warranty = no",
    ]),
    (ABOVE_40, "parts above 60 euros", [
        "the threshold should be 60", "tighten it to 60", "make the limit 60", "up it to 60",
        "could we raise the bar to 60?", "40 is too low, make it 60", "push it up to 60",
    ]),
    (ABOVE_40, "parts above 80 euros", [
        "double it", "twice that", "40 more", "raise it by 40", "increase the limit by 100%",
        "make it 40 euros higher", "add 40 euros to the limit",
    ]),
    (ABOVE_40, "parts above 20 euros", [
        "halve it", "half of that", "reduce it by half", "lower it by 20", "20 less", "50% less",
        "take 20 off", "bring it down to 20", "loosen it to 20",
    ]),
    (ABOVE_40, "at most 60", [
        "cap it at 60", "60 max", "60 should be the maximum", "with a cap of 60", "60 tops",
    ]),
    (ABOVE_40, "parts below 40 euros", [
        "cheaper, not dearer", "cheaper instead", "below, not above",
    ]),
    (TWO, "remove the second filter", [
        "the second one can go", "drop the one about visits", "keep only the first filter",
        "only the parts filter", "no matter how many visits", "I don't care how many visits",
        "take the visits condition away again",
    ]),
    (ABOVE_40, "remove the filter", [
        "no limit", "all repairs", "do away with the parts cost filter", "the cost filter can go",
    ]),
    ("repairs in 2022", "since 2022 instead", ["2022 and later", "since then", "and after"]),
    ("repairs in 2022", "remove the date filter", [
        "no matter when", "any time", "not just in 2022",
    ]),
    (BY_TOWN, "remove the grouping", [
        "all towns together", "across all towns", "one average for everything",
        "just the overall average", "a single average", "merge the towns",
    ]),
    (BY_TOWN, "add the count", [
        "with the number of repairs", "how many repairs each has too", "also count them",
    ]),
    ("number of repairs per town", "labour hours instead of the count", [
        "total labour hours instead of the number", "not the count but the total labour hours",
    ]),
    ("highest rating per town", "lowest instead", ["lowest", "minimum instead"]),
    ("5 most expensive repairs by parts cost", "top 10", ["twice as many", "5 more", "another 5"]),
    ("5 most expensive repairs by parts cost", "remove the limit", [
        "the rest too", "the whole list", "no limits", "no maximum",
    ]),
    ("repairs in Moss sorted by rating", "first 3", ["3 max", "stop after 3", "3 will do"]),
    ("repairs in Moss sorted by rating", "first 1", [
        "only the first", "the first", "one is enough",
    ]),
]  # fmt: skip
WAYS = [(start, wish, way) for start, wish, ways in ONE_WISH for way in ways]


@pytest.mark.parametrize(("start", "wish", "way"), WAYS)
def test_different_wordings_of_a_correction_give_the_same_plan(
    desks: Desks, start: str, wish: str, way: str
) -> None:
    desk = desks("repairs")
    before = desk.begin(start)
    wanted, made = desk.begin(start, wish), desk.edit(before, way)
    assert plan_hash(wanted) != plan_hash(before)
    assert _answer(desk, made) == _answer(desk, wanted)


def _answer(desk: Desk, plan: Plan) -> object:
    """What a plan gives; documents by their ids, in order when the plan sorts them."""
    result = desk.result(plan)
    if not isinstance(result, list):
        return result
    rows = [str(item.get("doc_id") or item["properties"]) for item in result]
    ordered = any(node.node_type == "Sort" for node in plan.nodes.values())
    return rows if ordered else sorted(rows)


@pytest.mark.parametrize(
    ("steps", "way"),
    [
        (1, "I take that back"), (1, "the previous version please"), (1, "as it was before"),
        (1, "it was better before"), (1, "that was a mistake, undo it"), (1, "scrap that"),
        (1, "I changed my mind"), (1, "forget what I just said"), (1, "drop that last change"),
        (1, "take that away again"), (2, "undo the last two changes"), (2, "go back two steps"),
        (2, "undo twice"), (2, "two steps back please"), (3, "back to the beginning"),
        (3, "undo everything"), (3, "go back to the original question"), (3, "reset"),
    ],
)  # fmt: skip
def test_undo_takes_one_several_or_all_edits(desks: Desks, steps: int, way: str) -> None:
    desk = desks("repairs")
    plans = [desk.begin("repairs in Moss")]
    for feedback in ("only fixed ones", "more than 1 visit", "newest first"):
        plans.append(desk.edit(plans[-1], feedback))
    back = desk.edit(plans[-1], way)
    assert plan_hash(back) == plan_hash(plans[-1 - steps])


def test_undo_of_more_edits_than_exist_is_refused(desks: Desks) -> None:
    desk = desks("repairs")
    plan = desk.edit(desk.begin("repairs in Larvik"), "only lamps")
    with pytest.raises(Invalid) as refusal:
        desk.edit(plan, "undo the last five changes")
    assert refusal.value.faults[0].type == "nothing_to_undo"


@pytest.mark.parametrize(
    "way", ["ok never mind that. just lamps", "forget that, only lamps", "undo that and only lamps"]
)
def test_one_request_undoes_a_change_and_makes_another(desks: Desks, way: str) -> None:
    desk = desks("repairs")
    start = desk.begin("fixed repairs")
    there = desk.edit(start, "only from Moss", way)
    assert set(desk.keys(there)) == desk.expected(lambda r: r["is_fixed"] and r["item"] == "lamp")
    assert plan_hash(desk.edit(there, "undo")) == plan_hash(desk.edit(start, "only from Moss"))


@pytest.mark.parametrize(
    "way", ["a bit higher", "raise it", "make it stricter", "loosen it a little", "much higher"]
)
def test_a_direction_without_an_amount_asks_back_with_the_current_bound(
    desks: Desks, way: str
) -> None:
    desk = desks("repairs")
    with pytest.raises(Invalid) as refusal:
        desk.edit(desk.begin(ABOVE_40), way)
    assert refusal.value.faults[0].type in ("ambiguous", "no_such_node", "not_understood")
    assert "Nothing was changed" in refusal.value.detail


@pytest.mark.parametrize(
    "frame",
    [
        "my boss wants {}", "it would be awesome to see {}", "{} so that I can finish this",
        "{} because my colleague asked for it", "{} for my report", "what I forgot to say: {}",
        "it makes more sense to look at {}", "sorry to bother you again: {}", "{} interest me",
        "for the meeting tomorrow I need {}", "in order to save time, {}", "to be clear: {}",
        "{} are more useful to us",
    ],
)  # fmt: skip
def test_frames_around_a_wish_are_removed(desks: Desks, frame: str) -> None:
    desk = desks("repairs")
    before = desk.begin("repairs in Moss")
    made = desk.edit(before, frame.format("only the fixed ones"))
    assert plan_hash(made) == plan_hash(desk.edit(before, "only the fixed ones"))


@pytest.mark.parametrize(
    "nonsense",
    [
        "only the purple ones", "with gold rims", "group by moon phase", "only for left-handed",
        "make it more cheerful", "only the ones from Atlantis", "send this to Bob", "blorp",
        "my boss wants only the purple ones", "the purple ones are more useful to us",
    ],
)  # fmt: skip
def test_words_that_mean_nothing_here_are_refused_and_change_nothing(
    desks: Desks, nonsense: str
) -> None:
    desk = desks("repairs")
    before = desk.begin("repairs in Moss")
    with pytest.raises(Invalid) as refusal:
        desk.edit(before, nonsense)
    assert refusal.value.faults[0].loc == ["body", "feedback"]


AMOUNTS = st.integers(1, 60)


@QUICK
@given(start=AMOUNTS, step=AMOUNTS)
def test_so_much_more_and_so_much_less_is_where_it_was(desks: Desks, start: int, step: int) -> None:
    desk = desks("repairs")
    before = desk.begin(f"repairs with parts above {start + 1} euros")
    there = desk.edit(before, f"raise it by {step}")
    assert plan_hash(there) == plan_hash(
        desk.ask(f"repairs with parts above {start + step + 1} euros")
    )
    assert plan_hash(desk.edit(there, f"lower it by {step}")) == plan_hash(before)


@QUICK
@given(count=AMOUNTS)
def test_doubled_and_halved_is_where_it_was(desks: Desks, count: int) -> None:
    desk = desks("repairs")
    before = desk.begin(f"top {count} repairs by rating")
    assert plan_hash(desk.edit(before, "double it", "halve it")) == plan_hash(before)


EDITS = [way for _, _, ways in ONE_WISH for way in ways]


@QUICK
@given(start=st.sampled_from([start for start, _, _ in ONE_WISH]), way=st.sampled_from(EDITS))
def test_any_correction_of_any_plan_is_undone_or_refused_as_a_whole(
    desks: Desks, start: str, way: str
) -> None:
    desk = desks("repairs")
    before = desk.begin(start)
    try:
        after = desk.edit(before, way)
    except Invalid as refusal:
        assert refusal.detail
        return
    assert not desk.service.validate(after, desk.docset_id, "wb:a-test")
    if plan_hash(after) != plan_hash(before):
        assert plan_hash(desk.edit(after, "undo")) == plan_hash(before)
