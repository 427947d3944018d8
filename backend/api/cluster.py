"""Collects the data for `workbench cluster status`."""

from sqlalchemy import func, select

from backend.docsets.counting import census
from backend.store.database import Database
from backend.store.tables import tasks
from backend.tasks.pool_port import PoolState
from workbench.contract.cluster import ClusterNode, ClusterServer, ClusterState


def cluster_state(database: Database, pool: PoolState) -> ClusterState:
    """The state of the pool and of the queue."""
    counts = census(database)
    with database.reading() as connection:
        running = connection.execute(
            select(tasks.c.executor, func.count())
            .where(tasks.c.status == "running")
            .group_by(tasks.c.executor)
            .order_by(tasks.c.executor)
        ).all()
    return ClusterState(
        engine=pool.engine,
        head=pool.head,
        connected=pool.connected,
        places=pool.places,
        busy=pool.busy,
        starting=pool.starting,
        nodes=[ClusterNode.model_validate(node) for node in pool.nodes],
        shards=pool.shards,
        servers=[ClusterServer(name=name, running=count) for name, count in running],
        tasks=counts.tasks,
        oldest_queued_seconds=counts.oldest_queued_seconds,
        waits_for=waits_for(pool, counts.tasks["queued"]),
    )


def waits_for(pool: PoolState, queued: int = 0) -> list[str]:
    """What work waits for, a sentence each; empty when nothing waits."""
    reasons = []
    if not pool.connected:
        reasons.append(f"The cluster's head {pool.head} does not answer; tasks wait for it.")
    if pool.problem is not None:
        reasons.append(f"A place could not start: {pool.problem}.")
    if pool.starting and sum(node["places"] for node in pool.nodes) <= pool.places:
        reasons.append("More places wait for another node or for places of other servers.")
    if away := pool.shards.count(None):
        reasons.append(f"Searches of large DocSets wait for {away} of {len(pool.shards)} shards.")
    if queued and pool.connected and pool.busy == pool.places:
        reasons.append(f"{queued} queued tasks wait for a free place.")
    return reasons
