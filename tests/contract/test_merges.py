"""Which spellings a DocSet counts as one, as listed with its properties."""

from workbench.contract.coverage import MERGED_VALUES, Merge, agreed_spellings, merges_of


def test_merges_are_read_in_order_and_invalid_ones_are_ignored() -> None:
    kept = [
        {"field": "state", "values": ["CA"], "into": "California"},
        "nothing",
        {"field": "state", "values": "CA", "into": "California"},
        {"field": "", "values": ["CA"], "into": "California"},
        {"field": "city", "values": ["NYC", "N.Y."], "into": "New York"},
    ]
    assert merges_of({MERGED_VALUES: kept}) == [
        Merge(field="state", values=["CA"], into="California"),
        Merge(field="city", values=["NYC", "N.Y."], into="New York"),
    ]


def test_a_docset_without_merges_has_none() -> None:
    for properties in (None, {}, {MERGED_VALUES: None}, {MERGED_VALUES: {"field": "state"}}):
        assert merges_of(properties) == []


def _spellings(*merges: tuple[list[str], str]) -> dict[str, str]:
    return agreed_spellings(Merge(field="state", values=v, into=into) for v, into in merges)


def test_a_chain_of_merges_has_one_final_spelling() -> None:
    chain = _spellings((["a"], "b"), (["b"], "c"), (["d"], "b"))
    assert chain == {"a": "c", "b": "c", "d": "c"}


def test_merges_in_a_circle_never_swap_groups() -> None:
    assert _spellings((["Utah"], "Ohio"), (["Ohio"], "Utah")) == {"Utah": "Ohio"}
    around = _spellings((["a"], "b"), (["b"], "c"), (["c"], "a"))
    assert around == {"a": "c", "b": "c"}
