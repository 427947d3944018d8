"""Agreements between invented companies, in prose, mostly DOCX, some PDF.

Awkward on purpose: the date of signature stands beside the effective date; terms are given in
months or in years (the truth is months); other amounts (deposits, limits of liability) stand
beside the annual fee; the governing law is "New York" or "State of New York".
"""

from __future__ import annotations

from datetime import date

from tests.golden.common import (
    Document,
    Same,
    Schema,
    head,
    items,
    pairs,
    para,
    pdf,
    prop,
    table,
    word,
)
from tests.golden.common import title as big

NOUN = "agreements"

TYPES = ("Services", "Lease", "License", "Supply", "Confidentiality")

SCHEMA: Schema = [
    prop("agreement_type", "choice", "Type of the agreement", ["Services", "Lease"], TYPES),
    prop(
        "provider",
        "string",
        "Party that provides the service, premises, software or goods (none in a mutual "
        "confidentiality agreement)",
        ["Fenwick Maintenance LLC"],
    ),
    prop("effective_date", "date", "Date from which the agreement has effect", ["2020-02-01"]),
    prop("term_months", "int", "Length of the initial term in months", ["36", "12"]),
    prop("annual_fee", "float", "Fee, rent or minimum purchase per year in US dollars", ["48000"]),
    prop("governing_law", "string", "State whose law governs the agreement", ["New York"]),
    prop("auto_renewal", "bool", "Whether the agreement renews automatically", ["yes", "no"]),
    prop("notice_days", "int", "Period of notice for termination, in days", ["30", "90"]),
]

SAME: Same = {
    "governing_law": {
        "New York": ("State of New York", "NY"),
        "California": ("State of California", "CA"),
        "Delaware": ("State of Delaware",),
        "Texas": ("State of Texas",),
    },
    "provider": {
        "Fenwick Maintenance LLC": ("Fenwick Maintenance, LLC", "Fenwick Maintenance"),
        "Harbor Point Properties": ("Harbor Point Properties LP",),
        "Quillon Software Inc.": ("Quillon Software, Inc.", "Quillon Software"),
        "Marlow Packaging Co.": ("Marlow Packaging Company",),
        "Tessel Cleaning Group": ("The Tessel Cleaning Group",),
        "Brandt Imaging GmbH": (),
        "Northgate Realty": (),
    },
}


def _doc(
    name: str, content: bytes, truth: tuple[object, ...], **written: tuple[str, ...]
) -> Document:
    names = [str(entry["name"]) for entry in SCHEMA]
    return Document(f"agreement_{name}", content, dict(zip(names, truth, strict=True)), written)


