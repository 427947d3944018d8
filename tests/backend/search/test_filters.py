"""The filter language: syntax, semantics and error messages."""

from pathlib import Path as FilePath
from typing import Any

import pytest

from backend.search import views
from backend.search.engine import SearchEngine
from backend.search.filters import Path, matches, parse
from backend.search.filters.tree import And, Comparison, Like, Not, Or, conditions
from backend.search.properties import following
from backend.store.database import Database
from tests.backend.search.shelf import Shelf
from workbench.contract.errors import Invalid
from workbench.contract.search import FacetRequest, SearchRequest


def _fault(text: str) -> str:
    with pytest.raises(Invalid) as raised:
        parse(text)
    (fault,) = raised.value.faults
    assert fault.loc == ["body", "properties_filter"]
    return fault.msg


@pytest.mark.parametrize(
    "text",
    [
        '(properties.entity.ticker="TSLA")',
        "(properties.entity.ticker='TSLA') and (properties.entity.year>=2020)",
        '(properties.entity."Accident Number"="ERA23") AND (properties.entity.state like Alaska)',
        '(properties.path like "report") and (properties.entity.safe = "True")',
    ],
)
def test_the_published_forms_are_accepted(text: str) -> None:
    parse(text)


def test_and_binds_tighter_than_or_and_not_tighter_than_both() -> None:
    a, b, c = (Comparison(Path((name,)), "=", 1) for name in "abc")
    assert parse("a=1 or not b=1 and c=1") == Or((a, And((Not(b), c))))


def test_names_with_blanks_and_dots_are_quoted_after_a_dot_or_in_backquotes() -> None:
    assert parse("entity.\"Serial No.\" = 'x'") == parse("entity.`Serial No.` = 'x'")
    assert parse("`Serial No.` = 'x'") == Comparison(Path(("Serial No.",)), "=", "x")


@pytest.mark.parametrize("name", ["कीमत", "ราคา", "ชื่อ", "q\u0303", "in-store", "not_paid"])
def test_names_with_vowel_signs_and_accents_need_no_quotes(name: str) -> None:
    assert parse(f"{name} = 1 and not ({name} in (2, 3))") == parse(
        f"`{name}` = 1 and not (`{name}` in (2, 3))"
    )
    assert parse(f"confidence.{name} is null") == parse(f"confidence.`{name}` is null")


def test_quotes_inside_a_text_are_escaped_with_a_backslash() -> None:
    assert parse(r"a = 'it\'s'") == Comparison(Path(("a",)), "=", "it's")
    assert parse(r'a like "100\%"') == Like(Path(("a",)), r"100\%")


@pytest.mark.parametrize(
    ("text", "column", "wanted"),
    [
        ("1=1", 1, "a property name"),
        ("a = ", 5, "a quoted text"),
        ("a = TSLA", 5, "texts need quotes"),
        ("a = 'O''Hara'", 8, r"a quote inside a text is \'"),
        ('a = "x"; drop table documents', 8, "or the end, found"),
        ("a = 'x' or 'y'", 12, "a property name"),
        ("(a = 1", 7, ")"),
        ("a ~ 1", 3, "a comparison"),
        ("", 1, "the filter ends"),
        ("a = 1e999", 5, "not a number"),
        ("a = 1 or b.c like ''", 10, "every text contains an empty one"),
        ('not a not like ""', 5, "every text contains an empty one"),
    ],
)
def test_a_syntax_error_names_its_column_and_the_expected_token(
    text: str, column: int, wanted: str
) -> None:
    message = _fault(text)
    assert f"column {column}:" in message
    assert wanted in message


def test_a_filter_is_limited_in_length_and_depth_but_not_in_parentheses() -> None:
    assert "longer" in _fault("a = '" + "x" * 5000 + "'")
    assert "deeper" in _fault("a = 1 and (b = 1 or (" * 20 + "a = 1" + "))" * 20)
    assert parse("not " * 40 + "a = 1") == parse("a = 1")
    assert parse("(" * 2000 + "a = 1" + ")" * 2000) == parse("a = 1")


