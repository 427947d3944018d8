"""Content of tables and lists outside of their cells and items, which browsers show too."""

import pytest

from tests.backend.partition.conftest import Read


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("<table><td>rope</td><td>harbour</td></table>", ["rope | harbour"]),
        ("<table><tbody><td>rope</td></tbody></table>", ["rope"]),
        ("<table><tr><td>a<td>b</tr><td>c</td><td>d</td></table>", ["a | b c | d"]),
        ("<table>rope<tr><td>harbour</td></tr></table>", ["rope", "harbour"]),
        ("<table><p>rope</p><tr><td>harbour</td></tr></table>", ["rope", "harbour"]),
        ("<table><tr>rope<td>harbour</td></tr></table>", ["rope", "harbour"]),
        ("<table><form><tr><td>rope<td>a</tr></form></table>", ["rope | a"]),
        ("<table><table><tr><td>rope</td></tr></table></table>", ["rope"]),
        ("<table><caption>ships</caption><tr><td>a<td>b</table>", ["ships", "ships a | b"]),
        ("<ul>rope<li>harbour<li>b</ul>", ["rope", "harbour", "b"]),
        ("<ul><li>harbour</li>rope<li>b</li></ul>", ["harbour", "rope", "b"]),
        ("<ul><table><tr><td>rope</table></ul>", ["rope"]),
        ("<dl>rope<dd>harbour</dl>", ["rope", "harbour"]),
        ("<dl><div><dt>a</dt><dd>b</dd></div><p>rope</p></dl>", ["rope", "a", "b"]),
    ],
)
def test_nothing_outside_of_cells_and_items_is_lost_or_read_twice(
    read: Read, body: str, wanted: list[str]
) -> None:
    elements = read(f"<p>first</p>{body}<p>last</p>".encode(), "page.html").elements
    texts = [
        element.text_representation
        if element.table is None
        else element.table.text().replace("\n", " ")
        for element in elements
    ]
    assert texts == ["first", *wanted, "last"]
