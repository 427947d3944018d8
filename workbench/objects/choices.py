"""The readings of a question or feedback, as choices that can be applied."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from workbench.client import Ambiguous, Invalid
from workbench.contract.errors import Choice
from workbench.contract.plan import EditReport, Plan

if TYPE_CHECKING:
    from workbench.objects.awaited import AsyncPlanDraft
    from workbench.objects.plans import PlanDraft

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


class AmbiguousPlan(Invalid):
    """A question or feedback has several readings: `error.choices[0].apply()` selects one."""

    def __init__(self, error: Ambiguous, take: "Callable[[Choice], PlanDraft]") -> None:
        super().__init__(error.status, error.detail, error.faults)
        self.choices = [PlanChoice(choice, take) for choice in error.choices]

    def __str__(self) -> str:
        return _listed(self.detail, self.choices)


class AsyncAmbiguousPlan(Invalid):
    """`AmbiguousPlan` of the awaited calls; `apply` makes no request, so it is not awaited."""

    def __init__(self, error: AmbiguousPlan, wrap: "Callable[[PlanDraft], AsyncPlanDraft]") -> None:
        super().__init__(error.status, error.detail, error.faults)
        self.choices = [_wrapped(choice, wrap) for choice in error.choices]

    def __str__(self) -> str:
        return _listed(self.detail, self.choices)


def _wrapped(
    choice: PlanChoice[Draft], wrap: Callable[[Draft], OtherDraft]
) -> PlanChoice[OtherDraft]:
    return PlanChoice(choice._choice, lambda chosen: wrap(choice._take(chosen)))


def _listed(detail: str, choices: "list[PlanChoice[Draft]]") -> str:
    """The error message with the choices below it, numbered from 0."""
    return "\n".join([detail, *(f"  [{at}] {one.words}" for at, one in enumerate(choices))])