@pytest.mark.parametrize(
    ("text", "properties", "verdict"),
    [
        ("n = 1", {"n": 1.0}, True),
        ("n = 1", {"n": "1"}, False),
        ("n = '1'", {"n": 1}, False),
        ("n <> 1", {}, False),
        ("not (n = 1)", {}, False),
        ("not (n = 1 and s = 'x')", {"s": "y"}, True),
        ("not (n = 1 or s = 'x')", {"s": "y"}, False),
        ("not not (n = 1)", {"n": 1}, True),
        ("not n > 1", {"n": 1}, True),
        ("not n > 1", {"n": None}, False),
        ("n not in (1, 2)", {}, False),
        ("n not in (1, 2)", {"n": 3}, True),
        ("s not like 'x'", {}, False),
        ("not (n is null)", {}, False),
        ("not (n is not null)", {}, True),
        ("n = 1", {"n": True}, False),
        ("b = true", {"b": True}, True),
        ("b = 'TRUE'", {"b": True}, True),
        ("b = 'true'", {"b": "true"}, True),
        ("b = true", {"b": "true"}, False),
        ("b > false", {"b": True}, False),
        ("d >= '2020-02-01'", {"d": "2020-02-01T10:00:00"}, True),
        ("s like ice", {"s": "NICELY"}, True),
        ("s like 'ice%'", {"s": "NICELY"}, False),
        ("s like '_ice%'", {"s": "NICELY"}, True),
        ("s like 'ÉCOLE'", {"s": "une école"}, True),
        (r"s like '50\%'", {"s": "50 of 100"}, False),
        (r"s like '50\%'", {"s": "at 50%!"}, True),
        ("s like 'a*b'", {"s": "aXb"}, False),
        ("s like 'line%end'", {"s": "line\nend"}, True),
        ("t = 'x'", {"t": ["x", "y"]}, True),
        ("t <> 'x'", {"t": ["x"]}, False),
        ("t <> 'x'", {"t": ["x", "y"]}, False),
        ("t <> 'x'", {"t": ["y"]}, True),
        ("t <> 'x'", {"t": []}, False),
        ("t not in ('x', 'z')", {"t": ["x", "y"]}, False),
        ("t = 'x'", {"t": {"a": "x"}}, False),
        ("t in ('z', 'y')", {"t": ["x", "y"]}, True),
        ("x is null", {"x": None}, True),
        ("x is null", {"x": []}, True),
        ("x is not null", {"x": [0]}, True),
        ("x is not null", {}, False),
        ("o.inner = 2", {"o": {"inner": 2}}, True),
    ],
)
def test_meaning_is_the_same_in_python_and_in_the_database(
    text: str, properties: dict[str, Any], verdict: bool, engine: SearchEngine, shelf: Shelf
) -> None:
    assert matches(parse(text), properties) is verdict
    shelf.add([], properties)
    names = ("n", "b", "d", "s", "t", "x")
    shelf.add([], dict.fromkeys(names, "known") | {"o": {"inner": "known"}, "first": False})
    request = SearchRequest(properties_filter=f"({text}) and first is null")
    shelf.add([], {"first": 1})
    assert bool(engine.search(shelf.docset_id, request).results) is verdict


def test_an_unknown_property_is_refused_with_similar_names(
    engine: SearchEngine, database: Database
) -> None:
    schema = {"properties": [{"name": "accident_state", "field_type": "string"}]}
    shelf = Shelf(database, schema=schema)
    shelf.add([], {"aircraft": "Cessna"})
    for wrong, right in (
        ("properties.entity.acident_state", "properties.entity.accident_state"),
        ("aircaft", "properties.entity.aircraft"),
    ):
        request = SearchRequest(properties_filter=f"path is null or {wrong} = 'x'")
        with pytest.raises(Invalid) as raised:
            engine.search(shelf.docset_id, request)
        (fault,) = raised.value.faults
        assert fault.loc == ["body", "properties_filter"]
        assert "column 17" in fault.msg
        assert right in fault.msg


