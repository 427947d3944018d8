"""The places, queue and shards of a server in words, for the command line and the terminal app."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.contract.cluster import ClusterState


def places_words(state: "ClusterState") -> str:
    """`1 of 4 places busy, 2 starting, on Ray at 10.0.0.2:6379`."""
    where = "this machine"
    if state.engine == "ray":
        where = f"Ray at {state.head}" + ("" if state.connected else " (no answer)")
    starting = f", {state.starting} starting" if state.starting else ""
    return f"{state.busy} of {state.places} places busy{starting}, on {where}"


def tasks_words(state: "ClusterState") -> str:
    """`3 running, 12 queued, the oldest for 40 s`, over all servers."""
    queued = state.tasks.get("queued", 0)
    oldest = f", the oldest for {state.oldest_queued_seconds:.0f} s" if queued else ""
    return f"{state.tasks.get('running', 0)} running, {queued} queued{oldest}"


def shards_words(state: "ClusterState") -> str:
    """`3 of 4 shards answer, on node-1, node-2`."""
    there = [name for name in state.shards if name is not None]
    where = f", on {', '.join(sorted({*there}))}" if there else ""
    return f"{len(there)} of {len(state.shards)} shards answer{where}"


def is_shared(state: "ClusterState") -> bool:
    """Whether there are other machines or servers."""
    return state.engine == "ray" or len(state.servers) > 1
