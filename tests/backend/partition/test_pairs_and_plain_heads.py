"""Labels stay with their values, and headings show where no font tells them."""

import pytest
from reportlab.pdfgen.canvas import Canvas

from backend.partition.layout import headings
from tests.backend.partition.conftest import Read, lines, pdf
from tests.backend.partition.test_tables import table_of, texts

FORM = [
    ("Vessel", "Northern Gull", "Port", "Hollowell"),
    ("Built", "14 May 1987", "Crew", "6, all rescued"),
    ("Owner", "E. Falkner", "Cargo", "None"),
    ("Sea state", "Slight", "Wind", "12 knots"),
    ("Beacon", "Not fitted", "Rafts", "Two, inflated"),
]
CLAUSE = [
    "The tenant pays the rent on the first working day of every month and bears the cost of",
    "repairs up to the amount that is set out in the schedule, without any right to set it off.",
]


def test_a_form_with_two_labels_in_a_row_is_a_table_with_each_label_beside_its_value(
    read: Read,
) -> None:
    def draw(canvas: Canvas) -> None:
        for row, parts in enumerate(FORM):
            for at, (x, text) in enumerate(zip((60, 150, 320, 400), parts, strict=True)):
                canvas.setFont("Times-Roman" if at % 2 else "Times-Bold", 10)
                canvas.drawString(x, 700 - 16 * row, text if at % 2 else f"{text}:")

    (form,) = read(pdf(draw)).elements
    assert form.table is not None and form.table.num_cols == 4
    rows = [f"{parts[0]}: | {parts[1]} | {parts[2]}: | {parts[3]}" for parts in FORM]
    assert form.text_representation == "\n".join(rows)


def test_fields_without_colons_stay_below_their_headings_and_values_that_wrap_stay_whole(
    read: Read,
) -> None:
    blocks = {
        60: ["Boat", "Name|Northern Gull", "Built|14 May 1987", "Berth|B-17", "Home|Quay House,"],
        320: ["Owner", "Name|Erik Falkner", "Member|4471", "Since|3 June 2011", "Phone|555 0191"],
    }

    def draw(canvas: Canvas) -> None:
        for x, block in blocks.items():
            for row, text in enumerate(block):
                for at, part in enumerate(text.split("|")):
                    canvas.setFont("Helvetica" if row else "Helvetica-Bold", 10)
                    canvas.drawString(x + 90 * at, 700 - 16 * row, part)
        canvas.drawString(150, 700 - 16 * 4 - 11, "Hollowell")

    expected = [text.replace("|", " ") for block in blocks.values() for text in block]
    expected[4] += " Hollowell"
    elements = read(pdf(draw)).elements
    assert [one.text_representation for one in elements] == expected
    assert [one.properties.get("line_starts") for one in elements[1:4]] == [[5], [6], [6]]


def test_columns_of_one_kind_of_value_stay_a_table(read: Read) -> None:
    rows = [("Ropes", "12.50"), ("Sails", "380.00"), ("Oars", "64.20"), ("Lamps", "17.95")]

    def draw(canvas: Canvas) -> None:
        for row, parts in enumerate(rows):
            for x, text in zip((60, 200), parts, strict=True):
                canvas.drawString(x, 700 - 16 * row, text)

    assert texts(table_of(read(pdf(draw)))) == [list(row) for row in rows]


def test_labels_in_bold_stay_with_the_values_beside_them(read: Read) -> None:
    pairs = [("Chair", "Anna Holloway"), ("Guests", "none"), ("Minutes by", "Luis Moreau")]

    def draw(canvas: Canvas) -> None:
        lines(canvas, 60, 750, CLAUSE)
        for row, (label, value) in enumerate(pairs):
            canvas.setFont("Helvetica-Bold", 10)
            canvas.drawString(60, 700 - 15 * row, label)
            canvas.setFont("Helvetica", 10)
            canvas.drawString(240, 700 - 15 * row, value)
        lines(canvas, 60, 630, CLAUSE)

    elements = read(pdf(draw)).elements
    rows = [" ".join(row) for e in elements if e.table for row in texts(e.table)]
    shown = " ".join([e.text_representation or "" for e in elements] + rows)
    assert "Chair Anna Holloway Guests none Minutes by Luis Moreau" in shown


def test_two_columns_of_text_in_two_weights_are_read_one_after_the_other(read: Read) -> None:
    left = ["The harbour was", "closed for two", "days because the", "ice had come in"]
    right = ["Fishermen waited", "in the market hall", "until the council", "opened the pier"]

    def draw(canvas: Canvas) -> None:
        for row, (bold, plain) in enumerate(zip(left, right, strict=True)):
            canvas.setFont("Helvetica-Bold", 10)
            canvas.drawString(60, 700 - 13 * row, bold)
            canvas.setFont("Helvetica", 10)
            canvas.drawString(240, 700 - 13 * row, plain)

    shown = " ".join(e.text_representation or "" for e in read(pdf(draw)).elements)
    assert shown == " ".join(left + right)