def test_a_property_is_known_from_the_schema_or_from_any_document(
    engine: SearchEngine, database: Database
) -> None:
    schema = {"properties": [{"name": "promised", "field_type": "int"}]}
    shelf = Shelf(database, schema=schema)
    shelf.add([], {"held": 1})
    for text, count in (("promised = 1", 0), ("held = 1", 1), ("properties.path like txt", 1)):
        request = SearchRequest(properties_filter=text)
        assert len(engine.search(shelf.docset_id, request).results) == count


def test_a_bare_name_is_that_of_an_extracted_property_as_in_plans(
    engine: SearchEngine, database: Database
) -> None:
    names = ("path", "entity")
    schema = {"properties": [{"name": name, "field_type": "string"} for name in names]}
    shelf = Shelf(database, schema=schema)
    trail = shelf.add([], {"path": "trail", "entity": "club"})
    own = f"properties.path = '{trail}.txt'"
    for text in ("path = 'trail'", "entity.path = 'trail'", "entity = 'club'", own):
        assert engine.fulfilling(shelf.docset_id, text) == [trail], text
    request = FacetRequest(fields=["path", "properties.path"])
    extracted, of_file = engine.facets(shelf.docset_id, request)
    assert (extracted.values[0].value, of_file.values[0].value) == ("trail", f"{trail}.txt")


def test_a_filter_finds_a_value_however_its_accents_are_written(
    engine: SearchEngine, database: Database
) -> None:
    schema = {"properties": [{"name": "gr\u00f6\u00dfe", "field_type": "string"}]}
    shelf = Shelf(database, schema=schema)
    shelf.add([], {"gr\u00f6\u00dfe": "K\u00f6ln", "o\u0308l": 1})
    values, names = "gr\u00f6\u00dfe = 'Ko\u0308ln'", "`gro\u0308\u00dfe` = 'K\u00f6ln'"
    for text in (values, names, "`o\u0308l` = 1"):
        request = SearchRequest(properties_filter=text)
        assert len(engine.search(shelf.docset_id, request).results) == 1, ascii(text)


def test_a_repeated_filter_follows_changes_and_distinguishes_one_from_true(
    engine: SearchEngine, shelf: Shelf
) -> None:
    one, true = shelf.add([], {"a": 1}), shelf.add([], {"a": True})

    def matches(text: str) -> list[str]:
        return engine.fulfilling(shelf.docset_id, text)

    for _ in range(2):
        assert (matches("a = 1"), matches("a = true")) == ([one], [true])
    shelf.describe(true, {"a": 1})
    assert (matches("a = 1"), matches("a = true")) == ([one, true], [])
    shelf.remove(one)
    assert matches("a = 1") == [true]


@pytest.mark.parametrize(
    "name", ["odd`name", "and", "Serial No.", "7", 'quo"te', "back\\slash", "x.y", "properties"]
)
def test_every_name_is_spelled_so_that_it_parses(name: str) -> None:
    for path in (Path(("entity", name)), Path((name,)), Path((name, name))):
        for spelt in (path.spelt, path.bare):
            (read,) = (one.path for one in conditions(parse(f"{spelt} = 1")))
            assert read == path


