"""Random sound plans over the odd parcels, of every exact step."""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from tests.backend.plans.odd_parcels import CITIES, DERIVED, KINDS, LARGE, TAGS, WEIGHTS

Draw = Any
NUMBERS = ["weight", "pieces", "serial", "never", "seen.days_since.sent", "weight.minus.pieces"]
ASKED: dict[str, st.SearchStrategy[Any]] = {
    "weight": st.sampled_from([*WEIGHTS, 1, -2.25]),
    "pieces": st.one_of(st.integers(-3, 5), st.just(1.5)),
    "serial": st.integers(LARGE - 3, LARGE + 5),
    "city": st.sampled_from([*CITIES, "ö", "ł", "b%", ".", "東"]),
    "grade": st.sampled_from(["a", "B", "c"]),
    "parcel": st.sampled_from(["P1", "p2", "P33", "9"]),
    "sent": st.sampled_from(["2020", "2021-06", "2021-12-15", "2022-02-28"]),
    "seen": st.sampled_from(["2021", "2021-02", "2021-02-15", "2021-02-15T10:30:00"]),
    "fragile": st.booleans(),
    "tags": st.sampled_from([*TAGS, "e", "green"]),
    "never": st.just(1),
    "sent.weekday": st.sampled_from(["Monday", "saturday", "day"]),
    "sent.month_of_year": st.sampled_from(["January", "June", "december"]),
    "seen.days_since.sent": st.sampled_from([0, 30, 400.5]),
    "seen.hour": st.sampled_from([0, 10, 23]),
    "weight.minus.pieces": st.sampled_from([-2, 0, 2.5]),
    "weight.share_of.pieces": st.sampled_from([-1, 0, 0.5]),
}
FRACTIONS = ("seen.days_since.sent", "weight.share_of.pieces", "weight.minus.pieces")
COMPARED = [("weight", "pieces"), ("pieces", "serial"), ("sent", "seen"), ("city", "grade"),
            ("parcel", "city"), ("seen.days_since.sent", "weight")]  # fmt: skip
ORDERED = ["weight", "pieces", "serial", "city", "sent", "seen", "never", "seen.hour",
           "seen.days_since.sent", "weight.share_of.pieces"]  # fmt: skip


@dataclass
class Growing:
    """Steps by id as text, the kinds of the fields of documents, and how rows may be asked."""

    draw: Draw
    nodes: dict[str, dict[str, Any]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=lambda: {**KINDS, **DERIVED})

    def add(self, kind: str, *inputs: int, **fields: Any) -> int:
        node_id = len(self.nodes)
        given = {name: value for name, value in fields.items() if value is not None}
        body = {"node_type": kind, "node_id": node_id, "inputs": list(inputs), **given}
        self.nodes[str(node_id)] = body
        return node_id

    def one_of(self, options: list[Any]) -> Any:
        return self.draw(st.sampled_from(options))

    def field(self) -> str:
        return str(self.one_of(list(self.kinds)))

    def key(self) -> str:
        """A field to group by; the last digit of a quotient is nobody's key."""
        return str(self.one_of([name for name in self.kinds if name not in FRACTIONS]))


@st.composite
def plans(draw: Draw) -> tuple[dict[str, dict[str, Any]], int]:
    """The steps of a plan and the id of the last."""
    growing = Growing(draw)
    source = growing.add("QueryDatabase")
    at = _through_documents(growing, source, draw(st.integers(0, 3)))
    end = growing.one_of([_documents, _number, _number, _calculation, _table, _table, _table])
    return growing.nodes, end(growing, source, at)


def _documents(growing: Growing, source: int, at: int) -> int:
    return at


def _through_documents(growing: Growing, at: int, count: int) -> int:
    for _ in range(count):
        step = growing.one_of([_filter, _filter, _filter, _sort, _limit, _unroll, _join, _project])
        at = step(growing, at)
    return at


