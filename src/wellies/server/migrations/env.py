"""Alembic's way in: the connection, and the lock it holds, are the caller's."""

from alembic import context

from wellies.server.storage.schema import META

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=META,
    render_as_batch=True,
    transaction_per_migration=False,
)
context.run_migrations()