def test_a_filter_gives_the_same_results_without_properties_in_memory(
    database: Database, tmp_path: FilePath, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = Shelf(database, provider="none")
    ids = [shelf.add(["zebra"], {"year": year, "state": "AL"}) for year in (1999, 2004, 2010)]
    cached = SearchEngine(database, tmp_path / "cached")
    monkeypatch.setattr(following, "_AT_ONCE", 2)
    monkeypatch.setattr(views, "_MOST_FOR_FILTERS", 2)
    uncached = SearchEngine(database, tmp_path / "uncached")
    for engine in (cached, uncached):
        for text in ("year >= 2004", "not year = 1999 and state like a"):
            request = SearchRequest(properties_filter=text)
            results = engine.search(shelf.docset_id, request).results
            assert [result["doc_id"] for result in results] == ids[1:]
        with pytest.raises(Invalid, match=r"properties\.entity\.year"):
            engine.search(shelf.docset_id, SearchRequest(properties_filter="yaer = 1"))
        engine.close()


@pytest.mark.parametrize(
    "value",
    [
        "'1 February 2020'",
        "'20200101'",
        "'2021-02-29'",
        "'2023-13'",
        "'12020-01-01'",
        "'soon'",
        "2020",
    ],
)
def test_a_date_is_compared_only_with_a_date(
    engine: SearchEngine, database: Database, value: str
) -> None:
    schema = {"properties": [{"name": "closed", "field_type": "date"}]}
    shelf = Shelf(database, schema=schema)
    shelf.add([], {"closed": "2020-05-04"})
    with pytest.raises(Invalid, match="contains dates") as raised:
        engine.fulfilling(shelf.docset_id, f"not closed >= {value}")
    assert raised.value.faults[0].loc == ["body", "properties_filter"]


@pytest.mark.parametrize("value", ["2020", "2020-05", "2020-05-04", "2020-05-04T10:00:00Z"])
def test_a_year_a_month_a_day_and_a_time_are_dates_in_filters(
    engine: SearchEngine, database: Database, value: str
) -> None:
    schema = {"properties": [{"name": "closed", "field_type": "date"}]}
    shelf = Shelf(database, schema=schema)
    shelf.add([], {"closed": "2020-05-05"})
    assert len(engine.fulfilling(shelf.docset_id, f"closed >= '{value}'")) == 1


_TYPES = {"total": "float", "paid": "bool", "closed": "date", "seen": "datetime"}


@pytest.fixture
def typed(database: Database) -> Shelf:
    """One document with a value of each type."""
    schema = {"properties": [{"name": n, "field_type": kind} for n, kind in _TYPES.items()]}
    shelf = Shelf(database, schema=schema)
    dates = {"closed": "2023-05-04", "seen": "2023-05-04T10:00:00"}
    shelf.add([], {"total": 300.5, "paid": True, **dates})
    return shelf


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("total > 'abc'", "total contains numbers, and 'abc' is not one"),
        ("total = true", "total contains numbers, and true is not one"),
        ("total like '3%'", "total contains numbers"),
        ("confidence.total > 'high'", "confidence.total contains numbers"),
        ("page_count = 'many'", "page_count contains numbers"),
        ("page_count like '1%'", "page_count contains numbers"),
        ("path > 5", "path contains text"),
        ("entity = 'x'", "entity contains objects"),
        ("paid = 'yes'", "paid contains true or false, and 'yes' is neither"),
        ("paid > true", "compare it with = or !="),
        ("closed = '2023-13'", "closed contains dates, and '2023-13' is not one"),
    ],
)
def test_an_impossible_comparison_is_refused_with_the_expected_type(
    engine: SearchEngine, typed: Shelf, text: str, wanted: str
) -> None:
    with pytest.raises(Invalid) as raised:
        engine.fulfilling(typed.docset_id, text)
    [fault] = raised.value.faults
    assert fault.loc == ["body", "properties_filter"] and wanted in fault.msg


