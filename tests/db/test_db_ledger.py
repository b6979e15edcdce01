import json
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from db import ledger
from db.engine import reading, writing

AT = datetime(2026, 3, 1, 9, 30, 15, 123456, tzinfo=UTC)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def new(version, task_id="task_1", **payload):
    return ledger.New(task_id, version, "MessagePosted", "ann", AT, payload or {"text": f"number {version}"})


def three(engine):
    with writing(engine) as session:
        for version in (1, 2, 3):
            ledger.append(session, new(version))


def verified(engine):
    with reading(engine) as session:
        return ledger.verify(session)


def test_a_chain_that_was_written_holds(engine):
    three(engine)
    assert verified(engine) == (3, [])


def test_what_was_written_comes_back_as_it_was(engine):
    payload = {"text": "𠮷 ' \" \\ \u2028", "list": [1, None, {"a": True}]}
    with writing(engine) as session:
        ledger.append(session, new(1, **payload))
    with reading(engine) as session:
        entry = ledger.read(session, "task_1")[0]
    assert (entry.payload, entry.at) == (payload, AT)


def test_whoever_is_second_gets_a_conflict_and_the_transaction_goes_on(engine):
    three(engine)
    with writing(engine) as session:
        with pytest.raises(ledger.LedgerConflict):
            ledger.append(session, new(3))
        ledger.append(session, new(4))
    assert verified(engine) == (4, [])


def test_a_gap_is_refused(engine):
    with writing(engine) as session, pytest.raises(ledger.LedgerConflict, match="no version 1"):
        ledger.append(session, new(2))


CHANGES = {
    "sqlite": (
        "UPDATE ledger SET actor = 'eve'",
        "DELETE FROM ledger",
        "INSERT OR REPLACE INTO ledger SELECT * FROM ledger",
    ),
    "postgresql": ("UPDATE ledger SET actor = 'eve'", "DELETE FROM ledger", "TRUNCATE ledger"),
}


@pytest.mark.parametrize("number", range(3))
def test_the_database_itself_refuses_changes(engine, number):
    three(engine)
    with pytest.raises(sa.exc.DBAPIError, match="append-only"), engine.begin() as connection:
        connection.exec_driver_sql(CHANGES[engine.dialect.name][number])
    assert verified(engine) == (3, [])


def drop_triggers(connection):
    if connection.dialect.name == "sqlite":
        for name in ("ledger_no_update", "ledger_no_delete", "ledger_no_replace"):
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
    else:
        connection.exec_driver_sql("DROP TRIGGER ledger_no_change ON ledger")


@pytest.mark.parametrize("column", ["payload", "actor", "kind", "hash", "prev_hash", "salts"])
def test_one_changed_byte_is_found_and_the_entry_named(engine, column):
    three(engine)
    with engine.begin() as connection:
        drop_triggers(connection)
        old = connection.exec_driver_sql(f"SELECT {column} FROM ledger WHERE version = 2").scalar_one()
        place = len(old) // 2
        changed = old[:place] + ("0" if old[place] != "0" else "1") + old[place + 1 :]
        connection.execute(sa.text(f"UPDATE ledger SET {column} = :new WHERE version = 2"), {"new": changed})
    problems = verified(engine)[1]
    assert problems
    assert "task_1 version 2" in problems[0]


def test_a_changed_time_is_found(engine):
    three(engine)
    with engine.begin() as connection:
        drop_triggers(connection)
        connection.exec_driver_sql("UPDATE ledger SET at = '2026-03-02 09:30:15.123456' WHERE version = 2")
    assert "task_1 version 2" in verified(engine)[1][0]


def test_a_missing_entry_is_found(engine):
    three(engine)
    with engine.begin() as connection:
        drop_triggers(connection)
        connection.exec_driver_sql("DELETE FROM ledger WHERE version = 2")
    assert "version 3" in verified(engine)[1][0]


def test_a_withheld_field_leaves_a_commitment_that_still_verifies(engine):
    three(engine)
    with reading(engine) as session:
        entries = ledger.read(session, "task_1")
    for line in ledger.exported(entries, withheld=lambda entry: {"text"}):
        assert "number" not in json.dumps(line)
        again = ledger.entry_hash(
            line["prev_hash"],
            line["task_id"],
            line["version"],
            line["kind"],
            line["actor"],
            datetime.fromisoformat(line["at"]),
            line["commitments"],
        )
        assert again == line["hash"]


@given(values, values)
def test_commitments_are_equal_only_for_equal_values(one, other):
    salt = "00" * 16
    same = ledger.canonical(one) == ledger.canonical(other)
    assert (ledger.commitment(salt, one) == ledger.commitment(salt, other)) is same


def test_the_same_value_under_another_salt_has_another_commitment():
    assert ledger.commitment("00" * 16, "yes") != ledger.commitment("11" * 16, "yes")
