"""Calls about the documents of a DocSet."""

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

from workbench.client.calls import STORAGE, Calls
from workbench.client.uploads import OnSent, Options, Source, prepare
from workbench.client.wire import EXTENSIONS, Call, Parameter, segment
from workbench.contract.docsets import Page
from workbench.contract.documents import Document, DocumentMetadata, PropertyUpdates


class DocumentCalls(Calls):
    async def add_document(
        self,
        docset_id: str,
        source: Source,
        *,
        name: str | None = None,
        options: Options | None = None,
    ) -> DocumentMetadata:
        """Adds a document and waits until it is searchable. For many files: `submit_document`."""
        upload = prepare(source, name=name, options=options)
        call = Call("POST", _path(docset_id), upload=upload, patient=True)
        return await self.wire.model(call, DocumentMetadata)

    async def submit_document(
        self,
        docset_id: str,
        source: Source,
        *,
        name: str | None = None,
        options: Options | None = None,
        on_sent: OnSent | None = None,
    ) -> str:
        """Sends a document and returns its task id; from then on it will be added in any case.

        An interrupted upload is sent again, unless the server turns out to have it.
        """
        upload = prepare(source, name=name, options=options, on_sent=on_sent)
        path = f"/v1/async/submit/storage/docsets/{segment(docset_id)}/docs"
        return await self.submitted_once(Call("POST", path, upload=upload))

    def documents(
        self, docset_id: str, *, name: str | None = None, page_size: int = 100
    ) -> AsyncIterator[DocumentMetadata]:
        """Every document of the DocSet, oldest first; with `name` those with exactly that name."""
        params: dict[str, Parameter] = {"page_size": page_size}
        if name is not None:
            params |= {"filter_dict": json.dumps({"name": name}), "comparator": "="}
        return self.items_of(Page[DocumentMetadata], _path(docset_id), params)

    async def documents_page(
        self,
        docset_id: str,
        page_size: int = 100,
        page_token: str | None = None,
        *,
        among: Sequence[str] | None = None,
    ) -> Page[DocumentMetadata]:
        """`among` are up to a hundred ids: only these documents are listed (an extension)."""
        params: dict[str, Parameter] = {"page_size": page_size, "page_token": page_token}
        if among is not None:
            params |= {"filter_dict": json.dumps({"doc_id": list(among)}), "comparator": "in"}
        return await self.page_of(Page[DocumentMetadata], _path(docset_id), params)

    async def document(
        self,
        docset_id: str,
        doc_id: str,
        *,
        include_elements: bool = True,
        include_binary: bool = False,
        include_original_elements: bool = False,
    ) -> Document:
        """The document; its tables are in the original elements."""
        form = {
            "include_elements": _word(include_elements),
            "include_binary": _word(include_binary),
            "include_original_elements": _word(include_original_elements),
        }
        return await self.wire.model(Call("GET", _path(docset_id, doc_id), form=form), Document)

    async def binary(self, docset_id: str, doc_id: str) -> bytes:
        """The original file."""
        call = Call("GET", f"{_path(docset_id, doc_id)}/binary")
        return (await self.wire.answer(call)).content

    async def evidence(self, docset_id: str, doc_id: str) -> dict[str, dict[str, Any]]:
        """The evidence of each extracted value: confidence, page, box, element id (extension)."""
        path = f"{EXTENSIONS}docsets/{segment(docset_id)}/docs/{segment(doc_id)}/evidence"
        evidence: dict[str, dict[str, Any]] = await self.wire.json(Call("GET", path))
        return evidence

    async def patch_properties(
        self, docset_id: str, doc_id: str, updates: PropertyUpdates
    ) -> Document:
        """Applies all updates or none."""
        call = Call("PATCH", f"{_path(docset_id, doc_id)}/properties", json=updates)
        return await self.wire.model(call, Document)

    async def delete_document(self, docset_id: str, doc_id: str) -> DocumentMetadata:
        return await self.wire.model(Call("DELETE", _path(docset_id, doc_id)), DocumentMetadata)


def _path(docset_id: str, doc_id: str | None = None) -> str:
    documents = f"{STORAGE}/{segment(docset_id)}/docs"
    return documents if doc_id is None else f"{documents}/{segment(doc_id)}"


def _word(flag: bool) -> str:
    return "true" if flag else "false"
