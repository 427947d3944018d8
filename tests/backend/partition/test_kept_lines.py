"""Lines of addresses and forms are kept beside the text that runs on."""

import pytest

from backend.partition.text import joined, line_starts
from tests.backend.partition.conftest import Read
from workbench.contract.elements import LINE_STARTS

ADDRESS = "Flat 3\n18 Albert Street\nLarkham LK8 1AZ"
PARAGRAPH = (
    "The trustees have read the report with care and have\n"
    "decided to go on with the work as it was planned in\nspring."
)


def _cut(text: str, starts: list[int]) -> list[str]:
    return [text[a:b].strip() for a, b in zip([0, *starts], [*starts, len(text)], strict=True)]


def test_running_text_keeps_the_lines_of_an_address_apart() -> None:
    text = joined(ADDRESS, remove_line_breaks=True)
    assert "\n" not in text
    assert _cut(text, line_starts(ADDRESS)) == ADDRESS.split("\n")


@pytest.mark.parametrize("text", ["One line only", PARAGRAPH, "A word that is bro-\nken in two"])
def test_running_text_has_no_line_breaks(text: str) -> None:
    assert line_starts(text) == []


def test_a_line_in_lower_case_continues_the_previous_one() -> None:
    starts = line_starts("Place of final\ndelivery\nLarkham")
    assert _cut("Place of final delivery Larkham", starts) == ["Place of final delivery", "Larkham"]


def test_a_box_of_a_web_form_keeps_its_label_apart_from_its_value(read: Read) -> None:
    partition = read(
        b"<!doctype html><table><tr><td>OWNER<br>Anna Abbott</td><td>AGE<br>7</td></tr></table>",
        "form.html",
    )
    table = partition.elements[0].table
    assert table is not None
    first = table.cells[0]
    assert first.content == "OWNER Anna Abbott"
    assert _cut(first.content, first.properties[LINE_STARTS]) == ["OWNER", "Anna Abbott"]


def test_a_paragraph_of_a_web_page_with_breaks_keeps_its_lines(read: Read) -> None:
    partition = read(b"<!doctype html><p>Alder Foods<br>14 Mill Lane<br>Larkham</p>", "page.html")
    element = partition.elements[0]
    assert element.text_representation == "Alder Foods 14 Mill Lane Larkham"
    assert element.properties[LINE_STARTS] == [12, 25]


def test_a_printout_with_a_label_in_every_line_keeps_them_however_many_there_are() -> None:
    lines = [f"FIELD {at:02d}{'.' * 12}: {'VALUE ' * (1 + at % 9)}".strip() for at in range(40)]
    text = "\n".join(lines)
    assert _cut(joined(text, remove_line_breaks=True), line_starts(text)) == lines
