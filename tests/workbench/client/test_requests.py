"""HTTP requests: authentication, paths, pages, retries and refusals."""

import json

import httpx
import pytest

from workbench.client import (
    AsyncClient,
    AuthenticationFailed,
    BadAnswer,
    ConnectionFailed,
    Forbidden,
    Invalid,
    MissingExtension,
    Mistake,
    NotFound,
    RateLimited,
    ServerFailed,
    StorageFull,
    TimedOut,
)
from workbench.contract.docsets import DocSetUpdate
from workbench.contract.documents import ReplaceOperation
from workbench.contract.review import Decision
from workbench.contract.search import SearchRequest
from workbench.sessions.correcting import why_not

DOCSET = {
    "account_id": "wb:a-1",
    "docset_id": "wb:ds-1",
    "name": "reports",
    "created_at": "2026-01-02T03:04:05Z",
    "readonly": False,
    "size": None,
    "schema": {"properties": [{"name": "year", "property_type": "int"}]},
    "prompts": {},
}


async def test_every_request_carries_the_token_and_ids_stay_one_path_segment(scene):
    made = scene(lambda request: httpx.Response(200, json=DOCSET))
    docset = await made.client.docset("a/b:c d")
    assert docset.schema_ is not None and docset.schema_.properties[0].kind == "int"
    request = made.requests[0]
    assert request.headers["Authorization"] == "Bearer secret"
    assert request.url.raw_path == b"/v1/storage/docsets/a%2Fb:c%20d"


@pytest.mark.parametrize("name", [{"cost": float("nan")}, "half \ud800", {1, 2}])
async def test_values_without_a_json_form_are_a_mistake_and_are_not_sent(scene, name):
    made = scene(lambda request: httpx.Response(200, json=DOCSET))
    with pytest.raises(Mistake, match="This cannot be sent: "):
        await made.client.create_docset("x", properties={"name": name})
    with pytest.raises(Mistake, match="is not text that can be sent"):
        await made.client.docset("half \ud800")
    assert made.requests == []


async def test_oversized_requests_are_a_mistake_and_are_not_sent(scene):
    made = scene(lambda request: httpx.Response(200, json=DOCSET))
    long, client = "x" * 5_000, made.client
    with pytest.raises(Mistake, match=r"^query: this text has 5,000 .* at most 2,000 characters"):
        await client.generate_plan("ds", long)
    with pytest.raises(Mistake, match="at most 2,000 characters"):
        client.stream_answer("ds", long)
    with pytest.raises(Mistake, match=r"^filter: this text has 5,000"):
        await client.complete("ds", long)
    with pytest.raises(Mistake, match="below is wrong"):
        await client.values_to_review("ds", below=-1)
    assert made.requests == []


def test_a_correction_to_an_infinite_number_is_refused() -> None:
    for value in (float("nan"), [float("inf")], {"a": float("-inf")}):
        with pytest.raises(ValueError, match="are not values"):
            ReplaceOperation(path="/properties/entity/cost", value=value)
        with pytest.raises(ValueError, match="are not values"):
            Decision(doc_id="wb:f-1", field="cost", value=value)


@pytest.mark.parametrize("text", ["NaN", "-Infinity", "1e999"])
def test_an_infinite_number_cannot_be_typed_as_a_value(text: str) -> None:
    assert why_not(text, "float") == f"{text!r} is not a number."


async def test_the_token_is_in_no_repr(scene):
    made = scene(lambda request: httpx.Response(200))
    assert "secret" not in repr(made.client)


async def test_lists_are_followed_over_their_pages_with_the_query_repeated(scene):
    def pages(request: httpx.Request) -> httpx.Response:
        token = request.url.params.get("page_token")
        following = {None: "two", "two": "three", "three": None}[token]
        item = {**DOCSET, "docset_id": f"wb:ds-{token}"}
        return httpx.Response(200, json={"items": [item], "next_page_token": following})

    made = scene(pages)
    ids = [docset.docset_id async for docset in made.client.docsets(name_eq="reports")]
    assert ids == ["wb:ds-None", "wb:ds-two", "wb:ds-three"]
    assert all(request.url.params["name_eq"] == "reports" for request in made.requests)


