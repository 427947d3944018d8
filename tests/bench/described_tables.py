"""Questions about described tables, with what an answer uses of each property.

    python -m tests.bench.described_tables FILE TABLES…

    python -m tests.bench.described_tables FILE TABLES… --turns TURNS…

TABLES are files with one JSON object a line: a table, some values of each property, and questions
with their `uses`. No answer is known: a plan is right when it uses the properties just so. Makes
documents of the values at random, and keeps the questions with the plans that they may mean as
`tests.bench.asked_plans` does. TURNS are files with follow-ups to these questions, with what the
answer uses after each; only these are kept then, without plans.
"""

import argparse
import json
import pickle
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from backend.plans.requests.outlook import Standing, columns_of
from backend.plans.requests.roles import TRAITS, Roles, roles_of, values_tested
from tests.backend.plans.desk import ACCOUNT, Desk, make_desk
from tests.bench.asked_plans import AskedPlans, lowered, with_plans
from tests.bench.fit_readings import planned
from workbench.contract.plan import Plan
from workbench.contract.plan_columns import DATED
from workbench.contract.plan_nodes import ENTITY

_RECORDS, _MISSING = 60, 0.15
_COMPARED = frozenset({"shown", "used"})
_ROLES_OF = {("is", "false"): {"is not"}, ("is not", "true"): {"is not"},
             ("is not", "false"): {"is"}}  # fmt: skip
_DAY, _DAYS_BETWEEN = {"from", "to"}, {"begins", "ends"}
_TRAITS_COMPARED = ("count", "groups", "share", "first", "distinct", "figure")

Table = Mapping[str, Any]


def desk_of(table: Table, work: Path) -> Desk:
    """The table with made documents."""
    dice = random.Random(table["name"])
    gaps = {name for question in table["questions"] for name, roles in question["uses"].items()
            if {"known", "unknown"} & set(roles)}  # fmt: skip
    records = [
        {prop["name"]: dice.choice(prop["values"]) for prop in table["properties"]
         if prop["name"] not in gaps or dice.random() > _MISSING}
        for _ in range(_RECORDS)
    ]  # fmt: skip
    properties = [{k: v for k, v in prop.items() if k != "values"} for prop in table["properties"]]
    texts = [[table["noun"].capitalize(), *(f"{k.replace('_', ' ')}: {v}" for k, v in one.items())]
             for one in records]  # fmt: skip
    work.mkdir(parents=True)
    return make_desk(work, table["noun"], properties, records, texts)


def uses_of(
    question: Mapping[str, Any], kinds: Mapping[str, str]
) -> tuple[Roles, dict[str, list[str]]]:
    """What an answer uses, as roles, and the values that it tests for."""
    of: dict[str, set[str]] = defaultdict(set)
    values: dict[str, list[str]] = defaultdict(list)
    for name, noted in question["uses"].items():
        field, dated = ENTITY + name, kinds[name] in DATED and "part" not in noted
        for kind, _, value in (role.partition("=") for role in noted):
            of[field] |= _ROLES_OF.get((kind, value)) or (_DAY if dated and value else {kind})
            if value and kinds[name] in ("string", "array"):
                values[field].append(value)
    both = [roles for roles in of.values() if roles & _DAYS_BETWEEN]
    shared = set[str]().union(*both) - _DAYS_BETWEEN
    for roles in both:  # what is done with the days between is done with both dates
        roles |= shared
    for roles in of.values():
        roles |= {"used"} if roles != {"shown"} else set()
    traits = {"answers", *question["does"]} & set(TRAITS)
    return Roles({k: frozenset(v) for k, v in of.items()}, frozenset(traits)), dict(values)


def is_so(plan: Plan, wanted: Roles, values: Mapping[str, set[str]]) -> bool:
    """Whether a plan uses the properties, and gives, what was noted."""
    does = roles_of(plan)

    def compared(roles: Roles) -> dict[str, frozenset[str]]:
        kept = {field: some - _COMPARED for field, some in roles.of.items()}
        return {field: some for field, some in kept.items() if some}

    tested = {f: v for f, v in lowered(values_tested(plan)).items() if v and f in values}
    same = all((trait in does.traits) == (trait in wanted.traits) for trait in _TRAITS_COMPARED)
    return same and compared(does) == compared(wanted) and all(
        tested.get(field) == some for field, some in values.items() if field in tested
    )  # fmt: skip


def questions_of(table: Table, work: Path) -> Iterator[AskedPlans]:
    """All questions about a table."""
    desk = desk_of(table, work)
    kinds = {prop["name"]: prop["type"] for prop in table["properties"]}
    for question in table["questions"]:
        wanted, values = uses_of(question, kinds)
        read = planned(desk, question["q"])
        answers = bool(question["does"])
        meant = lowered(values)
        right = [answers and is_so(c.plan, wanted, meant) for c in read.candidates]
        made = with_plans(desk, f"described/{table['name']}", read, right)
        if not answers:
            yield made
            continue
        yield replace(made, answers=True, wanted=wanted, values=meant)


def turns_of(table: Table, talks: Sequence[Table], work: Path) -> Iterator[AskedPlans]:
    """All follow-ups in the conversations about a table."""
    desk = desk_of(table, work)
    vocabulary = desk.service._vocabulary(desk.docset_id, ACCOUNT)
    kinds = {prop["name"]: prop["type"] for prop in table["properties"]}
    asked = {question["q"]: question for question in table["questions"]}
    for talk in talks:
        if talk["start"] not in asked:  # another table has the same name
            continue
        now = Standing(*uses_of(asked[talk["start"]], kinds))
        for turn in talk["turns"]:
            wanted, values = uses_of(turn, kinds)
            columns = columns_of(turn["say"], vocabulary, now)
            answers = bool(turn["does"])
            yield AskedPlans(
                f"turns/{table['name']}", turn["say"], vocabulary.collection.name, columns, [], [],
                answers, wanted if answers else None, values=lowered(values) if answers else None,
                now=now.traits,
            )  # fmt: skip
            now = Standing(wanted, values) if answers else now


def read_tables(files: Sequence[Path]) -> list[Table]:
    lines = [line for file in files for line in file.read_text().splitlines() if line.strip()]
    return [json.loads(line) for line in lines]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("tables", type=Path, nargs="+")
    parser.add_argument("--turns", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    kept: list[AskedPlans] = []
    talks: dict[str, list[Table]] = defaultdict(list)
    for talk in read_tables(options.turns):
        talks[talk["table"]].append(talk)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        for number, table in enumerate(read_tables(options.tables)):
            place = Path(work) / str(number)
            if not options.turns:
                kept += questions_of(table, place)
            elif table["name"] in talks:
                kept += turns_of(table, talks[table["name"]], place)
    options.file.write_bytes(pickle.dumps(kept))
    answered = [one for one in kept if one.answers]
    print(len(kept), "questions,", len(answered), "have an answer; with a plan that fits:",
          sum(any(one.right) for one in answered))  # fmt: skip


if __name__ == "__main__":
    main()