def documents() -> list[Document]:
    """The fifteen agreements."""
    return [
        _doc(
            "01.docx",
            word(
                [
                    big("SERVICES AGREEMENT"),
                    para(
                        'This Services Agreement is made as of February 1, 2020 (the "Effective '
                        'Date") between Fenwick Maintenance LLC ("Provider") and Aldine Mills '
                        'Inc. ("Client"), and was signed on January 20, 2020.'
                    ),
                    head("1. Term"),
                    para(
                        "The initial term is thirty-six (36) months. It renews automatically for "
                        "periods of twelve (12) months unless a party objects."
                    ),
                    head("2. Fees"),
                    para("Client pays an annual fee of $48,000, in four equal instalments."),
                    head("3. Termination"),
                    para("Either party may terminate on sixty (60) days' written notice."),
                    head("4. General"),
                    para(
                        "Liability is limited to $250,000. This Agreement is governed by the laws "
                        "of the State of New York."
                    ),
                ]
            ),
            (
                "Services",
                "Fenwick Maintenance LLC",
                date(2020, 2, 1),
                36,
                48000.0,
                "New York",
                True,
                60,
            ),
            auto_renewal=("renews automatically",),
        ),
        _doc(
            "02.docx",
            word(
                [
                    big("COMMERCIAL LEASE"),
                    pairs(
                        ("Landlord", "Harbor Point Properties"),
                        ("Tenant", "Corvane Optics LLC"),
                        ("Premises", "Unit 4, 210 Quay Street, Oakland, California"),
                        ("Commencement date", "May 15, 2020"),
                        ("Term", "Five (5) years"),
                        ("Annual base rent", "USD 96,000.00"),
                        ("Security deposit", "USD 16,000.00"),
                    ),
                    para(
                        "1. This lease takes effect on the commencement date. It ends when the "
                        "term ends and does not renew automatically; an extension needs a new "
                        "lease signed by both parties."
                    ),
                    para("2. Tenant may end the lease early upon 90 days' prior notice."),
                    para("3. California law governs this lease."),
                    para("Signed: April 28, 2020"),
                ]
            ),
            (
                "Lease",
                "Harbor Point Properties",
                date(2020, 5, 15),
                60,
                96000.0,
                "California",
                False,
                90,
            ),
            term_months=("Five (5) years",),
            auto_renewal=("does not renew automatically",),
        ),
        _doc(
            "03.pdf",
            pdf(
                [
                    big("Software License Agreement"),
                    para(
                        'Quillon Software, Inc. ("Licensor") grants Bexley Freight Corp. '
                        '("Licensee") a non-exclusive license to use the program RouteWise.'
                    ),
                    items(
                        "Effective date. This agreement is effective September 1, 2020.",
                        "Term. Twelve (12) months from the effective date.",
                        "Renewal. The license does not renew by itself. Licensee may order a "
                        "further year in writing.",
                        "License fee. $18,500 per year, due in advance. Support outside business "
                        "hours is charged at $140 per hour.",
                        "Termination. Thirty (30) days' notice in writing.",
                        "Law. The laws of Delaware apply.",
                    ),
                ],
                font="Times-Roman",
                size=11,
            ),
            (
                "License",
                "Quillon Software Inc.",
                date(2020, 9, 1),
                12,
                18500.0,
                "Delaware",
                False,
                30,
            ),
            auto_renewal=("does not renew by itself",),
            notice_days=("Thirty (30) days",),
        ),
        _doc(
            "04.docx",
            word(
                [
                    big("Supply Agreement"),
                    para(
                        "Marlow Packaging Co., supplier, and Hollis Dairy LLC, buyer, agree as "
                        "follows with effect from 1 January 2021."
                    ),
                    para(
                        "Buyer will purchase cartons worth at least $132,500 in each year. The "
                        "agreement runs for 24 months. Orders above $20,000 need a purchase order "
                        "signed by a director."
                    ),
                    para(
                        "A party that wishes to end the agreement gives the other 45 days' notice. "
                        "Disputes are decided under the law of New York."
                    ),
                    para("Signed by both parties on 14 December 2020."),
                ]
            ),
            (
                "Supply",
                "Marlow Packaging Co.",
                date(2021, 1, 1),
                24,
                132500.0,
                "New York",
                None,
                45,
            ),
        ),
        _doc(
            "05.docx",
            word(
                [
                    big("MUTUAL CONFIDENTIALITY AGREEMENT"),
                    para(
                        "Orbis Analytics Inc. and Pellworm Data LLC intend to explore a business "
                        "relationship and will exchange confidential information. Effective date: "
                        "March 10, 2021."
                    ),
                    items(
                        "Each party protects the other's information for 24 months.",
                        "The agreement ends after that time and will not be renewed automatically.",
                        "Each party may withdraw on 30 days' notice.",
                        "A breach entitles the other party to claim damages.",
                        "Governing law: State of Delaware.",
                    ),
                ]
            ),
            ("Confidentiality", None, date(2021, 3, 10), 24, None, "Delaware", False, 30),
            auto_renewal=("will not be renewed automatically",),
        ),
        _doc(
            "06.pdf",
            pdf(
                [
                    big("Services Agreement - Summary of Terms"),
                    pairs(
                        ("Provider", "Fenwick Maintenance, LLC"),
                        ("Client", "Stroud Paper Works"),
                        ("Signed", "06/18/2021"),
                        ("Effective", "07/01/2021"),
                        ("Initial term", "12 months"),
                        ("Annual fee", "$51,600"),
                        ("Automatic renewal", "Yes, 12 months at a time"),
                        ("Notice", "30 days"),
                        ("Governing law", "State of New York"),
                    ),
                    para("The terms above prevail over the general conditions attached."),
                ],
                separator="|",
            ),
            (
                "Services",
                "Fenwick Maintenance LLC",
                date(2021, 7, 1),
                12,
                51600.0,
                "New York",
                True,
                30,
            ),
            provider=("Fenwick Maintenance, LLC",),
            auto_renewal=("Yes, 12 months at a time",),
        ),
        _doc(
            "07.docx",
            word(
                [
                    big("LEASE OF WAREHOUSE SPACE"),
                    para(
                        "Harbor Point Properties LP lets to Juno Tile Imports the warehouse at 77 "
                        "Dock Road, San Pedro, from October 1, 2021 for a period of three (3) "
                        "years."
                    ),
                    para(
                        "The rent is $72,000 a year, payable monthly in advance at $6,000. A "
                        "deposit of $12,000 was received on September 20, 2021."
                    ),
                    para(
                        "At the end of the period the lease is extended automatically by one year "
                        "at a time, unless one side gives notice 120 days before."
                    ),
                    para("The laws of the State of California apply."),
                ]
            ),
            (
                "Lease",
                "Harbor Point Properties",
                date(2021, 10, 1),
                36,
                72000.0,
                "California",
                True,
                120,
            ),
            term_months=("three (3) years",),
            auto_renewal=("extended automatically",),
        ),
        _doc(
            "08.pdf",
            pdf(
                [
                    big("License Agreement"),
                    para(
                        "between Quillon Software Inc. and Marram Logistics LLC, dated January 15, "
                        "2022, which is also the effective date"
                    ),
                    para(
                        "Quillon Software Inc. licenses the program RouteWise for 36 months. The "
                        "annual license fee is $27,750. The license is renewed automatically each "
                        "year thereafter."
                    ),
                    para("This agreement is subject to the laws of Delaware."),
                ],
                font="Times-Roman",
                size=11,
            ),
            (
                "License",
                "Quillon Software Inc.",
                date(2022, 1, 15),
                36,
                27750.0,
                "Delaware",
                True,
                None,
            ),
            auto_renewal=("renewed automatically",),
        ),
        _doc(
            "09.docx",
            word(
                [
                    big("Cleaning Services Agreement"),
                    para(
                        'The Tessel Cleaning Group ("Contractor") cleans the offices of Verity '
                        'Labs ("Customer") from April 1, 2022 on. This agreement was signed on '
                        "March 22, 2022."
                    ),
                    para(
                        "There is no fixed term and no automatic renewal: the agreement goes on "
                        "until one party ends it with 30 days' notice."
                    ),
                    para(
                        "Customer pays $36,400 per year. Extra work is charged at $38 per hour. "
                        "The law of California governs."
                    ),
                ]
            ),
            (
                "Services",
                "Tessel Cleaning Group",
                date(2022, 4, 1),
                None,
                36400.0,
                "California",
                False,
                30,
            ),
            auto_renewal=("no automatic renewal",),
        ),
        _doc(
            "10.docx",
            word(
                [
                    big("SUPPLY AGREEMENT"),
                    pairs(
                        ("Supplier", "Marlow Packaging Company"),
                        ("Buyer", "Esker Foods Inc."),
                        ("Goods", "Corrugated boxes, grades 2 and 3"),
                        ("Duration", "eighteen (18) months"),
                        ("Minimum annual purchase", "$88,000"),
                        ("Renewal", "Not automatic"),
                        ("Notice of termination", "sixty (60) days"),
                    ),
                    para(
                        "This agreement takes effect when the last party has signed. "
                        "Supplier: ____________  Date: ________   Buyer: ____________  "
                        "Date: ________"
                    ),
                ],
                boxed=True,
            ),
            ("Supply", "Marlow Packaging Co.", None, 18, 88000.0, None, False, 60),
            provider=("Marlow Packaging Company",),
            auto_renewal=("Not automatic",),
        ),
        _doc(
            "11.docx",
            word(
                [
                    big("Confidentiality Agreement"),
                    para(
                        "Dunmore Biotech Inc. and Sable Instruments Corp. agree on August 22, "
                        "2022, with immediate effect, to keep secret what they learn of each "
                        "other's projects."
                    ),
                    para(
                        "The duty of secrecy lasts five (5) years. It does not cover what is "
                        "public. The agreement is governed by New York law."
                    ),
                ]
            ),
            ("Confidentiality", None, date(2022, 8, 22), 60, None, "New York", None, None),
            term_months=("five (5) years",),
        ),
        _doc(
            "12.docx",
            word(
                [
                    big("Service Contract"),
                    table(
                        ("Clause", "Content"),
                        ("Parties", "Tessel Cleaning Group (provider); Orin Clinics (customer)"),
                        ("Date of signature", "2022-10-17"),
                        ("Date of effect", "2022-11-01"),
                        ("First term", "24 months"),
                        ("Price", "$40,200 per annum; travel at cost, at most $1,500"),
                        ("Prolongation", "Automatic, by 12 months"),
                        ("Notice", "30 days to the end of a month"),
                        ("Law", "CA"),
                    ),
                ]
            ),
            (
                "Services",
                "Tessel Cleaning Group",
                date(2022, 11, 1),
                24,
                40200.0,
                "California",
                True,
                30,
            ),
            agreement_type=("Service Contract",),
            governing_law=("CA",),
            auto_renewal=("Automatic, by 12 months",),
        ),
        _doc(
            "13.pdf",
            pdf(
                [
                    big("LICENSE AND MAINTENANCE AGREEMENT"),
                    para(
                        "Licensor: Brandt Imaging GmbH. Licensee: Kinloch Radiology Partners. "
                        "Effective Date: 1 February 2023. Executed: 26 January 2023."
                    ),
                    para(
                        "The license is granted for two (2) years against a yearly fee of US$ "
                        "15,000. It ends after that time without any right of renewal. Each party "
                        "may terminate with 90 days' notice."
                    ),
                ],
                paper="a4",
            ),
            ("License", "Brandt Imaging GmbH", date(2023, 2, 1), 24, 15000.0, None, False, 90),
            term_months=("two (2) years",),
            auto_renewal=("without any right of renewal",),
        ),
        _doc(
            "14.docx",
            word(
                [
                    big("OFFICE LEASE"),
                    para(
                        "Northgate Realty, as landlord, and Pinder & Sons, as tenant, enter into "
                        "this lease of suite 310, 18 Elm Plaza, Austin. It was executed on April "
                        "11, 2023 and its effective date is May 1, 2023."
                    ),
                    para(
                        "The lease is for 48 months at fifty-eight thousand eight hundred dollars "
                        "($58,800) per year. There shall be no automatic renewal. Texas law "
                        "applies. Either side may terminate by sixty (60) days' notice."
                    ),
                ]
            ),
            ("Lease", "Northgate Realty", date(2023, 5, 1), 48, 58800.0, "Texas", False, 60),
            auto_renewal=("no automatic renewal",),
        ),
        _doc(
            "15.docx",
            word(
                [
                    big("Services Agreement"),
                    para(
                        "Fenwick Maintenance will maintain the lifts of the Ashgrove Hotel for an "
                        "annual fee of $62,900. This agreement has effect from September 18, 2023."
                    ),
                    para(
                        "The first period is stated in a separate order. After it the agreement "
                        "renews automatically, unless terminated with 45 days' notice. Governing "
                        "law: NY."
                    ),
                ]
            ),
            (
                "Services",
                "Fenwick Maintenance LLC",
                date(2023, 9, 18),
                None,
                62900.0,
                "New York",
                True,
                45,
            ),
            provider=("Fenwick Maintenance",),
            governing_law=("NY",),
            auto_renewal=("renews automatically",),
        ),
    ]