async def test_leaving_a_list_early_fetches_no_further_page(scene):
    made = scene(
        lambda request: httpx.Response(200, json={"items": [DOCSET], "next_page_token": "more"})
    )
    async for _ in made.client.docsets():
        break
    assert len(made.requests) == 1


async def test_an_update_sends_null_for_unchanged_fields(scene):
    made = scene(lambda request: httpx.Response(200, json=DOCSET))
    await made.client.update_docset("x", DocSetUpdate(name="new"))
    body = json.loads(made.requests[0].content)
    assert body == {"name": "new", "properties": None, "schema": None, "prompts": None}


async def test_search_sends_only_non_default_arguments(scene):
    made = scene(lambda request: httpx.Response(200, json={"results": []}))
    await made.client.search("x", SearchRequest(query="ice", query_type="hybrid"))
    assert json.loads(made.requests[0].content) == {"query": "ice", "query_type": "hybrid"}
    assert made.requests[0].url.params["page_size"] == "100"


async def test_get_doc_sends_its_switches_as_a_form(scene):
    made = scene(lambda request: httpx.Response(200, json={"id": "f"}))
    await made.client.document("d", "f", include_elements=False)
    assert made.requests[0].headers["Content-Type"] == "application/x-www-form-urlencoded"
    assert b"include_elements=false" in made.requests[0].content


# -- retries --------------------------------------------------------------------------------------


async def test_a_read_is_retried_after_a_broken_connection_with_growing_pauses(scene):
    answers = iter([httpx.ReadError("cut"), httpx.RemoteProtocolError("cut"), None])

    def flaky(request: httpx.Request) -> httpx.Response:
        if (error := next(answers)) is not None:
            raise error
        return httpx.Response(200, json=DOCSET)

    made = scene(flaky)
    assert (await made.client.docset("x")).name == "reports"
    assert made.pauses == [0.1, 0.2]


