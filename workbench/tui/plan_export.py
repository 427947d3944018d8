"""Exports of a question: the rows of a step, and its plan."""

from typing import TYPE_CHECKING, Any

from workbench.formats import counted
from workbench.sessions.plan_session import PlanSession
from workbench.tui.dialogs.export import Copy, TextFile, code_copies, export
from workbench.tui.screens.plan_output import PlanOutput

if TYPE_CHECKING:
    from textual.app import App


async def export_plan(app: "App[Any]", session: PlanSession, output: PlanOutput) -> None:
    """Asks for the format and the destination; rows are those of the step in the output."""
    others: list[Copy | TextFile] = [
        TextFile("plan-json", "Plan as JSON", "plan.json", session.as_json),
        TextFile("plan-python", "Plan as Python", "plan.py", session.as_python),
        *code_copies(session.as_python, session.as_cell, session.as_curl),
    ]
    node_id = output.node_id
    if node_id is None:
        why = "run the plan (r) to export its rows"
        await export(app, "result", None, others, without=why)
        return
    name = "result" if session.plan and node_id == session.plan.result_node else f"node-{node_id}"
    many = "" if output.comparing else counted(output.table.total, "row")
    await export(app, name, lambda: session.whole_output(node_id), others, many=many)