def _filter(growing: Growing, at: int) -> int:
    if growing.one_of([False] * 7 + [True]):
        side, way = growing.one_of(["start", "end"]), growing.one_of(["avg", "median"])
        strict = {f"{side}_exclusive": growing.draw(st.booleans())}
        name = growing.one_of(["weight", "pieces"])
        return growing.add("BasicFilter", at, field=name, **{f"{side}_at": way}, **strict)
    test = _test(growing)
    if growing.draw(st.booleans()) and growing.draw(st.booleans()):
        others = [_test(growing) for _ in range(growing.draw(st.integers(1, 2)))]
        own = test if growing.draw(st.booleans()) else {"field": test["field"]}
        test = {**own, "any_of": others}
    return growing.add("BasicFilter", at, **test)


def _test(growing: Growing) -> dict[str, Any]:
    name = growing.field()
    kind, asked = growing.kinds[name], ASKED[name]
    test: dict[str, Any] = {"field": name}
    ways = ["query", "values", "exists", "beside", *(["range"] * 2 if name in ORDERED else [])]
    way = growing.one_of(ways)
    if way == "beside":
        return _beside(growing)
    if way == "query":
        test["query"] = growing.draw(asked)
    elif way == "values":
        test["values"] = growing.draw(st.lists(asked, max_size=3))
    elif way == "exists":
        test["exists"] = growing.draw(st.booleans())
    else:
        written = asked.filter(lambda one: one != "")
        bounds = growing.draw(st.lists(written, min_size=1, max_size=2))
        low, high = (bounds[0], None) if len(bounds) == 1 else _in_order(bounds, kind)
        if high is None and growing.draw(st.booleans()):
            low, high = None, low
        test |= {"range_filter": True, "start": low, "end": high}
        test |= {"start_exclusive": growing.draw(st.booleans())}
        test |= {"end_exclusive": growing.draw(st.booleans())}
    if kind in ("string", "array") and way in ("query", "values"):
        blank = "" in (test.get("query"), *test.get("values", ()))  # only whole texts can be blank
        test["match"] = "exact" if blank else growing.one_of([None, "exact", "contains", "prefix"])
    if growing.draw(st.booleans()) and growing.draw(st.booleans()):
        test["negate"] = True
    return {key: value for key, value in test.items() if value is not None}


def _beside(growing: Growing) -> dict[str, Any]:
    """A test of one field by another."""
    one, other = growing.one_of(COMPARED)
    if growing.draw(st.booleans()):
        one, other = other, one
    sides = growing.one_of([["start"], ["end"], ["start", "end"]])
    bounds = {f"{side}_field": other for side in sides}
    strict = {f"{side}_exclusive": True for side in sides if growing.draw(st.booleans())}
    negate = {"negate": True} if growing.one_of([False, False, True]) else {}
    return {"field": one, "range_filter": True, **bounds, **strict, **negate}


def _in_order(bounds: list[Any], kind: str) -> list[Any]:
    return sorted(bounds, key=str.lower) if kind == "string" else sorted(bounds)


def _sort(growing: Growing, at: int) -> int:
    name = growing.one_of([name for name, kind in growing.kinds.items() if kind != "array"])
    numeric = name in ("weight", "pieces") and growing.draw(st.booleans())
    default = growing.draw(ASKED[name]) if numeric else None
    default = int(default) if name == "pieces" and default is not None else default
    down = growing.draw(st.booleans())
    then = None
    if growing.draw(st.booleans()):
        other = growing.one_of(["grade", "sent", "weight", "sent.weekday"])
        then = [{"field": other, "descending": growing.draw(st.booleans())}]
    return growing.add("Sort", at, field=name, descending=down, default_value=default, then=then)


def _limit(growing: Growing, at: int) -> int:
    per = growing.one_of([None, None, ["grade"], ["city", "fragile"]])
    before = growing.nodes[str(at)]
    plain = per is None and before["node_type"] == "Sort" and "default_value" not in before
    ties = True if plain and growing.draw(st.booleans()) else None
    count = growing.draw(st.integers(1, 40))
    skip = growing.one_of([None, None, 1, 7])
    return growing.add("Limit", at, num_records=count, per=per, with_ties=ties, skip=skip)


def _unroll(growing: Growing, at: int) -> int:
    name = growing.one_of(["tags", "tags", "city"])
    made = growing.add("Unroll", at, field=name)
    growing.kinds[name] = "string"
    return made


