"""Questions that look at several properties of a document, at weekdays, and at several orders."""

from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from tests.backend.plans.shipments import SHIPMENTS, shipments
from workbench.contract.derived_fields import MONTHS, WEEKDAYS
from workbench.contract.errors import Invalid

Record = dict[str, Any]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder: Path = tmp_path_factory.mktemp("shipments")
    records = shipments()
    texts = [[f"Shipment {record['shipment_no']}"] for record in records]
    return make_desk(folder, "shipments", SHIPMENTS, records, texts)


def _days(record: Record, since: str = "ordered_on") -> int:
    return (date.fromisoformat(record["shipped_on"]) - date.fromisoformat(record[since])).days


def _weekday(record: Record, name: str = "ordered_on") -> int:
    return date.fromisoformat(record[name]).weekday()


@pytest.mark.parametrize(
    ("question", "test"),
    [
        ("Which shipments have a paid amount below the total amount?",
         lambda r: r["paid_amount"] < r["total_amount"]),
        ("shipments paid in full", lambda r: r["paid_amount"] >= r["total_amount"]),
        ("Which shipments were not fully paid?", lambda r: r["paid_amount"] < r["total_amount"]),
        ("shipments whose total amount exceeds the paid amount",
         lambda r: r["paid_amount"] < r["total_amount"]),
        ("shipments shipped later than due", lambda r: r["shipped_on"] > r["due_on"]),
        ("shipments shipped on or before the due date", lambda r: r["shipped_on"] <= r["due_on"]),
        ("shipments shipped before they were due", lambda r: r["shipped_on"] < r["due_on"]),
        ("shipments where origin town and target town are different",
         lambda r: r["origin_town"] != r["target_town"]),
        ("shipments whose target town is the same as the origin town",
         lambda r: r["origin_town"] == r["target_town"]),
        ("shipments where the total is more than twice the paid amount",
         lambda r: r["total_amount"] > 2 * r["paid_amount"]),
        ("Which shipments have a paid amount below 50% of the total?",
         lambda r: r["paid_amount"] < 0.5 * r["total_amount"]),
        ("shipments that were shipped more than 30 days after they were ordered",
         lambda r: _days(r) > 30),
        ("Which shipments took longer than 30 days between ordered and shipped?",
         lambda r: _days(r) > 30),
        ("shipments with more than 2 weeks between ordered and shipped", lambda r: _days(r) > 14),
        ("shipments with a difference between total amount and paid amount of more than 500",
         lambda r: r["total_amount"] - r["paid_amount"] > 500),
        ("shipments ordered on a Monday", lambda r: _weekday(r) == 0),
    ],
)  # fmt: skip
def test_one_property_beside_another(
    desk: Desk, question: str, test: Callable[[Record], bool]
) -> None:
    assert set(desk.keys(desk.ask(question))) == desk.expected(test)


@pytest.mark.parametrize(
    ("question", "test"),
    [
        ("How many shipments were paid more than their total amount?",
         lambda r: r["paid_amount"] > r["total_amount"]),
        ("How many shipments were shipped after the due date?",
         lambda r: r["shipped_on"] > r["due_on"]),
        ("How many shipments were shipped within 10 days of the order?",
         lambda r: _days(r) <= 10),
        ("How many shipments have the same origin and target town?",
         lambda r: r["origin_town"] == r["target_town"]),
        ("How many shipments were ordered on a weekend?", lambda r: _weekday(r) > 4),
        ("How many shipments were ordered in June, in any year?",
         lambda r: r["ordered_on"][5:7] == "06"),
    ],
)  # fmt: skip
def test_how_many_fit(desk: Desk, question: str, test: Callable[[Record], bool]) -> None:
    assert desk.result(desk.ask(question)) == len(desk.expected(test))


def test_measures_over_two_combined_properties(desk: Desk) -> None:
    shipped = [r for r in desk.records if r["shipped_on"]]
    paid = [r for r in desk.records if r["paid_amount"] is not None]
    average = desk.ask("average number of days between ordered on and shipped on")
    assert desk.result(average) == pytest.approx(sum(map(_days, shipped)) / len(shipped))
    delay = desk.ask("What is the average delay between due date and shipped date?")
    late = [_days(r, "due_on") for r in shipped]
    assert desk.result(delay) == pytest.approx(sum(late) / len(late))
    left = desk.ask("What is the total of total amount minus paid amount?")
    assert desk.result(left) == sum(r["total_amount"] - r["paid_amount"] for r in paid)
    part = desk.ask("average ratio of paid amount to total amount by country")
    ratios: dict[str, list[float]] = defaultdict(list)
    for record in paid:
        ratios[record["country"]].append(record["paid_amount"] / record["total_amount"])
    assert desk.rows(part) == pytest.approx({k: sum(v) / len(v) for k, v in ratios.items()})


