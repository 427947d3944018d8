"""Searches and their results in words."""

from workbench.contract.elements import StoredElement
from workbench.formats import counted, value_words
from workbench.frames.hit_words import Hit
from workbench.sessions.search_session import SearchSession, SearchState
from workbench.tui.formats import count, duration
from workbench.tui.lines import Line, Span, dim, line
from workbench.tui.marked_text import marked


def search_line(state: SearchState, name: str) -> Line:
    """A search in a list of searches: its name, if it has one, and its words."""
    query = state.query or "—"
    return line(Span(f"★ {name}  ", "accent"), dim(query)) if name else line(query)


def hits_title(session: SearchSession) -> tuple[str, str]:
    """Title and count of the hits: how many, in how many documents, how long it took."""
    if session.answered is None:
        return "Hits", ""
    hits = len(session.hits)
    documents = len({hit.doc_id for hit in session.hits})
    words = f"{count(hits)}{'+' if session.page_token else ''}"
    if session.answered.return_type == "element" and hits:
        words += f" in {counted(documents, 'document')}"
    if session.seconds is not None:
        words += f" · {duration(session.seconds)}"
    return "Hits", words


def hit_words(hit: Hit) -> list[Line]:
    """The element in full, and the properties of its document."""
    lines = [line(Span(hit.kind, "accent")), marked(hit.text, hit.spans)]
    known = {name: value_words(value, name) for name, value in hit.entity.items()}
    known = {name: words for name, words in known.items() if words}
    names = max(map(len, known), default=0)
    rows = [line(dim(f"{name:<{names}}  "), words) for name, words in known.items()]
    return [*lines, line(), *rows] if rows else lines


def element_of(hit: Hit) -> StoredElement | None:
    """The element of a hit, to be drawn on its page; None if it has no box."""
    if hit.box is None:
        return None
    return StoredElement(
        id=hit.element_id or hit.doc_id,
        type=hit.kind,
        text_representation=hit.text,
        embedding=None,
        properties={"page_number": hit.page or 1},
        bbox=list(hit.box),
    )
