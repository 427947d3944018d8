"""Spellings that count as one: those that an answer proposes, and those that were agreed."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.contract.coverage import Merge, field_words

if TYPE_CHECKING:
    from workbench.client import AsyncClient


@dataclass(frozen=True)
class MergeChoice:
    """A merge; `number` is set for an agreed one and None for a proposal."""

    merge: Merge
    number: int | None

    @property
    def agreed(self) -> bool:
        return self.number is not None

    @property
    def words(self) -> str:
        return merge_words(self.merge)


def merge_words(merge: Merge) -> str:
    """`state: CA, Calif. count as California`."""
    others = [value for value in merge.values if value != merge.into]
    verb = "counts" if len(others) == 1 else "count"
    return f"{field_words(merge.field)}: {', '.join(others)} {verb} as {merge.into}"


async def merge_choices(
    client: "AsyncClient", docset_id: str, proposed: Sequence[Merge]
) -> list[MergeChoice]:
    """The proposals of an answer, then the agreed merges; an agreed one is not proposed again."""
    agreed = await client.merged_values(docset_id)
    fresh = [MergeChoice(merge, None) for merge in proposed if merge not in agreed]
    return fresh + [MergeChoice(merge, number) for number, merge in enumerate(agreed)]


async def agree(
    client: "AsyncClient",
    docset_id: str,
    choices: Sequence[MergeChoice],
    wanted: Collection[int],
) -> bool:
    """Applies the wanted merges, by index in `choices`, undoes others; whether anything changed."""
    changed = False
    backwards = sorted(enumerate(choices), key=lambda item: -(item[1].number or 0))
    for place, choice in backwards:  # removing a later one does not renumber earlier ones
        if choice.number is not None and place not in wanted:
            await client.undo_merge(docset_id, choice.number)
            changed = True
    for place, choice in enumerate(choices):
        if not choice.agreed and place in wanted:
            await client.merge_values(docset_id, choice.merge)
            changed = True
    return changed
