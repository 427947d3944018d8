"""The title of a document, for properties that ask for it.

A title in the metadata that the document also shows comes first (the partitioner records it in
`declares`), then the title element, then a title-like line at the beginning. If the name or
description of the property says what is titled ("Title of the agreement"), a line with that word is
preferred and one without is doubtful.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from backend.extraction.words import content, stem
from workbench.contract.elements import Element

_PAGES, _BEGINNING, _LONGEST = 2, 10, 200
"""Pages and elements that are examined; maximum length of a title."""
_METADATA, _TITLE, _LINE, _HEADER = 0.96, 0.9, 0.7, 0.6
_NAMED, _UNNAMED = 0.92, 0.7
"""Confidence of a line with the word for what is titled, and the factor for one without."""
_OTHERS = frozenset(
    """
    job person people signatory signatories signer signing role position employee officer author
    speaker occupation rank holder section chapter book song film movie track column table
    """.split()  # noqa: SIM905
)
"""Things with titles of their own, different from that of the document."""
_GENERAL = frozenset(map(stem, "title document doc page file main name full text".split()))  # noqa: SIM905
_DOCUMENT_NAMES = (["document", "name"], ["name", "of", "document"])
_FILE = re.compile(r"\S\.(?:html?|txt|docx?|pdf|xml)\b", re.IGNORECASE)
_NUMBERED = re.compile(r"\(?(?:[IVX]{1,5}|\d{1,3}|[a-zA-Z])[.)]\s")
"""A heading within the document."""
_WORD = re.compile(r"[^\W\d_]+")
_GOES_ON = re.compile(r"(?:\b(?:and|of|for|the|to|with|between|or)|[,&–-])\s*$", re.IGNORECASE)
_HEADING_KINDS = ("Title", "Section-header", "Page-header")


@dataclass(frozen=True)
class Titled:
    """A possible title with its confidence (0..1) and the index of its element."""

    text: str
    confidence: float
    element: int


def asks_for_title(name: Sequence[str], described: Sequence[str]) -> bool:
    """Whether a property, by its name and description, asks for the document's title."""
    asked = name[-1:] == ["title"] or list(name) in _DOCUMENT_NAMES
    return asked and not _OTHERS.intersection([*name, *described])


def is_at_beginning(element: Element, index: int) -> bool:
    """Whether a title could stand here; the first page may be a mere cover."""
    return element.page_number <= _PAGES and index < _BEGINNING


def titles(
    name: Sequence[str], description: Sequence[str], elements: Sequence[Element]
) -> list[Titled]:
    """Possible titles of the document, likeliest first."""
    wanted = set(content(" ".join(name))) - _GENERAL
    described = set(content(" ".join(description))) - _GENERAL
    results = [_weighed(one, wanted, described) for one in _lines(elements)]
    return sorted((one for one in results if one is not None), key=lambda one: -one.confidence)


def _weighed(line: Titled, wanted: set[str], described: set[str]) -> Titled | None:
    """None for a line without the word that the name of the property asks for."""
    words = {stem(word) for word in _WORD.findall(line.text.lower())}
    if not wanted <= words:
        return None
    if words & (wanted | described):
        confidence = max(line.confidence, _NAMED)
    else:
        confidence = line.confidence * (_UNNAMED if described else 1.0)
    return Titled(line.text, round(confidence, 3), line.element)


def _lines(elements: Sequence[Element]) -> Iterator[Titled]:
    first = [(i, one) for i, one in enumerate(elements) if one.page_number <= _PAGES]
    for index, element in first:
        entry = element.properties.get("declares")
        if isinstance(entry, dict) and isinstance(entry.get("title"), str):
            yield Titled(entry["title"], _METADATA, index)
    repeated = Counter(_line(one) for one in elements if one.type == "Page-header")
    whole = next((i for i, one in first if one.type == "Title"), None)
    if whole is not None and (text := _line(elements[whole])):
        yield Titled(text, _TITLE, whole)
    used = -1
    for index, element in first:
        if not is_at_beginning(element, index) or index in (used, whole):
            continue
        text = _line(element)
        if not text or element.type not in _HEADING_KINDS or repeated[text] > 1:
            continue
        following = elements[index + 1] if index + 1 < len(elements) else None
        if _GOES_ON.search(text) and following is not None and following.type in _HEADING_KINDS:
            text, used = f"{text} {_line(following)}".strip(), index + 1
        yield Titled(text, _HEADER if element.type == "Page-header" else _LINE, index)


def _line(element: Element) -> str:
    """The text of an element that could be a title, or an empty text."""
    text = " ".join((element.text_representation or "").split())
    if len(text) > _LONGEST or _NUMBERED.match(text) or _FILE.search(text):
        return ""
    words = [word for word in _WORD.findall(text) if len(word) > 2]
    # "Exhibit 4" and "Page 1" are titles only where the file marks them as such.
    labelled = len(words) < 2 and not text.replace(" ", "").isalpha() and element.type != "Title"
    return "" if labelled or not words else text
