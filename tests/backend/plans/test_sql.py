"""Questions in SQL: a statement gives what SQLite gives for it, or is refused with its reason."""

import json
import random
import sqlite3
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tests.backend.plans.desk import ACCOUNT, Desk, make_desk
from workbench.contract.errors import Invalid
from workbench.contract.plan import Query

INSTRUMENTS: list[dict[str, Any]] = [
    {"name": "lot", "field_type": "string", "description": "Number of the lot"},
    {"name": "maker", "field_type": "string", "description": "Who built it"},
    {"name": "price", "field_type": "float", "description": "Price in euros"},
    {"name": "strings", "field_type": "int", "description": "How many strings it has"},
    {"name": "insured", "field_type": "bool", "description": "Whether it is insured"},
    {"name": "bought_on", "field_type": "date", "description": "Day it was bought"},
    {"name": "sold_on", "field_type": "date", "description": "Day it was sold"},
    {"name": "tested_at", "field_type": "datetime", "description": "When it was tested"},
    {"name": "tags", "field_type": "array", "description": "What else is known"},
]


def instruments() -> list[dict[str, Any]]:
    dice = random.Random(11)

    def or_none(value: Any, odds: float) -> Any:
        return None if dice.random() < odds else value

    made = []
    for i in range(60):
        bought = date(2022, 1, 10) + timedelta(days=dice.randrange(700))
        sold = bought + timedelta(days=dice.randrange(-5, 90))
        made.append(
            {
                "lot": f"L{i:02d}",
                "maker": or_none(dice.choice(["Amati", "Baines", "Caspar", "Baer"]), 0.15),
                "price": or_none(float(dice.randrange(0, 500, 20)), 0.2),
                "strings": dice.choice([4, 4, 5, 6, 12]),
                "insured": or_none(dice.random() < 0.5, 0.2),
                "bought_on": bought.isoformat(),
                "sold_on": or_none(sold.isoformat(), 0.2),
                "tested_at": f"{bought.isoformat()}T{dice.randrange(8, 18):02d}:30:00",
                "tags": dice.sample(["worn", "signed", "copy"], dice.randrange(3)),
            }
        )
    return made


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    records = instruments()
    texts = [[f"Lot {record['lot']}"] for record in records]
    return make_desk(tmp_path_factory.mktemp("sql"), "instruments", INSTRUMENTS, records, texts)


@pytest.fixture(scope="module")
def database() -> Iterator[sqlite3.Connection]:
    """The same records in SQLite."""
    connection = sqlite3.connect(":memory:")
    names = [prop["name"] for prop in INSTRUMENTS]
    connection.execute(f"create table instruments ({', '.join(names)})")
    for record in instruments():
        values = [json.dumps(v) if isinstance(v, list) else v for v in record.values()]
        marks = ", ".join("?" * len(values))
        connection.execute(f"insert into instruments values ({marks})", values)
    yield connection
    connection.close()


def answer(desk: Desk, sql: str) -> Any:
    """What the plan of a statement gives, as rows of plain values."""
    result = desk.result(desk.ask(sql))
    if not isinstance(result, list):
        return [(result,)]
    rows = []
    for item in result:
        properties = dict(item["properties"])
        if "entity" in properties:
            rows.append((properties["entity"]["lot"],))
            continue
        key = properties.pop("key", [])
        parts = properties if isinstance(key, list) else {"key": key, **properties}
        rows.append(tuple(parts.values()))
    return rows


def of_sqlite(database: sqlite3.Connection, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in database.execute(sql).fetchall()]


def same(one: list[tuple[Any, ...]], other: list[tuple[Any, ...]]) -> bool:
    """Whether all rows are equal; ours may have further columns, as a number that HAVING uses."""
    return len(one) == len(other) and all(
        a == b or a == pytest.approx(b)
        for left, right in zip(one, other, strict=True)
        for a, b in zip(left, right, strict=False)
    )