@pytest.mark.parametrize("text", ["state = 5", "not state < 5.5", "state in ('TX', 5)"])
def test_a_number_beside_nothing_but_texts_is_refused(
    engine: SearchEngine, database: Database, text: str
) -> None:
    shelf = Shelf(database, schema={"properties": [{"name": "state", "field_type": "string"}]})
    shelf.add([], {"state": "TX"})
    with pytest.raises(Invalid, match="contains text, and 5"):
        engine.fulfilling(shelf.docset_id, text)
    assert len(engine.fulfilling(shelf.docset_id, "state in ('TX', '5')")) == 1
    shelf.add([], {"state": 5})
    assert engine.fulfilling(shelf.docset_id, text) is not None


def test_a_number_written_as_text_compares_as_a_number(engine: SearchEngine, typed: Shelf) -> None:
    for text in ("total = '300.5'", "total > '99'", "total in ('1', '300.50')"):
        assert len(engine.fulfilling(typed.docset_id, text)) == 1, text
    assert not engine.fulfilling(typed.docset_id, "total < '40'")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("closed = '2023-05'", True),
        ("closed = '2023'", True),
        ("closed = '2023-06'", False),
        ("closed in ('2022', '2023-05')", True),
        ("closed in ('2022', '2023-05-04')", True),
        ("closed not in ('2023-05')", False),
        ("closed != '2023-05'", False),
        ("closed != '2023-04'", True),
        ("closed > '2023-05'", False),
        ("closed > '2023-04'", True),
        ("closed <= '2023-05'", True),
        ("closed < '2023-05'", False),
        ("seen = '2023-05-04'", True),
        ("seen <= '2023-05-04'", True),
        ("seen > '2023-05-04'", False),
        ("seen = '2023-05-04T10:00:00'", True),
    ],
)
def test_a_date_prefix_matches_all_dates_with_it(
    engine: SearchEngine, typed: Shelf, text: str, verdict: bool
) -> None:
    assert bool(engine.fulfilling(typed.docset_id, text)) == verdict


_SEEN = ("2024-02-29T23:59:59+14:00", "2024-02-29T20:00:00", "2024-02-29T13:30:00+00:00",
         "2024-03-01T00:30:00+02:00", "2024-03-02")  # fmt: skip


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("seen >= '2024-02-29T15:00:00'", [1, 3, 4]),
        ("seen < '2024-02-29T13:00:00Z'", [0]),
        ("seen = '2024-02-29T20:00Z'", [1]),
        ("seen = '2024-02-29 22:00+02:00'", [1]),
        ("seen != '2024-02-29T20:00Z'", [0, 2, 3, 4]),
        ("seen >= '2024-03-01'", [4]),
        ("seen = '2024-02-29'", [0, 1, 2, 3]),
        ("seen != '2024-02'", [4]),
        ("not seen = '2024-02'", [4]),
        ("seen <= '2024-02'", [0, 1, 2, 3]),
        ("seen > '2024-02-29'", [4]),
        ("seen in ('2024-03', '2024-02-29T09:59:59Z')", [0, 4]),
        ("seen in ('2024-02-29T20:00', '2024-02-29T13:30Z')", [1, 2]),
        ("not seen < '2024'", [0, 1, 2, 3, 4]),
    ],
)
def test_times_compare_as_moments_wherever_they_were_written(
    database: Database,
    tmp_path: FilePath,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    wanted: list[int],
) -> None:
    """Plans compare moments too; texts of several offsets do not sort."""
    schema = {"properties": [{"name": "seen", "field_type": "datetime"}]}
    shelf = Shelf(database, schema=schema, provider="none")
    ids = [shelf.add([], {"seen": seen}) for seen in _SEEN]
    cached = SearchEngine(database, tmp_path / "cached")
    assert cached.fulfilling(shelf.docset_id, text) == [ids[place] for place in wanted]
    cached.close()
    monkeypatch.setattr(following, "_AT_ONCE", 2)
    monkeypatch.setattr(views, "_MOST_FOR_FILTERS", 2)
    uncached = SearchEngine(database, tmp_path / "uncached")
    assert uncached.fulfilling(shelf.docset_id, text) == [ids[place] for place in wanted]
    uncached.close()
