"""Quarterly statements of four invented companies, as HTML pages and PDF releases.

Awkward on purpose: amounts in thousands, in millions or in full dollars; losses in parentheses;
two periods side by side, and in some statements the earlier period comes first; the company's
name in several spellings; "unaudited" beside "reviewed". Truths of amounts are full US dollars,
and always those of the quarter the statement is about.
"""

from __future__ import annotations

from datetime import date

from tests.golden.common import (
    Document,
    Same,
    Schema,
    head,
    html,
    pairs,
    para,
    pdf,
    prop,
    small,
    table,
)
from tests.golden.common import title as big

NOUN = "quarterly statements"

SCHEMA: Schema = [
    prop("company", "string", "Company that issued the statement", ["Alder Foods"]),
    prop("period_end", "date", "Last day of the quarter reported on", ["2022-03-31"]),
    prop(
        "revenue",
        "float",
        "Revenue (net sales) of the quarter in full US dollars, not thousands",
        ["48215000"],
    ),
    prop(
        "net_income",
        "float",
        "Net income of the quarter in full US dollars, negative for a loss",
        ["2310000", "-1145000"],
    ),
    prop("cash", "float", "Cash at the end of the quarter in full US dollars", ["6040000"]),
    prop("employees", "int", "Number of employees at the end of the quarter", ["412"]),
    prop("reviewed", "bool", "Whether an independent auditor reviewed the statement", ["yes"]),
]

SAME: Same = {
    "company": {
        "Alder Foods": ("Alder Foods, Inc.", "ALDER FOODS INC."),
        "Brightwater Energy": ("Brightwater Energy Corporation", "Brightwater Energy Corp."),
        "Cobalt Systems": ("Cobalt Systems Ltd", "Cobalt Systems Limited"),
        "Delmar Textiles": ("DELMAR TEXTILES", "Delmar Textiles Company"),
    }
}


def _doc(
    name: str, content: bytes, truth: tuple[object, ...], **written: tuple[str, ...]
) -> Document:
    names = [str(entry["name"]) for entry in SCHEMA]
    return Document(f"statement_{name}", content, dict(zip(names, truth, strict=True)), written)


def _alder(
    ending: str, earlier: str, rows: list[tuple[str, str, str]], remarks: list[str], name: str
) -> bytes:
    return html(
        [
            big(name),
            head("Condensed Consolidated Statement of Operations"),
            para(f"Quarter ended {ending} (in thousands of US dollars)"),
            table(("", ending, earlier), *rows),
            *[para(text) for text in remarks],
        ],
        f"{name} quarterly statement",
    )


def _brightwater(
    rows: list[tuple[str, str, str]], heads: tuple[str, str], text: list[str]
) -> bytes:
    return pdf(
        [
            big("Brightwater Energy Corporation"),
            para("Financial highlights"),
            small("All amounts in millions of US dollars unless stated otherwise."),
            table(("$ million", *heads), *rows),
            *[para(line) for line in text],
        ],
        lines=False,
    )