def test_groups_by_the_weekday_of_a_date(desk: Desk) -> None:
    rows = desk.rows(desk.ask("How many shipments per weekday of shipped on?"))
    days = Counter(_weekday(r, "shipped_on") for r in desk.records if r["shipped_on"])
    names = list(WEEKDAYS)
    assert list(rows.items()) == [(names[d], days[d]) for d in range(7) if days[d]]


def test_which_weekday_is_meant_is_asked_where_there_are_several_dates(desk: Desk) -> None:
    with pytest.raises(Invalid) as refusal:
        desk.ask("number of shipments by weekday")
    assert refusal.value.faults[0].type == "ambiguous"
    words = [choice.words for choice in refusal.value.faults[0].choices or []]
    assert [text.split(";")[0] for text in words] == [
        f"Group by weekday of {name}" for name in ("shipped on", "ordered on", "due on")
    ]


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("shipments sorted by country, then by total amount descending",
         lambda r: (r["country"], -r["total_amount"])),
        ("name the shipments by customer, then by order date",
         lambda r: (r["customer"], r["ordered_on"])),
        ("Show customer and total amount of all shipments, ordered by country and total amount",
         lambda r: (r["country"], r["total_amount"])),
    ],
)  # fmt: skip
def test_several_orders(desk: Desk, question: str, order: Callable[[Record], Any]) -> None:
    numbers = [item["doc_id"] for item in desk.result(desk.ask(question))]
    everything = [item["doc_id"] for item in desk.result(desk.everything())]
    record = dict(zip(everything, desk.records, strict=True))
    assert [order(record[n]) for n in numbers] == sorted(map(order, desk.records))


def test_the_largest_with_ties(desk: Desk) -> None:
    most = desk.ask("Which shipments have the most pallets, with ties?")
    assert set(desk.keys(most)) == desk.expected(lambda r: r["pallets"] == 5)
    three = desk.ask("the three largest shipments by total amount including ties")
    third = sorted((r["total_amount"] for r in desk.records), reverse=True)[2]
    assert set(desk.keys(three)) == desk.expected(lambda r: r["total_amount"] >= third)


@pytest.mark.parametrize(
    ("question", "part", "among"),
    [
        ("What percentage of the shipments was shipped after the due date?",
         lambda r: bool(r["shipped_on"] and r["shipped_on"] > r["due_on"]), lambda r: 1),
        ("What share of the total amount comes from Poland?",
         lambda r: r["country"] == "Poland", lambda r: r["total_amount"]),
    ],
)  # fmt: skip
def test_shares(
    desk: Desk, question: str, part: Callable[[Record], bool], among: Callable[[Record], float]
) -> None:
    whole = sum(map(among, desk.records))
    wanted = sum(among(record) for record in desk.records if part(record)) / whole
    whole = 100 if "percentage" in question else 1
    assert desk.result(desk.ask(question)) == pytest.approx(whole * wanted)


def test_when_the_last_one_was(desk: Desk) -> None:
    result = desk.result(desk.ask("When was the last shipment to Poland shipped?"))
    dates = [r["shipped_on"] for r in desk.records if r["country"] == "Poland" and r["shipped_on"]]
    assert [item["properties"]["entity"]["shipped_on"] for item in result] == [max(dates)]
    assert result[0]["doc_id"]


