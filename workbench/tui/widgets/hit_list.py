"""Search hits: the words around the match, and below them place and reason."""

from collections.abc import Sequence

from workbench.formats import value_words
from workbench.frames.hit_words import Hit, ScorePart, excerpt, moved
from workbench.sessions.search_kinds import LIST_WORDS
from workbench.tui.lines import Line, Span, cut, dim, line, spread, width_of
from workbench.tui.marked_text import marked
from workbench.tui.widgets.line_list import LineList


class HitList(LineList[Hit]):
    row_height = 3
    roomy = True

    def key_of(self, row: Hit) -> str:
        return row.element_id or row.doc_id

    def draw(self, row: Hit, index: int, width: int) -> Sequence[Line]:
        return hit_lines(row, index + 1, width)


def hit_lines(hit: Hit, rank: int, width: int) -> list[Line]:
    """One or two lines of words, then one of place and scores."""
    room = max(10, width - 5)
    text, spans = excerpt(hit.text, hit.spans, 2 * room - 4)
    text = text or "no text"
    cutting = _cutting(text, room)
    second = text[cutting:].lstrip()
    rest = moved(spans, len(second) - len(text))
    place = line("     ", Span(hit.name, "accent"), dim(f"{_page(hit)} · {hit.kind}"))
    scores = line(dim(f"  {score_text(hit)}"), " ")
    if (
        width_of(place) + width_of(scores) > width
    ):  # the page is more informative than the kind of element
        scores = line(dim(f" {score_text(hit).replace('  ', ' ')}"), " ")
        page = dim(_page(hit))
        name = cut((Span(hit.name, "accent"),), width - 5 - width_of((page, *scores)))
        place = line("     ", name, page)
    words = [line(Span(f"{rank:>3}  ", "dim"), marked(text[:cutting], spans))]
    if second:
        words.append(line("     ", marked(second, rest)))
    return [*words, spread(place, scores, width) if width > 44 else cut(place, width)]


def score_text(hit: Hit) -> str:
    """`lex 1  vec 3  .032`: the rank in each list, then the score that decided."""
    parts = [f"{LIST_WORDS.get(part.source, part.source)} {part.rank}" for part in hit.parts]
    if hit.score is not None:
        parts.append(f"{hit.score:.3f}".lstrip("0") if abs(hit.score) < 1 else f"{hit.score:.2f}")
    return "  ".join(parts)


def why_lines(hit: Hit, rank: int) -> list[str]:
    """Why the hit ranks where it does, in sentences; finally details of its document."""
    lines = [f"Rank {rank}."]
    for part in hit.parts:
        score = "" if part.score is None else f", score {part.score:.4g}"
        adds = "" if part.share is None else f"; it adds {_sum([part])} = {part.share:.4f}"
        lines.append(
            f"By {LIST_WORDS.get(part.source, part.source)}: rank {part.rank}{score}{adds}."
        )
    fused = [part for part in hit.parts if part.share is not None]
    if fused and hit.score is not None:
        place = (
            "hits that rank high by both come first"
            if len(fused) > 1
            else "found by one of the two"
        )
        lines.append(f"Together {_sum(fused)} = {hit.score:.4f}: {place}.")
    if hit.terms:
        lines.append(f"Matching words: {', '.join(hit.terms)}.")
    if not hit.parts:
        lines.append("With a condition alone, documents are in the order they were added.")
    known = [f"{name}: {value_words(value, name)}" for name, value in hit.entity.items()]
    return [*lines, "\n".join(known)] if known else lines


def _sum(parts: Sequence[ScorePart]) -> str:
    """What each list adds to the score, as a calculation: weight / (k + rank)."""
    shares: list[str] = []
    for part in parts:
        if part.share and part.weight is not None and part.rank is not None:
            shares.append(
                f"{part.weight:g}/({part.weight / part.share - part.rank:.0f}+{part.rank})"
            )
    return " + ".join(shares)


def _page(hit: Hit) -> str:
    return f" · p{hit.page}" if hit.page is not None else ""


def _cutting(text: str, width: int) -> int:
    """Where to break a text that is longer than a line."""
    if len(text) <= width:
        return len(text)
    cutting = text.rfind(" ", 0, width + 1)
    return cutting if cutting > 0 else width
