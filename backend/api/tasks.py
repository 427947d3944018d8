"""Routes of asynchronous tasks: result, list, cancel."""

import re
from typing import Annotated, Any

import re2
from fastapi import APIRouter, Path, Query
from starlette.responses import JSONResponse, Response

from backend.api.calls import REFUSALS, UNREADABLE, Account, Backend, finished
from backend.api.openapi import refusal
from workbench.contract.errors import Invalid, NotFound
from workbench.contract.tasks import TaskList, TaskSummary

router = APIRouter(prefix="/v1/async", tags=["Tasks"], responses=REFUSALS)
_MAX_PATTERN = 1000
# A placeholder from the OpenAPI document, which some callers send literally.
_PLACE_HOLDER = re.compile(r"\{[a-z_]+\}")

TaskId = Annotated[str, Path(max_length=200, description="The id of the task.")]
PathFilter = Annotated[
    str | None,
    Query(
        max_length=_MAX_PATTERN,
        description="Regular expression searched in the task's action. Paths with and without"
        " `/v1` are accepted. Empty matches all.",
    ),
]
MethodFilter = Annotated[
    str | None, Query(max_length=_MAX_PATTERN, description="The same for the HTTP method.")
]


class Filters:
    """`path_filter` and `method_filter`, matched in linear time."""

    def __init__(self, path: str | None, method: str | None) -> None:
        self._path = _pattern("path_filter", path)
        self._method = _pattern("method_filter", method)

    def match(self, row: Any) -> bool:
        return bool(
            (self._path is None or self._path.search(row["action"]))
            and (self._method is None or self._method.search(row["method"]))
        )


def _pattern(name: str, text: str | None) -> Any:
    if not text:
        return None
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 1 << 20
    try:
        return re2.compile(_PLACE_HOLDER.sub("[^/]+", text), options)
    except re2.error as error:
        reason = error.args[0] if error.args else ""
        words = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        message = f"not a usable regular expression: {words}"
        raise Invalid.at(("query", name), message, "bad_pattern") from error


@router.get(
    "/result/{task_id}",
    summary="Get Async Task Result",
    response_class=Response,
    responses={
        200: {
            "description": "The answer of the finished call.",
            "content": {"application/json": {"schema": {}}},
        },
        202: refusal("Task is pending."),
        **UNREADABLE,
    },
)
def result(
    service: Backend,
    account: Account,
    task_id: TaskId,
    path_filter: PathFilter = None,
    method_filter: MethodFilter = None,
) -> Response:
    filters = Filters(path_filter, method_filter)
    row = service.queue.row(account, task_id)
    if not row["listed"] or not filters.match(row):
        raise NotFound("No such task.")
    if row["status"] != "done":
        return JSONResponse({"detail": "Task is pending."}, 202)
    return finished(row)


@router.get("/list", summary="List Async Tasks", response_model=TaskList)
def list_tasks(
    service: Backend,
    account: Account,
    path_filter: PathFilter = None,
    method_filter: MethodFilter = None,
) -> Response:
    filters = Filters(path_filter, method_filter)
    listing = TaskList(
        tasks={
            row["task_id"]: TaskSummary(
                action=row["action"], task_status=row["status"], userdata=row["userdata"]
            )
            for row in service.queue.listed(account)
            if filters.match(row)
        }
    )
    # Encoded here, in a thread: the list may be long, and other requests must not wait.
    return Response(listing.model_dump_json(exclude_none=True), media_type="application/json")


@router.post("/cancel/{task_id}", summary="Cancel Async Task")
def cancel_task(
    service: Backend,
    account: Account,
    task_id: TaskId,
    path_filter: PathFilter = None,
    method_filter: MethodFilter = None,
) -> dict[str, str]:
    filters = Filters(path_filter, method_filter)
    try:
        row = service.queue.row(account, task_id)
        matches = row["listed"] and filters.match(row)
    except NotFound:
        matches = False
    if not matches:
        raise NotFound("Task not found.")
    with service.database.reserve.lent():  # its file is deleted
        service.cancel(account, task_id)
    return {"detail": "Task cancelled."}
