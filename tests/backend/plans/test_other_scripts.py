"""Words in scripts that the values of a collection are not written in."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.errors import Invalid

_PROPERTIES: list[dict[str, Any]] = [
    {"name": "city", "type": {"type": "string"}},
    {"name": "total", "type": {"type": "float"}},
]


@pytest.fixture(scope="module")
def cities(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    names = ["Rome", "Oslo", "Bern", "東京"]
    records = [{"city": names[n % 4], "total": 10.0 * n + 5} for n in range(12)]
    folder: Path = tmp_path_factory.mktemp("cities")
    return make_desk(folder, "cities", _PROPERTIES, records, [["Report"] for _ in records])


_FOREIGN = ["только Рим", "فقط روما", "עיר רומא", "само Рим", "प्राग", "Ρώμη", "reports of Рим"]


@pytest.mark.parametrize("words", _FOREIGN)
def test_a_word_in_another_script_is_refused_and_never_a_value(cities: Desk, words: str) -> None:
    with pytest.raises(Invalid):
        cities.edit(cities.begin("total by city"), words)
    with pytest.raises(Invalid):
        cities.ask(words)


def test_a_value_in_another_script_is_found_by_its_own_letters(cities: Desk) -> None:
    assert cities.rows(cities.edit(cities.begin("total by city"), "only 東京")) == {"東京": 225.0}


@pytest.mark.parametrize("words", ["ｏｎｌｙ Ｒｏｍｅ", "only　Ｒｏｍｅ"])
def test_wide_letters_are_read_as_usual_ones(cities: Desk, words: str) -> None:
    assert cities.rows(cities.edit(cities.begin("total by city"), words)) == {"Rome": 135.0}


@pytest.fixture
def keeps(tmp_path: Path) -> Callable[[str, list[str]], list[str]]:
    """The cities that are left after feedback on a collection with some."""

    def run(words: str, names: list[str]) -> list[str]:
        records = [{"city": names[n % len(names)], "total": 10.0 * n + 5} for n in range(12)]
        desk = make_desk(tmp_path, "cities", _PROPERTIES, records, [["Report"] for _ in records])
        return list(desk.rows(desk.edit(desk.begin("total by city"), words)))

    return run


@pytest.mark.parametrize("names", [["दिल्ली", "दलल", "Rome"], ["กรุงเทพ", "กรงเทพ", "Rome"]])
def test_separate_vowel_signs_distinguish_words(
    keeps: Callable[[str, list[str]], list[str]], names: list[str]
) -> None:
    assert keeps(f"only {names[0]}", names) == names[:1]


@pytest.mark.parametrize("stored", ["Zürich", "Zu\u0308rich"])
@pytest.mark.parametrize("asked", ["Zürich", "Zu\u0308rich"])
def test_accents_may_be_written_as_signs_of_their_own(
    keeps: Callable[[str, list[str]], list[str]], stored: str, asked: str
) -> None:
    assert keeps(f"only {asked}", [stored, "Rome", "Oslo"]) == [stored]
