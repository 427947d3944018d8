import pytest

from workbench.client import Mistake
from workbench.sessions.facet_choices import Range
from workbench.sessions.search_session import SearchSession, SearchState


@pytest.fixture
def session(client, file, clock):
    return SearchSession(client, "wb:ds-1", file, clock=clock, timer=lambda: 0.0)


async def test_a_search_fills_the_hits_and_remembers_itself(session):
    session.state = SearchState(query="ice", kind="hybrid")
    hits = await session.run()
    assert [hits[0].name, hits[0].page, hits[0].terms[0]] == ["report-0000.pdf", 1, "ice"]
    assert {part.source for part in hits[0].parts} == {"lexical", "vector"}
    assert session.history() == [session.state]


async def test_history_is_newest_first_without_repeats_and_survives(session, client, file, clock):
    for query in ("ice", "fuel", "ice"):
        clock.now += 1
        session.state = SearchState(query=query)
        await session.run()
    later = SearchSession(client, "wb:ds-1", file)
    assert [state.query for state in later.history()] == ["ice", "fuel"]


async def test_a_slow_answer_never_replaces_a_newer_question(session, client):
    answer = client.search

    async def change_meanwhile(*args, **options):
        session.state = SearchState(query="newer")
        return await answer(*args, **options)

    client.search = change_meanwhile
    session.state = SearchState(query="older")
    await session.run()
    assert session.hits == []
    assert session.answered is None


async def test_the_next_page_is_appended(session, client):
    session.state = SearchState(query="ice")
    await session.run(page_size=10)
    session.page_token = "10"
    fresh = await session.more(page_size=10)
    assert len(fresh) == 10
    assert len({hit.element_id for hit in session.hits}) == 20


def test_facet_values_are_selected_and_deselected():
    state = SearchState(where="year > 2020")
    state = state.toggled("properties.entity.state", "WA").toggled("properties.entity.state", "AK")
    assert state.filter_text == (
        '(year > 2020) and (properties.entity.state = "WA" or properties.entity.state = "AK")'
    )
    state = state.toggled("properties.entity.state", "WA").toggled("properties.entity.state", "AK")
    assert state.filter_text == "year > 2020"


def test_a_condition_alone_is_a_search_and_nothing_at_all_is_not():
    assert SearchState(where="year = 2023", kind="vector").request().query_type == "lexical"
    assert SearchState().is_empty
    with pytest.raises(Mistake, match="give a query"):
        SearchState(query="  ").request()


async def test_facets_count_within_the_hits_and_picks_leave_their_own_facet_open(session, client):
    await session.load_facets()
    session.state = SearchState(query="ice").toggled("properties.entity.year", 2023)
    await session.load_facets()
    asked = [details for name, details in client.calls if name == "facets"]
    assert asked[0] == (None, None)
    (_, everything), (fields, without) = asked[1:]
    assert everything.properties_filter == "(properties.entity.year = 2023)"
    assert (fields, without.properties_filter) == (["properties.entity.year"], None)
    names = [facet.field.rpartition(".")[2] for facet in session.facets]
    assert names == ["state", "year", "hours"]


async def test_a_picked_range_is_a_condition_and_survives_in_the_history(session):
    picked = SearchState(query="ice").toggled("properties.entity.hours", Range(0, 1000))
    assert picked.filter_text == (
        "((properties.entity.hours >= 0 and properties.entity.hours < 1000))"
    )
    session.state = picked
    await session.run()
    assert session.history() == [picked]


def test_a_search_can_be_exported_to_a_notebook(session):
    session.state = SearchState(query="ice", where="year = 2023")
    code = session.as_python()
    compile(code, "cell", "exec")
    assert "'ice'" in code
    assert "where='year = 2023'" in code