@pytest.mark.parametrize(
    "sql",
    [
        "select count(*) from instruments",
        "select distinct strings from instruments order by strings",
        "SELECT COUNT(*) FROM instruments WHERE insured = true;",
        "select count(price) from instruments",
        "select count(distinct maker) from instruments",
        "select avg(price) from instruments where strings in (4, 5)",
        "select min(price), max(price), sum(price) from instruments where maker is not null",
        "select lot from instruments where price between 100 and 200 order by lot",
        "select lot from instruments where price between 100 and 200",
        "select lot from instruments where strings not between 5 and 9",
        "select lot from instruments where price not between 100 and 200 order by lot",
        "select lot from instruments where maker like 'Ba%' order by lot",
        "select lot from instruments where maker not like '%s%' order by lot",
        "select lot from instruments where maker not like '' order by lot",
        "select lot from instruments where maker like '%' order by lot",
        "select lot from instruments where not (maker = 'Amati' or price > 100) order by lot",
        "select lot from instruments where maker <> 'Amati' and price >= 60 order by lot desc",
        "select lot from instruments where maker not in ('Amati', 'Baines') order by lot",
        "select lot from instruments where (strings = 4 and insured) or price is null order by lot",
        "select lot from instruments where sold_on >= '2022-06-01' order by lot",
        "select lot from instruments where sold_on < bought_on order by lot",
        "select lot from instruments where 1 = 1 and insured is not true order by lot",
        "select lot from instruments where strftime('%Y', bought_on) = '2023' order by lot",
        "select lot from instruments where strftime('%m', bought_on) = '03' order by lot",
        "select lot from instruments where strftime('%Y-%m', bought_on) = '2022-05' order by lot",
        "select lot from instruments where julianday(sold_on) - julianday(bought_on) > 30"
        " order by 1",
        "select lot from instruments order by strings desc, lot limit 7",
        "select strings, count(*) from instruments group by strings order by strings",
        "select strings, count(*) n from instruments group by 1 having n > 8 order by n desc, 1",
        "select strings, avg(price) from instruments where maker = 'Baer' group by strings"
        " order by 2",
        "select strings, insured, count(*) from instruments where insured is not null"
        " group by strings, insured order by strings, insured",
        "select maker, sum(price) from instruments where maker is not null group by maker"
        " having sum(price) > 500 and count(*) > 2 order by sum(price) desc",
        "select strftime('%Y-%m', bought_on), count(*) from instruments group by 1 order by 1",
        "select distinct strings from instruments order by strings desc",
        "select strings, count(*) filter (where insured), count(*) from instruments"
        " group by strings order by strings",
        "select strings, sum(case when price > 200 then 1 else 0 end) from instruments"
        " group by strings order by strings",
    ],
)
def test_a_statement_returns_what_sqlite_returns(
    desk: Desk, database: sqlite3.Connection, sql: str
) -> None:
    ours, theirs = answer(desk, sql), of_sqlite(database, sql)
    assert theirs
    assert same(ours, theirs), f"{ours} instead of {theirs}"


_ATOMS = [
    "maker = 'Baer'", "maker <> 'Amati'", "maker in ('Baines', 'Caspar')", "maker not in ('Baer')",
    "maker is null", "maker like 'Ba%'", "not maker like '%s%'", "price > 200", "price <= 80",
    "price between 100 and 300", "price is not null", "strings = 4", "strings != 6", "insured",
    "not insured", "insured = false", "insured is not false", "sold_on > bought_on",
    "sold_on <> bought_on", "bought_on < '2022-09-01'", "not sold_on >= '2023-01-01'",
]  # fmt: skip
_CONDITIONS = some.recursive(
    some.sampled_from(_ATOMS),
    lambda inner: some.one_of(
        some.tuples(inner, some.sampled_from(["and", "or"]), inner).map(
            lambda parts: f"({' '.join(parts)})"
        ),
        inner.map(lambda part: f"not ({part})"),
    ),
    max_leaves=5,
)


@given(condition=_CONDITIONS)
@settings(max_examples=60, deadline=None, derandomize=True, database=None)
def test_any_condition_selects_what_sqlite_selects(
    desk: Desk, database: sqlite3.Connection, condition: str
) -> None:
    sql = f"select lot from instruments where {condition} order by lot"
    assert answer(desk, sql) == of_sqlite(database, sql)


def test_dates_are_truncated_to_periods(desk: Desk) -> None:
    rows = answer(desk, "select date_trunc('quarter', bought_on) q, count(*) from x group by q")
    assert sum(count for _, count in rows) == 60
    assert rows[0][0] == "2022-Q1"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT maker, sum(price) FROM lots GROUP BY maker ORDER BY 2 DESC LIMIT 2",
        "select count(*) from lots where price between 100 and 200",
    ],
)
def test_a_statement_runs_as_planned_with_no_unused_words(desk: Desk, sql: str) -> None:
    at_once = desk.service.run(
        Query(docset_id=desk.docset_id, query=sql), ACCOUNT, lambda event: None, lambda: False
    )
    planned = desk.run(desk.ask(sql))
    assert at_once.result == planned.result
    assert at_once.unused == planned.unused == []


def test_parts_of_dates_are_keys_and_conditions(desk: Desk) -> None:
    by_year = answer(desk, "select extract(year from bought_on), count(*) from x group by 1")
    in_march = answer(desk, "select count(*) from x where month(bought_on) = 3")
    assert sum(count for _, count in by_year) == 60
    assert in_march == [(sum(r["bought_on"][5:7] == "03" for r in instruments()),)]


