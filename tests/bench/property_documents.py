"""Documents for the property bench: four kinds, each in several templates, written as elements.

These templates were there while the extraction rules were written; `property_unseen` holds those
that were not. Every value is drawn at random.
"""

import random
from datetime import date, datetime, timedelta
from typing import Any

from workbench.contract.elements import Element, Table, TableCell

Facts = dict[str, Any]


class Draft:
    """Collects elements from top to bottom of one page."""

    def __init__(self) -> None:
        self.elements: list[Element] = []

    def _add(self, kind: str, text: str | None, table: Table | None = None) -> None:
        top = min(0.99, 0.02 * len(self.elements))
        element = Element(
            type=kind,
            bbox=[0.1, top, 0.9, min(1.0, top + 0.02)],
            properties={"score": 0.9, "page_number": 1 + len(self.elements) // 30},
            text_representation=text,
            table=table,
        )
        self.elements.append(element)

    def title(self, text: str) -> None:
        self._add("Title", text)

    def heading(self, text: str) -> None:
        self._add("Section-header", text)

    def text(self, *lines: str) -> None:
        self._add("Text", "\n".join(lines))

    def items(self, *items: str) -> None:
        for item in items:
            self._add("List-item", item)

    def header(self, text: str) -> None:
        self._add("Page-header", text)

    def grid(self, rows: list[list[str]], *, header: bool = False) -> None:
        width = max(len(row) for row in rows)
        cells = [
            TableCell(content=text, rows=[at], cols=[col], is_header=header and at == 0)
            for at, row in enumerate(rows)
            for col, text in enumerate(row)
        ]
        self._add("table", None, Table(cells=cells, num_rows=len(rows), num_cols=width))

    def form(self, pairs: list[tuple[str, str]], *, columns: int = 1) -> None:
        cells = [text for pair in pairs for text in pair]
        cells += [""] * (-len(cells) % (2 * columns))
        step = 2 * columns
        self.grid([cells[at : at + step] for at in range(0, len(cells), step)])


def long_date(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"


def day_first(day: date) -> str:
    return f"{day.day} {day:%b} {day.year}"


def us_date(day: date) -> str:
    return f"{day:%m/%d/%Y}"


def dotted(day: date) -> str:
    return f"{day:%d.%m.%Y}"


FIRST = ["Anna", "Boris", "Carla", "Dmitri", "Elena", "Farid", "Greta", "Hugo", "Ines", "Jonas"]
LAST = ["Abbott", "Brennan", "Castillo", "Dunmore", "Eriksen", "Falkner", "Gruber", "Holloway"]
FIRMS = ["Alder", "Bluepeak", "Cobalt", "Drayton", "Eastgate", "Fernhill", "Glenrock", "Harbor"]
TAILS = ["Supplies Ltd", "Logistics Inc", "Foods GmbH", "Systems LLC", "Partners", "Textiles Co"]


def person(rng: random.Random) -> str:
    return f"{rng.choice(FIRST)} {rng.choice(LAST)}"


def firm(rng: random.Random) -> str:
    return f"{rng.choice(FIRMS)} {rng.choice(TAILS)}"


def some_day(rng: random.Random) -> date:
    return date(2019, 1, 1) + timedelta(days=rng.randrange(2200))


def _plain(name: str, kind: str, description: str, example: str | None = None) -> dict[str, Any]:
    definition = {"name": name, "field_type": kind, "description": description}
    return definition if example is None else {**definition, "examples": [example]}


def _choice(name: str, *choices: str) -> dict[str, Any]:
    return {"name": name, "type": {"type": "choice", "choices": list(choices)}}


# -- invoices --------------------------------------------------------------------------------------

INVOICE_SCHEMA: list[dict[str, Any]] = [
    _plain("invoice_number", "string", "Number of the invoice", "INV-20431"),
    _plain("invoice_date", "date", "Date the invoice was issued"),
    _plain("due_date", "date", "Date by which payment is due"),
    _plain("vendor", "string", "Company that sends the invoice"),
    _plain("customer", "string", "Company that is billed"),
    _plain("purchase_order", "string", "Purchase order number of the customer"),
    _choice("currency", "USD", "EUR", "GBP"),
    _plain("subtotal", "float", "Sum before tax"),
    _plain("tax", "float", "Amount of sales tax or VAT"),
    _plain("total", "float", "Total amount to pay"),
    _plain("paid", "bool", "Whether the invoice has been paid"),
    {
        "name": "items",
        "type": {
            "type": "array",
            "item_type": {
                "type": "object",
                "properties": [
                    {"name": "description", "type": {"type": "string"}},
                    {"name": "quantity", "type": {"type": "int"}},
                    {"name": "unit_price", "type": {"type": "float"}},
                ],
            },
        },
    },
]

GOODS = ["Steel bolts", "Paper rolls", "Copper wire", "Cotton sheets", "Oak panels", "LED strips"]


def invoice_facts(rng: random.Random) -> Facts:
    issued = some_day(rng)
    items = [
        {
            "description": name,
            "quantity": rng.randrange(1, 90),
            "unit_price": round(rng.uniform(2, 480), 2),
        }
        for name in rng.sample(GOODS, rng.randrange(2, 5))
    ]
    subtotal = round(sum(item["quantity"] * item["unit_price"] for item in items), 2)
    tax = round(subtotal * rng.choice((0.07, 0.19, 0.2)), 2)
    vendor, customer = rng.sample(FIRMS, 2)
    return {
        "invoice_number": f"{rng.choice(('INV', 'RE', 'F'))}-{rng.randrange(10000, 99999)}",
        "invoice_date": issued,
        "due_date": issued + timedelta(days=rng.choice((14, 30, 45))),
        "vendor": f"{vendor} {rng.choice(TAILS)}",
        "customer": f"{customer} {rng.choice(TAILS)}",
        "purchase_order": f"PO{rng.randrange(100000, 999999)}",
        "currency": rng.choice(("USD", "EUR", "GBP")),
        "subtotal": subtotal,
        "tax": tax,
        "total": round(subtotal + tax, 2),
        "paid": rng.random() < 0.4,
        "items": items,
    }


def _lines(facts: Facts) -> list[list[str]]:
    return [
        [
            item["description"],
            str(item["quantity"]),
            f"{item['unit_price']:,.2f}",
            f"{item['quantity'] * item['unit_price']:,.2f}",
        ]
        for item in facts["items"]
    ]


def invoice_plain(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.title("INVOICE")
    draft.text(
        f"Invoice Number: {facts['invoice_number']}",
        f"Invoice Date: {long_date(facts['invoice_date'])}",
        f"Due Date: {long_date(facts['due_date'])}",
        f"PO Number: {facts['purchase_order']}",
    )
    draft.text(f"Vendor: {facts['vendor']}", f"Bill To: {facts['customer']}")
    draft.grid([["Description", "Quantity", "Unit Price", "Amount"], *_lines(facts)], header=True)
    draft.text(
        f"Subtotal: {facts['subtotal']:,.2f} {facts['currency']}",
        f"Tax: {facts['tax']:,.2f} {facts['currency']}",
        f"Total: {facts['total']:,.2f} {facts['currency']}",
        f"Currency: {facts['currency']}",
        f"Paid: {'Yes' if facts['paid'] else 'No'}",
    )
    draft.text("Thank you for your business. Late payments are charged 1.5% per month.")


def invoice_form(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.heading(facts["vendor"])
    draft.form(
        [
            ("Invoice No.", facts["invoice_number"]),
            ("Date of issue", day_first(facts["invoice_date"])),
            ("Payment due", day_first(facts["due_date"])),
            ("Supplier", facts["vendor"]),
            ("Customer", facts["customer"]),
            ("Purchase order", facts["purchase_order"]),
            ("Currency", facts["currency"]),
            ("Paid", "yes" if facts["paid"] else "no"),
        ],
        columns=2,
    )
    rows = _lines(facts)
    rows += [
        ["Subtotal", "", "", f"{facts['subtotal']:,.2f}"],
        ["VAT", "", "", f"{facts['tax']:,.2f}"],
        ["Grand total", "", "", f"{facts['total']:,.2f}"],
    ]
    draft.grid([["Item description", "Qty", "Unit price", "Total"], *rows], header=True)


def invoice_letter(draft: Draft, facts: Facts, rng: random.Random) -> None:
    sign = {"USD": "$", "EUR": "€", "GBP": "£"}[facts["currency"]]
    draft.header(f"{facts['vendor']} | Accounts")
    draft.text(
        f"Invoice # {facts['invoice_number']}   Issued: {us_date(facts['invoice_date'])}   "
        f"Please pay by: {us_date(facts['due_date'])}"
    )
    draft.text("Seller:", facts["vendor"])
    draft.text("Billed to:", facts["customer"])
    draft.text(f"Your P.O. no.: {facts['purchase_order']}  All amounts in {facts['currency']}")
    draft.grid([["Particulars", "Units", "Price per unit", "Line total"], *_lines(facts)])
    draft.form(
        [
            ("Net amount", f"{sign}{facts['subtotal']:,.2f}"),
            ("Sales tax", f"{sign}{facts['tax']:,.2f}"),
            ("Amount payable", f"{sign}{facts['total']:,.2f}"),
            ("Settled", "Yes" if facts["paid"] else "No"),
        ]
    )


def invoice_compact(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.title(f"Invoice {facts['invoice_number']}")
    draft.text(
        f"From: {facts['vendor']} To: {facts['customer']} Dated: {dotted(facts['invoice_date'])} "
        f"Payable until: {dotted(facts['due_date'])}"
    )
    draft.text(f"Order reference: {facts['purchase_order']}", f"Currency code: {facts['currency']}")
    draft.grid([["Product", "Quantity ordered", "Unit price", "Sum"], *_lines(facts)], header=True)
    draft.text(
        f"Net total .......... {facts['subtotal']:.2f}",
        f"VAT amount .......... {facts['tax']:.2f}",
        f"Total due .......... {facts['total']:.2f}",
    )
    draft.text(f"Status: {'paid' if facts['paid'] else 'not paid'}")


# -- contracts -------------------------------------------------------------------------------------

CONTRACT_SCHEMA: list[dict[str, Any]] = [
    _plain("supplier", "string", "Party that provides the services"),
    _plain("customer", "string", "Party that receives the services"),
    _plain("effective_date", "date", "Date on which the contract takes effect"),
    _plain("expiry_date", "date", "Date on which the contract ends"),
    _plain("governing_law", "string", "Jurisdiction whose law governs"),
    _plain("notice_period", "int", "Notice period for termination in days"),
    _plain("contract_value", "float", "Total value of the contract in USD"),
    _plain("auto_renewal", "bool", "Whether the contract renews automatically"),
    _plain("payment_terms", "int", "Days allowed for payment of invoices"),
    _plain("signatory", "string", "Person who signs for the supplier"),
]

LAWS = ["Delaware", "New York", "Ontario", "Bavaria", "Scotland", "Victoria"]


def contract_facts(rng: random.Random) -> Facts:
    start = some_day(rng)
    supplier, customer = rng.sample(FIRMS, 2)
    return {
        "supplier": f"{supplier} {rng.choice(TAILS)}",
        "customer": f"{customer} {rng.choice(TAILS)}",
        "effective_date": start,
        "expiry_date": start + timedelta(days=rng.choice((365, 730, 1095))),
        "governing_law": rng.choice(LAWS),
        "notice_period": rng.choice((30, 60, 90)),
        "contract_value": float(rng.randrange(20, 900) * 1000),
        "auto_renewal": rng.random() < 0.5,
        "payment_terms": rng.choice((14, 21, 45)),
        "signatory": person(rng),
    }


def contract_summary(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.title("Services Agreement")
    draft.form(
        [
            ("Supplier", facts["supplier"]),
            ("Customer", facts["customer"]),
            ("Effective date", long_date(facts["effective_date"])),
            ("Expiry date", long_date(facts["expiry_date"])),
            ("Governing law", facts["governing_law"]),
            ("Notice period", f"{facts['notice_period']} days"),
            ("Contract value", f"USD {facts['contract_value']:,.2f}"),
            ("Automatic renewal", "Yes" if facts["auto_renewal"] else "No"),
            ("Payment terms", f"{facts['payment_terms']} days"),
            ("Signatory of the supplier", facts["signatory"]),
        ]
    )
    draft.heading("1. Services")
    draft.text("The Supplier shall perform the services with due care and skilled staff.")


def contract_clauses(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.title("MASTER SERVICES AGREEMENT")
    draft.text(
        f'This Agreement is made on {long_date(facts["effective_date"])} (the "Effective Date") '
        f'between {facts["supplier"]} (the "Supplier") and {facts["customer"]} (the '
        '"Customer").'
    )
    draft.heading("2. Term")
    renew = "renews automatically" if facts["auto_renewal"] else "does not renew automatically"
    draft.text(
        f"This Agreement expires on {long_date(facts['expiry_date'])} and {renew} for further "
        f"periods. Either party may end it with a notice period of {facts['notice_period']} days."
    )
    draft.heading("3. Fees")
    draft.text(
        f"The total contract value is ${facts['contract_value']:,.0f}. Payment is due within "
        f"{facts['payment_terms']} days of the invoice."
    )
    draft.heading("9. Governing law")
    draft.text(f"This Agreement is governed by the laws of {facts['governing_law']}.")
    draft.text(f"Signed for the Supplier by: {facts['signatory']}")


def contract_cover(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.title("Supply Contract: key terms")
    draft.text(
        f"Provider: {facts['supplier']}",
        f"Client: {facts['customer']}",
        f"Commencement date: {day_first(facts['effective_date'])}",
        f"End date: {day_first(facts['expiry_date'])}",
        f"Applicable law: {facts['governing_law']}",
        f"Notice for termination: {facts['notice_period']} days",
        f"Total value: ${facts['contract_value']:,.2f}",
        f"Renews automatically: {'yes' if facts['auto_renewal'] else 'no'}",
        f"Terms of payment: net {facts['payment_terms']} days",
        f"Signed by: {facts['signatory']}",
    )
    draft.text("The parties agree to the general conditions attached to this document.")


def contract_prose(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.title("Framework Agreement")
    draft.text(
        f'{facts["supplier"]}, a company with its seat in Larkham ("Supplier"), and '
        f'{facts["customer"]} ("Customer") agree as follows.'
    )
    draft.heading("Article 1. Duration")
    draft.text(
        f"The contract takes effect on {day_first(facts['effective_date'])} and ends on "
        f"{day_first(facts['expiry_date'])}."
    )
    draft.heading("Article 2. Termination")
    draft.text(
        f"Each party may terminate on {facts['notice_period']} days' written notice. "
        + (
            "It renews automatically each year."
            if facts["auto_renewal"]
            else "There is no automatic renewal."
        )
    )
    draft.heading("Article 3. Price and payment")
    draft.text(
        f"The value of this contract is {facts['contract_value']:,.0f} USD. "
        f"Invoices are payable in {facts['payment_terms']} days."
    )
    draft.heading("Article 4. Law")
    draft.text(f"The law of {facts['governing_law']} shall govern this contract.")
    draft.form([("Name of signatory (supplier)", facts["signatory"]), ("Place", "Larkham")])


# -- laboratory reports ----------------------------------------------------------------------------

LAB_SCHEMA: list[dict[str, Any]] = [
    _plain("patient_name", "string", "Name of the patient"),
    _plain("patient_id", "string", "Identification number of the patient", "MRN-004512"),
    _plain("date_of_birth", "date", "Date of birth of the patient"),
    _plain("collected", "datetime", "When the sample was collected"),
    _choice("specimen", "Whole blood", "Serum", "Plasma", "Urine"),
    _plain("physician", "string", "Physician who ordered the tests"),
    _plain("hemoglobin", "float", "Hemoglobin in g/dL"),
    _plain("glucose", "float", "Glucose in mg/dL"),
    _plain("platelets", "int", "Platelet count"),
    _plain("fasting", "bool", "Whether the patient was fasting"),
    _plain("laboratory", "string", "Name of the laboratory"),
]


def lab_facts(rng: random.Random) -> Facts:
    collected = datetime.combine(some_day(rng), datetime.min.time()) + timedelta(
        minutes=rng.randrange(360, 1080)
    )
    return {
        "patient_name": person(rng),
        "patient_id": f"MRN-{rng.randrange(1000, 999999):06d}",
        "date_of_birth": date(1940, 1, 1) + timedelta(days=rng.randrange(25000)),
        "collected": collected,
        "specimen": rng.choice(("Whole blood", "Serum", "Plasma", "Urine")),
        "physician": f"Dr. {person(rng)}",
        "hemoglobin": round(rng.uniform(9, 17), 1),
        "glucose": float(rng.randrange(65, 190)),
        "platelets": rng.randrange(120, 420),
        "fasting": rng.random() < 0.5,
        "laboratory": f"{rng.choice(FIRMS)} Clinical Laboratory",
    }


def _results(facts: Facts) -> list[list[str]]:
    return [
        ["Hemoglobin", str(facts["hemoglobin"]), "g/dL", "12.0 - 16.0"],
        ["Platelets", str(facts["platelets"]), "10^9/L", "150 - 400"],
        ["Glucose", f"{facts['glucose']:g}", "mg/dL", "70 - 99"],
        ["Creatinine", "0.9", "mg/dL", "0.6 - 1.2"],
    ]


def lab_classic(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.title(facts["laboratory"])
    draft.form(
        [
            ("Patient name", facts["patient_name"]),
            ("Patient ID", facts["patient_id"]),
            ("Date of birth", us_date(facts["date_of_birth"])),
            ("Collected", f"{facts['collected']:%m/%d/%Y %H:%M}"),
            ("Specimen", facts["specimen"]),
            ("Ordering physician", facts["physician"]),
            ("Fasting", "Yes" if facts["fasting"] else "No"),
            ("Laboratory", facts["laboratory"]),
        ],
        columns=2,
    )
    draft.grid([["Test", "Result", "Units", "Reference range"], *_results(facts)], header=True)


def lab_lines(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.title("Laboratory report")
    draft.text(
        f"Patient: {facts['patient_name']}    ID: {facts['patient_id']}    DOB: "
        f"{facts['date_of_birth']:%Y-%m-%d}",
        f"Sample collected: {facts['collected']:%Y-%m-%d %H:%M}    Sample type: "
        f"{facts['specimen']}",
        f"Physician: {facts['physician']}    Lab: {facts['laboratory']}    Fasting: "
        f"{'Y' if facts['fasting'] else 'N'}",
    )
    for name, value, unit, normal in _results(facts):
        draft.text(f"{name}: {value} {unit} (normal {normal})")


def lab_flags(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.header(facts["laboratory"])
    draft.title("Results of blood tests")
    draft.text(
        f"Name of patient: {facts['patient_name']}",
        f"Birth date: {long_date(facts['date_of_birth'])}",
    )
    draft.text(f"Identification no.: {facts['patient_id']}")
    draft.text(
        f"Collection: {long_date(facts['collected'].date())}, {facts['collected']:%H:%M}",
        f"Material: {facts['specimen'].lower()}",
        f"Requested by: {facts['physician']}",
        f"Performing laboratory: {facts['laboratory']}",
        f"Patient fasting: {'yes' if facts['fasting'] else 'no'}",
    )
    rows = [[name, normal, unit, value, ""] for name, value, unit, normal in _results(facts)]
    draft.grid([["Analyte", "Reference", "Unit", "Measured value", "Flag"], *rows])


def lab_prose(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.title("Laboratory findings")
    draft.text(
        f"Patient {facts['patient_name']} ({facts['patient_id']}), born on "
        f"{day_first(facts['date_of_birth'])}, was seen by {facts['physician']}."
    )
    state = "The patient was fasting." if facts["fasting"] else "The patient was not fasting."
    draft.text(
        f"The sample ({facts['specimen'].lower()}) was collected on "
        f"{day_first(facts['collected'].date())} at {facts['collected']:%H:%M}. {state}"
    )
    draft.text(
        f"Hemoglobin was {facts['hemoglobin']} g/dL and glucose {facts['glucose']:g} mg/dL. The "
        f"platelets were {facts['platelets']}."
    )
    draft.form([("Laboratory", facts["laboratory"])])


# -- industrial incident reports -------------------------------------------------------------------

INCIDENT_SCHEMA: list[dict[str, Any]] = [
    _plain("report_number", "string", "Number of the report", "IR-2020-118"),
    _plain("incident_date", "date", "Date of the incident"),
    _plain("site", "string", "Plant or site where it happened"),
    _plain("department", "string", "Department concerned"),
    _choice("severity", "Near miss", "Minor", "Serious", "Critical"),
    _plain("injured", "int", "Number of people injured"),
    _plain("lost_hours", "float", "Production time lost in hours"),
    _plain("cost", "float", "Estimated cost of the damage in USD"),
    _plain("equipment", "string", "Equipment involved"),
    _plain("reported_by", "string", "Person who reported the incident"),
    _plain("evacuated", "bool", "Whether the area was evacuated"),
    _plain("root_cause", "string", "Statement of the root cause"),
    {
        "name": "actions",
        "type": {
            "type": "array",
            "item_type": {"type": "string"},
            "description": "Corrective actions",
        },
    },
]

SITES = ["Millbrook Plant", "North Quay Terminal", "Hazelwood Works", "Cedar Point Depot"]
MACHINES = ["Conveyor C4", "Boiler 2", "Forklift 17", "Press line B", "Tank farm pump 3"]
CAUSES = [
    "A worn coupling was not replaced at the last inspection.",
    "The guard had been removed and the interlock bypassed.",
    "The operator had not been trained on the new valve layout.",
    "Corrosion under the insulation weakened the pipe.",
]
ACTIONS = [
    "Replace the coupling",
    "Train all operators",
    "Install a second interlock",
    "Revise the checklist",
    "Inspect all pipes",
]


def incident_facts(rng: random.Random) -> Facts:
    day = some_day(rng)
    return {
        "report_number": f"IR-{day.year}-{rng.randrange(1, 999):03d}",
        "incident_date": day,
        "site": rng.choice(SITES),
        "department": rng.choice(("Maintenance", "Logistics", "Assembly", "Utilities")),
        "severity": rng.choice(("Near miss", "Minor", "Serious", "Critical")),
        "injured": rng.randrange(0, 5),
        "lost_hours": rng.choice((1.5, 4.0, 7.5, 12.0, 36.0)),
        "cost": float(rng.randrange(5, 900) * 100),
        "equipment": rng.choice(MACHINES),
        "reported_by": person(rng),
        "evacuated": rng.random() < 0.4,
        "root_cause": rng.choice(CAUSES),
        "actions": rng.sample(ACTIONS, 3),
    }


def incident_form(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.title("Incident report")
    draft.form(
        [
            ("Report number", facts["report_number"]),
            ("Incident date", day_first(facts["incident_date"])),
            ("Site", facts["site"]),
            ("Department", facts["department"]),
            ("Severity", facts["severity"]),
            ("Injured persons", str(facts["injured"])),
            ("Lost time", f"{facts['lost_hours']:g} hours"),
            ("Estimated cost", f"${facts['cost']:,.0f}"),
            ("Equipment", facts["equipment"]),
            ("Reported by", facts["reported_by"]),
            ("Area evacuated", "Yes" if facts["evacuated"] else "No"),
            ("Date of report", day_first(facts["incident_date"] + timedelta(days=3))),
        ]
    )
    draft.heading("Root cause")
    draft.text(facts["root_cause"])
    draft.heading("Corrective actions")
    draft.items(*facts["actions"])


def incident_lines(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.header(f"Report {facts['report_number']}")
    draft.title("Accident notification")
    draft.text(f"Date of incident: {us_date(facts['incident_date'])}   Location: {facts['site']}")
    draft.text(f"Department: {facts['department']}   Severity class: {facts['severity']}")
    draft.text(f"People injured: {facts['injured'] or 'none'}", f"Machine: {facts['equipment']}")
    draft.text(
        f"Production hours lost: {facts['lost_hours']:g}",
        f"Damage cost (USD): {facts['cost']:,.2f}",
    )
    draft.text(
        f"Reporter: {facts['reported_by']}", f"Evacuation: {'yes' if facts['evacuated'] else 'no'}"
    )
    draft.text(f"Root cause: {facts['root_cause']}")
    draft.text(f"Corrective actions: {'; '.join(facts['actions'])}")


def incident_grid(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.title("Event record")
    draft.form(
        [
            ("Ref. no.", facts["report_number"]),
            ("Occurred on", long_date(facts["incident_date"])),
            ("Plant", facts["site"]),
            ("Dept.", facts["department"]),
            ("Severity level", facts["severity"]),
            ("No. of casualties", str(facts["injured"])),
            ("Downtime", f"{facts['lost_hours']:g} h"),
            ("Cost of damage", f"USD {facts['cost']:,.0f}"),
            ("Equipment affected", facts["equipment"]),
            ("Report submitted by", facts["reported_by"]),
            ("Evacuated", "Yes" if facts["evacuated"] else "No"),
            ("Reviewed on", long_date(facts["incident_date"] + timedelta(days=20))),
        ],
        columns=2,
    )
    draft.heading("4. Root cause analysis")
    draft.text(facts["root_cause"])
    draft.heading("5. Corrective measures")
    draft.items(*facts["actions"])


def incident_story(draft: Draft, facts: Facts, rng: random.Random) -> None:
    draft.title(f"Report {facts['report_number']}")
    draft.heading("Summary")
    hurt = (
        "No one was injured."
        if not facts["injured"]
        else f"{facts['injured']} people were injured."
    )
    draft.text(
        f"On {day_first(facts['incident_date'])} an incident occurred at the site "
        f"{facts['site']}, in the department {facts['department']}. The equipment was "
        f"{facts['equipment']}. {hurt}"
    )
    moved = "The area was evacuated." if facts["evacuated"] else "The area was not evacuated."
    draft.text(
        f"{moved} Production lost {facts['lost_hours']:g} hours, and the cost of the damage is "
        f"estimated at ${facts['cost']:,.0f}. The severity was rated as "
        f"{facts['severity'].lower()}."
    )
    draft.heading("Root cause")
    draft.text(facts["root_cause"])
    draft.heading("Actions")
    draft.items(*facts["actions"])
    draft.text(f"Reported by {facts['reported_by']}")
