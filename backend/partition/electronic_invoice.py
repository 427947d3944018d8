"""Electronic invoices: the structured data in the file, under their standard names.

European invoices (EN 16931) come as XML in one of two syntaxes: Cross Industry Invoice (CII; as
Factur-X, ZUGFeRD or XRechnung usually embedded in a PDF) and the Universal Business Language (UBL).
Both are read into the business terms of the standard, so that search, properties and questions see
the values that the sender declared and not only their picture on a page.
"""

from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from backend.partition.declaring import DECLARES_TERMS
from backend.partition.flow import Flow, cells_of_rows


class Term(NamedTuple):
    """A business term and where the two syntaxes keep it, each path without namespaces."""

    name: str
    cii: str
    ubl: str


_SELLER, _BUYER = "AccountingSupplierParty/Party", "AccountingCustomerParty/Party"
_DAY = "DateTimeString"
_CURRENCY = Term("Currency", "InvoiceCurrencyCode", "./DocumentCurrencyCode")
TERMS = (
    Term("Invoice number", "ExchangedDocument/ID | HeaderExchangedDocument/ID", "./ID"),
    Term(
        "Invoice date",
        f"ExchangedDocument/IssueDateTime/{_DAY} | HeaderExchangedDocument/IssueDateTime/{_DAY}",
        "./IssueDate",
    ),
    _CURRENCY,
    Term(
        "Payment due date",
        f"SpecifiedTradePaymentTerms/DueDateDateTime/{_DAY}",
        "./DueDate | PaymentMeans/PaymentDueDate",
    ),
    Term(
        "Delivery date",
        f"{{header}}TradeDelivery/ActualDeliverySupplyChainEvent/OccurrenceDateTime/{_DAY}",
        "Delivery/ActualDeliveryDate",
    ),
    Term(
        "Start of invoicing period",
        f"{{header}}TradeSettlement/BillingSpecifiedPeriod/StartDateTime/{_DAY}",
        "./InvoicePeriod/StartDate",
    ),
    Term(
        "End of invoicing period",
        f"{{header}}TradeSettlement/BillingSpecifiedPeriod/EndDateTime/{_DAY}",
        "./InvoicePeriod/EndDate",
    ),
    Term("Buyer reference", "BuyerReference", "./BuyerReference"),
    Term(
        "Purchase order reference",
        "BuyerOrderReferencedDocument/IssuerAssignedID | BuyerOrderReferencedDocument/ID",
        "./OrderReference/ID",
    ),
    Term(
        "Contract reference",
        "ContractReferencedDocument/IssuerAssignedID | ContractReferencedDocument/ID",
        "./ContractDocumentReference/ID",
    ),
    Term(
        "Seller name",
        "SellerTradeParty/Name",
        f"{_SELLER}/PartyLegalEntity/RegistrationName | {_SELLER}/PartyName/Name",
    ),
    Term("Seller address", "SellerTradeParty/PostalTradeAddress", f"{_SELLER}/PostalAddress"),
    Term(
        "Seller VAT id",
        "SellerTradeParty/SpecifiedTaxRegistration/ID[@schemeID='VA']",
        f"{_SELLER}/PartyTaxScheme/CompanyID",
    ),
    Term("Seller tax number", "SellerTradeParty/SpecifiedTaxRegistration/ID[@schemeID='FC']", ""),
    Term(
        "Buyer name",
        "BuyerTradeParty/Name",
        f"{_BUYER}/PartyLegalEntity/RegistrationName | {_BUYER}/PartyName/Name",
    ),
    Term("Buyer address", "BuyerTradeParty/PostalTradeAddress", f"{_BUYER}/PostalAddress"),
    Term(
        "Buyer VAT id",
        "BuyerTradeParty/SpecifiedTaxRegistration/ID[@schemeID='VA']",
        f"{_BUYER}/PartyTaxScheme/CompanyID",
    ),
    Term("Payee name", "PayeeTradeParty/Name", "./PayeeParty/PartyName/Name"),
    Term(
        "Payment account (IBAN)",
        "PayeePartyCreditorFinancialAccount/IBANID",
        "PaymentMeans/PayeeFinancialAccount/ID",
    ),
    Term("Payment terms", "SpecifiedTradePaymentTerms/Description", "./PaymentTerms/Note"),
    Term(
        "Sum of invoice lines",
        "{totals}/LineTotalAmount",
        "LegalMonetaryTotal/LineExtensionAmount",
    ),
    Term(
        "Net total (without tax)",
        "{totals}/TaxBasisTotalAmount",
        "LegalMonetaryTotal/TaxExclusiveAmount",
    ),
    Term("Tax total", "{totals}/TaxTotalAmount", "./TaxTotal/TaxAmount"),
    Term(
        "Gross total (including tax)",
        "{totals}/GrandTotalAmount",
        "LegalMonetaryTotal/TaxInclusiveAmount",
    ),
    Term("Paid amount", "{totals}/TotalPrepaidAmount", "LegalMonetaryTotal/PrepaidAmount"),
    Term("Amount due", "{totals}/DuePayableAmount", "LegalMonetaryTotal/PayableAmount"),
)
"""The terms of EN 16931 that people ask for; `{totals}` is the summation of the whole invoice and
`{header}` what begins its parts, as lines have parts of the same names."""