def documents() -> list[Document]:
    """The fifteen statements."""
    return [
        _doc(
            "01.html",
            _alder(
                "March 31, 2022",
                "March 31, 2021",
                [
                    ("Net sales", "48,215", "45,870"),
                    ("Cost of goods sold", "31,904", "30,655"),
                    ("Gross profit", "16,311", "15,215"),
                    ("Operating expenses", "13,190", "12,700"),
                    ("Net income", "2,310", "1,925"),
                    ("Cash and cash equivalents, end of period", "6,040", "5,212"),
                ],
                [
                    "Employees at the end of the period: 412.",
                    "Unaudited. Reviewed by our independent auditor, Penrose & Lyle LLP.",
                ],
                "Alder Foods, Inc.",
            ),
            ("Alder Foods", date(2022, 3, 31), 48215000.0, 2310000.0, 6040000.0, 412, True),
            revenue=("48,215",),
            net_income=("2,310",),
            cash=("6,040",),
            reviewed=("Reviewed by our independent auditor",),
        ),
        _doc(
            "02.html",
            _alder(
                "June 30, 2022",
                "June 30, 2021",
                [
                    ("Net sales", "51,904", "47,118"),
                    ("Cost of goods sold", "33,870", "31,002"),
                    ("Gross profit", "18,034", "16,116"),
                    ("Net income", "3,120", "2,044"),
                    ("Cash and cash equivalents, end of period", "7,255", "5,630"),
                ],
                [
                    "Employees at the end of the period: 418 (previous year: 402).",
                    "Reviewed by our independent auditor, Penrose & Lyle LLP.",
                ],
                "Alder Foods, Inc.",
            ),
            ("Alder Foods", date(2022, 6, 30), 51904000.0, 3120000.0, 7255000.0, 418, True),
            revenue=("51,904",),
            net_income=("3,120",),
            cash=("7,255",),
            reviewed=("Reviewed by our independent auditor",),
        ),
        _doc(
            "03.pdf",
            pdf(
                [
                    big("ALDER FOODS INC."),
                    para("Third quarter results, three months ended September 30, 2022"),
                    small("USD in thousands. Losses in parentheses. Not reviewed by an auditor."),
                    table(
                        ("", "Q3 2021", "Q3 2022"),
                        ("Revenue", "46,902", "47,330"),
                        ("Cost of sales", "30,110", "35,480"),
                        ("Net income (loss)", "1,377", "(1,145)"),
                        ("Cash at end of quarter", "5,944", "5,980"),
                    ),
                    para(
                        "The loss reflects a product recall that began on August 19, 2022. The "
                        "company expects to return to profit in the fourth quarter."
                    ),
                ],
                font="Times-Roman",
            ),
            ("Alder Foods", date(2022, 9, 30), 47330000.0, -1145000.0, 5980000.0, None, False),
            revenue=("47,330",),
            net_income=("(1,145)",),
            cash=("5,980",),
            reviewed=("Not reviewed by an auditor",),
        ),
        _doc(
            "04.html",
            _alder(
                "December 31, 2022",
                "December 31, 2021",
                [
                    ("Net sales", "55,120", "52,730"),
                    ("Cost of goods sold", "35,995", "34,400"),
                    ("Gross profit", "19,125", "18,330"),
                    ("Net income", "4,002", "3,515"),
                ],
                [
                    "Headcount at December 31, 2022 was 431 employees.",
                    "Reviewed by our independent auditor, Penrose & Lyle LLP.",
                    "The balance sheet will be published on March 2, 2023.",
                ],
                "Alder Foods",
            ),
            ("Alder Foods", date(2022, 12, 31), 55120000.0, 4002000.0, None, 431, True),
            revenue=("55,120",),
            net_income=("4,002",),
            reviewed=("Reviewed by our independent auditor",),
        ),
        _doc(
            "05.pdf",
            _brightwater(
                [
                    ("Revenue", "120.4", "108.9"),
                    ("Operating result", "17.2", "14.1"),
                    ("Net income", "9.8", "7.7"),
                    ("Cash", "30.1", "28.4"),
                    ("Employees", "1,250", "1,214"),
                ],
                ("31 Mar 2022", "31 Mar 2021"),
                [
                    "This report covers the three months ended 31 March 2022.",
                    "The figures have been neither audited nor reviewed by an auditor.",
                ],
            ),
            (
                "Brightwater Energy",
                date(2022, 3, 31),
                120400000.0,
                9800000.0,
                30100000.0,
                1250,
                False,
            ),
            revenue=("120.4",),
            net_income=("9.8",),
            cash=("30.1",),
            reviewed=("neither audited nor reviewed",),
        ),
        _doc(
            "06.pdf",
            _brightwater(
                [
                    ("Revenue", "112.7", "110.3"),
                    ("Operating result", "(2.9)", "12.6"),
                    ("Net income (loss)", "(4.6)", "6.9"),
                    ("Cash", "26.9", "29.0"),
                    ("Employees", "1,238", "1,220"),
                ],
                ("30 Jun 2022", "30 Jun 2021"),
                [
                    "This report covers the three months ended 30 June 2022.",
                    "An outage at the Corran plant from 3 May to 11 June reduced output.",
                ],
            ),
            (
                "Brightwater Energy",
                date(2022, 6, 30),
                112700000.0,
                -4600000.0,
                26900000.0,
                1238,
                None,
            ),
            revenue=("112.7",),
            net_income=("(4.6)",),
            cash=("26.9",),
        ),
        _doc(
            "07.html",
            html(
                [
                    big("Brightwater Energy Corp. reports fourth quarter 2022"),
                    para(
                        "Brightwater Energy Corp. today reported revenue of $131.2 million for the "
                        "quarter ended December 31, 2022, against $119.0 million a year earlier. "
                        "Net income was $12.5 million, compared with $10.1 million."
                    ),
                    para(
                        "The company employed 1,301 people at year end. For the full year, revenue "
                        "was $481.9 million and net income $25.3 million."
                    ),
                    para("The quarterly figures were reviewed by Oster Audit LLP."),
                    small("Released on February 14, 2023."),
                ],
                "Press release",
            ),
            ("Brightwater Energy", date(2022, 12, 31), 131200000.0, 12500000.0, None, 1301, True),
            revenue=("$131.2 million",),
            net_income=("$12.5 million",),
            reviewed=("were reviewed by",),
        ),
        _doc(
            "08.html",
            html(
                [
                    big("Cobalt Systems Ltd"),
                    pairs(
                        ("Statement for the quarter ended", "2022-03-31"),
                        ("Currency", "US dollars"),
                        ("Auditor's review", "No"),
                        ("Staff at quarter end", "64 employees"),
                    ),
                    table(
                        ("Line", "This quarter", "Previous quarter"),
                        ("Revenue", "8,412,650", "8,690,114"),
                        ("Personnel cost", "(5,120,300)", "(5,004,870)"),
                        ("Other cost", "(3,904,830)", "(3,611,020)"),
                        ("Net income (loss)", "(612,480)", "74,224"),
                        ("Cash balance", "2,205,310", "2,790,055"),
                    ),
                ],
                "Cobalt Q1",
                style="dl",
            ),
            ("Cobalt Systems", date(2022, 3, 31), 8412650.0, -612480.0, 2205310.0, 64, False),
            reviewed=("Auditor's review No",),
        ),
        _doc(
            "09.html",
            html(
                [
                    head("Statement for the quarter ended 2022-06-30"),
                    para("Amounts in US dollars. This statement was not reviewed by an auditor."),
                    table(
                        ("Line", "This quarter", "Previous quarter"),
                        ("Revenue", "9,030,115", "8,412,650"),
                        ("Personnel cost", "(5,201,955)", "(5,120,300)"),
                        ("Other cost", "(3,926,400)", "(3,904,830)"),
                        ("Net income (loss)", "(98,240)", "(612,480)"),
                        ("Cash balance", "1,870,900", "2,205,310"),
                    ),
                ],
                "Quarterly sheet",
            ),
            (None, date(2022, 6, 30), 9030115.0, -98240.0, 1870900.0, None, False),
            reviewed=("not reviewed by an auditor",),
        ),
        _doc(
            "10.html",
            html(
                [
                    big("Cobalt Systems Limited"),
                    pairs(
                        ("Statement for the quarter ended", "2022-09-30"),
                        ("Currency", "US dollars"),
                        ("Staff at quarter end", "71 employees"),
                    ),
                    table(
                        ("Line", "Previous quarter", "This quarter"),
                        ("Revenue", "9,030,115", "10,255,780"),
                        ("Personnel cost", "(5,201,955)", "(5,610,200)"),
                        ("Other cost", "(3,926,400)", "(4,303,675)"),
                        ("Net income (loss)", "(98,240)", "341,905"),
                        ("Cash balance", "1,870,900", "2,011,450"),
                    ),
                ],
                "Cobalt Q3",
                style="line",
            ),
            ("Cobalt Systems", date(2022, 9, 30), 10255780.0, 341905.0, 2011450.0, 71, None),
        ),
        _doc(
            "11.pdf",
            pdf(
                [
                    big("Cobalt Systems Ltd"),
                    para("Interim statement, quarter to 31 March 2023"),
                    table(
                        ("$'000", "Q1 2023", "Q1 2022"),
                        ("Turnover (revenue)", "11,870", "8,413"),
                        ("Net income / (loss)", "612", "(612)"),
                        ("Cash in hand and at bank", "2,640", "2,205"),
                        ("Average order value ($)", "4,310", "3,975"),
                    ),
                    para("At the end of the quarter the company had 78 employees (2022: 64)."),
                    para("Independent review report: issued by Oster Audit LLP on 28 April 2023."),
                ],
                paper="a4",
            ),
            ("Cobalt Systems", date(2023, 3, 31), 11870000.0, 612000.0, 2640000.0, 78, True),
            revenue=("11,870",),
            net_income=("612",),
            cash=("2,640",),
            reviewed=("Independent review report",),
        ),
        _doc(
            "12.pdf",
            pdf(
                [
                    big("DELMAR TEXTILES"),
                    para("QUARTERLY REPORT TO LENDERS"),
                    pairs(
                        ("Quarter ended", "06/30/2022"),
                        ("Date of this report", "08/12/2022"),
                        ("Net sales, USD thousands", "22,640"),
                        ("EBITDA, USD thousands", "1,905"),
                        ("Cash, USD thousands", "1,410"),
                        ("Number of employees", "205"),
                        ("Reviewed by independent auditor", "Yes"),
                    ),
                    para("Net income is not yet final because of an open tax assessment."),
                ],
                font="Courier",
                size=9.5,
            ),
            ("Delmar Textiles", date(2022, 6, 30), 22640000.0, None, 1410000.0, 205, True),
            revenue=("22,640",),
            cash=("1,410",),
            reviewed=("Reviewed by independent auditor: Yes",),
        ),
        _doc(
            "13.pdf",
            pdf(
                [
                    big("DELMAR TEXTILES"),
                    para("QUARTERLY REPORT TO LENDERS"),
                    pairs(
                        ("Quarter ended", "09/30/2022"),
                        ("Date of this report", "11/09/2022"),
                        ("Net sales, USD thousands", "21,115"),
                        ("EBITDA, USD thousands", "(640)"),
                        ("Net income, USD thousands", "(2,034)"),
                        ("Cash, USD thousands", "905"),
                        ("Number of employees", "199"),
                        ("Reviewed by independent auditor", "Yes"),
                    ),
                    para("A waiver of the covenant was requested on 11/02/2022."),
                ],
                font="Courier",
                size=9.5,
            ),
            ("Delmar Textiles", date(2022, 9, 30), 21115000.0, -2034000.0, 905000.0, 199, True),
            revenue=("21,115",),
            net_income=("(2,034)",),
            cash=("905",),
            reviewed=("Reviewed by independent auditor: Yes",),
        ),
        _doc(
            "14.html",
            html(
                [
                    big("Delmar Textiles Company"),
                    para(
                        "For the quarter ended 31 December 2022 we report net income of $410 "
                        "thousand after a loss of $2,034 thousand in the quarter before. Cash "
                        "stood at $1,102 thousand."
                    ),
                    para(
                        "Revenue will be published with the annual report. The figures were not "
                        "reviewed by the auditor."
                    ),
                ],
                "Delmar Textiles",
            ),
            ("Delmar Textiles", date(2022, 12, 31), None, 410000.0, 1102000.0, None, False),
            net_income=("$410 thousand",),
            cash=("$1,102 thousand",),
            reviewed=("not reviewed by the auditor",),
        ),
        _doc(
            "15.html",
            html(
                [
                    big("Delmar Textiles Company"),
                    para("Flash report, quarter ended 31 March 2023"),
                    table(
                        ("USD thousands", "31 Mar 2023", "31 Dec 2022"),
                        ("Net sales", "24,880", "23,405"),
                        ("Inventories", "9,117", "9,560"),
                        ("Cash", "1,733", "1,102"),
                        ("Employees (number)", "210", "203"),
                    ),
                    para("Net income will follow in the full report."),
                ],
                "Flash report",
            ),
            ("Delmar Textiles", date(2023, 3, 31), 24880000.0, None, 1733000.0, 210, None),
            revenue=("24,880",),
            cash=("1,733",),
        ),
    ]
