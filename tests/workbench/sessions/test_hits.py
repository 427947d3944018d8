from hypothesis import given
from hypothesis import strategies as st

from tests.tui.fake_client import hit
from workbench.sessions.hits import excerpt, lit, read_hit


def test_an_element_and_a_document_are_read_alike():
    element, document = read_hit(hit(3, "element"), "element"), read_hit(hit(3, "doc"), "doc")
    assert (element.doc_id, element.name) == (document.doc_id, document.name)
    assert element.box is not None
    assert document.page == 1
    assert document.element_id == "e1"


def test_a_foreign_server_without_reasons_is_read_too():
    found = read_hit({"parent_id": "d", "text_representation": "some\n words"}, "element")
    assert (found.doc_id, found.text, found.parts, found.score) == ("d", "some words", (), None)


def test_only_whole_words_are_lit_whatever_their_case():
    assert lit("Ice and icebergs, ice!", ["ice"]) == [
        ("Ice", True), (" and icebergs, ", False), ("ice", True), ("!", False),
    ]  # fmt: skip


@given(st.text(), st.lists(st.text(max_size=5), max_size=4))
def test_lighting_up_loses_no_character(text, terms):
    assert "".join(piece for piece, _ in lit(text, terms)) == text


@given(st.text(max_size=400), st.integers(10, 80))
def test_an_excerpt_is_never_much_longer_than_its_room(text, room):
    assert len(excerpt(text, ["ice"], room)) <= room + 2


def test_an_excerpt_shows_what_was_found():
    text = "word " * 60 + "ice " + "word " * 60
    assert "ice" in excerpt(text, ["ice"], 40)
