"""What of a document the network reads, and what its odds become."""

from collections.abc import Callable

import numpy as np

from backend.extraction.close_reading import READ, read_closely, reading
from backend.extraction.document import Document
from backend.extraction.layouts import Asking
from backend.extraction.segments import Place
from backend.extraction.targets import Target, targets
from backend.inference.phrase_vectors import encoder
from backend.inference.value_reader import TOKENS
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


LETTER = (
    "Let to Ann Lee by Tom Roe.",
    "The house has three rooms, a kitchen and a small garden behind it; the rent is paid on the"
    " first of each month, and the garden gate is to be kept shut because of the neighbour's dog.",
)


def asking(target: Target, document: Document, *values: str) -> Asking:
    """A property with values where they stand first, the first one most likely by signs."""
    places = []
    for value in values:
        segment = next(s for s in document.segments if value in s.text)
        start = segment.text.index(value)
        places.append([Place(segment, start, start + len(value))])
    return Asking(target, target.shape.kind, values, places, -np.arange(float(len(values))))


def words(document: Document, one: Asking) -> list[str]:
    """The pieces of the words where each value stands in what is read."""
    own = reading(document, [one])
    tokens = encoder().pieces
    (asked,) = own.sheet.asked
    shown = []
    for value in asked.values:
        start, end = value.stretches[0]
        shown.append([*own.sheet.tokens[start:end]])
    return [
        name
        for name in one.values
        if isinstance(name, str) and tokens.placed(name)[0] in shown
    ]  # fmt: skip


def test_a_value_is_read_at_its_position(document: Build, schema: MakeSchema) -> None:
    (target,) = targets(schema(("tenant", "string")).properties)
    read = Document(document("Let to Ann Lee of Kelso,", "by Tom Roe."))
    one = asking(target, read, "Ann Lee", "Tom Roe")
    assert words(read, one) == ["Ann Lee", "Tom Roe"]


def test_lines_put_together_are_read_where_their_parts_stand(
    document: Build, schema: MakeSchema
) -> None:
    (target,) = targets(schema(("address", "string")).properties)
    read = Document(document("Ann Lee\n14 Tanner Row\nKelso TD5 7QX"))
    joined = next(s for s in read.segments if s.joined and s.text == "14 Tanner Row Kelso TD5 7QX")
    place = Place(joined, 0, len(joined.text))
    one = Asking(target, "string", [joined.text], [[place]], np.zeros(1))
    (asked,) = reading(read, [one]).sheet.asked
    start, end = asked.values[0].stretches[0]
    pieces = encoder().pieces
    own = reading(read, [one]).sheet.tokens[start:end]
    both = [pieces.placed(text)[0] for text in ("14 Tanner Row", "Kelso TD5 7QX")]
    assert own == [*both[0], pieces.tokens("", 2)[1], *both[1]]


def test_of_a_long_document_the_texts_are_read_where_likely_values_stand(
    document: Build, schema: MakeSchema
) -> None:
    (target,) = targets(schema(("tenant", "string")).properties)
    filling = [f"Clause {n}: the parties agree on what is written here." for n in range(150)]
    read = Document(document(*filling[:100], "Let to Ann Lee of Kelso.", *filling[100:]))
    own = reading(read, [asking(target, read, "Ann Lee")])
    assert len(own.sheet.tokens) <= TOKENS
    assert own.read == [[0]]


def test_a_choice_is_read_beside_its_words_and_a_bool_beside_its_answer(
    document: Build, schema: MakeSchema
) -> None:
    choice = schema(("mood", {"type": "choice", "choices": ["glad", "sad"]}))
    (target,) = targets(choice.properties)
    read = Document(document("She was glad."))
    (asked,) = reading(read, [asking(target, read, "glad")]).sheet.asked
    tokens = reading(read, [asking(target, read, "glad")]).sheet.tokens
    assert asked.values[0].choice is not None
    start, end = asked.values[0].choice
    assert tokens[start:end] == encoder().pieces.placed("glad")[0]


def test_a_schema_of_many_properties_is_read_to_its_end(
    document: Build, schema: MakeSchema
) -> None:
    many = targets(schema(*((f"name_{n}", "string") for n in range(40))).properties)
    read = Document(document(*LETTER))
    out = read_closely(read, [asking(one, read, "Ann Lee", "Tom Roe") for one in many])
    assert [one.rows.shape for one in out if one is not None] == [(2, len(READ))] * 40


def test_a_value_that_is_not_read_is_less_likely_than_those_that_are(
    document: Build, schema: MakeSchema
) -> None:
    (target,) = targets(schema(("tenant", "string")).properties)
    read = Document(document(*LETTER))
    one = asking(target, read, "Ann Lee", "Tom Roe")
    one = one._replace(
        values=["Ann Lee", "Tom Roe", "Sue"], places=[*one.places, []], odds=np.zeros(3)
    )
    (closely,) = read_closely(read, [one])
    assert closely is not None
    assert closely.odds[2] < closely.odds[:2].min()
    read = closely.rows[:, READ.index("read")]
    assert read[2] < read[:2].min()
    assert closely.rows[:, READ.index("read_first")].tolist() == [*(read[:2] == read.max()), 0.0]


def test_a_property_without_places_is_left_to_signs(document: Build, schema: MakeSchema) -> None:
    (target,) = targets(schema(("tenant", "string")).properties)
    read = Document(document(*LETTER))
    assert read_closely(read, [Asking(target, "string", ["Sue"], [[]], np.zeros(1))]) == [None]
    assert read_closely(read, []) == []


def test_a_document_of_a_few_words_is_left_to_signs(document: Build, schema: MakeSchema) -> None:
    (target,) = targets(schema(("tenant", "string")).properties)
    read = Document(document("Let to Ann Lee by Tom Roe."))
    assert read_closely(read, [asking(target, read, "Ann Lee", "Tom Roe")]) == [None]


def test_a_long_document_is_known_not_to_be_read_whole(document: Build, schema: MakeSchema) -> None:
    (target,) = targets(schema(("tenant", "string")).properties)
    filling = [f"Clause {n}: the parties agree on what is written here." for n in range(150)]
    long, short = (Document(document(*LETTER, *more)) for more in (filling, []))
    assert not reading(long, [asking(target, long, "Ann Lee")]).layout.whole
    assert reading(short, [asking(target, short, "Ann Lee")]).layout.whole


def test_the_items_of_a_list_are_read_closely(document: Build, schema: MakeSchema) -> None:
    (target,) = targets(schema(("tenants", {"type": "array"})).properties)
    read = Document(document(*LETTER))
    one = asking(target, read, "Ann Lee", "Tom Roe")._replace(kind="item")
    (closely,) = read_closely(read, [one])
    assert closely is not None
    assert closely.odds.tolist() != one.odds.tolist()
