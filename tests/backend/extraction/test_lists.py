"""Which values of a document make a list."""

from collections.abc import Callable

import numpy as np

from backend.extraction.document import Document
from backend.extraction.engine import compiled, extract
from backend.extraction.lists import listings
from backend.extraction.segments import Place
from backend.extraction.spots import Spot
from backend.extraction.weighing import measured
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]
SEALS = {"type": "array", "item_type": {"type": "string"}, "description": "Numbers of the seals"}


def test_values_of_one_sentence_or_one_column_are_lists(
    document: Build, schema: MakeSchema
) -> None:
    read = Document(
        document(
            "We closed it with QX-101, QX-102 and QX-103.",
            [["Seal", "Place"], ["AB-7", "bow"], ["AB-8", "stern"]],
        )
    )
    (one,) = measured(compiled(schema(("seals", SEALS))), read, lambda targets, document: {})
    result = listings(one.groups, one.lists, np.zeros(len(one.groups)))
    values = [sorted(listing.values) for listing in result]
    assert ["QX-101", "QX-102", "QX-103"] in values
    assert ["AB-7", "AB-8"] in values
    assert not any("QX-101" in some and "QX-101, QX-102 and QX-103" in some for some in values)


def test_figures_that_a_sentence_lists_and_words_in_brackets_may_be_items(
    document: Build, schema: MakeSchema
) -> None:
    read = Document(document("Lines 14, 40 and 9 are diverted.", "Oak (Quercus robur), two crates"))
    (one,) = measured(compiled(schema(("names", SEALS))), read, lambda targets, document: {})
    assert {"14", "40", "9", "Quercus robur"} <= {group.value for group in one.groups}


def test_a_list_behind_its_label_is_given_in_its_order(document: Build, schema: MakeSchema) -> None:
    elements = document("Report", "Seals: QX-103, QX-101, QX-102", "Weight: 12 kg")
    results = extract(elements, schema(("seals", SEALS)))["seals"]
    assert results.value == ["QX-103", "QX-101", "QX-102"]
    assert results.element == 1


def test_a_property_that_says_how_many_it_asks_for_gets_no_longer_list(
    document: Build, schema: MakeSchema
) -> None:
    asked = SEALS | {"description": "The three main reasons"}
    rows = [["Reason", "Share"], ["Price", "41 %"], ["Delays", "22 %"], ["Dirt", "9 %"]]
    read = Document(document([*rows, ["Noise", "4 %"]]))
    (one,) = measured(compiled(schema(("reasons", asked))), read, lambda targets, document: {})
    values = [listing.values for listing in one.listings(np.zeros(len(one.groups)))]
    assert ["Price", "Delays", "Dirt"] in values
    assert max(map(len, values)) == 3


def test_a_list_that_only_a_close_reading_proposes_is_in_the_running(
    document: Build, schema: MakeSchema
) -> None:
    read = Document(document("Bring figs for Ann, and whatever you do not a cake; nuts too."))
    (one,) = measured(compiled(schema(("goods", SEALS))), read, lambda targets, document: {})
    spots = [
        Spot(item, Place(read.segments[0], start, start + len(item)), "piece", 0.0)
        for item in ("figs", "nuts")
        for start in (read.segments[0].text.index(item),)
    ]
    result = listings(one.groups, one.lists, np.zeros(len(one.groups)), [spots])
    (own,) = [listing for listing in result if "read" in listing.ways]
    assert own.values == ["figs", "nuts"]
    assert own.spots[0].place.segment is read.segments[0]
