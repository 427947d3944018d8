"""Lists by the tags of their tokens: what is proposed, and the evidence for a list."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from backend.extraction.document import Document
from backend.extraction.groups import Group
from backend.extraction.layouts import Layout
from backend.extraction.lists import listings
from backend.extraction.segments import Place
from backend.extraction.spots import Spot
from backend.extraction.tagged import TAGGED, Tagged
from workbench.contract.elements import Element

Build = Callable[..., list[Element]]
TEXT = ("We bring bread, blue cheese and figs to the hut.", "Walnuts", "Sue drives.")
ITEMS = ("bread", "blue cheese", "figs", "Walnuts")


def place_of(document: Document, text: str) -> Place:
    segment = next(s for s in document.segments if text in s.text and not s.joined)
    start = segment.text.index(text)
    return Place(segment, start, start + len(text))


def tagged(
    document: Document, *items: str, level: float = 0.9, values: Sequence[str] = ()
) -> Tagged:
    """The document with these items tagged, and values in the running."""
    layout = Layout(document, [], 300)
    tags = np.zeros((2, len(layout.tokens)))
    for item in items:
        stretch = layout.stretch(place_of(document, item))
        assert stretch is not None
        first, end = stretch
        tags[0, first], tags[1, first:end] = level, level
    places = [[place_of(document, value)] if value else [] for value in values]
    return Tagged(layout, tags.astype(np.float32), places)


def written(places: list[Place]) -> list[str]:
    return [one.segment.text[one.start : one.end].strip(" ,.") for one in places]


@pytest.fixture
def read(document: Build) -> Document:
    return Document(document(*TEXT))


def group(document: Document, text: str) -> Group:
    return Group(text.lower(), text, spots=[Spot(text, place_of(document, text), "piece", 0.0)])


def row(document: Document, *values: str) -> dict[str, float]:
    """The features of a list of these values, where `ITEMS` are tagged."""
    own = tagged(document, *ITEMS, values=values).features(range(len(values)), len(values))
    return dict(zip(TAGGED, own.tolist(), strict=True))


def test_every_tagged_item_is_proposed_in_reading_order(read: Document) -> None:
    assert [written(one) for one in tagged(read, *ITEMS).lists()] == [list(ITEMS)] * 2


def test_two_items_side_by_side_are_parted_where_the_second_begins(read: Document) -> None:
    assert written(tagged(read, "blue", "cheese").lists()[0]) == ["blue", "cheese"]


def test_doubtful_tags_propose_a_list_of_their_own(read: Document) -> None:
    assert [written(one) for one in tagged(read, "figs", level=0.3).lists()] == [["figs"]]
    assert tagged(read, "figs", level=0.1).lists() == []


def test_the_whole_list_covers_what_is_tagged_and_half_of_it_does_not(read: Document) -> None:
    whole, half = row(read, *ITEMS), row(read, "bread", "figs")
    assert whole["covered"] == pytest.approx(1)
    assert whole["expected"] == pytest.approx(-0.4)
    assert half["covered"] < 0.6
    assert half["expected"] > 1


def test_untagged_items_and_undivided_ones_count_against_a_list(read: Document) -> None:
    assert row(read, "bread", "Sue")["tagged"] < row(read, "bread", "figs")["tagged"]
    undivided = row(read, "blue cheese and figs")
    assert undivided["opened_within"] == pytest.approx(0.9)
    assert row(read, "blue cheese", "figs")["opened_within"] == pytest.approx(0, abs=1e-5)


def test_an_item_outside_the_text_counts_as_untagged(read: Document) -> None:
    (_, unread) = tagged(read, *ITEMS, values=("figs", "")).measured
    (inside, length, opening, within) = unread
    assert (inside, opening, within) == (0, 0, 0)
    assert length > 0
    assert tagged(read, *ITEMS).measured.shape == (0, 4)


def test_values_that_fit_the_tags_are_items_and_their_parts_are_not(read: Document) -> None:
    items = ("bread", "blue cheese", "cheese", "Sue")
    tags = tagged(read, *ITEMS, values=items)
    (fits, sure), _ = tags.values()
    assert sure == [0, 1]
    assert fits[1] > fits[2] > fits[3]
    values = listings([group(read, item) for item in items], [], np.zeros(4), tagged=tags)
    assert ["bread", "blue cheese"] in [one.values for one in values if "by_tags" in one.ways]