def _join(growing: Growing, at: int) -> int:
    aside = Growing(growing.draw, growing.nodes)
    other = aside.add("QueryDatabase")
    other = _filter(aside, other)
    one = growing.one_of(["grade", "city", "pieces", "weight", "sent", "tags", "serial"])
    alike = {"grade": ["grade", "tags"], "tags": ["tags", "city"], "pieces": ["pieces", "weight"],
             "weight": ["weight", "pieces"]}  # fmt: skip
    two = growing.one_of(alike.get(one, [one]))
    if aside.draw(st.booleans()):
        other, two = aside.add("TopK", other, field=two, K=2, descending=True), "key"
    return growing.add("FieldIn", at, other, field_one=one, field_two=two)


def _project(growing: Growing, at: int) -> int:
    return growing.add("Project", at, fields=list(growing.kinds))


def _number(growing: Growing, source: int, at: int) -> int:
    way = growing.one_of(["count", "distinct", "aggregate", "aggregate"])
    if way == "aggregate":
        return growing.add("Aggregate", at, aggregations=[_measure(growing, 0)])
    name = growing.field() if way == "distinct" else None
    return growing.add("Count", at, distinct_field=name)


def _calculation(growing: Growing, source: int, at: int) -> int:
    left = _number(growing, source, at)
    aside = Growing(growing.draw, growing.nodes)
    right = _number(aside, source, _through_documents(aside, source, 1))
    operation = growing.one_of(["add", "subtract", "multiply", "divide"])
    return growing.add("Math", left, right, operation=operation)


def _measure(growing: Growing, place: int) -> dict[str, Any]:
    func = growing.one_of(
        ["avg", "sum", "min", "max", "median", "count", "distinct", "share", "share"]
    )
    name: str | None = growing.one_of(NUMBERS)
    if func in ("count", "distinct"):
        name = growing.one_of([growing.field(), None if func == "count" else "city"])
    if func == "share":
        name = None
    where = [_test(growing) for _ in range(growing.draw(st.integers(0, 1)))]
    made = {"func": func, "field": name, "name": f"n{place}", "where": where}
    return {key: value for key, value in made.items() if value not in (None, [])}


def _table(growing: Growing, source: int, at: int) -> int:
    way = growing.one_of(["top", "distinct", "count", "collect", "aggregate"])
    if way == "distinct":
        return _through_rows(growing, growing.add("Distinct", at, field=growing.field()), ["key"])
    if way == "top":
        primary = growing.one_of([None, "grade", "tags", "serial"])
        size, down = growing.one_of([None, 1, 3]), growing.draw(st.booleans())
        top = growing.add("TopK", at, field=growing.field(), K=size, descending=down,
                          primary_field=primary)  # fmt: skip
        return _through_rows(growing, top, ["key", "count"])
    bucket = growing.one_of([None, None, "year", "quarter", "month", "week"])
    first = growing.one_of(["sent", "seen"]) if bucket else growing.key()
    second = growing.one_of([None, ["grade"], ["fragile", "tags"]])
    group = growing.add("GroupBy", at, field=first, fields=second, bucket=bucket)
    if way == "collect":
        return growing.add("AggregateCollect", group)
    if way == "count":
        rows = growing.add("AggregateCount", group)
        return _through_rows(growing, rows, ["count"])
    count = growing.draw(st.integers(1, 3))
    return growing.add(
        "Aggregate", group, aggregations=[_measure(growing, i) for i in range(count)]
    )


def _through_rows(growing: Growing, at: int, names: list[str]) -> int:
    for _ in range(growing.draw(st.integers(0, 2))):
        way = growing.one_of(["filter", "sort", "limit", "distinct", "number"])
        name = growing.one_of(names)
        if way == "filter" and name == "count":
            at = growing.add("BasicFilter", at, field=name, start=growing.draw(st.integers(0, 9)))
        elif way == "sort":
            down = growing.draw(st.booleans())
            at = growing.add("Sort", at, field=name, descending=down)
        elif way == "limit":
            at = growing.add("Limit", at, num_records=growing.draw(st.integers(1, 9)))
        elif way == "distinct":
            return growing.add("Distinct", at, field=name)
        elif way == "number":
            return growing.add("Count", at, distinct_field=growing.one_of([None, name]))
    return at
