"""Which spellings a DocSet counts as one, as listed with its properties."""

from workbench.contract.coverage import MERGED_VALUES, Merge, merges_of


def test_merges_are_read_in_order_and_what_is_none_is_passed_over() -> None:
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