@pytest.mark.parametrize(
    "test", ["'worn' in tags", "array_contains(tags, 'worn')", "'worn' = any(tags)"]
)
def test_a_list_is_asked_for_a_value(desk: Desk, test: str) -> None:
    expected = sum("worn" in record["tags"] for record in instruments())
    assert answer(desk, f"select count(*) from x where {test}") == [(expected,)]


@pytest.mark.parametrize(
    "test", ["tags != 'worn'", "not (tags = 'worn')", "tags not in ('worn')", "not 'worn' in tags"]
)
def test_the_negation_of_a_test_of_a_list_needs_a_list_with_values(desk: Desk, test: str) -> None:
    expected = sum(bool(r["tags"]) and "worn" not in r["tags"] for r in instruments())
    assert answer(desk, f"select count(*) from x where {test}") == [(expected,)]


def test_documents_with_an_empty_list_are_reported_as_in_no_group(desk: Desk) -> None:
    plan = desk.ask("select tags, count(*) from x group by tags")
    empty = sum(not record["tags"] for record in instruments())
    assert plan.edit is not None
    assert f"{empty} documents without tags are in no group" in plan.edit.warnings


def test_a_day_beside_a_moment_is_the_whole_day_and_the_report_says_so(desk: Desk) -> None:
    day = instruments()[0]["bought_on"]
    plan = desk.ask(f"select * from x where tested_at = '{day}'")
    assert "L00" in desk.keys(plan)
    assert plan.edit is not None
    assert f"{day} stands for the whole day" in plan.edit.warnings


def test_the_report_says_that_it_was_read_as_sql(desk: Desk) -> None:
    plan = desk.ask("select maker, count(*) from anything group by maker order by count(*) desc")
    assert plan.edit is not None
    assert plan.edit.warnings[0] == "read as SQL, not as English"
    assert plan.edit.applied[0].op == "read_sql"
    assert "documents without maker are in no group" in plan.edit.warnings[1]


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("select * from a join b on a.x = b.x", "joins are not supported"),
        ("select * from a, b", "joins are not supported"),
        ("select * from instruments where price > (select avg(price) from x)", "subqueries"),
        ("select * from (select lot from x) t", "subqueries"),
        ("select count(*) from x where lot in (select lot from y)", "subqueries"),
        ("with t as (select 1) select * from t", "WITH is not supported"),
        ("select lot, row_number() over (order by price) from x", "window functions"),
        ("select * from x union select * from y", "UNION"),
        ("select * from x offset 10", "OFFSET needs a LIMIT"),
        ("select * from x limit 5 offset 1.5", "OFFSET takes a whole number"),
        ("select * from x where maker like 'A_ati'", "pattern 'A_ati' is not supported"),
        ("select * from x where maker not like '%'", "write IS NULL"),
        ("select * from x where not (maker like '%%')", "write IS NULL"),
        ("select * from x where price = null", "IS NULL"),
        ("select * from x where price > 'much'", "which has numbers"),
        ("select * from x where sold_on > '2024'", "write dates as '2024-01-31'"),
        ("select * from x where colour = 'red'", "there is no column “colour”; there are lot"),
        ("select * from x where stings > 4 or makers = 'x' or prize < 4", "“prize” is read"),
        ("select * from x where soldon_date > '2022-01-01'", "did you mean “sold_on”"),
        ("select avg(maker) from x", "which have no avg"),
        ("select sum(price) as s, maker from x group by s", "SUM(price) is a number of groups"),
        ("select maker, count(*) as key from x group by maker", "called 'key': give one another"),
        ("select maker, price from x group by maker", "not in GROUP BY"),
        ("select * from x order by price nulls first", "NULLS FIRST is not supported"),
        ("select * from x where", "cannot be read: something is missing after “where”"),
        ("select * from", "cannot be read: something is missing after “from”"),
        ("select count(*) from x where price = 0x1F", "cannot be read from “x1F” on"),
        ("select * from x where maker = 'a", "a quotation mark or bracket is not closed"),
        ("select count(*) from x where price > 1e999", "“1e999” is too large for a number"),
        ("select count(*) from x limit -1", "LIMIT takes a whole number of at least 1"),
        ("select * from x where price = ?", "parameters are not supported"),
        ("select * from x; drop table x", "only one statement"),
        ("delete from instruments where price > 5", "The only SQL statement allowed is SELECT"),
    ],
)
def test_unsupported_sql_is_named(desk: Desk, sql: str, reason: str) -> None:
    with pytest.raises(Invalid) as refused:
        plan = desk.ask(sql)
        raise Invalid.at(("x",), "; ".join(plan.edit.warnings if plan.edit else []))
    assert reason in str(refused.value)


