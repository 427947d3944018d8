"""Corrections as people word them in a long mail or between two meetings: what happened before the
wish is told first, bounds are moved by particles, orders by what is to be on top.
"""

from collections.abc import Callable
from typing import Any

import pytest

from tests.backend.plans.desk import Desk
from workbench.contract.errors import Invalid
from workbench.contract.plan_canonical import plan_hash

Record = dict[str, Any]
Desks = Callable[[str], Desk]

HOLM = "contracts in Holm"
BUSY = "contracts with more than 900 passengers"
BOTH = "insured contracts with a winter berth"

KEPT: list[tuple[str, list[str], Callable[[Record], Any]]] = [
    (HOLM, [
        "only where the skipper has a winter berth", "the skipper must have a winter berth",
        "just those whose skipper has a winter berth", "skippers that have a winter berth",
    ], lambda r: r["harbour"] == "Holm" and r["winter_berth"]),
    (HOLM, ["where the skipper has no winter berth"],
     lambda r: r["harbour"] == "Holm" and not r["winter_berth"]),
    (HOLM, [
        "fee over 1k a month", "the fee must be more than 1k a month", "fee above 1000 per month",
        "fee over 12k a year", "a fee of more than €12,000 per year",
    ], lambda r: r["harbour"] == "Holm" and r["monthly_fee_eur"] > 1000),
    (HOLM, ["skip anything rigged by Pia Quist", "nothing rigged by Pia Quist please"],
     lambda r: r["harbour"] == "Holm" and r["rigger"] != "Pia Quist"),
    (HOLM, ["keep the ones arranged by Ole Berg"],
     lambda r: r["harbour"] == "Holm" and r["rigger"] == "Ole Berg"),
    (HOLM, ["they must have carried at least 800 people", "carried at least 800 people"],
     lambda r: r["harbour"] == "Holm" and r["carried"] >= 800),
    (BUSY, [
        "bump the passenger cutoff up to 2000", "raise the passenger limit to 2,000",
        "push the threshold up to 2000", "take the threshold up to 2k", "bring it up to 2000",
        "let the passenger minimum be 2000", "the minimum should be 2000",
        "raise the lower limit to 2000", "the cutoff should be 2000 passengers",
    ], lambda r: r["carried"] > 2000),
    (BUSY, ["the maximum should be 2000", "cap it at 2000", "a maximum of 2000 passengers"],
     lambda r: 900 < r["carried"] <= 2000),
    ("contracts", ["trips of more than a day and a half", "trips over 1 day and 12 hours",
                   "trips over one and a half days"], lambda r: r["trip_hours"] > 36),
    ("contracts", ["trips between 1 day and 36 hours"], lambda r: 24 <= r["trip_hours"] <= 36),
    (BOTH, [
        "I no longer care about the winter berth, remove that condition",
        "the winter berth is too strict, drop it", "forget the winter berth, remove it",
        "the winter berth does not matter any more. Take that filter out.",
        "take the winter berth filter out and leave the rest as it is",
        "remove the winter berth, everything else stays",
        "leave everything else as it is but drop the winter berth",
    ], lambda r: r["insured"]),
    (HOLM, ["remove it", "drop that"], lambda r: True),
    (HOLM, ["ketch or with a winter berth", "a winter berth or a ketch"],
     lambda r: r["harbour"] == "Holm" and (r["hull"] == "ketch" or r["winter_berth"])),
]  # fmt: skip


@pytest.mark.parametrize(
    ("start", "way", "test"), [(s, way, test) for s, ways, test in KEPT for way in ways]
)
def test_a_correction_keeps_the_documents_that_it_mentions(
    desks: Desks, start: str, way: str, test: Callable[[Record], Any]
) -> None:
    desk = desks("moorings")
    keys = desk.keys(desk.edit(desk.begin(start), way))
    assert set(keys) == desk.expected(test)