_TOTALS = (
    "SpecifiedTradeSettlementHeaderMonetarySummation",
    "SpecifiedTradeSettlementMonetarySummation",
)
_HEADERS = ("ApplicableHeader", "ApplicableSupplyChain")
_CII = frozenset({"CrossIndustryInvoice", "CrossIndustryDocument"})
_UBL = frozenset({"Invoice", "CreditNote"})
_LINES = ("IncludedSupplyChainTradeLineItem", "InvoiceLine", "CreditNoteLine")
_LINE = (
    ("Item", "SpecifiedTradeProduct/Name | Item/Name"),
    (
        "Quantity",
        "SpecifiedLineTradeDelivery/BilledQuantity | SpecifiedSupplyChainTradeDelivery/"
        "BilledQuantity | ./InvoicedQuantity | ./CreditedQuantity",
    ),
    ("Net price", "NetPriceProductTradePrice/ChargeAmount | Price/PriceAmount"),
    (
        "Net amount",
        "SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount |"
        " SpecifiedTradeSettlementMonetarySummation/LineTotalAmount | ./LineExtensionAmount",
    ),
)
_STREET = ("LineOne", "LineTwo", "LineThree", "StreetName", "AdditionalStreetName")
_TOWN = ("PostcodeCode", "PostalZone", "CityName")
_COUNTRY = ("CountryID", "IdentificationCode")
_REMARKS = frozenset({"Content", "Note", "Description"})
_MOST_LINES = 5_000
_LONGEST = 500


def is_invoice(root: etree._Element) -> bool:
    """Whether an XML tree is an invoice in one of the two syntaxes."""
    name = etree.QName(root)
    if name.localname in _CII:
        return True
    return name.localname in _UBL and "ubl:schema" in (name.namespace or "")


def invoice_terms(root: etree._Element) -> Iterator[tuple[str, str]]:
    """The business terms in an invoice, each with its value: ISO dates, amounts with currency."""
    cii = etree.QName(root).localname in _CII
    currency = _first_value(root, _CURRENCY.cii if cii else _CURRENCY.ubl)
    for term in TERMS:
        value = _first_value(root, term.cii if cii else term.ubl, currency)
        if value:
            yield term.name, value


def read_terms(flow: Flow, root: etree._Element, title: str | None = None) -> None:
    """Adds the terms of an invoice as a table of names and values."""
    rows = [list(pair) for pair in invoice_terms(root)]
    first = len(flow.elements)
    flow.table(cells_of_rows(rows, header_rows=0), title)
    for element in flow.elements[first:]:
        element.properties[DECLARES_TERMS] = True


def read_lines(flow: Flow, root: etree._Element) -> None:
    """Adds the lines of an invoice as a table."""
    lines = [node for name in _LINES for node in root.iter(f"{{*}}{name}")][:_MOST_LINES]
    rows = [[_first_value(line, paths) for _, paths in _LINE] for line in lines]
    if rows:
        flow.table(cells_of_rows([[name for name, _ in _LINE], *rows]), "Invoice lines")


def read_remarks(flow: Flow, root: etree._Element) -> None:
    """Adds the free texts of an invoice as paragraphs."""
    texts = (
        " ".join((node.text or "").split())
        for node in root.iter("{*}*")
        if etree.QName(node).localname in _REMARKS
    )
    for text in dict.fromkeys(filter(None, texts)):
        flow.text(text)


def _paths(paths: str) -> list[str]:
    """The alternatives of a path, the names of each version of the standard spelt out."""
    spelt = (
        path.strip().format(totals=totals, header=header)
        for path in paths.split("|")
        if path.strip()
        for totals, header in zip(_TOTALS, _HEADERS, strict=True)
    )
    return list(dict.fromkeys(spelt))


def _first_value(root: etree._Element, paths: str, currency: str = "") -> str:
    """The first value on one of the paths, which begin anywhere, or at the root with `./`."""
    for path in _paths(paths):
        start, steps = ("./", path[2:]) if path.startswith("./") else (".//", path)
        target = root.find(start + "/".join(f"{{*}}{step}" for step in steps.split("/")))
        value = "" if target is None else _value(target, currency)
        if value:
            return value
    return ""


def _value(node: etree._Element, currency: str) -> str:
    """The value of an element in a plain form."""
    name = etree.QName(node).localname
    if name == _DAY:
        return _iso_day(_text(node))
    if name.endswith("Amount"):
        unit = node.get("currencyID") or currency
        return f"{_text(node)} {unit}".strip()
    return _address(node) if len(node) else _text(node)


def _address(node: etree._Element) -> str:
    """Street, town and country, in the order of a letter."""
    parts = {etree.QName(part).localname: _text(part) for part in node.iter("{*}*")}
    town = " ".join(parts[name] for name in _TOWN if parts.get(name))
    lines = [*(parts.get(name, "") for name in _STREET), town]
    return ", ".join(filter(None, [*lines, *(parts.get(name, "") for name in _COUNTRY)]))


def _text(node: etree._Element) -> str:
    return " ".join((node.text or "").split())[:_LONGEST] if isinstance(node.tag, str) else ""


def _iso_day(digits: str) -> str:
    """A day in the standard's format 102 (`20240131`) as ISO 8601, or the original text."""
    if len(digits) == 8 and digits.isdecimal():
        return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"
    return digits