def test_like_without_a_pattern_is_equality(desk: Desk) -> None:
    assert answer(desk, "select lot from x where maker like ''") == []


def test_the_name_of_a_number_of_groups_may_be_that_of_their_key(desk: Desk) -> None:
    named = answer(desk, "select sum(price) as maker, maker from x group by maker")
    assert named == answer(desk, "select maker, sum(price) from x group by maker")


def test_a_confidence_may_be_written_as_in_searches(desk: Desk) -> None:
    for name in ("confidence.price", "price.confidence", "x.confidence.price"):
        step = desk.ask(f"select * from x where {name} > 0.5").nodes["1"]
        assert step.extras["field"] == "properties.entity.price.confidence"


def test_a_slip_in_the_name_of_a_column_is_mended_and_reported(desk: Desk) -> None:
    plan = desk.ask("select avg(prise) from instruments")
    assert plan.edit is not None
    assert "column “prise” is read as price" in plan.edit.warnings


def test_exact_names_distinguish_columns_that_differ_in_signs_only(
    tmp_path: Path,
) -> None:
    schema = [{"name": name, "field_type": "int"} for name in ("net/total", "net total")]
    records = [{"net/total": 1, "net total": 20 + n} for n in range(3)]
    twins = make_desk(tmp_path, "twins", schema, records, [["A note"]] * 3)
    assert twins.result(twins.ask("select sum(`net total`) from twins")) == 63
    assert twins.result(twins.ask("select sum(`net/total`) from twins")) == 3
    with pytest.raises(Invalid, match="did you mean “net/total” or “net total”"):
        twins.ask("select sum(net_total) from twins")


def test_a_value_that_no_document_has_is_reported(desk: Desk) -> None:
    plan = desk.ask("select * from instruments where maker = 'Amaty'")
    assert plan.edit is not None
    assert "no document has the maker “Amaty”" in plan.edit.warnings


@pytest.mark.parametrize(
    ("half", "whole"),
    [
        ("count(*) where insured = true", "select count(*) from x where insured = true"),
        ("from instruments where maker = 'Baer'", "select * from x where maker = 'Baer'"),
        (
            "where maker = 'Baer' and price is null",
            "select * from x where maker = 'Baer' and price is null",
        ),
        ("select lot from t", "select lot from x order by lot"),
        ("select strings, count(*)", "select strings, count(*) from x group by strings"),
        ("avg(price) group by strings", "select avg(price) from x group by strings"),
        (
            "select top 3 * from x order by price desc",
            "select * from x order by price desc limit 3",
        ),
    ],
)  # fmt: skip
def test_parts_of_a_statement_mean_the_whole(desk: Desk, half: str, whole: str) -> None:
    assert answer(desk, half) == answer(desk, whole)


@pytest.mark.parametrize(
    "sentence",
    [
        "select the instruments that are insured",
        "select instruments by Baer",
        "select all instruments that cost more than 100 euros",
        "where was it tested",
        "select instruments where the price is between 100 and 200",
        "select a lot from Baer",
        "count the instruments by maker",
    ],
)
def test_a_sentence_with_the_word_select_is_english(desk: Desk, sentence: str) -> None:
    try:
        report = desk.ask(sentence).edit
    except Invalid as refused:
        assert "SQL" not in str(refused)
    else:
        assert report is not None
        assert "read as SQL, not as English" not in report.warnings


def test_sql_as_feedback_starts_anew(desk: Desk) -> None:
    before = desk.ask("How many instruments are insured?")
    after = desk.edit(before, "select maker, count(*) from instruments group by maker")
    assert after.edit is not None
    assert after.edit.applied[0].op == "start_over"
    assert set(desk.rows(after)) == {"Amati", "Baines", "Caspar", "Baer"}


def test_very_many_conditions_are_called_by_their_number(desk: Desk) -> None:
    """There was no OR that could be blamed for combinations."""
    many = " and ".join(f"price > {number}" for number in range(64))
    with pytest.raises(Invalid, match="the condition has more than 60 parts"):
        desk.ask(f"select count(*) from instruments where {many}")


def test_deeply_nested_brackets_are_refused(desk: Desk) -> None:
    with pytest.raises(Invalid):
        desk.ask("select * from x where " + "(" * 900 + "price > 1" + ")" * 900)


def test_english_questions_do_without_the_parser(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith("backend.plans.requests.sql_")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sqlglot", None)
    assert answer(desk, "How many instruments are there?") == [(60,)]
    with pytest.raises(ImportError):
        desk.ask("select count(*) from instruments")
