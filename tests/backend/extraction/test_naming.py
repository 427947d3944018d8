"""What the words of a name say about who or what bears it."""

import pytest

from backend.extraction.naming import made_of, names_body, names_post, titled
from backend.extraction.spans import spans


def kinds(text: str) -> dict[str, str]:
    return {span.text: span.kind for span in spans(text)}


@pytest.mark.parametrize(
    "post", ["Chief Financial Officer", "Vice President of Sales", "Head of Collections"]
)
def test_a_post_is_neither_a_person_nor_a_body(post: str) -> None:
    assert names_post(post)
    assert kinds(f"Theo Brannoch is our new {post}.")[post] == "post"


def test_a_post_and_the_body_that_it_is_in_are_two_values() -> None:
    result = kinds("the Chief Executive Officer of Ardlennan Water said")
    assert result["Chief Executive Officer"] == "post"
    assert result["Ardlennan Water"] == "body"


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("Follows Dilys Brannoch, who left", "Dilys Brannoch"),
        ("Student Aarav Brannoch Class", "Aarav Brannoch"),
        ("by Prof. Dr. Katharina Zoller", "Katharina Zoller"),
    ],
)
def test_everyday_words_beside_a_name_are_not_part_of_it(text: str, person: str) -> None:
    assert kinds(text)[person] == "person"


def test_a_body_is_read_up_to_its_noun_and_with_its_place() -> None:
    assert kinds("Waiora Area School Kia kaha")["Waiora Area School"] == "body"
    assert kinds("at the University Hospital, Kilrane")["University Hospital, Kilrane"] == "body"
    assert names_body("Prairie Bus Service")
    assert not names_body("Anna Zoller")


def test_names_consist_of_words_that_are_not_everyday_words() -> None:
    assert made_of("Priya Brannoch")[0] == 0.0
    assert made_of("Testing Facility")[:2] == (1.0, 1.0)


def test_a_title_precedes_a_name() -> None:
    assert titled("District Judge Okonjo")
    assert titled("Dr. Zoller")
    assert not titled("Judge Report")
    assert not titled("Anna Zoller")
