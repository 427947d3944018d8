"""Random filters: database and Python agree, and malformed filters are refused cleanly."""

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path as FilePath
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, literal, select

from backend.search.completion.position import position_at
from backend.search.engine import SearchEngine
from backend.search.filters import (
    Expression,
    Path,
    bind,
    can_judge,
    fulfilling,
    matches,
    parse,
    to_sql,
)
from backend.search.filters.evaluate import value_at
from backend.search.filters.tree import (
    And,
    Comparison,
    Condition,
    IsNull,
    Like,
    Not,
    OneOf,
    Or,
    negated,
)
from backend.search.properties.table import Table, TableView
from backend.store.database import Database
from backend.store.tables import metadata
from tests.backend.search.shelf import Shelf
from tests.long_fuzz import fuzz
from tests.small_languages import FILTER, texts
from workbench.contract.errors import Invalid
from workbench.contract.search import SearchRequest

_letters = "aAbBéÉßıİ ._%*?[]^$\\\"'`/-€字0"
_names = st.sampled_from(["a", "b", "Größe", "two words", "x.y", 'quo"te', "back\\slash", "7"])
_texts = st.text(_letters, max_size=4)
_numbers = st.one_of(
    st.integers(-3, 3), st.floats(-3, 3).map(lambda value: round(value, 1)), st.just(2**53)
)
_scalars = st.one_of(_texts, _numbers, st.booleans(), st.sampled_from(["true", "False"]))
_times = st.sampled_from(
    ["2024-02-29", "2024-02-29T10:00:00", "2024-02-29T20:00:00+10:00", "2024-02-29T10:00:00.5",
     "2024-03-01T00:00:00-02:00", "2024-02-30", "2024-02-29 and more"]
)  # fmt: skip
_moments = st.sampled_from([datetime(2024, 2, 29), datetime(2024, 2, 29, 10), datetime(2024, 3, 1)])
_values = st.one_of(
    _scalars,
    _times,
    st.none(),
    st.lists(st.one_of(_scalars, _times, st.none()), max_size=3),
    st.dictionaries(_names, _scalars, max_size=2),
)
_values = st.one_of(_values, st.lists(_values, max_size=2))
_properties = st.dictionaries(_names, _values, max_size=4)

_paths = st.lists(_names, min_size=1, max_size=2).map(lambda parts: Path(tuple(parts)))
_conditions: st.SearchStrategy[Condition] = st.one_of(
    st.builds(
        Comparison,
        _paths,
        st.sampled_from(["=", "<", "<=", ">", ">="]),
        st.one_of(_scalars, _moments),
    ),
    st.builds(OneOf, _paths, st.lists(_moments, min_size=1, max_size=3).map(tuple)),
    st.builds(Like, _paths, _texts),
    st.builds(OneOf, _paths, st.lists(_scalars, min_size=1, max_size=3).map(tuple)),
    st.builds(IsNull, _paths),
)


