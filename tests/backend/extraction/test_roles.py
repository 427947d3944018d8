"""Nouns right beside a name say who somebody is."""

from collections.abc import Callable

import pytest

from backend.extraction.document import Document
from backend.extraction.roles import roles
from backend.extraction.segments import Place
from backend.extraction.words import stem
from workbench.contract.elements import Element

Build = Callable[..., list[Element]]


def _beside(elements: list[Element], name: str) -> set[str]:
    document = Document(elements)
    segment = next(one for one in document.segments if name in one.text)
    start = segment.text.index(name)
    return set(roles(Place(segment, start, start + len(name)), document)[1])


@pytest.mark.parametrize(
    ("sentence", "role"),
    [
        ("The treasurer, Ida Munro, paid the bill.", "treasurer"),
        ("It was read out by Ida Munro, treasurer of the society.", "treasurer"),
        ("Present were our captain Ida Munro and others.", "captain"),
    ],
)
def test_the_noun_beside_a_name_is_its_role(document: Build, sentence: str, role: str) -> None:
    assert stem(role) in _beside(document(sentence), "Ida Munro")


def test_a_noun_after_a_preposition_belongs_to_another_person(document: Build) -> None:
    assert not _beside(document("A letter to the captain from Ida Munro arrived."), "Ida Munro")


def test_a_role_may_be_in_the_cell_to_the_right_or_below(document: Build) -> None:
    table = [["Ida Munro", "Captain"], ["Otto Reis", "4"], ["Engineer", "5"]]
    assert stem("captain") in _beside(document(table), "Ida Munro")
    assert stem("engineer") in _beside(document(table), "Otto Reis")
