"""Templates that the extraction rules were not written for, and the table of all kinds.

Labels, order and layout differ from the seen templates of the same kind; the schema is the same.
Rules and lexicon are not to be changed because of what these show: write new ones instead.
"""

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from tests.bench import property_documents as seen
from tests.bench.property_documents import Draft, Facts, day_first, dotted, long_date, us_date

Template = Callable[[Draft, Facts, random.Random], None]
Kind = tuple[
    list[dict[str, Any]],
    Callable[[random.Random], Facts],
    tuple[Template, ...],
    tuple[Template, ...],
]


def _goods(facts: Facts) -> list[list[str]]:
    return [
        [str(at), i["description"], f"{i['unit_price']:.2f}", str(i["quantity"])]
        for at, i in enumerate(facts["items"], 1)
    ]


def invoice_statement(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.title("Tax invoice")
    draft.text(f"Document no.: {facts['invoice_number']}", f"Date: {dotted(facts['invoice_date'])}")
    draft.heading("Supplier details")
    draft.text(f"Company name: {facts['vendor']}", "Phone: +44 20 5550 1234")
    draft.form(
        [
            ("Client", facts["customer"]),
            ("Client PO", facts["purchase_order"]),
            ("Payment due date", dotted(facts["due_date"])),
            ("Invoice currency", facts["currency"]),
        ]
    )
    draft.grid(
        [["#", "Description of goods", "Price per unit", "Qty."], *_goods(facts)], header=True
    )
    draft.form(
        [
            ("Sub-total", f"{facts['subtotal']:,.2f}"),
            ("Tax amount", f"{facts['tax']:,.2f}"),
            ("Invoice total", f"{facts['total']:,.2f}"),
            ("Already paid", "Yes" if facts["paid"] else "No"),
        ]
    )


def invoice_bill(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.header("Original for the recipient")
    draft.form(
        [
            ("Invoice", facts["invoice_number"]),
            ("Seller", facts["vendor"]),
            ("Invoice dated", long_date(facts["invoice_date"])),
            ("Buyer", facts["customer"]),
            ("Due on", long_date(facts["due_date"])),
            ("Purchase order no.", facts["purchase_order"]),
        ],
        columns=2,
    )
    draft.text(f"All prices are in {facts['currency']}.")
    rows = [
        [i["description"], str(i["quantity"]), f"{i['unit_price']:,.2f}"] for i in facts["items"]
    ]
    draft.grid([["Article", "Quantity", "Unit price"], *rows])
    draft.text(
        f"Net: {facts['subtotal']:,.2f}   VAT: {facts['tax']:,.2f}   Total payable: "
        f"{facts['total']:,.2f}"
    )
    draft.text(
        "This invoice has been paid." if facts["paid"] else "This invoice has not been paid."
    )


def contract_sheet(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.title("Contract data sheet")
    draft.form(
        [
            ("Vendor", facts["supplier"]),
            ("Start date", us_date(facts["effective_date"])),
            ("Purchaser", facts["customer"]),
            ("Expiration date", us_date(facts["expiry_date"])),
            ("Jurisdiction", facts["governing_law"]),
            ("Termination notice", f"{facts['notice_period']} days"),
            ("Value of contract", f"$ {facts['contract_value']:,.2f}"),
            ("Auto-renewal", "Yes" if facts["auto_renewal"] else "No"),
            ("Payment terms", f"Net {facts['payment_terms']}"),
            ("Authorized signatory", facts["signatory"]),
        ],
        columns=2,
    )
    draft.text("Last amended: 01/02/2018. Archive copy, not for distribution.")


def contract_letter(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.title("Agreement for the supply of services")
    draft.text(
        f'Between {facts["supplier"]}, hereinafter "Supplier", and {facts["customer"]}, '
        'hereinafter "Customer".'
    )
    draft.text(f"Effective as of: {long_date(facts['effective_date'])}")
    draft.text(f"Valid until: {long_date(facts['expiry_date'])}")
    draft.heading("§ 4 Remuneration")
    draft.text(
        f"The contract value amounts to USD {facts['contract_value']:,.2f}. Invoices shall be "
        f"paid within {facts['payment_terms']} days."
    )
    draft.heading("§ 7 Termination")
    renewal = "shall" if facts["auto_renewal"] else "shall not"
    draft.text(
        f"The notice period is {facts['notice_period']} days. The contract {renewal} renew "
        "automatically."
    )
    draft.heading("§ 11 Governing law")
    draft.text(f"The laws of {facts['governing_law']} apply to this contract.")
    draft.text(f"Signatory: {facts['signatory']}")


def lab_sheet(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.title("Pathology report")
    draft.text(f"Laboratory: {facts['laboratory']}", "Accredited since 1998")
    draft.form(
        [
            ("Patient", facts["patient_name"]),
            ("MRN", facts["patient_id"]),
            ("Born", long_date(facts["date_of_birth"])),
            ("Referring doctor", facts["physician"]),
            ("Specimen type", facts["specimen"]),
            (
                "Date collected",
                f"{day_first(facts['collected'].date())} {facts['collected']:%H:%M}",
            ),
            ("Date reported", day_first(facts["collected"].date() + timedelta(days=1))),
            ("Fasting status", "Yes" if facts["fasting"] else "No"),
        ],
        columns=2,
    )
    draft.grid(
        [
            ["Component", "Your result", "Normal range", "Unit"],
            ["Glucose", f"{facts['glucose']:g}", "70-99", "mg/dL"],
            ["Hemoglobin", str(facts["hemoglobin"]), "12-16", "g/dL"],
            ["Platelet count", str(facts["platelets"]), "150-400", "K/uL"],
        ],
        header=True,
    )


def lab_letter(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.header(f"{facts['laboratory']}  Patient ID: {facts['patient_id']}")
    draft.heading("Report")
    draft.text(
        f"Patient name: {facts['patient_name']} Date of birth: {us_date(facts['date_of_birth'])} "
        f"Physician: {facts['physician']}"
    )
    draft.text(
        f"Collected on {long_date(facts['collected'].date())} at {facts['collected']:%H:%M}."
    )
    draft.text(
        f"Sample: {facts['specimen']}", f"Fasting: {'true' if facts['fasting'] else 'false'}"
    )
    draft.text(f"Name of laboratory: {facts['laboratory']}")
    draft.items(
        f"Hemoglobin - {facts['hemoglobin']} g/dL",
        f"Glucose - {facts['glucose']:g} mg/dL",
        f"Platelets - {facts['platelets']}",
    )


def incident_card(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.title("Safety incident card")
    draft.text(
        f"Report no: {facts['report_number']}", f"Happened on: {us_date(facts['incident_date'])}"
    )
    draft.text(f"Printed on: {us_date(facts['incident_date'] + timedelta(days=40))}")
    draft.form(
        [
            ("Where", facts["site"]),
            ("Department concerned", facts["department"]),
            ("Severity rating", facts["severity"]),
            ("Number of injured people", str(facts["injured"])),
            ("Lost production hours", f"{facts['lost_hours']:g}"),
            ("Estimated damage", f"USD {facts['cost']:,.0f}"),
            ("Equipment involved", facts["equipment"]),
            ("Was the area evacuated?", "Yes" if facts["evacuated"] else "No"),
            ("Reported by", facts["reported_by"]),
        ]
    )
    draft.heading("Root cause statement")
    draft.text(facts["root_cause"])
    draft.heading("Corrective actions taken")
    draft.items(*facts["actions"])


def incident_memo(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.title("Memo")
    draft.text(f"Subject: incident {facts['report_number']}", f"From: {facts['reported_by']}")
    draft.text(
        f"The incident happened on {long_date(facts['incident_date'])} at our site "
        f"{facts['site']}. Department: {facts['department']}."
    )
    hurt = (
        "Nobody was injured" if not facts["injured"] else f"{facts['injured']} persons were injured"
    )
    moved = "was evacuated" if facts["evacuated"] else "was not evacuated"
    draft.text(
        f"{hurt}, and the area {moved}. The equipment involved was {facts['equipment']}. We lost "
        f"{facts['lost_hours']:g} hours of production. The estimated cost is ${facts['cost']:,.0f}."
    )
    draft.text(f"Severity: {facts['severity']}")
    draft.text(f"Reported by: {facts['reported_by']}")
    draft.text(f"Root cause: {facts['root_cause']}")
    draft.text(f"Actions: {'; '.join(facts['actions'])}")


KINDS: dict[str, Kind] = {
    "invoices": (
        seen.INVOICE_SCHEMA,
        seen.invoice_facts,
        (seen.invoice_plain, seen.invoice_form, seen.invoice_letter, seen.invoice_compact),
        (invoice_statement, invoice_bill),
    ),
    "contracts": (
        seen.CONTRACT_SCHEMA,
        seen.contract_facts,
        (seen.contract_summary, seen.contract_clauses, seen.contract_cover, seen.contract_prose),
        (contract_sheet, contract_letter),
    ),
    "lab reports": (
        seen.LAB_SCHEMA,
        seen.lab_facts,
        (seen.lab_classic, seen.lab_lines, seen.lab_flags, seen.lab_prose),
        (lab_sheet, lab_letter),
    ),
    "incident reports": (
        seen.INCIDENT_SCHEMA,
        seen.incident_facts,
        (seen.incident_form, seen.incident_lines, seen.incident_grid, seen.incident_story),
        (incident_card, incident_memo),
    ),
}
"""Kind -> schema, drawer of facts, seen templates, unseen templates."""