def test_two_tables_beside_each_other_stay_two(read: Read) -> None:
    halves = [
        [
            ("Goods", "Sold", "Left"),
            ("Ropes", "12", "140"),
            ("Sails", "3", "95"),
            ("Oars", "28", "60"),
            ("Nets", "7", "310"),
            ("Lamps", "16", "45"),
        ],
        [
            ("Town", "Boats", "Crew"),
            ("Northam", "81", "7,200"),
            ("Foxbury", "64", "5,150"),
            ("Lille", "22", "980"),
            ("Graz", "19", "1,040"),
            ("Leeds", "40", "3,300"),
            ("Utrecht", "9", "410"),
            ("Boise", "5", "120"),
        ],
    ]

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for x, half in zip((60, 320), halves, strict=True):
            for row, (name, first, second) in enumerate(half):
                canvas.drawString(x, 700 - 15 * row, name)
                canvas.drawRightString(x + 120, 700 - 15 * row, first)
                canvas.drawRightString(x + 190, 700 - 15 * row, second)

    tables = [e.table for e in read(pdf(draw)).elements if e.table is not None]
    assert [texts(table) for table in tables] == [[list(row) for row in half] for half in halves]


@pytest.mark.parametrize("number", ["", "{}. ", "ARTICLE {} "])
def test_headings_of_a_contract_in_one_font_are_headings(read: Read, number: str) -> None:
    names = ["TERM OF THE LEASE", "RENT AND DEPOSIT", "REPAIRS", "GOVERNING LAW"]
    heads = [number.format(at + 1) + name for at, name in enumerate(names)]

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 11)
        canvas.drawCentredString(300, 745, "LEASE OF A BOATHOUSE")
        for at, head in enumerate(heads):
            y = 705 - 90 * at
            canvas.setFont("Times-Roman", 11)
            canvas.drawString(60, y, head)
            canvas.setFont("Times-Roman", 11)
            for row, text in enumerate(CLAUSE):
                canvas.drawString(60, y - 24 - 14 * row, text)

    elements = read(pdf(draw)).elements
    shown = [e.text_representation for e in elements if e.type in ("Section-header", "Title")]
    assert shown == ["LEASE OF A BOATHOUSE", *heads]
    assert [e.text_representation for e in elements if e.type == "Title"] == [
        "LEASE OF A BOATHOUSE"
    ]


def test_sentences_between_paragraphs_are_not_headings(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, 60, 740, [*CLAUSE, "", "It rained all day.", "", *CLAUSE])

    assert {element.type for element in read(pdf(draw)).elements} == {"Text"}


def test_rows_of_texts_above_the_first_number_are_not_a_head(read: Read) -> None:
    rows = [
        ("Company", "Alder Timber Works", "Birch Joinery"),
        ("Contact", "Ada Lane", "Cleo Ward"),
        ("Town", "Larkham", "Moss End"),
        ("Telephone", "270 555 012", "41 555 0190"),
        ("Register", "5550192273", "5550128"),
        ("Parcels", "36", "41"),
    ]

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for row, parts in enumerate(rows):
            for x, text in zip((60, 140, 320), parts, strict=True):
                canvas.drawString(x, 700 - 16 * row, text)

    assert texts(table_of(read(pdf(draw)))) == [list(parts) for parts in rows]


def test_lines_that_only_name_the_article_are_headings_whatever_their_signs(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(headings, "decided", lambda blocks, rows, before: [False] * len(blocks))

    def draw(canvas: Canvas) -> None:
        for number in (1, 2, 3):
            top = 780 - 80 * number
            canvas.drawString(60, top, f"Article {number}")
            for row, text in enumerate(CLAUSE):
                canvas.drawString(60, top - 22 - 12 * row, text)

    heads = [e.text_representation for e in read(pdf(draw)).elements if "header" in e.type.lower()]
    assert heads == ["Article 1", "Article 2", "Article 3"]


def shown(read: Read, text: str) -> list[str]:
    """Texts, and the rows of tables with their cells divided by bars."""
    return [
        row
        for element in read(text.encode(), "a.txt").elements
        for row in (element.text_representation or "").split("\n")
    ]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        pytest.param(
            "Name       Mrs Parveen Akhtar\n"
            "Machine    Bernina 830 Record             Serial 1093\n"
            "Case/pedal both came with it\n",
            ["Name | Mrs Parveen Akhtar", "Machine | Bernina 830 Record", "Serial 1093",
             "Case/pedal | both came with it"],
            id="values in one column, one of them right behind a long label",
        ),
        pytest.param(
            "Engineer   T. Hollweger      Second man   none\nArrived    08:10\n",
            ["Engineer | T. Hollweger", "Second man | none", "Arrived | 08:10"],
            id="two labels in a line",
        ),
        pytest.param(
            "Fault      Oil gone to varnish on the\n           needle bar.\n",
            ["Fault | Oil gone to varnish on the needle bar."],
            id="a value that goes on below itself",
        ),
        pytest.param(
            "Seller  Ragnfrid H.\nPut in  11.05.2024\nRuns until  10.06.2024\n",
            ["Seller | Ragnfrid H.", "Put in | 11.05.2024", "Runs until | 10.06.2024"],
            id="narrow gaps at different places",
        ),
        pytest.param(
            "Harbour Office                        Form R-2\n\nClaimant: I. Skar   Trip: Sauda\n",
            ["Harbour Office", "Form R-2", "Claimant: I. Skar", "Trip: Sauda"],
            id="single lines with two parts",
        ),
        pytest.param(
            "Balance due        1,114.20 lv\n\nGlasses?     no\n\nFee:      [ ] 3     [x] 5\n",
            ["Balance due 1,114.20 lv", "Glasses? no", "Fee: [ ] 3 [x] 5"],
            id="labels with amounts, answers and boxes, which stay together",
        ),
    ],
)  # fmt: skip
def test_in_plain_text_the_columns_of_forms_stay_apart(
    read: Read, text: str, rows: list[str]
) -> None:
    assert [row.rstrip(" |") for row in shown(read, text)] == rows


