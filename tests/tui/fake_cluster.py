"""States of servers: one on a single machine, and one on a cluster of two nodes."""

from workbench.contract.cluster import ClusterNode, ClusterServer, ClusterState

ALONE = ClusterState(
    engine="local",
    head=None,
    connected=True,
    places=2,
    busy=0,
    starting=0,
    nodes=[],
    servers=[],
    tasks={"queued": 0, "running": 0},
    oldest_queued_seconds=0.0,
    waits_for=[],
)


def a_cluster(*waits_for: str) -> ClusterState:
    """All places are busy, and three tasks are queued."""
    return ALONE.model_copy(
        update={
            "engine": "ray",
            "head": "10.0.0.1:6379",
            "busy": 2,
            "nodes": [
                ClusterNode(name="worker-1", address="10.0.0.2", places=4),
                ClusterNode(name="worker-2", address="10.0.0.3", places=4),
            ],
            "shards": ["worker-1", None],
            "servers": [ClusterServer(name="host-a:17", running=1)],
            "tasks": {"queued": 3, "running": 1},
            "oldest_queued_seconds": 4.0,
            "waits_for": list(waits_for),
        }
    )
