"""The documents of a DocSet filtered and sorted by the server, read window by window.

The contract's list supports neither an order nor conditions, but plans do: a view is a plan of a
few steps whose output is read only where it is visible, so it costs the same for any number of
documents. Its rows have names and properties; sizes and dates are fetched for visible rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.client.errors import BadAnswer, Refusal
from workbench.contract.documents import DocumentMetadata
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import ENTITY
from workbench.sessions.document_list import is_condition
from workbench.sessions.step_rows import chained
from workbench.sessions.windows import Windows

if TYPE_CHECKING:
    from workbench.client import AsyncClient

_AT_ONCE = 100
NAME = "properties.path"
"""The name of a document, as a field of plans."""


@dataclass(frozen=True)
class Order:
    """By a property, or by `NAME`."""

    field: str
    descending: bool = False


class DocumentView:
    """`rows` has a place for every row, loaded around the visible part; call `open()` first."""

    def __init__(
        self,
        client: "AsyncClient",
        docset_id: str,
        *,
        text: str = "",
        order: Order | None = None,
        properties: Sequence[str] = (),
    ) -> None:
        self.client = client
        self.docset_id = docset_id
        self.rows: Windows[DocumentMetadata] = Windows(0)
        self._plan = view_plan(text, order, properties)
        self._query_id = ""
        self._details = True

    @property
    def total(self) -> int:
        return len(self.rows)

    async def open(self) -> None:
        """Invalid for an unreadable condition, MissingExtension if the server stores no steps."""
        answer = await self.client.run_plan(self.docset_id, self._plan)
        if not isinstance(answer.result, int):
            raise BadAnswer("The server did not return the number of documents.")
        self._query_id = answer.query_id
        self.rows = Windows(answer.result)
        await self.reach(0, 0)

    async def reach(self, first: int, last: int) -> None:
        """Fetches the rows between two places unless they are loaded."""
        rows = self.rows
        for start in rows.missing(first, last):
            window = await self.client.node_output(
                self._query_id, self._plan.result_node - 1, start, rows.size
            )
            rows.fill(start, [_document(self.docset_id, row) for row in window["rows"]])

    async def complete(self) -> bool:
        """Adds sizes and dates to the loaded rows, a hundred at a time; returns whether any were
        added. A server that cannot list selected documents is not asked again.
        """
        rows = self.rows
        bare = [(place, row) for place, row in rows.loaded() if not row.created_at]
        for start in range(0, len(bare) if self._details else 0, _AT_ONCE):
            some = bare[start : start + _AT_ONCE]
            ids = [row.doc_id for _, row in some]
            try:
                page = await self.client.documents_page(self.docset_id, _AT_ONCE, among=ids)
            except Refusal:
                self._details = False
                return start > 0
            known = {details.doc_id: details for details in page.items}
            for place, row in some:
                if (details := known.get(row.doc_id)) is not None:
                    rows.put(place, _with_details(row, details))
        return self._details and bool(bare)


def view_plan(text: str, order: Order | None, properties: Sequence[str]) -> Plan:
    """A plan of the documents that fulfil `text`, or whose name contains it if it is no condition,
    in order and with these properties. Its last step counts them, so that the answer is a number
    and no document is sent in full.
    """
    stripped = text.strip()
    condition = stripped if is_condition(stripped) else None
    steps: list[tuple[str, dict[str, Any]]] = [("QueryDatabase", {"properties_filter": condition})]
    if stripped and condition is None:
        steps.append(("BasicFilter", {"field": NAME, "query": stripped, "match": "contains"}))
    if order is not None:
        steps.append(("Sort", {"field": _spelled(order.field), "descending": order.descending}))
    fields = [NAME, *(_spelled(name) for name in properties)]
    return chained(*steps, ("Project", {"fields": fields}), ("Count", {}))


def _spelled(name: str) -> str:
    return name if name == NAME else ENTITY + name


def _document(docset_id: str, row: Mapping[str, Any]) -> DocumentMetadata:
    entity = {k.removeprefix(ENTITY): v for k, v in row.items() if k.startswith(ENTITY)}
    name = str(row.get(NAME) or row["doc_id"])
    return DocumentMetadata(
        account_id="", doc_id=str(row["doc_id"]), docset_id=docset_id, created_at="", name=name,
        size=0, content_type="", properties={"path": name, "entity": entity},
    )  # fmt: skip


def _with_details(row: DocumentMetadata, details: DocumentMetadata) -> DocumentMetadata:
    """The row of a view with the file details from the list."""
    known = ("created_at", "size", "content_type", "remarks")
    return row.model_copy(update={name: getattr(details, name) for name in known})
