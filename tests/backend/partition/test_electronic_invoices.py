"""Electronic invoices are read from the data that their format holds."""

import io
from typing import Any

import pypdfium2 as pdfium
import pytest

from backend.extraction.engine import extract
from tests.backend.partition.conftest import Read, lines, pdf
from workbench.contract.schema import Schema

CII = """<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
 xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"
 xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
 <rsm:ExchangedDocument><ram:ID>H-77</ram:ID>
  <ram:IssueDateTime><udt:DateTimeString format="102">20240131</udt:DateTimeString>
  </ram:IssueDateTime></rsm:ExchangedDocument>
 <rsm:SupplyChainTradeTransaction>
  <ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedTradeProduct><ram:Name>Rope</ram:Name>
   </ram:SpecifiedTradeProduct><ram:SpecifiedLineTradeSettlement>
   <ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>100.00
   </ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation>
   </ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>
  <ram:ApplicableHeaderTradeAgreement>
   <ram:SellerTradeParty><ram:Name>Harbour Supplies</ram:Name><ram:PostalTradeAddress>
    <ram:PostcodeCode>2100</ram:PostcodeCode><ram:LineOne>Quay 4</ram:LineOne>
    <ram:CityName>Osthavn</ram:CityName><ram:CountryID>DK</ram:CountryID>
    </ram:PostalTradeAddress></ram:SellerTradeParty>
   <ram:BuyerTradeParty><ram:Name>Lane Boats</ram:Name></ram:BuyerTradeParty>
  </ram:ApplicableHeaderTradeAgreement>
  <ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>DKK</ram:InvoiceCurrencyCode>
   <ram:SpecifiedTradeSettlementHeaderMonetarySummation>
    <ram:LineTotalAmount>100.00</ram:LineTotalAmount>
    <ram:TaxBasisTotalAmount>100.00</ram:TaxBasisTotalAmount>
    <ram:TaxTotalAmount currencyID="DKK">25.00</ram:TaxTotalAmount>
    <ram:GrandTotalAmount>125.00</ram:GrandTotalAmount>
   </ram:SpecifiedTradeSettlementHeaderMonetarySummation>
  </ram:ApplicableHeaderTradeSettlement>
 </rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>"""

UBL = """<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
 xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
 xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
 <cbc:ID>U-5</cbc:ID><cbc:IssueDate>2024-02-01</cbc:IssueDate>
 <cbc:Note>Thank you for the order.</cbc:Note>
 <cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
 <cac:AccountingSupplierParty><cac:Party><cac:PartyName><cbc:Name>Mill Ltd</cbc:Name>
  </cac:PartyName></cac:Party></cac:AccountingSupplierParty>
 <cac:LegalMonetaryTotal><cbc:PayableAmount currencyID="EUR">9.50</cbc:PayableAmount>
 </cac:LegalMonetaryTotal>
 <cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:InvoicedQuantity>2</cbc:InvoicedQuantity>
  <cbc:LineExtensionAmount currencyID="EUR">9.50</cbc:LineExtensionAmount>
  <cac:Item><cbc:Name>Flour</cbc:Name></cac:Item>
  <cac:Price><cbc:PriceAmount currencyID="EUR">4.75</cbc:PriceAmount></cac:Price>
 </cac:InvoiceLine>
</Invoice>"""


def with_file(name: str, content: bytes) -> bytes:
    """A PDF of one page with an embedded file."""
    document = pdfium.PdfDocument(pdf(lambda page: lines(page, 60, 700, ["Faktura H-77"])))
    document.new_attachment(name).set_data(content)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def rows(table: Any) -> list[list[str]]:
    """The texts of a table, row by row."""
    grid = [[""] * table.num_cols for _ in range(table.num_rows)]
    for cell in table.cells:
        grid[cell.rows[0]][cell.cols[0]] = cell.content
    return grid


def test_the_data_embedded_in_a_pdf_follow_its_pages_as_a_table(read: Read) -> None:
    partition = read(with_file("factur-x.xml", CII.encode()))
    table = partition.elements[-1].table
    assert table is not None
    assert table.caption == "Electronic invoice (factur-x.xml)"
    terms = {name: value for name, value in rows(table)}
    assert terms == {
        "Invoice number": "H-77",
        "Invoice date": "2024-01-31",
        "Currency": "DKK",
        "Seller name": "Harbour Supplies",
        "Seller address": "Quay 4, 2100 Osthavn, DK",
        "Buyer name": "Lane Boats",
        "Sum of invoice lines": "100.00 DKK",
        "Net total (without tax)": "100.00 DKK",
        "Tax total": "25.00 DKK",
        "Gross total (including tax)": "125.00 DKK",
    }
    assert partition.elements[0].text_representation == "Faktura H-77"


def test_properties_take_the_values_that_the_sender_declared(read: Read) -> None:
    partition = read(with_file("factur-x.xml", CII.encode()))
    kinds = {"seller": "string", "invoice_date": "date", "gross_total": "float"}
    schema = Schema.model_validate(
        {"properties": [{"name": name, "type": {"type": kind}} for name, kind in kinds.items()]}
    )
    values = extract(partition.elements, schema)
    assert {name: values[name].value for name in kinds} == {
        "seller": "Harbour Supplies",
        "invoice_date": "2024-01-31",
        "gross_total": 125.0,
    }


def test_an_invoice_in_xml_becomes_its_terms_its_lines_and_its_remarks(read: Read) -> None:
    partition = read(UBL.encode(), "invoice.xml")
    terms, items = (element.table for element in partition.elements if element.table is not None)
    assert ["Amount due", "9.50 EUR"] in rows(terms)
    assert ["Seller name", "Mill Ltd"] in rows(terms)
    assert rows(items) == [
        ["Item", "Quantity", "Net price", "Net amount"],
        ["Flour", "2", "4.75 EUR", "9.50 EUR"],
    ]
    assert partition.elements[-1].text_representation == "Thank you for the order."


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("factur-x.xml", b"<broken"),
        ("notes.xml", b"<notes><note>not an invoice</note></notes>"),
        ("photo.jpg", CII.encode()),
        ("factur-x.xml", b"<Invoice>" + b" " * 2_000_001 + b"</Invoice>"),
    ],
)
def test_other_embedded_files_change_nothing(read: Read, name: str, content: bytes) -> None:
    partition = read(with_file(name, content))
    assert [element.text_representation for element in partition.elements] == ["Faktura H-77"]
    assert not partition.notes
