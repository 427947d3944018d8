"""What a question or feedback may mean, as choices that can be applied."""

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
    """One of several things that a question or feedback may mean."""

    def __init__(self, choice: Choice, take: Callable[[Choice], Draft]) -> None:
        self._choice = choice
        self._take = take

    @property
    def words(self) -> str:
        """What the plan would do, in one sentence."""
        return self._choice.words

    @property
    def plan(self) -> Plan:
        """The plan that it gives, in the contract's form."""
        return Plan.model_validate(self._choice.plan)

    @property
    def report(self) -> EditReport:
        """What became of each clause in this reading."""
        return EditReport.model_validate(self._choice.edit)

    def apply(self) -> Draft:
        """The draft with this plan, to run it or to edit it further. Asks no server.

        Example: ambiguous.choices[0].apply().run()
        """
        return self._take(self._choice)

    def __repr__(self) -> str:
        return f"PlanChoice({self.words!r})"


class AmbiguousPlan(Invalid):
    """A question or feedback may mean several things: `error.choices[0].apply()` takes one."""

    def __init__(self, error: Ambiguous, take: "Callable[[Choice], PlanDraft]") -> None:
        super().__init__(error.status, error.detail, error.faults)
        self.choices = [PlanChoice(choice, take) for choice in error.choices]

    def __str__(self) -> str:
        return _listed(self.detail, self.choices)


class AsyncAmbiguousPlan(Invalid):
    """`AmbiguousPlan` of the calls that are awaited; `apply` asks no server, so it is not."""

    def __init__(self, error: AmbiguousPlan, wrap: "Callable[[PlanDraft], AsyncPlanDraft]") -> None:
        super().__init__(error.status, error.detail, error.faults)
        self.choices = [_wrapped(choice, wrap) for choice in error.choices]

    def __str__(self) -> str:
        return _listed(self.detail, self.choices)


def _wrapped(
    choice: PlanChoice[Draft], wrap: Callable[[Draft], OtherDraft]
) -> PlanChoice[OtherDraft]:
    return PlanChoice(choice._choice, lambda taken: wrap(choice._take(taken)))


def _listed(detail: str, choices: "list[PlanChoice[Draft]]") -> str:
    """The sentence of the error, with the choices as one counts them below it."""
    return "\n".join([detail, *(f"  [{at}] {one.words}" for at, one in enumerate(choices))])
