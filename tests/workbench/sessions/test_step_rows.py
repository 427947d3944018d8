"""Plans of steps in a row, and reading all rows of a step."""

from workbench.contract.plan_validation import validate
from workbench.sessions.step_rows import chained, windows_of


class Steps:
    """A client whose step has `stored` rows and says that there are `total`."""

    def __init__(self, stored: int, total: int) -> None:
        self.stored, self.total = stored, total
        self.offsets: list[int] = []

    async def node_output(self, query_id, node_id, offset, limit):
        self.offsets.append(offset)
        rows = [{"n": n} for n in range(offset, min(self.stored, offset + limit))]
        return {"columns": ["n"], "rows": rows, "total": self.total}


async def read(client: Steps) -> list[int]:
    return [row["n"] async for window in windows_of(client, "q", 1) for row in window["rows"]]


async def test_all_rows_of_a_step_are_read_window_by_window():
    client = Steps(2_500, 2_500)
    assert await read(client) == list(range(2_500))
    assert client.offsets == [0, 1_000, 2_000]


async def test_reading_ends_with_an_empty_window_although_more_rows_were_promised():
    assert await read(Steps(1_000, 5_000)) == list(range(1_000))
    assert await read(Steps(0, 0)) == []


def test_steps_in_a_row_are_a_valid_plan():
    plan = chained(("QueryDatabase", {}), ("Limit", {"num_records": 5}), ("Count", {}))
    assert not validate(plan, {}).faults
    assert plan.result_node == 2 and plan.node(1).inputs == [0]
