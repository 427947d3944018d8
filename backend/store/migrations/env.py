"""Alembic's entry point: runs the migrations on the given connection, in one transaction."""

from alembic import context

from backend.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transaction_per_migration=False,
)
context.run_migrations()
