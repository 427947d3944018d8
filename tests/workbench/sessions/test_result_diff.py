"""Two answers are compared by what their rows are about."""

from workbench.sessions.result_diff import compare_rows, tally


def group(key, count):
    return {"properties.key": key, "properties.count": count, "doc_ids": [key]}


def fates(changes):
    return [change.fate for change in changes]


def test_groups_are_gained_lost_and_changed():
    before = [group("WA", 14), group("AK", 9), group("FL", 5)]
    after = [group("AK", 9), group("WA", 11), group("TX", 2)]
    changes = compare_rows(before, after)
    assert fates(changes) == ["same", "changed", "gained", "lost"]
    assert changes[1].columns == ("properties.count",)
    assert changes[1].before["properties.count"] == 14
    assert changes[3].row["properties.key"] == "FL"
    assert tally(changes) == "+1 −1 ~1"


def test_documents_are_the_same_whatever_their_score():
    before = [{"doc_id": "a", "score": 0.9, "state": "WA"}, {"doc_id": "b", "state": "AK"}]
    after = [{"doc_id": "a", "score": 0.4, "state": "WA"}]
    changes = compare_rows(before, after)
    assert fates(changes) == ["same", "lost"]


def test_rows_that_name_nothing_are_compared_whole_and_twins_are_counted():
    before = [{"state": "WA"}, {"state": "WA"}]
    after = [{"state": "WA"}, {"state": "AK"}]
    changes = compare_rows(before, after)
    assert fates(changes) == ["same", "gained", "lost"]


def test_equal_answers_are_called_so():
    rows = [group("WA", 1)]
    assert tally(compare_rows(rows, rows)) == "the same rows"
    assert tally(compare_rows([], [])) == "the same rows"
