"""Labels of other languages say what their English counterparts say."""

from collections.abc import Callable

import pytest

from backend.extraction.engine import compiled, extract
from backend.extraction.foreign_labels import foreign_labels
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("invoice_number", "Rechnungsnummer"),
        ("due_date", "Vervaldatum"),
        ("tax_total", "TVA 20 %"),
        ("gross_total", "Total TTC"),
        ("amount_due", "Noch zu zahlen"),
        ("notice_period", "Délai de préavis"),
        ("meter_reading", "Lectura del contador"),
    ],
)
def test_a_foreign_label_fits_an_english_property(
    schema: MakeSchema, name: str, label: str
) -> None:
    (target,) = compiled(schema((name, "string")))
    assert target.fit(label) >= 0.6


def test_a_german_invoice_answers_an_english_schema(document: Build, schema: MakeSchema) -> None:
    wanted = schema(("invoice_number", "string"), ("due_date", "date"), ("net_total", "float"))
    table = [
        ["Rechnungsnummer", "2024-0337"],
        ["Rechnungsdatum", "27.05.2024"],
        ["Fällig am", "10.06.2024"],
        ["Nettobetrag", "3.120,00"],
        ["Gesamtbetrag", "3.712,80"],
    ]
    read = extract(document("Dachdeckerei Brandl GmbH", table), wanted)
    assert {name: one.value for name, one in read.items()} == {
        "invoice_number": "2024-0337", "due_date": "2024-06-10", "net_total": 3120.0,
    }  # fmt: skip


def test_every_label_is_written_in_small_letters_and_once() -> None:
    labels = foreign_labels()
    assert all(label == label.lower().strip() for label in labels)
    assert not set(labels) & set(labels.values())
