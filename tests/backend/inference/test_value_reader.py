"""Which values of a document its properties mean, by the network that ships."""

import numpy as np
import pytest

from backend.inference.phrase_vectors import encoder
from backend.inference.value_reader import (
    TYPES,
    Answer,
    Asked,
    Possible,
    Sheet,
    Stretch,
    value_reader,
)

LETTER = (
    "Dear Ms Oyelaran, your lease of the flat ends on 31 January 2022. The rent is 475 euros a "
    "month from 1 March 2022, of which 60 euros are for heating. Yours sincerely, Harriet Lowe, "
    "landlady"
)


def odds(name: str, kind: str, *values: str) -> list[float]:
    """The odds of some values of the letter for one property."""
    read: list[float] = answer(name, kind, *values).odds.tolist()
    return read


def placed(name: str, *values: str) -> list[float]:
    """How probable the place of each value is."""
    read: list[float] = answer(name, "string", *values).placed.tolist()
    return read


def answer(name: str, kind: str, *values: str) -> Answer:
    """What is read for one property of the letter."""
    pieces = encoder().pieces
    tokens, starts = pieces.placed(LETTER)
    first, between = pieces.tokens("", 2)
    stretches: list[Stretch] = []
    for value in values:
        at = LETTER.index(value)
        inside = [n for n, start in enumerate(starts) if at <= start < at + len(value)]
        stretches.append((inside[0] + 1, inside[-1] + 2))
    words = pieces.placed(name)[0]
    begin = len(tokens) + 2
    asked = Asked(
        (begin, begin + len(words)), TYPES.index(kind),
        [Possible([stretch], None, 0) for stretch in stretches],
    )  # fmt: skip
    sheet = Sheet([first, *tokens, between, *words, between], begin, [asked])
    (own,) = value_reader().answers(sheet)
    return own


@pytest.mark.parametrize(
    ("name", "kind", "meant", "others"),
    [
        ("tenant: who lives there", "string", "Ms Oyelaran", ["Harriet Lowe"]),
        ("signatory: who wrote the letter", "string", "Harriet Lowe", ["Ms Oyelaran"]),
        ("end of lease: last day", "date", "31 January 2022", ["1 March 2022"]),
        ("new rent: in euros a month", "float", "475 euros", ["60 euros"]),
    ],
)
def test_a_value_is_recognised_by_the_words_about_it(
    name: str, kind: str, meant: str, others: list[str]
) -> None:
    right, *wrong = odds(name, kind, meant, *others)
    assert right > max(wrong)


def test_an_unrequested_value_is_less_likely() -> None:
    (asked,) = odds("new rent: in euros a month", "float", "475 euros")
    (foreign,) = odds("tonnage: of the vessel", "float", "475 euros")
    assert asked > foreign


def test_the_best_of_several_places_counts_and_no_value_has_no_odds() -> None:
    reader, (first, last) = value_reader(), encoder().pieces.tokens("", 2)
    tokens = [first, *encoder().pieces.placed("rent 475 paid 60")[0], last, 1000, last]
    value = Possible([(2, 3), (4, 5)], None, 0)
    alone = [Possible([stretch], None, 0) for stretch in value.stretches]
    begin = len(tokens) - 2
    asked = Asked((begin, begin + 1), 4, [value, *alone])
    both, none = reader.answers(Sheet(tokens, begin, [asked, asked._replace(values=[])]))
    assert both.odds[0] == pytest.approx(max(both.odds[1:]))
    assert both.placed[0] == pytest.approx(max(both.placed[1:]))
    assert none.odds.shape == none.placed.shape == (0,)
    assert np.isfinite(both.odds).all()


def test_the_place_of_a_whole_name_is_likelier_than_that_of_a_part() -> None:
    whole, part = placed(
        "signatory: who wrote the letter", "Harriet Lowe", "Harriet Lowe, landlady"
    )
    assert whole > part
