"""Nothing stays in the product that nothing uses."""

from pathlib import Path

from vulture import Vulture

ROOT = Path(__file__).parent.parent

CALLED_BY_LIBRARIES = [
    # textual, by the name of the message, action or hook
    *("on_*", "_on_*", "action_*", "watch_*", "compose", "key_*", "render*", "get_*"),
    # IPython and pydantic
    *("_ipython_*", "_repr_*", "__dir__", "validate_*"),
    # asyncio and uvicorn
    *("data_received", "handle_exit"),
    # lark, by the name of the rule
    *("negation", "not_like", "not_one_of", "STRING", "no_member"),
    # alembic, io and logging
    *("downgrade", "writelines", "handleError"),
]
CALLED_BY_NAME = [
    # jobs of workers, as "module:function"
    *("embed_texts", "extract_stored", "order_of_dates", "suggest_schema"),
    *("partition_file", "partition_and_prepare", "prepare_document"),
    # questions of a worker to its server, markdown tokens and messages of widgets
    *("_event", "_texts_of", "_texts_at", "_fulfilling", "_embed", "_unless_note"),
    *("_feedback", "_redo", "_go_to", "_save", "_why", "_review"),
    # the actor of a cluster, as "module:class"
    "ShardActor",
    # an annotation in quotes
    "WriteSamples",
]
CALLED_BY_USERS = ["submit_delete_properties", "submit_partition", "diff_plans"]


def test_everything_is_used() -> None:
    search = Vulture(
        ignore_names=[*CALLED_BY_LIBRARIES, *CALLED_BY_NAME, *CALLED_BY_USERS],
        ignore_decorators=["@*"],  # what is decorated is registered somewhere
    )
    search.scavenge([str(ROOT / "backend"), str(ROOT / "workbench")])
    kinds = {"function", "method", "class", "import", "property", "unreachable_code"}
    unused = [
        f"{Path(item.filename).relative_to(ROOT)}:{item.first_lineno} {item.name}"
        for item in search.get_unused_code(min_confidence=60)
        if item.typ in kinds
    ]
    assert unused == []
