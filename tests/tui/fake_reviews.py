"""The queue of values to review, of a client without a server."""

from collections.abc import Callable, Sequence
from typing import Any

from workbench.contract.rereading import Change, ChangeOutcome, ChangePage, Rereading
from workbench.contract.review import Decided, Decision, ReviewGuess, ReviewPage, ReviewValue

_STATES = ("Washington", "Alaska", "Florida")
_WORDS = "On approach to the airport in {}, the pilot saw ice on the leading edge of the wing."


def value(number: int) -> ReviewValue:
    """The value at that place of the queue; each third one was withheld."""
    state, other = _STATES[number % 3], _STATES[(number + 1) % 3]
    guesses = [
        ReviewGuess(
            value=one,
            confidence=round(0.46 - 0.13 * place, 2),
            page=1,
            bbox=[0.1, 0.16 + 0.06 * place, 0.8, 0.19 + 0.06 * place],
            element_id="e1",
            quote=_WORDS.format(one),
        )
        for place, one in enumerate((other, f"{state} City"))
    ]
    common: dict[str, Any] = {
        "doc_id": f"wb:f-{number}",
        "name": f"report-{number:04d}.pdf",
        "field": "state",
        "certainty": round(0.5 + 0.002 * number, 3),
    }
    if number % 3 == 1:
        return ReviewValue(**common, alternatives=guesses)
    return ReviewValue(
        **common,
        value=state,
        confidence=common["certainty"],
        page=1,
        bbox=[0.1, 0.28, 0.8, 0.31],
        element_id="e1",
        quote=_WORDS.format(state),
        alternatives=guesses[: number % 3],
    )


def change(number: int) -> Change:
    """A change of each third document loses the value."""
    read = value(3 * number)
    after = ReviewGuess(**read.model_dump(include=set(ReviewGuess.model_fields)))
    after.confidence = round(0.97 - 0.01 * number, 2)
    return Change(
        change_id=number,
        doc_id=read.doc_id,
        name=read.name,
        field=read.field,
        before=ReviewGuess(value="Alaska" if number % 3 else None, confidence=0.51),
        after=ReviewGuess() if number % 3 == 2 else after,
        state="open",
    )


class FakeReviews:
    """`to_review` are the values that nobody has checked yet."""

    _note: Callable[..., None]

    def __init__(self) -> None:
        self.to_review = [value(number) for number in range(210)]
        self.decided: list[Decision] = []
        self.proposed = [change(number) for number in range(12)]
        self.read_again = False

    async def values_to_review(
        self,
        docset_id: str,
        *,
        fields: Sequence[str] | None = None,
        doc_ids: Sequence[str] | None = None,
        below: float | None = 0.8,
        page_size: int = 50,
        page_token: str | None = None,
    ) -> ReviewPage:
        self._note("values_to_review", fields, doc_ids, below, page_token)
        start = int(page_token or 0)
        done = {(one.doc_id, one.field) for one in self.decided}
        waiting = [one for one in self.to_review if (one.doc_id, one.field) not in done]
        shown = self.to_review[start : start + page_size]
        more = start + page_size < len(self.to_review)
        first = page_token is None
        return ReviewPage(
            items=shown if start else waiting[:page_size],
            total=len(waiting) if first else None,
            checked=len(self.decided) if first else None,
            next_page_token=str(start + page_size) if more else None,
        )

    async def decide(self, docset_id: str, decisions: Sequence[Decision]) -> Decided:
        self._note("decide", list(decisions))
        self.decided += decisions
        return Decided(changed=len(decisions), confirmed=0)

    # -- reading again --------------------------------------------------------------------------

    async def reread(self, docset_id: str, *, fields: Sequence[str] | None = None) -> str:
        self._note("reread", fields)
        self.read_again = True
        return "wb:t-reading"

    async def rereadings(self, docset_id: str) -> list[Rereading]:
        self._note("rereadings")
        if not self.read_again:
            return []
        counts = {
            state: sum(one.state == state for one in self.proposed)
            for state in ("open", "accepted", "refused")
        }
        return [
            Rereading(
                rereading_id="wb:t-reading", created_at=0.0, fields=["state"], documents=124,
                finished=True, **counts,
            )
        ]  # fmt: skip

    async def changes(
        self,
        docset_id: str,
        rereading_id: str,
        *,
        state: str = "open",
        page_size: int = 100,
        page_token: str | None = None,
    ) -> ChangePage:
        self._note("changes", state)
        items = [one for one in self.proposed if one.state == state]
        return ChangePage(items=items, total=len(items))

    async def accept_changes(
        self, docset_id: str, rereading_id: str, change_ids: Sequence[int] | None = None
    ) -> ChangeOutcome:
        self._note("accept_changes", change_ids)
        return self._set("open", "accepted", change_ids)

    async def refuse_changes(
        self, docset_id: str, rereading_id: str, change_ids: Sequence[int] | None = None
    ) -> ChangeOutcome:
        self._note("refuse_changes", change_ids)
        return self._set("open", "refused", change_ids)

    async def undo_changes(self, docset_id: str, rereading_id: str) -> ChangeOutcome:
        self._note("undo_changes")
        return self._set("accepted", "open", None)

    def _set(self, was: str, state: Any, ids: Sequence[int] | None) -> ChangeOutcome:
        chosen = [
            one
            for one in self.proposed
            if one.state == was and (ids is None or one.change_id in ids)
        ]
        for one in chosen:
            one.state = state
        return ChangeOutcome(done=len(chosen), passed_over=0)
