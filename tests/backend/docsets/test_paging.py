"""Page tokens continue their own list, and nothing else is accepted."""

import pytest

from backend.docsets.paging import Pager
from workbench.contract.errors import Invalid


def test_a_token_continues_its_own_list() -> None:
    pager = Pager(b"key")
    assert pager.after("docs:1", pager.token("docs:1", 42)) == 42
    assert pager.after("docs:1", None) == 0
    assert pager.after("docs:1", "") == 0


def test_tokens_of_other_lists_other_servers_and_forged_ones_are_refused() -> None:
    pager = Pager(b"key")
    token = pager.token("docs:1", 42)
    forged = ("B" if token.startswith("A") else "A") + token[1:]
    for bad in (token[:-2], forged, "x", "é", "====", Pager(b"k2").token("docs:1", 42)):
        with pytest.raises(Invalid, match="page_token"):
            pager.after("docs:1", bad)
    with pytest.raises(Invalid):
        pager.after("docs:2", token)


def test_a_token_is_valid_for_a_day() -> None:
    now = [0.0]
    pager = Pager(b"key", lambda: now[0])
    token = pager.token("a", 1)
    now[0] = 86_300
    assert pager.after("a", token) == 1
    now[0] = 86_500
    with pytest.raises(Invalid, match="24 hours"):
        pager.after("a", token)