def test_wide_blanks_in_prose_and_rows_of_many_columns_are_not_a_form(read: Read) -> None:
    prose = "The ship came  in late and\nwas made fast  at noon on\nthe outer pier.\n"
    assert shown(read, prose) == [
        "The ship came in late and was made fast at noon on the outer pier."
    ]
    crews = "engine   out     back   crew\nLF 3000  02:19   07:40  6\n"
    assert shown(read, crews) == ["engine out back crew LF 3000 02:19 07:40 6"]


@pytest.mark.parametrize(
    "form",
    [
        [("File", "15 C 1207/25"), ("Date", "2 October 2025")],
        [("Lead guest", "Saoirse Lindgren (1 child)"), ("Stay", "7 nights, family room"),
         ("Arrival", "9 August 2025, 3:00 PM"), ("Board", "2 meals, from 7:30 AM")],
        [("Chair", "Walburga Steinkasserer"), ("Excused", "Peter Leitgeb of Rasun"),
         ("Secretary", "Nives Costabiei")],
    ],
)  # fmt: skip
def test_a_form_of_a_few_fields_keeps_each_value_with_its_label(
    read: Read, form: list[tuple[str, str]]
) -> None:
    def draw(canvas: Canvas) -> None:
        for row, (label, value) in enumerate(form):
            canvas.drawString(60, 700 - 16 * row, label)
            canvas.drawString(190, 700 - 16 * row, value)

    elements = read(pdf(draw)).elements
    assert [one.text_representation for one in elements] == [" ".join(pair) for pair in form]


def test_two_addresses_beside_each_other_are_read_one_after_the_other(read: Read) -> None:
    columns = [
        ["Ferrant Sisters", "Station Quay", "Lower Hollowell"],
        ["Adviser: Didier Colnot", "Reference: PRO-24-118", "Telephone: 555 0191"],
    ]

    def draw(canvas: Canvas) -> None:
        for x, column in zip((60, 320), columns, strict=True):
            for row, text in enumerate(column):
                canvas.drawString(x, 700 - 14 * row, text)

    text = " ".join(one.text_representation or "" for one in read(pdf(draw)).elements)
    assert text.split() == " ".join(part for column in columns for part in column).split()


def test_a_long_value_stays_with_its_own_label_and_not_with_the_one_above(read: Read) -> None:
    fields = [("Insured", "Cormac Breen"), ("Policy", "MG 4471/02"), ("Vehicle", "Van, 2019"),
              ("Cover", "Third party, fire"), ("Begins", "1 May 2024"), ("Drivers", "Any"),
              ("Use", "Social, domestic and pleasure; carriage of the owner's own goods"),
              ("Premium", "412.50")]  # fmt: skip

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for row, (label, value) in enumerate(fields):
            canvas.drawString(60, 700 - 13 * row, label)
            canvas.drawString(150, 700 - 13 * row, value)

    elements = read(pdf(draw)).elements
    assert [one.text_representation for one in elements] == [" ".join(pair) for pair in fields]


def test_columns_of_prose_are_no_form_where_a_heading_is_beside_a_line(read: Read) -> None:
    left = ["Notice of a contract", "Hospitals are noisy. Region North,",
            "which runs those at Kvarnby,", "intends to buy bedside monitors"]  # fmt: skip
    right = ["number 2026-01177 appears in the", "asked for until 14 August, though",
             "most of the region is then away", "at its cottage in July."]  # fmt: skip

    def draw(canvas: Canvas) -> None:
        for x, column in ((60, left), (320, right)):
            for row, text in enumerate(column):
                canvas.drawString(x, 700 - 14 * row, text)

    text = " ".join(one.text_representation or "" for one in read(pdf(draw)).elements)
    assert text == " ".join(left + right)
