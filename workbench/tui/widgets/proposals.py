"""One line of proposals below the condition: which is meant, and how often each occurs."""

from collections.abc import Sequence

from textual.widgets import Static

from workbench.contract.search import Completion, Completions
from workbench.tui.formats import count
from workbench.tui.lines import Line, Span, as_content, cut, dim, line

_MARGINS = 2


class Proposals(Static):
    """Hidden while there are no proposals."""

    def on_mount(self) -> None:
        self.display = False

    def show(self, proposals: Completions | None, place: int) -> None:
        """The suggestions from the selected one on; or the reason why there are none."""
        self.display = proposals is not None and bool(proposals.items or proposals.problem)
        if proposals is not None and self.display:
            listed = _listed(proposals.items[place:]) or line(Span(proposals.problem or "", "warn"))
            self.update(as_content([cut(listed, self.app.size.width - _MARGINS)]))


def _listed(items: Sequence[Completion]) -> Line:
    spans: list[Span] = []
    for item in items:
        about = [item.detail or "", "" if item.count is None else count(item.count)]
        spans += [
            Span(item.text.strip(), "" if spans else "strong"),
            dim(f" {' '.join(filter(None, about))}".rstrip() + "   "),
        ]
    return line(dim("tab "), *spans) if spans else ()
