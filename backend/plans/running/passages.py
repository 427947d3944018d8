"""The text of documents, element by element, as the store has it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import select, tuple_

from backend.store.chunks import chunks
from backend.store.database import Database
from backend.store.tables import elements
from workbench.contract.ids import element_id
from workbench.contract.query import Evidence

_SHOWN = 400


@dataclass(frozen=True)
class Passage:
    """An element with text: its place in the document and on the page."""

    content_id: str
    ordinal: int
    page: int
    bbox: list[float]
    kind: str
    text: str

    def evidence(
        self, doc_id: str, score: float | None = None, text: str | None = None
    ) -> Evidence:
        """A reference to this element; `text` defaults to all of its text."""
        shown = self.text if text is None else text
        return Evidence(
            doc_id=doc_id,
            element_id=element_id(doc_id, self.ordinal),
            page=self.page,
            bbox=self.bbox,
            text=shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…",
            score=score,
        )


_COLUMNS = (
    elements.c.content_id,
    elements.c.ordinal,
    elements.c.page_number,
    elements.c.bbox,
    elements.c.kind,
    elements.c.text,
)


class Texts(Protocol):
    """Where the steps of a run get the texts of documents."""

    def of(self, content_ids: Iterable[str]) -> dict[str, list[Passage]]:
        """All elements with text of the contents, in reading order."""
        ...

    def at(self, places: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], Passage]:
        """The elements at `(content_id, ordinal)`."""
        ...


class StoredTexts:
    """The texts in the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, content_ids: Iterable[str]) -> dict[str, list[Passage]]:
        passages: dict[str, list[Passage]] = {}
        wanted = list(dict.fromkeys(content_ids))
        with self._database.reading() as connection:
            for some in chunks(wanted):
                query = (
                    select(*_COLUMNS)
                    .where(elements.c.content_id.in_(some))
                    .where(elements.c.text.is_not(None))
                    .order_by(elements.c.content_id, elements.c.ordinal)
                )
                for row in connection.execute(query):
                    passage = Passage(*row)
                    if passage.text.strip():
                        passages.setdefault(passage.content_id, []).append(passage)
        return passages

    def at(self, places: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], Passage]:
        passages: dict[tuple[str, int], Passage] = {}
        wanted = list(dict.fromkeys(places))
        with self._database.reading() as connection:
            for some in chunks(wanted):
                keys = tuple_(elements.c.content_id, elements.c.ordinal)
                query = select(*_COLUMNS).where(keys.in_(some))
                for row in connection.execute(query):
                    passage = Passage(*row)
                    if passage.text is not None:
                        passages[passage.content_id, passage.ordinal] = passage
        return passages


def full_text(passages: Iterable[Passage]) -> str:
    """The text of a document."""
    return "\n".join(passage.text for passage in passages)