def _combined(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(st.builds(negated, inner), st.builds(And, several), st.builds(Or, several))


_expressions = st.recursive(_conditions, _combined, max_leaves=6)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    folder: FilePath = tmp_path_factory.mktemp("fuzz")
    database = Database(f"sqlite:///{folder / 'store.sqlite'}")
    metadata.create_all(database.engine)
    yield Shelf(database, provider="none")
    database.close()


def _table(*properties: dict[str, Any]) -> TableView:
    table = Table()
    table.put(range(len(properties)), properties)
    return table.view()


@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
@given(expression=_expressions, documents=st.lists(_properties, min_size=1, max_size=4))
@example(expression=Comparison(Path(("a",)), ">", 2**53), documents=[{"a": 2**53 + 1}])
def test_the_columns_and_python_agree_on_every_filter(
    expression: Expression, documents: list[dict[str, Any]]
) -> None:
    table = _table(*documents)
    assert can_judge(expression, table)
    passing = fulfilling(expression, table)
    assert passing.tolist() == [matches(expression, one) for one in documents]


def _agree(connection: Connection, expression: Expression, entity: dict[str, Any]) -> None:
    row = select(literal(json.dumps(entity)).label("properties")).subquery()
    match = connection.execute(select(row).where(to_sql(expression, row))).first()
    assert (match is not None) == matches(expression, entity)


@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
@given(expression=_expressions, entity=_properties)
@example(expression=Like(Path(("a",)), "ß"), entity={"a": "ẞ"})
@example(expression=Not(Comparison(Path(("a",)), "=", False)), entity={"a": None})
@example(expression=Comparison(Path(('quo"te',)), "=", 1), entity={'quo"te': 1})
def test_the_database_and_python_agree_on_every_filter(
    shelf: Shelf, expression: Expression, entity: dict[str, Any]
) -> None:
    with shelf.database.reading() as connection:
        _agree(connection, expression, entity)


@pytest.fixture(scope="module")
def server(postgresql_url: str) -> Iterator[Database]:
    database = Database(postgresql_url)
    yield database
    database.close()


@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
@given(expression=_expressions, entity=_properties)
@example(expression=Not(Comparison(Path(("a",)), "=", False)), entity={"a": None})
def test_postgresql_and_python_agree_on_every_filter(
    server: Database, expression: Expression, entity: dict[str, Any]
) -> None:
    with server.reading() as connection:
        _agree(connection, expression, entity)


_ENTITIES: list[dict[str, Any]] = [
    {"a": "x", "b": {"b": 0}, "Größe": 2.5, "tags": ["x", "é b"]},
    {"a": 9007199254740993, "b": {"b": {"b": "0"}}, "Größe": None, "tags": []},
    {"a": [True, "%_*?", {"b": 1}], "x": "a'b", "0": -1, "tags": "x"},
]


_ROWS = [{"entity": entity, "path": f"{n}.txt"} for n, entity in enumerate(_ENTITIES)]


def _exists(path: Path) -> bool:
    return any(value_at(path, one) is not None for one in _ROWS)


def _right_results_or_invalid(engine: SearchEngine, shelf: Shelf, text: str) -> None:
    """The engine agrees with Python, and completion copes with the text too."""
    try:
        expression = parse(text)
        request = SearchRequest.model_construct(properties_filter=text)
        results = engine.search(shelf.docset_id, request).results
    except Invalid as error:
        assert json.dumps([fault.model_dump() for fault in error.faults])
    else:
        bound = bind(expression, _exists, lambda: iter(()))
        assert len(results) == sum(matches(bound, one) for one in _ROWS)
    for cursor in {0, len(text) // 2, len(text)}:
        with suppress(Invalid):
            position_at(text, cursor)


@pytest.fixture(scope="module")
def engine(shelf: Shelf, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchEngine]:
    for number, entity in enumerate(_ENTITIES):
        shelf.add([], entity, doc_id=str(number))
    opened = SearchEngine(shelf.database, tmp_path_factory.mktemp("indexes"))
    yield opened
    opened.close()


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=st.one_of(texts(FILTER), st.text(max_size=30)))
def test_any_text_gives_correct_results_or_a_refusal(
    engine: SearchEngine, shelf: Shelf, text: str
) -> None:
    _right_results_or_invalid(engine, shelf, text)


@pytest.mark.soak
def test_very_many_texts_give_correct_results_or_a_refusal(
    engine: SearchEngine, shelf: Shelf
) -> None:
    fuzz("filter", texts(FILTER), partial(_right_results_or_invalid, engine, shelf))


def test_a_filter_of_maximum_length_is_answered(engine: SearchEngine, shelf: Shelf) -> None:
    for text in (
        "a = 1 or " * 240 + "a = 'x'",
        "a in (" + "1," * 2000 + "'x')",
        "a = 'x' or a like '" + "%x_" * 1300 + "'",
    ):
        assert engine.search(shelf.docset_id, SearchRequest(properties_filter=text)).results
    with pytest.raises(Invalid, match="conditions"):
        parse("a=1or " * 600 + "a=1")
