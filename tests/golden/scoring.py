"""Whether an answer is right, and whether a wrong one carries a remark."""

import math
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any, Literal

from tests.golden.common import Kind
from tests.golden.truth import Question

Verdict = Literal["right", "wrong, remarked", "wrong, silent", "refused"]


def verdict(
    question: Question, plan: Mapping[str, Any], answer: Mapping[str, Any], kind: Kind
) -> Verdict:
    """What an answer of POST query to a question is worth."""
    names = _Names(kind)
    for truth in (question.truth, *question.accept):
        if _is_right(question, truth, answer["result"], names):
            return "right"
    return "wrong, remarked" if has_remark(plan, answer) else "wrong, silent"


def has_remark(plan: Mapping[str, Any], answer: Mapping[str, Any]) -> bool:
    """Whether anything beside an answer tells its reader to be careful."""
    report = plan.get("edit") or {}
    lists = [report.get(key) for key in ("warnings", "not_applied", "unused")]
    lists += [answer.get("warnings"), answer.get("unused")]
    incomplete = any(c["missing"] or c["doubtful"] for c in answer.get("coverage") or [])
    return any(lists) or incomplete or answer.get("bounds") is not None


class _Names:
    """Values in one spelling, so that `CA` and `State of California` compare as equal."""

    def __init__(self, kind: Kind) -> None:
        self._same = {
            _plain(spelling): _plain(value)
            for spellings in kind.same.values()
            for value, others in spellings.items()
            for spelling in (value, *others)
        }

    def of(self, value: object) -> str:
        text = _plain(value)
        return self._same.get(text, text)


def _plain(value: object) -> str:
    if isinstance(value, datetime | date):
        value = value.isoformat()[:10]
    return "".join(c for c in str(value).lower() if c.isalnum())


def _leaves(value: object, key: str = "") -> Iterator[object]:
    """The values in an answer, without ids and confidences."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if name not in ("doc_id", "id", "node_id", "evidence", "score"):
                yield from _leaves(inner, name)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner, key)
    elif value is not None:
        yield value


def _is_right(question: Question, truth: object, result: object, names: _Names) -> bool:
    match question.answer:
        case "documents":
            return _documents(truth, result, ordered=question.ordered)
        case "groups":
            return isinstance(truth, Mapping) and _groups(truth, result, names)
        case "values":
            assert isinstance(truth, list | tuple | set | frozenset)
            rows = result if isinstance(result, list) else []
            keys = {names.of(_key(row)) for row in rows if isinstance(row, Mapping)}
            return keys == {names.of(value) for value in truth}
    if isinstance(truth, Mapping):
        return _groups(truth, result, names)
    if isinstance(result, list) and len(result) > 1:
        return False
    results = list(_leaves(result))
    return len(results) > 0 and any(_same(value, truth, names) for value in results)


def _same(value: object, truth: object, names: _Names) -> bool:
    if isinstance(truth, bool):
        return value is truth
    if isinstance(truth, int | float):
        try:
            number = float(str(value))
        except ValueError:
            return False
        return math.isclose(number, truth, rel_tol=1e-3, abs_tol=0.006)
    if isinstance(truth, date):
        return str(value)[:10] == truth.isoformat()[:10]
    return names.of(value) == names.of(truth)


def _key(row: Mapping[str, Any]) -> object:
    properties = row.get("properties", row)
    return properties.get("key", next(iter(properties.values()), None))


def _documents(truth: object, result: object, *, ordered: bool) -> bool:
    assert isinstance(truth, list | tuple)
    if not isinstance(result, list):
        return False
    shown = [
        str((row.get("properties") or {}).get("path", "")).rsplit("/", 1)[-1] for row in result
    ]
    return shown == list(truth) if ordered else sorted(shown) == sorted(truth)


def _groups(truth: Mapping[Any, Any], result: object, names: _Names) -> bool:
    if not isinstance(result, list):
        return False
    rows = [list(_leaves(row)) for row in result]
    rows = [row for row in rows if not (len(row) == 2 and row[-1] == 0)]
    return len(rows) == len(truth) and all(
        any(_has(row, key, value, names) for row in rows) for key, value in truth.items()
    )


def _has(row: list[object], key: object, value: object, names: _Names) -> bool:
    wanted = {str(key)}
    if isinstance(key, date):
        # A quarter may be named by its last day, and the other way round.
        wanted = {key.isoformat(), f"{key.year}-Q{(key.month + 2) // 3}"}
    keyed = any(names.of(v) == names.of(key) or str(v) in wanted for v in row)
    return keyed and any(_same(v, value, names) for v in row)
