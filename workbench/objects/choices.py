"""The readings of a question or feedback, as choices that can be applied."""

from collections.abc import Callable
from typing import Generic, TypeVar

from workbench.client import Invalid
from workbench.contract.errors import Choice
from workbench.contract.plan import EditReport, Plan

Draft = TypeVar("Draft")
OtherDraft = TypeVar("OtherDraft")


class PlanChoice(Generic[Draft]):
    """One of several readings of a question or feedback."""

    def __init__(self, choice: Choice, take: Callable[[Choice], Draft]) -> None:
        self._choice = choice
        self._take = take

    @property
    def words(self) -> str:
        """What the plan would do, in one sentence."""
        return self._choice.words

    @property
    def plan(self) -> Plan:
        """The plan of this reading, as a type of the contract."""
        return Plan.model_validate(self._choice.plan)

    @property
    def report(self) -> EditReport:
        """The effect of each clause in this reading."""
        return EditReport.model_validate(self._choice.edit)

    def apply(self) -> Draft:
        """The draft with this plan, to run or edit it further. Makes no request.

        Example: ambiguous.choices[0].apply().run()
        """
        return self._take(self._choice)

    def __repr__(self) -> str:
        return f"PlanChoice({self.words!r})"


def wrapped(
    choice: PlanChoice[Draft], wrap: Callable[[Draft], OtherDraft]
) -> PlanChoice[OtherDraft]:
    """The same choice for another kind of draft."""
    return PlanChoice(choice._choice, lambda chosen: wrap(choice._take(chosen)))


class SeveralReadings(Invalid, Generic[Draft]):
    """A question or feedback has several readings."""

    def __init__(self, error: Invalid, choices: list[PlanChoice[Draft]]) -> None:
        super().__init__(error.status, error.detail, error.faults)
        self.choices = choices

    def __str__(self) -> str:
        """The error message with the choices below it, numbered from 0."""
        listed = [f"  [{at}] {one.words}" for at, one in enumerate(self.choices)]
        return "\n".join([self.detail, *listed])
