"""Completion of filters: the proposals at the cursor, which always lead to a valid filter."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.search.completion.proposals import completions
from backend.search.engine import SearchEngine
from backend.search.filters import parse
from backend.search.properties.table import Table, TableView
from tests.backend.search.shelf import Shelf
from workbench.contract.errors import Invalid
from workbench.contract.schema import Schema
from workbench.contract.search import CompletionRequest, Completions

_DOCUMENTS: list[dict[str, Any]] = [
    {"path": "a.pdf", "entity": {"state": "Alaska", "year": 2020, "Serial No.": "x y", "safe": True,
                                 "place": {"city": "Oslo"}, "tags": ["a", "b"]}},
    {"path": "b.pdf", "entity": {"state": "Texas", "year": 2021, "tags": ["b"]}},
    {"path": "b", "entity": {"state": "New York", "year": 2021, "date": "2020-01-01", "and": 1}},
    {"path": "c", "entity": {"state": 'say "50%"', "odd`name": 7, "path": "hidden"}},
]  # fmt: skip


@pytest.fixture(scope="module")
def table() -> TableView:
    made = Table()
    made.put(range(len(_DOCUMENTS)), _DOCUMENTS)
    return made.view()


def _asked(table: TableView, text: str, **request: Any) -> Completions:
    return completions(table, None, CompletionRequest(filter=text, **request))


def _texts(table: TableView, text: str, **request: Any) -> list[str]:
    return [item.text for item in _asked(table, text, **request).items]


@pytest.mark.parametrize(
    ("text", "start", "first"),
    [
        ("", 0, ["state", "year"]),
        ("ye", 0, ["year"]),
        ("yaer", 0, ["year"]),
        ("no", 0, ["`Serial No.`", "not"]),
        ("city", 0, ["place.city"]),
        ("place.", 0, ["place.city"]),
        ("properties.entity.s", 0, ["properties.entity.state"]),
        ("entity.`Ser", 0, ["`Serial No.`"]),
        ('properties.entity."Ser', 0, ["properties.entity.`Serial No.`"]),
        ("state ", 6, ["=", "!=", "like", "not like", "in (", "not in ("]),
        ("year ", 5, ["=", "!=", "<", "<=", ">", ">="]),
        ("safe ", 5, ["=", "!=", "is not null", "is null"]),
        ("year >", 5, [">", ">="]),
        ("state li", 6, ["like"]),
        ("state is ", 9, ["not", "null"]),
        ("year >= ", 8, ["2021", "2020"]),
        ("year=20", 5, ["2021", "2020"]),
        ("safe = ", 7, ["true"]),
        ("tags = ", 7, ['"b"', '"a"']),
        ("state = A", 8, ['"Alaska"']),
        ("state = 'al", 8, ['"Alaska"']),
        ('state = "New Y', 8, ['"New York"']),
        ("state = Alsak", 8, ['"Alaska"']),
        ("state = york", 8, ['"New York"']),
        ("state like 5", 11, ['"say \\"50\\\\%\\""']),
        ("state in ('Alaska'", 18, [")", ","]),
        ("state in ('Alaska', T", 20, ['"Texas"']),
        ('state = "Alaska" ', 17, ["and", "or"]),
        ('state = "Alaska" o', 17, ["or"]),
        ("(year = 2020 and st", 17, ["state"]),
    ],
)
def test_suggestions_fit_the_cursor_best_first(
    table: TableView, text: str, start: int, first: list[str]
) -> None:
    result = _asked(table, text)
    assert [item.text for item in result.items][: len(first)] == first
    assert (result.start, result.end, result.problem) == (start, len(text), None)


def test_properties_are_proposed_with_kind_and_document_count(table: TableView) -> None:
    (item,) = _asked(table, "yea").items
    assert (item.kind, item.detail, item.count) == ("property", "int", 3)
    values = _asked(table, "year = ").items
    assert [(item.kind, item.text, item.count) for item in values] == [
        ("value", "2021", 2),
        ("value", "2020", 1),
    ]


def test_a_cursor_inside_a_piece_replaces_the_whole_piece(table: TableView) -> None:
    text = 'sta = "Al" and year > 1'
    assert (_asked(table, text, cursor=2).start, _asked(table, text, cursor=2).end) == (0, 3)
    assert (_asked(table, text, cursor=9).start, _asked(table, text, cursor=9).end) == (9, 9)
    named = text.replace("sta ", "state ")
    assert (_asked(table, named, cursor=11).start, _asked(table, named, cursor=11).end) == (8, 12)


def test_an_open_quote_does_not_swallow_the_rest_of_the_filter(table: TableView) -> None:
    result = _asked(table, 'state = "Al and tags = "b"', cursor=11)
    assert (result.start, result.end) == (8, 11)


def test_proposals_are_separated_from_the_text_before_them(table: TableView) -> None:
    assert _texts(table, 'state = "Texas"') == [" and", " or"]
    assert _texts(table, "state = 'Texas' and (")[0] == "state"
    assert _texts(table, "safe=") == [" true"]
    assert _texts(table, "not`sta") == [" state"]


def test_proposed_names_are_spelled_so_that_they_parse(table: TableView) -> None:
    kinds = {item.text: item.detail for item in _asked(table, "", limit=50).items}
    names = [text for text, kind in kinds.items() if kind]
    assert "`and`" in names and 'properties."odd`name"' in names
    assert "path" in names and "properties.path" in names
    for name in names:
        parse(f"{name} is null")


def test_without_proposals_the_problem_is_reported(table: TableView) -> None:
    assert "column 3" in (_asked(table, "a b c").problem or "")
    assert "did you mean properties.entity.state" in (_asked(table, "stat = ").problem or "")
    assert "column 17" in (_asked(table, 'state = "x" and bogus = ').problem or "")
    assert _asked(table, "state = 'x' 'y z").items == []
    for typed in ("stat ", "stat n", "stat not ", "stat not l", "stat is ", "stat is not "):
        assert "no property is called 'stat'" in (_asked(table, typed).problem or "")


def test_choices_of_the_schema_are_proposed_before_any_document_has_them(
    table: TableView,
) -> None:
    choice = {"type": "choice", "choices": ["Alaska", "Ohio"]}
    schema = Schema.model_validate({"properties": [{"name": "state", "type": choice}]})
    result = completions(table, schema, CompletionRequest(filter="state = "))
    assert [(item.text, item.count) for item in result.items][-1] == ('"Ohio"', 0)
    assert [item.text for item in result.items].count('"Alaska"') == 1


_pieces = st.lists(
    st.sampled_from(["state", "year", " ", "=", "'", '"', "(", ")", "and", "not", "like", "in", ",",
                     "1", "`", ".", "!", "<", "Al", "properties", "\n", "é", "\\"]),
    max_size=12,
).map("".join)  # fmt: skip


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=_pieces, data=st.data())
def test_any_text_is_answered_and_its_proposals_can_be_continued(
    table: TableView, text: str, data: st.DataObject
) -> None:
    cursor = data.draw(st.integers(0, len(text)))
    result = _asked(table, text, cursor=cursor)
    assert 0 <= result.start <= cursor <= result.end <= len(text)
    for item in result.items[:3]:
        accepted = text[: result.start] + item.text
        assert _asked(table, f"{accepted} ").problem is None or "'" in text or '"' in text


def test_a_filter_can_be_written_from_proposals_alone(engine: SearchEngine, shelf: Shelf) -> None:
    for one in _DOCUMENTS:
        shelf.add([], one["entity"])
    text = ""
    for typed in ("ser", "", "x", "o", "ye", "<="):
        request = CompletionRequest(filter=text + typed)
        result = engine.complete(shelf.docset_id, request)
        text = request.filter[: result.start] + result.items[0].text + " "
    assert text == '`Serial No.` = "x y" or year <= 2021 '
    parse(text)


def test_a_negative_cursor_is_refused() -> None:
    with pytest.raises(ValueError):
        CompletionRequest(filter="", cursor=-1)


def test_the_own_field_of_a_document_beside_a_property_of_its_name_is_proposed_in_full(
    table: TableView,
) -> None:
    assert _texts(table, "pat") == ["path", "properties.path"]
    assert _texts(table, "path = ") == ['"hidden"']
    assert '"a.pdf"' in _texts(table, "properties.path = ")


def test_a_path_without_a_name_is_reported(table: TableView) -> None:
    with pytest.raises(Invalid):
        parse("properties = 1")
    assert "column 1" in (_asked(table, "properties = ").problem or "")
