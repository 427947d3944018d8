"""No run takes more memory or time than it may, however small its plan is."""

import resource
from pathlib import Path

import pytest

from backend.plans.running.allowance import Allowance, RunLimits
from backend.plans.service import PlanService
from tests.backend.plans.desk import Desk, WordSearch, make_desk
from tests.contract.plans import plan, source, step
from workbench.contract.errors import Invalid, Unavailable


def desk_with_lists(folder: Path, count: int, length: int) -> Desk:
    """One document whose arrays hold so many numbers."""
    names = [f"l{n}" for n in range(count)]
    schema = [
        {"name": "id", "field_type": "string"},
        *({"name": n, "type": {"type": "array", "item_type": {"type": "int"}}} for n in names),
    ]
    record = {"id": "a"} | {name: list(range(length)) for name in names}
    return make_desk(folder, "lists", schema, [record], [["text"]])


def unrolled(count: int) -> list[dict[str, object]]:
    return [step("Unroll", n + 1, n, field=f"l{n}") for n in range(count)]


@pytest.mark.parametrize(("count", "length"), [(2, 10_000), (3, 700), (8, 60)])
def test_arrays_that_multiply_are_refused_at_their_step(
    tmp_path: Path, count: int, length: int
) -> None:
    desk = desk_with_lists(tmp_path, count, length)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(Invalid, match="filter the documents before it") as refused:
        desk.run(plan(source(), *unrolled(count)))
    assert refused.value.faults[0].loc[:4] == ["body", "query", "plan", "nodes"]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000  # kB


def test_arrays_that_multiply_are_refused_as_keys_of_groups(tmp_path: Path) -> None:
    desk = desk_with_lists(tmp_path, 3, 700)
    keys = step("GroupBy", 1, 0, field="l0", fields=["l1", "l2"])
    with pytest.raises(Invalid, match="Expanding the arrays"):
        desk.run(plan(source(), keys, step("AggregateCount", 2, 1)))


def test_an_array_is_expanded_within_the_limits(tmp_path: Path) -> None:
    desk = desk_with_lists(tmp_path, 2, 300)
    counted = plan(source(), *unrolled(2), step("Count", 3, 2))
    assert desk.result(counted) == 90_000


def test_steps_behind_a_large_table_are_counted_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them may copy it, and all are kept until the end.

    Here in the server; a process of its own has a limit of the kernel's besides.
    """
    monkeypatch.setattr("backend.plans.service.is_heavy", lambda _plan, _collection: False)
    desk = limited(desk_with_lists(tmp_path, 2, 900), RunLimits(memory=64 * 2**20))
    sorts = [step("Sort", n, n - 1, field="l0") for n in range(3, 20)]
    with pytest.raises(Invalid, match="than is left of the"):
        desk.run(plan(source(), *unrolled(2), *sorts))


def test_an_answer_too_large_for_one_response_is_refused(tmp_path: Path) -> None:
    """Every row would carry the whole document again."""
    desk = desk_with_lists(tmp_path, 1, 5_000)
    with pytest.raises(Invalid, match="ask for a stream"):
        desk.run(plan(source(), *unrolled(1)))


def test_a_run_that_takes_too_long_is_stopped_and_kept(tmp_path: Path) -> None:
    desk = limited(desk_with_lists(tmp_path, 1, 3), RunLimits(seconds=1e-9))
    with pytest.raises(Unavailable, match="run_seconds"):
        desk.run(plan(source()))


def test_an_allowance_checks_the_clock() -> None:
    now = [0.0]
    allowance = Allowance(RunLimits(seconds=5), lambda: now[0])
    allowance.check_time()
    now[0] = 5.1
    with pytest.raises(Unavailable, match="5 s"):
        allowance.check_time()


def limited(desk: Desk, limits: RunLimits) -> Desk:
    """The same collection, served within other limits."""
    folder = Path(desk.database.engine.url.database or "").parent
    service = PlanService(
        desk.database, WordSearch(desk.database), folder / "r", folder / "t", limits=limits
    )
    return Desk(service, desk.database, desk.docset_id, desk.records, desk.key)


@pytest.mark.parametrize(
    "steps",
    [
        [step("GroupBy", 1, 0, field="text"), step("AggregateCount", 2, 1)],
        [step("Distinct", 1, 0, field="text")],
        [step("TopK", 1, 0, field="text")],
    ],
)
def test_groups_of_texts_too_long_to_copy_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: list[dict[str, object]]
) -> None:
    monkeypatch.setattr("backend.plans.service.is_heavy", lambda _plan, _collection: False)
    schema = [{"name": "id", "field_type": "string"}, {"name": "text", "field_type": "string"}]
    records = [{"id": f"a{n}", "text": f"{n}" * 1_000_000} for n in range(5)]
    whole = make_desk(tmp_path, "long", schema, records, [["text"]] * 5)
    with pytest.raises(Invalid, match="Grouping by texts of this length needs 4 MiB"):
        limited(whole, RunLimits(memory=2**21)).run(plan(source(), *steps))
