"""`workbench ask`: a question, corrections in words, and the answer."""

import argparse
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from workbench.commands.common import (
    CommandFailed,
    WrongUsage,
    add_server_arguments,
    note,
    open_docset,
    open_workbench,
    print_json,
    print_rows,
    print_value,
    warn,
)
from workbench.formats import MARK, confidence_words, value_words
from workbench.frames.files import FORMATS

if TYPE_CHECKING:
    from workbench.frames.notes import AnswerNotes
    from workbench.objects import AmbiguousPlan, PlanDraft, Run
    from workbench.objects.why import Why


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_server_arguments(parser)
    parser.add_argument("docset", help="name or id of the DocSet")
    parser.add_argument("question", help="the question, in words")
    parser.add_argument(
        "--edit",
        action="append",
        default=[],
        metavar="FEEDBACK",
        help="a correction of the plan, in words; may be repeated",
    )
    parser.add_argument(
        "--choose",
        action="append",
        default=[],
        type=int,
        metavar="N",
        help="which of the listed readings you mean, if there are several; may be repeated",
    )
    parser.add_argument(
        "--evidence",
        action="store_true",
        help="also list the documents behind the answer, with values, confidence and sources",
    )
    parser.add_argument(
        "--row",
        type=int,
        metavar="N",
        help="with --evidence: only the evidence of row N of the answer, counted from 1",
    )
    parser.add_argument(
        "--left-out",
        action="store_true",
        help="also list the documents that the answer could not use, and why",
    )
    parser.add_argument(
        "--confidence-limit",
        type=float,
        metavar="LIMIT",
        help="leave out values with less confidence, 0 to 1; 0 uses every value",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help=f"also write the answer to a file that ends in {', '.join(FORMATS)}",
    )
    parser.add_argument("--plan-only", action="store_true", help="show the plan, do not run it")


def run(arguments: argparse.Namespace) -> int:
    if arguments.plan_only and arguments.output:
        raise WrongUsage("With --plan-only nothing runs: there is no answer for --output to write.")
    with open_workbench(arguments) as workbench:
        docset = open_docset(workbench, arguments.docset)
        choosing = _Choosing(arguments)
        steps = [choosing.done(docset.plan, arguments.question)]
        for feedback in arguments.edit:
            steps.append(choosing.done(steps[-1].edit, feedback))
        if arguments.plan_only:
            done, behind = None, {}
        else:
            done = steps[-1].run(confidence_limit=arguments.confidence_limit)
            behind = _behind(done, arguments)
    if done is not None and arguments.output:
        note(f"Written to {done.write(arguments.output)}.")
    for number in choosing.left:
        warn(f"! --choose {number} was not needed: nothing was ambiguous.")
    if arguments.json:
        print_json(_as_json(steps, done, behind))
    else:
        _print_answer(steps, done)
        for name, why in behind.items():
            note(f"{_TITLES[name]}: {why.total:,} document{'' if why.total == 1 else 's'}")
            print_rows(_COLUMNS, map(_shown, why.to_polars().to_dicts()))
    return 0


class _Choosing:
    """Applies the readings that `--choose` names, one after the other."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.left: list[int] = list(arguments.choose)
        self._json = arguments.json

    def done(self, make: "Callable[[str], PlanDraft]", words: str) -> "PlanDraft":
        """The draft that `make` returns for the words, or the reading chosen among several."""
        from workbench.objects import AmbiguousPlan

        try:
            return make(words)
        except AmbiguousPlan as error:
            if self.left and 1 <= self.left[0] <= len(error.choices):
                return error.choices[self.left.pop(0) - 1].apply()
            if self._json:
                print_json({"error": error.detail, "choices": _numbered(error)})
            raise CommandFailed(self._refusal(error)) from None

    def _refusal(self, error: "AmbiguousPlan") -> str:
        listed = [f"  {number}  {one.words}" for number, one in enumerate(error.choices, 1)]
        wrong = f"There is no reading {self.left[0]}. " if self.left else ""
        last = len(error.choices)
        others = {1: "to take it", 2: "or --choose 2 to take one"}
        hint = f"{wrong}Add --choose 1 {others.get(last, f'to --choose {last} to take one')}."
        return "\n".join([error.detail, *listed, hint])


def _numbered(error: "AmbiguousPlan") -> list[dict[str, Any]]:
    return [
        {"number": number, "words": one.words, "plan": one.plan.model_dump(mode="json")}
        for number, one in enumerate(error.choices, 1)
    ]


_TITLES = {"evidence": "Behind the answer", "left_out": "Left out"}
_COLUMNS = ["name", "property", "value", "state", "confidence", "page", "text"]
_DOCUMENTS = 200
"""Documents whose values are listed."""


def _behind(done: "Run", arguments: argparse.Namespace) -> "dict[str, Why]":
    """The evidence that was requested beside the answer."""
    evidence: dict[str, Why] = {}
    if arguments.evidence or arguments.row is not None:
        row = None if arguments.row is None else arguments.row - 1
        if row is not None and not 0 <= row < len(done):
            raise CommandFailed(f"There is no row {arguments.row}: the answer has {len(done):,}.")
        evidence["evidence"] = done.why(row, documents=_DOCUMENTS)
    if arguments.left_out and done.notes.footnotes:
        evidence["left_out"] = done.left_out(documents=_DOCUMENTS)
    return evidence


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    sure = confidence_words(row["confidence"])
    return {**row, "value": value_words(row["value"], str(row["property"])), "confidence": sure}


def _as_json(
    steps: "list[PlanDraft]", done: "Run | None", behind: "dict[str, Why]"
) -> dict[str, Any]:
    out: dict[str, Any] = {
        "plan": steps[-1].plan.model_dump(mode="json"),
        "understood": steps[-1].understood,
        "changes": [(after - before).lines for before, after in pairwise(steps)],
    }
    if done is not None:
        out |= done.answer.model_dump(mode="json", exclude={"plan"})
        out["trust"] = done.notes.trust
        out["remarks"] = done.remarks()
        for name, why in behind.items():
            out[name] = {"total": why.total, "values": why.to_polars().to_dicts()}
    return out


def _print_answer(steps: "list[PlanDraft]", done: "Run | None") -> None:
    note(str(steps[0]))
    for before, after in pairwise(steps):
        for line in (after - before).lines or ["no change"]:
            note(line)
    note(f"Understood as: {steps[-1].understood}.")
    # A remark stays in the report of each later step for which it holds.
    for line in dict.fromkeys(line for step in steps for line in step.remarks()):
        warn(line)
    if done is None:
        return
    if isinstance(done.result, list):
        print_rows(done.columns, done.to_polars().to_dicts(), done.shares)
        if not done.result:
            note("No rows.")
    else:
        print_value(done.result, done.words())
    _print_notes(done.notes, already=steps[-1].unused)


def _print_notes(notes: "AnswerNotes", already: list[str]) -> None:
    """Prints the basis of the answer: first the range, then what was left out. `already` are unused
    words that were reported with the plan.
    """
    if notes.caution:
        warn(f"{MARK} {notes.caution}")
    if notes.story:
        note(notes.story)
    if notes.not_used and list(notes.unused) != already:
        warn(f"! {notes.not_used}")
    for one in notes.footnotes:
        warn(f"! {one.text}")
    for text in notes.warnings:
        note(f"! {text}")
