"""The grammar of requests over three more collections: answers, and laws that hold for all of them.

The whole grammar takes minutes, so by default every case of a fixed stride is tried; the long form
tries all and is what `python -m tests.bench.plan_requests` counts.
"""

import random
from collections.abc import Callable, Iterator
from functools import lru_cache

import pytest

from tests.backend.plans.desk import Desk, make_desk
from tests.backend.plans.requests.answers import failure
from tests.backend.plans.requests.cases import Case
from tests.backend.plans.requests.collections import RECORDS, SCHEMAS, texts
from tests.backend.plans.requests.grammar import feedback, questions
from tests.backend.plans.requests.wording import WORDINGS, Wording
from workbench.contract.errors import Invalid
from workbench.contract.plan_canonical import plan_hash

NAMES = [words.name for words in WORDINGS]
Grammar = Callable[[str], "tuple[Desk, list[Case], list[Case]]"]
_STRIDE = 23
_ALLOWED = 0.03


@pytest.fixture(scope="module")
def grammar(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grammar]:
    """For the name of a collection: a desk, all questions and all feedback."""

    @lru_cache
    def made(name: str) -> tuple[Desk, list[Case], list[Case]]:
        words: Wording = next(words for words in WORDINGS if words.name == name)
        records = RECORDS[name]()
        reported = texts(name, records)
        desk = make_desk(tmp_path_factory.mktemp(name), name, SCHEMAS[name], records, reported)
        spoken = [{**r, "text": " ".join(t)} for r, t in zip(records, reported, strict=True)]
        return (
            desk,
            list(questions(words, spoken, desk.key)),
            list(feedback(words, spoken, desk.key)),
        )

    yield made


def wrong(desk: Desk, cases: list[Case]) -> list[str]:
    """What failed, one line each."""
    results = ((case, failure(desk, case)) for case in cases)
    return [
        f"{' || '.join(case.turns)}: {reason}" for case, reason in results if reason is not None
    ]


@pytest.mark.parametrize("name", NAMES)
def test_everyday_questions_give_the_answer_that_the_records_give(
    grammar: Grammar, name: str
) -> None:
    desk, asked, _ = grammar(name)
    tried = asked[::_STRIDE]
    bad = wrong(desk, tried)
    assert len(bad) <= _ALLOWED * len(tried), "\n".join(bad)


@pytest.mark.parametrize("name", NAMES)
def test_everyday_feedback_gives_the_answer_that_the_records_give(
    grammar: Grammar, name: str
) -> None:
    desk, _, conversations = grammar(name)
    tried = conversations[::_STRIDE]
    bad = wrong(desk, tried)
    assert len(bad) <= _ALLOWED * len(tried), "\n".join(bad)


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_the_whole_grammar_is_understood(grammar: Grammar, name: str) -> None:
    desk, asked, conversations = grammar(name)
    bad = wrong(desk, [*asked, *conversations])
    assert len(bad) <= _ALLOWED * len([*asked, *conversations]), "\n".join(bad)


@pytest.mark.parametrize("name", NAMES)
def test_undo_reverts_every_edit_of_the_grammar(grammar: Grammar, name: str) -> None:
    desk, _, phrase = grammar(name)
    for case in phrase[5 :: 4 * _STRIDE]:
        before = desk.begin(case.turns[0])
        kept = before.model_dump()
        try:
            after = desk.edit(before, case.turns[1])
        except Invalid:
            assert before.model_dump() == kept
            continue
        if plan_hash(after) != plan_hash(before):
            back = desk.edit(after, "undo")
            assert plan_hash(back) == plan_hash(before), case.turns
            assert plan_hash(desk.edit(back, "redo")) == plan_hash(after), case.turns


@pytest.mark.parametrize("name", NAMES)
def test_filters_may_be_added_in_any_order(grammar: Grammar, name: str) -> None:
    desk, _, conversations = grammar(name)
    narrowing = [
        case for case in conversations if case.sort in ("narrow by fact", "narrow by number")
    ]
    placing = [case for case in conversations if case.sort == "narrow"]
    dice = random.Random(name)
    start = desk.begin(narrowing[0].turns[0])
    for _ in range(12):
        one, two = dice.choice(narrowing).turns[1], dice.choice(placing).turns[1]
        try:
            there, back = desk.edit(start, one, two), desk.edit(start, two, one)
        except Invalid:
            continue
        assert plan_hash(there) == plan_hash(back), (one, two)