@pytest.fixture(scope="module")
def bills(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """One date, one amount, several currencies."""
    schema = [
        {"name": "bill_no", "type": {"type": "string"}},
        {"name": "vendor", "type": {"type": "string"}},
        {"name": "gross_total", "type": {"type": "float"}},
        {"name": "currency", "type": {"type": "string"}},
        {"name": "billed_on", "type": {"type": "date"}},
        {"name": "settled", "type": {"type": "bool"}},
        {"name": "witnesses", "type": {"type": "array", "description": "People present"}},
        {"name": "recording", "type": {"type": "string", "description": "Link to a recording"}},
    ]
    records = [
        {
            "bill_no": f"B{i}", "vendor": ["Acme", "Birch"][i % 2], "gross_total": 10.0 * i,
            "currency": ["EUR", "GBP", "USD"][i % 3], "billed_on": f"2023-0{1 + i % 8}-1{i % 9}",
            "settled": i % 4 == 0, "witnesses": [f"W{k}" for k in range(i % 5)],
            "recording": None if i % 2 else "http://example.org",
        }
        for i in range(30)
    ]  # fmt: skip
    folder: Path = tmp_path_factory.mktemp("bills")
    return make_desk(folder, "bills", schema, records, [["A bill."]] * 30)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("total of the gross totals in EUR", lambda r: r["currency"] == "EUR"),
        ("What is the total of the unsettled bills in GBP?",
         lambda r: r["currency"] == "GBP" and not r["settled"]),
    ],
)  # fmt: skip
def test_totals_in_one_currency(
    bills: Desk, question: str, wanted: Callable[[Record], bool]
) -> None:
    total = sum(r["gross_total"] for r in bills.records if wanted(r))
    assert bills.result(bills.ask(question)) == total


def test_with_one_date_words_of_the_calendar_need_no_name(bills: Desk) -> None:
    weekend = bills.ask("bills on weekends")
    assert set(bills.keys(weekend)) == bills.expected(lambda r: _weekday(r, "billed_on") > 4)
    months = bills.rows(bills.ask("bills per month of the year"))
    counted = Counter(int(r["billed_on"][5:7]) for r in bills.records)
    assert list(months.items()) == [(MONTHS[m - 1], counted[m]) for m in sorted(counted)]
    ordered = bills.keys(bills.ask("bills by vendor, then newest first"))
    record = {r["bill_no"]: r for r in bills.records}
    by_date = sorted(bills.records, key=lambda r: r["billed_on"], reverse=True)
    wanted = sorted(by_date, key=lambda r: r["vendor"])
    assert [(record[n]["vendor"], record[n]["billed_on"]) for n in ordered] == [
        (r["vendor"], r["billed_on"]) for r in wanted
    ]


def test_the_largest_number_of_people_and_missing_recordings(bills: Desk) -> None:
    assert bills.result(bills.ask("What is the largest number of witnesses?")) == 4
    without = bills.ask("Which bills have no recording?")
    assert set(bills.keys(without)) == bills.expected(lambda r: r["recording"] is None)


@pytest.fixture(scope="module")
def leases(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A date of beginning and one of end, and two numbers that can be compared."""
    schema = [
        {"name": "plot", "type": {"type": "string"}},
        {"name": "tenant", "type": {"type": "string"}},
        {"name": "started", "type": {"type": "date"}},
        {"name": "ended", "type": {"type": "date"}},
        {"name": "sheep", "type": {"type": "int"}},
        {"name": "goats", "type": {"type": "int"}},
    ]
    records = [
        {
            "plot": f"L{i}", "tenant": ["Ada", "Bo"][i % 2], "started": f"2021-0{1 + i % 9}-05",
            "ended": None if i == 4 else f"2022-0{1 + (3 * i) % 9}-05", "sheep": i % 7,
            "goats": (5 * i) % 11,
        }
        for i in range(20)
    ]  # fmt: skip
    folder: Path = tmp_path_factory.mktemp("leases")
    return make_desk(folder, "leases", schema, records, [["A lease."]] * 20)


def _lasted(record: Record) -> int:
    return (date.fromisoformat(record["ended"]) - date.fromisoformat(record["started"])).days


def test_how_long_documents_last_that_begin_and_end(leases: Desk) -> None:
    year = leases.ask("leases that lasted longer than a year")
    assert set(leases.keys(year)) == leases.expected(lambda r: _lasted(r) > 365)
    by_tenant = leases.run(leases.ask("average duration by tenant"))
    spans: dict[str, list[int]] = defaultdict(list)
    for record in leases.records:
        if record["ended"]:
            spans[record["tenant"]].append(_lasted(record))
    rows = {i["properties"].pop("key"): list(i["properties"].values()) for i in by_tenant.result}
    assert rows == {k: [pytest.approx(sum(v) / len(v))] for k, v in spans.items()}
    assert "average days from started to ended" in by_tenant.labels.values()


def test_more_of_one_thing_than_of_another(leases: Desk) -> None:
    more = leases.ask("leases with more sheep than goats")
    assert set(leases.keys(more)) == leases.expected(lambda r: r["sheep"] > r["goats"])
    fewer = leases.ask("how many leases have fewer sheep than goats")
    assert leases.result(fewer) == len(leases.expected(lambda r: r["sheep"] < r["goats"]))
