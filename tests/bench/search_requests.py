"""One query through HTTP, beside the engine's own call for it and the plainest call of all.

The client is that of the standard library on one kept connection, so that little of what is
measured is its own. The engine's call is `SearchEngine.search` with the same request, in this
process and on indexes of its own: whatever HTTP, its threads and the encoding add is the overhead.
All are asked in turn, query by query, so that a busy machine disturbs them alike.
"""

import http.client
import statistics
import time
from collections.abc import Mapping, Sequence
from functools import partial

from backend.search.engine import SearchEngine
from tests.backend_process import BackendProcess
from tests.bench.search_engines import Call, Spent, report, spent
from tests.bench.search_goals import Goals
from workbench.contract.errors import Unavailable
from workbench.contract.search import QueryType, ReturnType, SearchRequest

KINDS: tuple[QueryType, ...] = ("lexical", "keyword", "vector", "hybrid")
_UNITS: tuple[ReturnType, ...] = ("element", "doc")
_FILTER = "slice = 7"
_PAGE = 10
# p50 and p95 in milliseconds up to 100,000 elements; p50 for a million.
_GOALS = {"lexical": (8, 15), "keyword": (20, 40), "vector": (15, 25), "hybrid": (25, 45)}
_LARGE_GOALS = {"lexical": 30, "vector": 80, "hybrid": 110}
_LARGE = 1_000_000


class Caller:
    """Asks a server for searches over one connection."""

    def __init__(self, backend: BackendProcess, docset: str) -> None:
        self._pid = backend.pid
        self._connection = http.client.HTTPConnection(backend.url.removeprefix("http://"))
        self._path = f"/v1/query/search/{docset}?page_size={_PAGE}"
        self._headers = {
            "Authorization": f"Bearer {backend.token}",
            "Content-Type": "application/json",
        }

    def search(self, request: SearchRequest) -> Spent:
        """Milliseconds until the answer was read, and of the server's processor time."""
        body = request.model_dump_json(exclude_defaults=True)
        used, started = self._processor(), time.perf_counter()
        self._connection.request("POST", self._path, body, self._headers)
        answer = self._connection.getresponse()
        content = answer.read()
        seconds = time.perf_counter() - started
        assert answer.status == 200, content
        return Spent(1000 * seconds, 1000 * (self._processor() - used))

    def _processor(self) -> float:
        """Seconds of processor time of the server's process."""
        return time.clock_gettime(~self._pid << 3 | 2)


def measure(
    caller: Caller,
    engine: SearchEngine,
    docset: str,
    queries: Sequence[str],
    bare: Mapping[str, Call],
    goals: Goals,
    size: int,
) -> None:
    """Prints a line for each kind, unit and filter, and takes down the goals."""
    print(f"{'':40} {'p50':>8} {'p95':>8} {'cpu':>8} {'ratio':>6}")
    for kind in KINDS:
        plain = bare.get(kind)
        for unit in _UNITS:
            times: dict[str, list[Spent]] = {name: [] for name in ("", _FILTER, "engine", "bare")}
            for place, query in enumerate(queries):
                text = query.split()[0] if kind == "keyword" else query
                requests = {
                    rule: SearchRequest(
                        query=text,
                        query_type=kind,
                        return_type=unit,
                        properties_filter=rule or None,
                    )
                    for rule in ("", _FILTER)
                }
                # Each is first as often, and comes behind a call of the engine: caches are alike.
                for rule in (_FILTER, "") if place % 2 else ("", _FILTER):
                    times[rule].append(caller.search(requests[rule]))
                    call = partial(engine.search, docset, requests[rule], page_size=_PAGE)
                    took = spent(call)
                    if not rule:
                        times["engine"].append(took)
                if plain is not None:
                    times["bare"].append(spent(partial(plain, query)))
            _report(f"{kind} {unit}", times)
            _note(kind, f"{kind} {unit}", times, goals, size)


def _report(name: str, times: Mapping[str, Sequence[Spent]]) -> None:
    bare = report(f"bare {name}", times["bare"]) if times["bare"] else None
    report(f"engine {name}", times["engine"], bare)
    report(f"HTTP {name}", times[""], bare)
    report(f"HTTP {name}, 1 % filter", times[_FILTER], bare)


def _note(
    kind: str, name: str, times: Mapping[str, Sequence[Spent]], goals: Goals, size: int
) -> None:
    walls = {key: [one.wall for one in some] for key, some in times.items() if some}
    middle = {key: statistics.median(some) for key, some in walls.items()}
    if size < _LARGE:
        median, worst = _GOALS[kind]
        goals.at_most(f"{name}, p50", median, middle[""])
        goals.at_most(f"{name}, p95", worst, statistics.quantiles(walls[""], n=20)[-1])
    elif kind in _LARGE_GOALS:
        goals.at_most(f"{name}, p50", _LARGE_GOALS[kind], middle[""])
    goals.at_most(f"{name}: a 1 % filter to none", 1.0, middle[_FILTER] / middle[""], "x")
    overhead = 1.5 if size < _LARGE else 1.2
    goals.at_most(
        f"{name}: HTTP to the engine's call", overhead, middle[""] / middle["engine"], "x"
    )


def ready(engine: SearchEngine, docset: str) -> None:
    """Builds all indexes of an engine; large ones are refused while they are built."""
    engine.follow(docset)
    for kind in KINDS:
        while True:
            try:
                engine.search(docset, SearchRequest(query="kaba", query_type=kind), page_size=1)
                break
            except Unavailable:
                time.sleep(0.5)
