"""The layout of partition answers, whole and in pieces."""

import json

from hypothesis import given
from hypothesis import strategies as st

from backend.docsets.partition_answer import (
    OPENING,
    laid_out,
    progress,
    remainder,
    status_line,
)

TEXTS = st.lists(st.text(max_size=20), max_size=5)
BODIES = st.dictionaries(st.text(max_size=8), st.text(max_size=20), min_size=1, max_size=4)


@given(TEXTS, BODIES)
def test_any_answer_is_json_with_the_array_closed_on_its_own_line(
    status: list[str], body: dict[str, str]
) -> None:
    answer = laid_out(status, {"body": body})
    assert json.loads(answer) == {"status": [*status, ""], "body": body}
    lines = answer.split(b"\n")
    assert lines[len(status) + 2 : len(status) + 4] == [b'    ""', b"  ],"]


@given(TEXTS, BODIES)
def test_opening_progress_and_remainder_add_up_to_the_whole_answer(
    status: list[str], body: dict[str, str]
) -> None:
    sent = [progress(0.5, page) for page in (1, 2)]
    answer = laid_out([*sent, *status], {"body": body})
    stream = OPENING + b"".join(status_line(line) for line in sent) + remainder(answer)
    kept = [line for line in status if not line.startswith("T+")]
    assert json.loads(stream) == {"status": [*sent, *kept, ""], "body": body}


def test_a_progress_line_has_seconds_and_page() -> None:
    assert progress(0.534, 1) == "T+   0.53: Completed work on page 1"
