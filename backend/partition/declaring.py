"""Facts about the document from the file format itself: sender and subject of a mail, a title.

They are in the `declares` property of the element that shows them, so each has a place and stays
with the stored elements. Names: `subject`, `from`, `to`, `cc`, `date` (ISO 8601) and `title`.
"""

from collections.abc import Sequence

from workbench.contract.elements import Element

DECLARES = "declares"
DECLARES_TERMS = "declares_terms"
"""The property of a table whose rows are terms with their values, as the format has them."""
_LOOKED_AT = 12
"""The title is among this many elements at the beginning of a document."""
_LONGEST = 500
"""Letters of a title, with its blanks and signs."""


def declare(element: Element, name: str, value: str | list[str]) -> None:
    """Records what an element shows; an element may have several names."""
    element.properties[DECLARES] = {**element.properties.get(DECLARES, {}), name: value}


def declare_title(elements: Sequence[Element], title: str) -> None:
    """Notes the title from the metadata on the element that shows it.

    Metadata often hold the name of a template or of a file; so a title that the document does not
    show in its first elements is not believed.
    """
    wanted = _bare(title)
    if not wanted:
        return
    for element in elements[:_LOOKED_AT]:
        text = element.text_representation or ""
        if element.page_number == 1 and len(text) < _LONGEST and _bare(text) == wanted:
            declare(element, "title", " ".join(title.split()))
            return


def _bare(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
