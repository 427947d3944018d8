"""The application: routes, error bodies, and the gate around them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from backend.api import (
    administration,
    docs_page,
    docsets,
    documents,
    embeddings,
    exploring,
    extensions,
    failures,
    indexes,
    jobs,
    openapi,
    partition,
    plans,
    review,
    search,
    tasks,
)
from backend.api.authentication import Authentication
from backend.api.gate import Gate
from backend.api.methods import Heads
from backend.api.observing import access_log
from backend.api.service import Service
from workbench.contract.version import __version__

# They are matched in this order, which takes time: the most frequent ones come first.
_ROUTERS = (
    search.router,
    exploring.router,
    docsets.router,
    documents.router,
    jobs.router,
    partition.router,
    tasks.router,
    plans.router,
    extensions.router,
    review.router,
    indexes.router,
    embeddings.router,
    administration.router,
    docs_page.router,
)
_OPENAPI = "/openapi.json"
_OPEN_PATHS = frozenset({*extensions.OPEN, _OPENAPI, *docs_page.PATHS})
"""Need no credential."""


def create_app(service: Service) -> Gate:
    """The ASGI application of a service; its lifespan starts and closes the service."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        service.changes.attach(asyncio.get_running_loop())
        await asyncio.to_thread(service.start)
        try:
            yield
        finally:
            await asyncio.to_thread(service.close)

    app = FastAPI(
        title="DocSet Workbench",
        version=__version__,
        lifespan=lifespan,
        redirect_slashes=False,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        generate_unique_id_function=openapi.operation_id,
        # The gate observes requests; the framework would look for other observers on each one.
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    app.state.service = service
    failures.install(app)
    for router in _ROUTERS:
        app.include_router(router)
    openapi.install(app, _OPENAPI, open_paths=_OPEN_PATHS)
    settings = service.settings
    return Gate(
        Heads(app),
        authentication=Authentication(service.tokens.access, _OPEN_PATHS),
        observers=(access_log, service.audit, service.metrics),
        allowed_hosts=[*settings.allowed_hosts, settings.host],
        max_body=settings.max_body,
        max_upload=settings.max_upload,
    )
