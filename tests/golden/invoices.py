"""Invoices of four invented suppliers in seven layouts and three currencies, as PDF and HTML.

Awkward on purpose: German number and date forms ("1.940,00 EUR", "17.01.2023"); American dates
("01/12/2023", decided by the US address and "Net 30"); subtotal, tax and total side by side;
delivery dates beside invoice dates; a supplier in two spellings; one slip without a currency.
"""

from __future__ import annotations

from datetime import date

from tests.golden.common import (
    Document,
    Same,
    Schema,
    form,
    html,
    pairs,
    para,
    pdf,
    prop,
    small,
    table,
)
from tests.golden.common import title as big

NOUN = "invoices"

SCHEMA: Schema = [
    prop("invoice_number", "string", "Number of the invoice", ["INV-10021", "2023/0117"]),
    prop("supplier", "string", "Company that issued the invoice", ["Kestrel Stationery"]),
    prop("invoice_date", "date", "Date of the invoice", ["2023-01-12"]),
    prop("due_date", "date", "Date by which payment is due", ["2023-02-11"]),
    prop("currency", "choice", "Currency of the total", ["EUR"], ("USD", "EUR", "GBP")),
    prop("total", "float", "Total to be paid, with tax", ["1284.50"]),
    prop("purchase_order", "string", "Customer's purchase order", ["PO-7781", "4500018"]),
    prop("paid", "bool", "Whether the invoice is marked as paid", ["yes", "no"]),
]

SAME: Same = {
    "supplier": {
        "Kestrel Stationery": ("KESTREL STATIONERY INC.", "Kestrel Stationery Inc."),
        "Weber Bürobedarf GmbH": ("Weber Buerobedarf GmbH",),
        "Blackheath Print Ltd": ("Blackheath Print Limited", "Blackheath Print"),
        "Solana Couriers": (),
    },
    "currency": {"USD": ("$", "US dollars"), "EUR": ("€", "Euro"), "GBP": ("£", "pounds sterling")},
}


def _doc(
    name: str, content: bytes, truth: tuple[object, ...], **written: tuple[str, ...]
) -> Document:
    names = [str(entry["name"]) for entry in SCHEMA]
    return Document(f"invoice_{name}", content, dict(zip(names, truth, strict=True)), written)


def _kestrel(
    meta: list[tuple[str, str]],
    lines: list[tuple[str, str, str, str]],
    sums: list[tuple[str, str]],
    last: str,
    name: str = "KESTREL STATIONERY INC.",
) -> bytes:
    return pdf(
        [
            big(name),
            small("44 Foundry Lane, Columbus, OH 43004, USA"),
            para("INVOICE"),
            form(*meta),
            table(("Description", "Qty", "Unit price", "Amount"), *lines),
            pairs(*sums),
            para(last),
        ]
    )


def _weber(
    meta: list[tuple[str, str]], lines: list[tuple[str, str, str]], total: str, last: str, name: str
) -> bytes:
    return html(
        [
            big(name),
            small("Lagerstrasse 9, 20357 Hamburg, Germany - VAT ID DE000000000"),
            pairs(*meta),
            table(("Item", "Quantity", "Net EUR"), *lines),
            pairs(("Total incl. 19 % VAT", total)),
            para(last),
        ],
        "Invoice",
    )


def _blackheath(
    meta: list[tuple[str, str]], text: str, sums: list[tuple[str, str]], last: str
) -> bytes:
    return pdf(
        [
            para("Blackheath Print Ltd, 3 Tanner's Yard, London SE3"),
            big("Tax invoice"),
            pairs(*meta),
            para(text),
            pairs(*sums),
            small(last),
        ],
        font="Times-Roman",
        size=11,
        paper="a4",
        separator="|",
    )


