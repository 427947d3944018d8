"""Where a server's work is done, and what it waits for."""

from typing import Literal

from pydantic import BaseModel, Field


class ClusterNode(BaseModel):
    """A machine of the cluster; `places` is how many jobs it can run at once."""

    name: str
    address: str
    places: int


class ClusterServer(BaseModel):
    """A server with running tasks, as `host:process`."""

    name: str
    running: int


class ClusterState(BaseModel):
    """Places of the asked server, nodes of the cluster, and tasks of all servers.

    `engine` is `local` when the server works in processes of its own machine.
    """

    engine: Literal["local", "ray"]
    head: str | None = Field(description="Address of the cluster's head.")
    connected: bool = Field(description="Whether the head answers; tasks wait while it does not.")
    places: int = Field(description="Jobs that this server can run at once.")
    busy: int
    starting: int = Field(description="Places that wait for a free core of the cluster.")
    nodes: list[ClusterNode]
    shards: list[str | None] = Field(
        default=[], description="Machine of each shard of the indexes, null while it is away."
    )
    servers: list[ClusterServer]
    tasks: dict[str, int] = Field(description="Tasks of all servers by status.")
    oldest_queued_seconds: float
    waits_for: list[str] = Field(description="What work waits for, a sentence each.")
