"""Documents of several kinds are told apart by the words they share."""

from collections.abc import Callable

from backend.extraction.document_kinds import document_kinds
from backend.extraction.suggestions import suggest_by_kind
from workbench.contract.elements import Element

Build = Callable[..., list[Element]]

CARGO = (
    "Bill of lading {n}. Shipper: Alder {n}. Vessel: Wanda {n}. Port of loading: Haven {n}. "
    "Freight prepaid, cargo clean on board."
)
LEASE = (
    "Lease {n}. Tenant: Finch {n}. Landlord: Moss {n}. Rent: ${n}00 a month. "
    "The tenant keeps the premises clean; no pets."
)


def papers(document: Build, wording: str, count: int = 5) -> list[list[Element]]:
    return [document(*wording.format(n=at + 1).split(". ")) for at in range(count)]


def test_documents_of_one_kind_are_one_kind(document: Build) -> None:
    assert document_kinds(papers(document, CARGO, 8)) == []


def test_two_kinds_are_two_groups_named_by_their_words(document: Build) -> None:
    mixed = papers(document, CARGO) + papers(document, LEASE)
    one, other = document_kinds(mixed)
    assert (one.documents, other.documents) == (list(range(5)), list(range(5, 10)))
    assert "lease" in other.words or "tenant" in other.words
    assert not set(one.words) & set(other.words)


def test_each_kind_has_its_own_suggestions(document: Build) -> None:
    mixed = papers(document, CARGO) + papers(document, LEASE)
    suggested, ((_, cargo), (_, lease)) = suggest_by_kind(mixed)
    assert "shipper" in cargo and "tenant" in lease
    assert not set(cargo) & {"tenant", "landlord", "rent"}
    assert {prop.name for prop in suggested.properties} == {*cargo, *lease}


def test_a_few_documents_are_of_no_several_kinds(document: Build) -> None:
    assert document_kinds(papers(document, CARGO, 2) + papers(document, LEASE, 2)) == []