BY_SKIPPER = "average fee by skipper"
SAME: list[tuple[str, str, list[str]]] = [
    (BY_SKIPPER, "by harbour instead", [
        "harbour should be the grouping", "make harbour the grouping",
        "the grouping should be harbour",
        "I'd much rather see it per harbour than per skipper",
        "I would prefer harbours to skippers",
        "my partner never looks at skippers, so I think it would be nicer to have this for each"
        " harbour rather than for each skipper",
        "I talked to the masters this morning and they told me they would much rather look at these"
        " numbers per harbour than per skipper, so could you change the grouping accordingly?",
        "we had a long call with the insurance people yesterday, so could you please show it per"
        " harbour",
    ]),
    (BY_SKIPPER, "by harbour instead", [
        "Sorry, one more thing: my partner never looks at skippers, so I think it would be nicer to"
        " have this for each harbour rather than for each skipper",
    ]),
    (HOLM, "first 5", ["don't show more than 5", "do not list more than five results please"]),
    ("insured contracts in Holm", "remove the insured filter", [
        "insured or not", "insured or not, I don't care", "the insured filter off",
    ]),
    (HOLM, "only ketches", ["keep ketches, drop the rest", "just the ketches, forget the others"]),
    (HOLM, "show the 3 with the lowest monthly fee", ["show the 3 cheapest by monthly fee"]),
    (BY_SKIPPER, "by hull instead", ["per boat type instead", "by type of boat please"]),
    (BY_SKIPPER, "the median instead", [
        "after talking it over with the owner I believe it makes more sense to look at the median",
    ]),
    ("number of contracts by harbour", "also the average monthly fee", [
        "include the average fee too", "and the average fee",
    ]),
    ("top 3 skippers by number of contracts", "harbours instead of skippers", [
        "show the top harbours rather than skippers",
    ]),
    (HOLM, "sort by expiry, earliest first", [
        "put the ones that expire first at the top", "earliest expiry at the top",
        "the ones with the earliest expiry should be at the top",
    ]),
    (HOLM, "sort by monthly fee ascending", [
        "sort by fee from small to large", "order them by fee, from low to high",
        "from cheap to expensive by monthly fee", "lowest fee at the top of the list",
    ]),
    (HOLM, "sort by monthly fee descending", ["sort on the fee from large to small"]),
    (HOLM, "sort by expiry ascending", ["sort by expiry from early to late"]),
    (HOLM, "in Brack instead of Holm", [
        "Sorry to be a pain, but after going through it with the others I think it would make much"
        " more sense to look at the contracts in Brack rather than the ones in Holm",
    ]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("start", "wish", "way"), [(s, wish, way) for s, wish, ways in SAME for way in ways]
)
def test_long_and_odd_wordings_come_to_the_plan_of_the_plain_ones(
    desks: Desks, start: str, wish: str, way: str
) -> None:
    desk = desks("moorings")
    before = desk.begin(start)
    wanted, made = desk.begin(start, wish), desk.edit(before, way)
    assert plan_hash(wanted) != plan_hash(before)
    assert desk.result(made) == desk.result(wanted)


def test_a_total_is_compared_as_the_sum_of_each_group(desks: Desks) -> None:
    desk = desks("moorings")
    before = desk.begin("total repairs by harbour")
    rows = desk.rows(before)
    bound = sorted(rows.values())[1]
    made = desk.edit(before, f"only harbours with more than {bound:.1f} thousand euros in total")
    assert desk.rows(made) == {key: value for key, value in rows.items() if value > bound}


def test_an_ambiguous_condition_to_remove_is_asked_about(desks: Desks) -> None:
    desk = desks("moorings")
    with pytest.raises(Invalid) as refusal:
        desk.edit(desk.begin(BOTH), "remove it")
    assert refusal.value.faults[0].type == "ambiguous"


def test_a_list_has_one_order(desks: Desks) -> None:
    desk = desks("moorings")
    before = desk.begin(HOLM)
    with pytest.raises(Invalid) as refusal:
        desk.edit(before, "sort by fee and repairs")
    assert refusal.value.faults[0].type == "contradictory"
    made = desk.edit(before, "sort by monthly fee, then by repairs")
    assert made.edit is not None
    assert [item.clause for item in made.edit.not_applied] == ["then by repairs"]
    assert desk.keys(made) == desk.keys(desk.edit(before, "sort by monthly fee"))


@pytest.mark.parametrize(
    ("feedback", "both"),
    [
        ("only LEO and not LEO", "orbit is LEO and orbit is not LEO"),
        ("without LEO, only LEO", "orbit is not LEO and orbit is LEO"),
        ("only active ones and only inactive ones", "active is true and active is false"),
    ],
)
def test_clauses_that_deny_each_other_are_refused_together(
    desks: Desks, feedback: str, both: str
) -> None:
    desk = desks("satellites")
    before = desk.begin("How many satellites are there?")
    with pytest.raises(Invalid) as refusal:
        desk.edit(before, feedback)
    assert refusal.value.faults[0].type == "contradictory"
    assert both in refusal.value.detail.lower().replace("leo", "LEO")


def test_a_clause_may_correct_another_or_the_plan(desks: Desks) -> None:
    desk = desks("satellites")
    corrected = desk.edit(desk.begin("How many satellites are there?"), "only LEO, no, only GEO")
    assert desk.result(corrected) == sum(r["orbit"] == "GEO" for r in desk.records)
    denied = desk.edit(corrected, "not GEO")
    assert desk.result(denied) == sum(r["orbit"] != "GEO" for r in desk.records)


@pytest.mark.parametrize("question", ["who are the skippers?", "which skippers?"])
def test_who_they_are_refers_to_the_named_property(desks: Desks, question: str) -> None:
    desk = desks("moorings")
    made = desk.edit(desk.begin(HOLM), question)
    assert {row["properties"]["key"] for row in desk.result(made)} == {
        r["skipper"] for r in desk.records if r["harbour"] == "Holm"
    }


@pytest.mark.parametrize("praise", ["perfect, that's what I wanted", "great, that's it"])
def test_praise_changes_nothing(desks: Desks, praise: str) -> None:
    desk = desks("moorings")
    before = desk.begin(HOLM)
    assert plan_hash(desk.edit(before, praise)) == plan_hash(before)


def test_a_summary_that_is_cut_leaves_the_documents(desks: Desks) -> None:
    desk = desks("moorings")
    before = desk.begin(HOLM)
    made = desk.edit(before, "summarize them", "cut the summary and list the contracts")
    assert desk.keys(made) == desk.keys(before)


def test_a_story_that_names_the_wish_is_not_ignored(desks: Desks) -> None:
    desk = desks("moorings")
    made = desk.edit(desk.begin("contracts"), "I only want Holm, so could you sort them by fee?")
    assert set(desk.keys(made)) == desk.expected(lambda r: r["harbour"] == "Holm")


def test_negated_events_and_pairs_of_dates_filter(desks: Desks) -> None:
    appeals = desks("appeals")
    keys = appeals.keys(appeals.edit(appeals.begin("appeals"), "decided and challenged in 2023"))
    assert set(keys) == appeals.expected(
        lambda r: r["decided_on"][:4] == "2023" and r["challenged_on"][:4] == "2023"
    )
    sailings = desks("sailings")
    keys = sailings.keys(sailings.edit(sailings.begin("sailings"), "but not caused by ice"))
    assert set(keys) == sailings.expected(lambda r: "ice" not in (r["causes"] or []))


def test_an_added_bound_closes_an_open_range(desks: Desks) -> None:
    desk = desks("moorings")
    before = desk.begin(BUSY)
    keys = desk.keys(desk.edit(before, "at most 1500 as well"))
    assert set(keys) == desk.expected(lambda r: 900 < r["carried"] <= 1500)
    keys = desk.keys(desk.edit(before, "also those with fewer than 100"))
    assert set(keys) == desk.expected(lambda r: r["carried"] > 900 or r["carried"] < 100)


def test_numbers_of_numbered_values_are_those_values(desks: Desks) -> None:
    desk = desks("moorings")
    before = desk.begin("contracts on pier 2")
    for way in ("piers 1, 2 and 3", "pier 1, 2 or 3"):
        keys = desk.keys(desk.edit(before, way))
        assert set(keys) == desk.expected(lambda r: r["pier"] in ("Pier 1", "Pier 2", "Pier 3"))
    assert set(desk.keys(desk.edit(before, "change the pier to 4"))) == desk.expected(
        lambda r: r["pier"] == "Pier 4"
    )


def test_names_beside_groups_are_group_keys(desks: Desks) -> None:
    desk = desks("moorings")
    made = desk.edit(desk.begin("number of contracts by harbour"), "harbour and hull")
    assert len(desk.rows(made)) == len({(r["harbour"], r["hull"]) for r in desk.records})


def test_a_comparison_is_not_a_filter_on_one_of_its_sides(desks: Desks) -> None:
    desk = desks("moorings")
    before = desk.begin(HOLM)
    for way in ("compare with Brack", "how does that compare to Brack?"):
        made = desk.rows(desk.edit(before, way))
        assert made == {
            name: sum(r["harbour"] == name for r in desk.records) for name in ("Holm", "Brack")
        }
    fees = {
        name: [r["monthly_fee_eur"] for r in desk.records if r["harbour"] == name]
        for name in ("Holm", "Brack")
    }
    means = {name: sum(amounts) / len(amounts) for name, amounts in fees.items()}
    result = desk.result(desk.edit(before, "difference between Holm and Brack in average fee"))
    assert result == pytest.approx(means["Holm"] - means["Brack"])
