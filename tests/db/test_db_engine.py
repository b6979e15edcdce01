"""Writers of one process wait for each other instead of being told that the database is locked."""

import time
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import text

from db import engine as db_engine


def test_no_writer_of_a_process_is_passed_over_until_it_gives_up(tmp_path, monkeypatch):
    monkeypatch.setattr(db_engine, "BUSY_MILLISECONDS", 1)  # nobody is waited for by polling
    engine = db_engine.open_engine(f"sqlite:///{tmp_path}/many.db")
    with db_engine.writing(engine) as session:
        session.connection().execute(text("CREATE TABLE said (number INTEGER)"))

    def say(number):
        with db_engine.writing(engine) as session:
            session.connection().execute(text("INSERT INTO said VALUES (:number)"), {"number": number})
            time.sleep(0.01)  # the others arrive meanwhile

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(say, range(24)))
    with db_engine.reading(engine) as session:
        assert session.connection().execute(text("SELECT count(*) FROM said")).scalar() == 24