def documents() -> list[Document]:
    """The sixteen invoices."""
    return [
        _doc(
            "01.pdf",
            _kestrel(
                [
                    ("Invoice No.", "INV-10021"),
                    ("Invoice Date", "01/12/2023"),
                    ("Terms", "Net 30"),
                    ("Due Date", "02/11/2023"),
                    ("P.O. No.", "PO-7781"),
                    ("Ship Date", "01/10/2023"),
                ],
                [
                    ("Copy paper, case", "25", "$38.00", "$950.00"),
                    ("Toner, black", "4", "$62.00", "$248.00"),
                ],
                [("Subtotal", "$1,198.00"), ("Sales tax", "$86.50"), ("TOTAL DUE", "$1,284.50")],
                "PAID - thank you",
            ),
            (
                "INV-10021",
                "Kestrel Stationery",
                date(2023, 1, 12),
                date(2023, 2, 11),
                "USD",
                1284.5,
                "PO-7781",
                True,
            ),
            paid=("PAID",),
        ),
        _doc(
            "02.html",
            _weber(
                [
                    ("Invoice number", "2023/0117"),
                    ("Invoice date", "17.01.2023"),
                    ("Delivery date", "13.01.2023"),
                    ("Payable by", "16.02.2023"),
                ],
                [("Office chairs", "6", "1.200,00"), ("Desk lamps", "10", "430,25")],
                "1.940,00 €",
                "Status: open. Please transfer the amount to our account.",
                "Weber Bürobedarf GmbH",
            ),
            (
                "2023/0117",
                "Weber Bürobedarf GmbH",
                date(2023, 1, 17),
                date(2023, 2, 16),
                "EUR",
                1940.0,
                None,
                False,
            ),
            paid=("Status: open",),
        ),
        _doc(
            "03.pdf",
            _kestrel(
                [
                    ("Invoice No.", "INV-10058"),
                    ("Invoice Date", "03/03/2023"),
                    ("Terms", "Net 30"),
                    ("Due Date", "04/02/2023"),
                    ("P.O. No.", "PO-7790"),
                    ("Ship Date", "02/27/2023"),
                ],
                [("Envelopes, box of 500", "9", "$32.50", "$292.50")],
                [("Subtotal", "$292.50"), ("Sales tax", "$20.25"), ("TOTAL DUE", "$312.75")],
                "NOT PAID as of the date of printing",
            ),
            (
                "INV-10058",
                "Kestrel Stationery",
                date(2023, 3, 3),
                date(2023, 4, 2),
                "USD",
                312.75,
                "PO-7790",
                False,
            ),
            paid=("NOT PAID",),
        ),
        _doc(
            "04.html",
            _weber(
                [
                    ("Invoice number", "2023/0342"),
                    ("Invoice date", "22.03.2023"),
                    ("Your order", "4500018"),
                    ("Payable", "on receipt"),
                ],
                [("Filing cabinets", "4", "2.080,34")],
                "2.475,60 €",
                "Paid by bank transfer, with thanks.",
                "Weber Bürobedarf GmbH",
            ),
            (
                "2023/0342",
                "Weber Bürobedarf GmbH",
                date(2023, 3, 22),
                None,
                "EUR",
                2475.6,
                "4500018",
                True,
            ),
            paid=("Paid by bank transfer",),
        ),
        _doc(
            "05.pdf",
            _blackheath(
                [("Date", "5 April 2023"), ("Payment due", "5 May 2023")],
                "To printing 2,000 leaflets A5, two colours, folded.",
                [("Net", "£716.67"), ("VAT 20%", "£143.33"), ("Total", "£860.00")],
                "Received with thanks: paid in full.",
            ),
            (
                None,
                "Blackheath Print Ltd",
                date(2023, 4, 5),
                date(2023, 5, 5),
                "GBP",
                860.0,
                None,
                True,
            ),
            paid=("paid in full",),
        ),
        _doc(
            "06.pdf",
            _blackheath(
                [
                    ("Invoice", "BH-563"),
                    ("Date", "28/04/2023"),
                    ("Payment due", "28/05/2023"),
                    ("Your order", "PO 88-104"),
                ],
                "To printing 150 programmes, 24 pages, stapled.",
                [("Net", "£1,187.67"), ("VAT 20%", "£237.53"), ("Total", "£1,425.20")],
                "Unpaid. Interest is charged on late payment.",
            ),
            (
                "BH-563",
                "Blackheath Print Ltd",
                date(2023, 4, 28),
                date(2023, 5, 28),
                "GBP",
                1425.2,
                "PO 88-104",
                False,
            ),
            paid=("Unpaid",),
        ),
        _doc(
            "07.pdf",
            _kestrel(
                [
                    ("Invoice No.", "INV-10103"),
                    ("Invoice Date", "05/15/2023"),
                    ("Terms", "Net 30"),
                    ("Due Date", "06/14/2023"),
                    ("P.O. No.", "PO-7812"),
                    ("Ship Date", "05/11/2023"),
                ],
                [
                    ("Standing desks", "6", "$610.00", "$3,660.00"),
                    ("Delivery", "1", "$95.00", "$95.00"),
                ],
                [("Subtotal", "$3,755.00"), ("Sales tax", "$264.99"), ("TOTAL DUE", "$4,019.99")],
                "PAID 06/02/2023 by check",
                "Kestrel Stationery Inc.",
            ),
            (
                "INV-10103",
                "Kestrel Stationery",
                date(2023, 5, 15),
                date(2023, 6, 14),
                "USD",
                4019.99,
                "PO-7812",
                True,
            ),
            paid=("PAID 06/02/2023",),
        ),
        _doc(
            "08.html",
            html(
                [
                    big("INVOICE 2023/0588"),
                    para(
                        "Weber Buerobedarf GmbH, Hamburg, invoices you on 1 June 2023 for 40 "
                        "archive boxes and 3 label printers delivered on 26 May 2023 under your "
                        "order 4500022."
                    ),
                    para("Amount: EUR 689,30 including VAT, due by 1 July 2023."),
                ],
                "Invoice",
            ),
            (
                "2023/0588",
                "Weber Bürobedarf GmbH",
                date(2023, 6, 1),
                date(2023, 7, 1),
                "EUR",
                689.3,
                "4500022",
                None,
            ),
            supplier=("Weber Buerobedarf GmbH",),
        ),
        _doc(
            "09.html",
            html(
                [
                    big("Solana Couriers"),
                    pairs(
                        ("Invoice #", "SC-0091"),
                        ("Issued", "Jun 19, 2023"),
                        ("Due", "Jul 3, 2023"),
                        ("Parcels", "29"),
                        ("Balance", "USD 145.00"),
                        ("Payment state", "paid"),
                    ),
                ],
                "Solana Couriers invoice",
                style="line",
            ),
            (
                "SC-0091",
                "Solana Couriers",
                date(2023, 6, 19),
                date(2023, 7, 3),
                "USD",
                145.0,
                None,
                True,
            ),
            paid=("Payment state: paid",),
        ),
        _doc(
            "10.pdf",
            _blackheath(
                [("Invoice", "BH-590"), ("Date", "11 July 2023"), ("Your order", "PO 88-119")],
                "To printing 800 catalogues, 32 pages.",
                [("Net", "£1,925.33"), ("VAT 20%", "£385.07"), ("Total", "£2,310.40")],
                "Not yet paid.",
            ),
            (
                "BH-590",
                "Blackheath Print Ltd",
                date(2023, 7, 11),
                None,
                "GBP",
                2310.4,
                "PO 88-119",
                False,
            ),
            paid=("Not yet paid",),
        ),
        _doc(
            "11.html",
            html(
                [
                    big("Invoice SC-0098"),
                    para("Courier service, 18 parcels in zone 2, 1 parcel in zone 5."),
                    pairs(
                        ("Issued", "Jul 24, 2023"),
                        ("Due", "Aug 7, 2023"),
                        ("Customer order", "PO-7820"),
                        ("Balance", "USD 97.25"),
                        ("Payment state", "paid"),
                    ),
                ],
                "Invoice",
                style="dl",
            ),
            ("SC-0098", None, date(2023, 7, 24), date(2023, 8, 7), "USD", 97.25, "PO-7820", True),
            paid=("Payment state paid",),
        ),
        _doc(
            "12.html",
            _weber(
                [
                    ("Invoice number", "2023/0811"),
                    ("Invoice date", "30.08.2023"),
                    ("Delivery date", "28.08.2023"),
                    ("Payable by", "29.09.2023"),
                    ("Your order", "4500031"),
                ],
                [("Conference tables", "5", "7.626,05"), ("Assembly", "1", "2.500,00")],
                "12.050,00 €",
                "We thank you for your order.",
                "Weber Bürobedarf GmbH",
            ),
            (
                "2023/0811",
                "Weber Bürobedarf GmbH",
                date(2023, 8, 30),
                date(2023, 9, 29),
                "EUR",
                12050.0,
                "4500031",
                None,
            ),
        ),
        _doc(
            "13.pdf",
            _kestrel(
                [
                    ("Invoice No.", "INV-10177"),
                    ("Terms", "see below"),
                    ("Due Date", "10/15/2023"),
                    ("P.O. No.", "PO-7833"),
                ],
                [("Whiteboards", "12", "$215.00", "$2,580.00")],
                [("Subtotal", "$2,580.00"), ("Sales tax", "$180.00"), ("TOTAL DUE", "$2,760.00")],
                "Payment by check or card. No early payment discount.",
            ),
            (
                "INV-10177",
                "Kestrel Stationery",
                None,
                date(2023, 10, 15),
                "USD",
                2760.0,
                "PO-7833",
                None,
            ),
        ),
        _doc(
            "14.html",
            html(
                [
                    big("Solana Couriers"),
                    pairs(
                        ("Invoice #", "SC-0107"),
                        ("Issued", "Oct 2, 2023"),
                        ("Due", "Oct 16, 2023"),
                        ("Customer order", "PO-7835"),
                        ("Parcels", "44"),
                        ("Balance", "210.80"),
                        ("Payment state", "paid"),
                    ),
                ],
                "Solana Couriers invoice",
                style="line",
            ),
            (
                "SC-0107",
                "Solana Couriers",
                date(2023, 10, 2),
                date(2023, 10, 16),
                None,
                210.8,
                "PO-7835",
                True,
            ),
            paid=("Payment state: paid",),
        ),
        _doc(
            "15.pdf",
            pdf(
                [
                    big("BLACKHEATH PRINT LIMITED"),
                    para("Invoice BH-617 of 14 November 2023"),
                    table(
                        ("Work", "Copies", "Price"),
                        ("Calendars, wall", "120", "£381.37"),
                        ("Postage", "", "£73.34"),
                        ("VAT", "", "£90.94"),
                        ("Amount payable", "", "£545.65"),
                    ),
                    para("Order reference PO 88-131. Payment is due on 14 December 2023. Open."),
                ],
                paper="a4",
            ),
            (
                "BH-617",
                "Blackheath Print Ltd",
                date(2023, 11, 14),
                date(2023, 12, 14),
                "GBP",
                545.65,
                "PO 88-131",
                False,
            ),
            supplier=("BLACKHEATH PRINT LIMITED",),
            paid=("Open.",),
        ),
        _doc(
            "16.html",
            _weber(
                [
                    ("Invoice number", "2023/1104"),
                    ("Invoice date", "04.12.2023"),
                    ("Delivery date", "30.11.2023"),
                    ("Your order", "4500040"),
                ],
                [("Shelving units", "14", "2.788,61")],
                "3.318,45 €",
                "Paid by bank transfer, with thanks.",
                "Weber Bürobedarf GmbH",
            ),
            (
                "2023/1104",
                "Weber Bürobedarf GmbH",
                date(2023, 12, 4),
                None,
                "EUR",
                3318.45,
                "4500040",
                True,
            ),
            paid=("Paid by bank transfer",),
        ),
    ]
