"""Several invoices are documents, whether or not all of them have a number of their own."""

from pathlib import Path
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk

_PROPERTIES: list[dict[str, Any]] = [
    {"name": "invoice_number", "type": {"type": "string", "description": "Number of the invoice"}},
    {"name": "seller", "type": {"type": "string", "description": "Name of the seller"}},
    {"name": "seller_vat_id", "type": {"type": "string", "description": "VAT id of the seller"}},
]


@pytest.fixture(scope="module")
def invoices(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    records = [
        {
            "invoice_number": f"R{n % 9}1",
            "seller": f"Firm {n % 7} GmbH",
            "seller_vat_id": f"{'DE' if n % 3 else 'FR'}{123456780 + n % 7}",
        }
        for n in range(24)
    ]
    folder: Path = tmp_path_factory.mktemp("invoices")
    return make_desk(folder, "invoices", _PROPERTIES, records, [["Invoice"] for _ in records])


@pytest.mark.parametrize(
    "question",
    [
        "how many invoices come from sellers with a German VAT id (DE...)",
        "how many invoices come from sellers with a German VAT id",
        "how many invoices have a VAT id that begins with DE",
    ],
)
def test_documents_are_counted_by_their_noun(invoices: Desk, question: str) -> None:
    assert invoices.result(invoices.ask(question)) == 16


def test_their_numbers_are_counted_where_they_are_named(invoices: Desk) -> None:
    assert invoices.result(invoices.ask("how many different invoice numbers are there")) == 9
