from hypothesis import given
from hypothesis import strategies as st

from tests.tui.fake_client import hit
from workbench.frames.hit_words import excerpt, lit, read_hit


def test_elements_and_documents_are_read_alike():
    element, document = read_hit(hit(3, "element"), "element"), read_hit(hit(3, "doc"), "doc")
    assert (element.doc_id, element.name) == (document.doc_id, document.name)
    assert element.box is not None
    assert document.page == 1
    assert document.element_id == "e1"


def test_hits_of_a_server_without_our_extension_are_read_too():
    hit = read_hit({"parent_id": "d", "text_representation": "some\n words"}, "element")
    assert (hit.doc_id, hit.text, hit.parts, hit.score) == ("d", "some words", (), None)


def test_matches_are_highlighted_even_inside_a_word():
    assert lit("Ice and icebergs", [(0, 3), (8, 11)]) == [
        ("Ice", True), (" and ", False), ("ice", True), ("bergs", False),
    ]  # fmt: skip


def test_spans_follow_collapsed_white_space():
    search = {"positions": [[3, 6], [8, 18]]}
    item = {"text_representation": "  \nice  on the \n\twing", "_search": search}
    hit = read_hit(item, "element")
    assert [hit.text[start:end] for start, end in hit.spans] == ["ice", "on the w"]


def test_spans_of_a_document_refer_to_the_snippet():
    search = {"snippet": "ice on it", "snippet_start": 100, "positions": [[4, 9], [100, 103]]}
    hit = read_hit({"text_representation": "all of it", "_search": search}, "doc")
    assert (hit.text, hit.spans) == ("ice on it", ((0, 3),))


_spans = st.lists(st.integers(0, 60), max_size=8).map(
    lambda ends: list(zip(sorted(ends)[::2], sorted(ends)[1::2], strict=False))
)


@given(st.text(), _spans)
def test_highlighting_loses_no_character(text, spans):
    assert "".join(piece for piece, _ in lit(text, spans)) == text


@given(st.text(max_size=400), st.integers(10, 80), _spans)
def test_an_excerpt_is_never_much_longer_than_requested(text, room, spans):
    assert len(excerpt(text, spans, room)[0]) <= room + 2


def test_an_excerpt_shows_the_match():
    text = "word " * 60 + "ice " + "word " * 60
    cut, spans = excerpt(text, [(300, 303)], 40)
    assert ("ice", True) in lit(cut, spans)
