"""Parts of a clause about text: a kind of search, or a subject."""

from backend.plans.edits.operations import AddFilter, JudgeText, Operation, SetSource
from backend.plans.reading.pieces import Piece
from backend.plans.reading.themes import THEME
from backend.plans.requests.bag import Bag
from workbench.contract.plan_nodes import TEXT, BasicFilter


def searches(bag: Bag) -> list[Operation]:
    """A kind of search, with the quoted or following text."""
    modes = bag.take("q")
    if not modes:
        return []
    quoted = bag.take("Q")
    text = str(quoted[0].load) if quoted else None
    if text is None:
        run = _unknown_run(bag)
        if run:
            text = bag.clause.words(run)
            for piece in run:
                bag.drop(piece)
    bag.take("Roikc")
    return [SetSource(modes[0].load, text)]


def about_texts(bag: Bag) -> list[Operation]:
    """The subject of the text: a phrase recognised as one, a quotation, or words after `about`."""
    themes = bag.take(THEME)
    if themes:
        return [JudgeText(str(piece.load)) for piece in themes]
    quoted = bag.take("Q")
    if quoted:
        bag.take("R")
        turned = bool(bag.take("n"))
        return [
            AddFilter(
                BasicFilter(field=TEXT, query=str(piece.load), match="contains", negate=turned)
            )
            for piece in quoted
        ]
    starts = [i for i, piece in enumerate(bag.left) if piece.tag == "R"]
    if not bag.has("?") or not starts:
        return []
    run = _run_from(bag, starts[0])
    if not any(piece.tag == "?" for piece in run):
        return []
    for piece in run:
        bag.drop(piece)
    return [JudgeText(bag.clause.words(run))]


def _unknown_run(bag: Bag) -> list[Piece]:
    """From the first unknown word to the last."""
    places = [i for i, piece in enumerate(bag.left) if piece.tag == "?"]
    if not places:
        return []
    run = bag.left[places[0] : places[-1] + 1]
    return run if all(piece.tag in "?P,&|REnjeyhzt" for piece in run) else []


def _run_from(bag: Bag, start: int) -> list[Piece]:
    """The words after `about`, as far as they may belong to the subject."""
    run = [bag.left[start]]
    for piece in bag.left[start + 1 :]:
        gerund = bag.clause.reader.tokens[piece.start].lower.endswith("ing")
        if piece.tag in "FKHLMZ,CT%" or (piece.tag in "orxwcgsud" and not gerund):
            break
        run.append(piece)
    while run and run[-1].tag not in "?P":
        run.pop()
    return run
