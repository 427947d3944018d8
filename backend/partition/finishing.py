"""Options applied after reading: clean text, captions, a title, a minimum score."""

from backend.partition.text import cleaned
from workbench.contract.elements import Element
from workbench.contract.partition_options import LabelOptions, PartitionOptions

_LETTER = (1700, 2200)
"""Pixels of a letter page at 200 dots per inch, the measure of `model_selection`."""


def clean(elements: list[Element]) -> None:
    """Removes control characters and splits ligatures in all text, for every reader."""
    for element in elements:
        if element.text_representation:
            element.text_representation = cleaned(element.text_representation)
        for cell in element.table.cells if element.table else ():
            text = cell.content
            if not (text.isascii() and text.isprintable()):
                cell.content = cleaned(text)


def join_captions(elements: list[Element], to_pictures: bool) -> None:
    """Gives tables their caption as title and, when asked, pictures their caption element."""
    for index, element in enumerate(elements):
        if element.type == "table":
            caption = _beside(elements, index, before_first=True)
            if caption is not None:
                element.properties["title"] = caption.text_representation
                if element.table is not None:
                    element.table.caption = caption.text_representation
        elif element.type == "Image" and to_pictures:
            caption = _beside(elements, index, before_first=False)
            if caption is not None:
                element.properties["caption"] = caption.wire()


def caption_beside(elements: list[Element], index: int) -> str | None:
    """The words of the caption of a picture."""
    caption = _beside(elements, index, before_first=False)
    return None if caption is None else caption.text_representation


def _beside(elements: list[Element], index: int, before_first: bool) -> Element | None:
    """The caption next to an element on its page: tables carry it above, pictures below."""
    places = (index - 1, index + 1) if before_first else (index + 1, index - 1)
    for place in places:
        if 0 <= place < len(elements):
            near = elements[place]
            if near.type == "Caption" and near.page_number == elements[index].page_number:
                return near
    return None


def promote_title(elements: list[Element], options: LabelOptions) -> None:
    """Makes a Title of the candidate in the largest font on page one, if no Title is there."""
    first = [element for element in elements if element.page_number == 1]
    if not options.promote_title or any(element.type == "Title" for element in first):
        return
    candidates = [element for element in first if element.type in options.title_candidate_elements]
    if candidates:
        max(candidates, key=_prominence).type = "Title"


def _prominence(element: Element) -> tuple[float, float]:
    size = float(element.properties.get("font_size", 0.0))
    return size, -float(element.properties.get("level", 1))


def name_table_models(elements: list[Element], options: PartitionOptions) -> None:
    """For custom tables: records the model that `model_selection` chose for each table.

    Both names refer to the only table reader here, so the structure is the same.
    """
    if options.table_mode != "custom":
        return
    for element in elements:
        if element.type == "table":
            x0, y0, x1, y1 = element.bbox
            pixels = max((x1 - x0) * _LETTER[0], (y1 - y0) * _LETTER[1])
            cells = element.table.cells if element.table is not None else []
            chars = sum(len(cell.content) for cell in cells)
            model = options.table_model(pixels=pixels, chars=chars)
            if model is not None:
                element.properties["table_model"] = model


def above_threshold(elements: list[Element], threshold: float | str) -> list[Element]:
    """Elements whose score is higher than a numeric threshold; all of them for `auto`."""
    if isinstance(threshold, str):
        return elements
    return [e for e in elements if float(e.properties.get("score", 1.0)) > threshold]
