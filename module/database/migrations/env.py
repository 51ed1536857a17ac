"""Run by alembic for every command: works on the connection that it is given, within its transaction."""

from alembic import context

from module.database.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA, transactional_ddl=False)
context.run_migrations()
