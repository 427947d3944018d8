"""`selected_pages`: which pages of a document are read."""

from backend.partition.document import PartitionFailure


def check_terms(terms: list[int | list[int]]) -> None:
    """Raises `PartitionFailure` (400) for terms that are wrong in any document."""
    if any(not term or (isinstance(term, list) and 0 in term) for term in terms):
        raise PartitionFailure("selected_pages must not have empty or zero terms", 400)


def selected(terms: list[int | list[int]], page_count: int) -> list[int]:
    """Page numbers from 1, ascending; all pages when nothing is selected.

    Raises `PartitionFailure` (400) for zero or empty terms, pages beyond the end and terms that do
    not ascend.
    """
    if not terms:
        return list(range(1, page_count + 1))
    check_terms(terms)
    pages: list[int] = []
    for term in terms:
        first, last = (term[0], term[-1]) if isinstance(term, list) else (term, term)
        if first < 0 or last < first:
            raise PartitionFailure(
                f"selected_pages: [{first}, {last}] is not a range of pages", 400
            )
        if last > page_count:
            pages_are = "page" if page_count == 1 else "pages"
            raise PartitionFailure(
                f"selected_pages: page {last} was asked for, but the document has {page_count} "
                f"{pages_are}",
                400,
            )
        if pages and first <= pages[-1]:
            raise PartitionFailure("selected_pages must ascend and not overlap", 400)
        pages.extend(range(first, last + 1))
    return pages