async def test_an_interrupted_write_is_not_retried_and_reported(scene):
    def cut(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadError("cut")

    made = scene(cut)
    with pytest.raises(ConnectionFailed, match="not known whether") as caught:
        await made.client.create_docset("x")
    assert len(made.requests) == 1 and caught.value.sent


async def test_a_write_that_never_reached_the_server_is_retried_with_its_whole_body(scene):
    answers = iter([httpx.ConnectError("refused"), None])

    def late(request: httpx.Request) -> httpx.Response:
        if (error := next(answers)) is not None:
            raise error
        return httpx.Response(202, json={"task_id": "wb:t-1"})

    made = scene(late)
    assert await made.client.submit_document("x", b"hello") == "wb:t-1"
    assert made.requests[0].content == made.requests[1].content
    assert b"hello" in made.requests[1].content


async def test_an_unreachable_server_is_named_with_advice(scene):
    def refused(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    made = scene(refused)
    with pytest.raises(ConnectionFailed, match=r"http://server.*workbench doctor"):
        await made.client.create_docset("x")
    assert len(made.requests) == 4


async def test_a_backend_that_has_moved_is_followed_with_its_new_token(scene):
    moves: list[int] = []

    async def relocate() -> tuple[str, str]:
        moves.append(1)
        return "http://elsewhere", "fresh"

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.host != "elsewhere":
            raise httpx.ConnectError("refused")
        return httpx.Response(200, json=DOCSET)

    made = scene(answer, relocate=relocate)
    assert (await made.client.create_docset("reports")).name == "reports"
    assert made.requests[-1].headers["Authorization"] == "Bearer fresh"
    assert (await made.client.docset("x")).name == "reports" and moves == [1]


async def test_a_backend_that_stays_away_is_looked_for_once(scene):
    async def relocate() -> tuple[str, str]:
        return "http://server", "secret"

    def refused(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    made = scene(refused, relocate=relocate)
    with pytest.raises(ConnectionFailed):
        await made.client.docset("x")
    assert len(made.requests) == 8


async def test_a_timeout_is_distinguished_from_a_broken_connection(scene):
    def silent(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("slow")

    with pytest.raises(TimedOut, match="in time"):
        await scene(silent).client.delete_docset("x")


async def test_a_write_refused_temporarily_is_retried_after_the_requested_time(scene):
    answers = iter(
        [
            httpx.Response(429, json={"detail": "Too many"}, headers={"Retry-After": "2"}),
            httpx.Response(503, json={"detail": "Stopping"}, headers={"Retry-After": "0.5"}),
            httpx.Response(200, json=DOCSET),
        ]
    )
    made = scene(lambda request: next(answers))
    assert (await made.client.create_docset("reports")).name == "reports"
    assert made.pauses == [2.0, 0.5]


async def test_a_long_wait_is_left_to_the_caller(scene):
    made = scene(
        lambda request: httpx.Response(
            429, json={"detail": "Too many requests"}, headers={"Retry-After": "3600"}
        )
    )
    with pytest.raises(RateLimited) as caught:
        await made.client.create_docset("x")
    assert caught.value.retry_after == 3600 and made.pauses == []


async def test_a_failed_write_is_not_repeated(scene):
    made = scene(lambda request: httpx.Response(503, text="no"))
    with pytest.raises(ServerFailed):
        await made.client.create_docset("x")
    assert len(made.requests) == 1


# -- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (403, {"detail": "Invalid Aryn API key"}, AuthenticationFailed),
        (403, {"detail": "Not authenticated."}, AuthenticationFailed),
        (403, {"detail": "DocSet wb:ds-1 is read-only."}, Forbidden),
        (404, {"detail": "No such DocSet."}, NotFound),
        (422, {"detail": "A plan has no result."}, Invalid),
        (507, {"detail": "No space left."}, StorageFull),
        (307, None, BadAnswer),
    ],
)
async def test_each_status_has_its_error_with_the_servers_message(scene, status, body, kind):
    made = scene(lambda request: httpx.Response(status, json=body))
    with pytest.raises(kind) as caught:
        await made.client.docset("x")
    assert type(caught.value) is kind
    if body is not None:
        assert str(caught.value) == body["detail"]


async def test_a_server_fault_is_reported_with_the_name_of_the_call_in_its_log(scene):
    headers = {"x-aryn-call-id": "wb:call-7"}
    made = scene(lambda request: httpx.Response(500, text="Oh no.", headers=headers))
    with pytest.raises(ServerFailed, match=r"failed \(status 500\): Oh no\. .*wb:call-7"):
        await made.client.docset("x")


async def test_all_faults_of_a_body_are_reported_with_their_place(scene):
    faults = [
        {"loc": ["body", "properties_filter"], "msg": "column 4: unknown", "type": "value_error"},
        {"loc": ["query", "page_size"], "msg": "page_size is too small", "type": "value_error"},
    ]
    made = scene(lambda request: httpx.Response(422, json={"detail": faults}))
    with pytest.raises(Invalid) as caught:
        await made.client.search("x", SearchRequest(query="a"))
    assert [fault.loc[-1] for fault in caught.value.faults] == ["properties_filter", "page_size"]
    assert str(caught.value) == "properties_filter: column 4: unknown; page_size is too small"


async def test_a_server_without_our_extensions_is_distinguished_from_an_unknown_docset(scene):
    plain = scene(lambda request: httpx.Response(404, json={"detail": "Not Found"}))
    with pytest.raises(MissingExtension):
        await plain.client.facets("x", ["state"])
    ours = scene(lambda request: httpx.Response(404, json={"detail": "No such DocSet: x."}))
    with pytest.raises(NotFound):
        await ours.client.facets("x", ["state"])


async def test_a_response_that_violates_the_contract_is_an_error(scene):
    made = scene(lambda request: httpx.Response(200, json={"name": "half a DocSet"}))
    with pytest.raises(BadAnswer, match="is not a DocSetMetadata: account_id"):
        await made.client.docset("x")


async def test_a_proxy_of_the_environment_is_not_used_for_this_machine(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://192.0.2.1:9")
    async with AsyncClient("http://127.0.0.1:9", "t", timeout=1) as client:
        with pytest.raises(ConnectionFailed, match=r"Nothing answers at http://127\.0\.0\.1:9"):
            await client.docset("x")
