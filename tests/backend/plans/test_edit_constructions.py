"""Every construction of follow-ups reads its own example."""

from collections.abc import Callable
from datetime import date

import pytest

from backend.plans.reading.assembly import tokens_of
from backend.plans.reading.chart import Chart
from backend.plans.reading.grammar_edits import EDITS, FOLLOW_UPS
from backend.plans.reading.linker import link
from backend.plans.reading.sorts import LIGHT
from backend.plans.reading.vocabulary import Vocabulary, read_vocabulary
from backend.plans.service import TextWords
from tests.backend.plans.desk import ACCOUNT, Desk, make_desk
from tests.backend.plans.test_constructions import BOATS, _boats


@pytest.fixture(scope="module")
def boats(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return make_desk(tmp_path_factory.mktemp("boats"), "boats", BOATS, _boats(), [["A boat"]] * 12)


@pytest.fixture(scope="module")
def vocabulary(boats: Desk) -> Vocabulary:
    collection, values = boats.service._collections.open_with_values(boats.docset_id, ACCOUNT)
    return read_vocabulary(collection, values, TextWords(frozenset(), frozenset()))


@pytest.fixture(scope="module")
def charted(vocabulary: Vocabulary) -> Callable[[str], Chart]:
    def made(text: str) -> Chart:
        _, tokens = tokens_of(text)
        light = frozenset(i for i, token in enumerate(tokens) if token.lower in LIGHT)
        chart = Chart(len(tokens), FOLLOW_UPS.grammar, {}, light)
        link(chart, tokens, vocabulary, date(2026, 5, 28))
        chart.close()
        return chart

    return made


_EXAMPLES = sorted({(c.kind, c.example) for c in EDITS})


@pytest.mark.parametrize(("kind", "example"), _EXAMPLES)
def test_a_construction_reads_its_example(
    kind: str, example: str, charted: Callable[[str], Chart]
) -> None:
    chart = charted(example)
    whole = [edge for edge in chart.edges(kind) if edge.end - edge.start == chart.length]
    own = [c for c in EDITS if (c.kind, c.example) == (kind, example)]
    names = {c.weight or f"{c.kind}: {c.pattern}" for c in own}
    assert any(name in names for edge in whole for name, _ in edge.features[-1:])
