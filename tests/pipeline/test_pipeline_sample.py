import sqlite3
from contextlib import closing

import pytest

from pipeline.checks import CheckError, reread_sqlite
from pipeline.content import Reason, Rejected
from pipeline.database import describe, read_rows, reading
from pipeline.stages.sample import choose_tables, copy_tables

ODD = """
CREATE TABLE "a ""b"" `c` [d]" ("select" INTEGER, "x y" TEXT CHECK (length("x y") < 99), half AS ("select" / 2.0));
INSERT INTO "a ""b"" `c` [d]" ("select", "x y") VALUES (3, '😀'), (1, NULL), (2, x'00ff');
DELETE FROM "a ""b"" `c` [d]" WHERE "select" = 1;
CREATE TABLE "../x" (rowid TEXT, k INTEGER PRIMARY KEY);
INSERT INTO "../x" VALUES ('r', 5), ('s', 2);
CREATE TABLE w (a TEXT COLLATE NOCASE, b INT, PRIMARY KEY (a, b)) WITHOUT ROWID;
INSERT INTO w VALUES ('b', 1), ('A', 2);
CREATE UNIQUE INDEX i ON w (b);
CREATE TABLE loop1 (id INTEGER PRIMARY KEY, o INTEGER REFERENCES loop2 (id));
CREATE TABLE loop2 (id INTEGER PRIMARY KEY, o INTEGER REFERENCES loop1 (id));
INSERT INTO loop1 VALUES (1, 1); INSERT INTO loop2 VALUES (1, 1);
CREATE VIEW v AS SELECT * FROM w;
CREATE TRIGGER t AFTER INSERT ON w BEGIN DELETE FROM w; END;
CREATE TABLE empty (x);
"""


def test_a_copy_has_the_same_statements_rows_and_row_numbers(tmp_path, database):
    source = database(ODD)
    copy_tables(source, tmp_path / "copy", [table.name for table in source.tables])
    copy = describe(tmp_path / "copy", "copy", 1 << 30)
    assert copy.tables == source.tables and copy.views == () and source.views == ("v",)
    with reading(source.path) as one, reading(copy.path) as other:
        for table in source.tables:
            assert list(read_rows(one, table)) == list(read_rows(other, table))
        numbers = 'SELECT rowid FROM "a ""b"" `c` [d]"'
        assert other.execute(numbers).fetchall() == one.execute(numbers).fetchall() == [(1,), (3,)]


def test_two_copies_are_the_same_bytes(tmp_path, database):
    source = database(ODD)
    for name in ("one", "two"):
        copy_tables(source, tmp_path / name, [table.name for table in source.tables])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_the_source_is_not_changed(tmp_path, database):
    source = database(ODD)
    before = source.path.read_bytes(), source.path.stat().st_mtime_ns, sorted(source.path.parent.iterdir())
    copy_tables(source, tmp_path / "copy", ["w"])
    (tmp_path / "copy").unlink()
    assert before == (source.path.read_bytes(), source.path.stat().st_mtime_ns, sorted(source.path.parent.iterdir()))


def many(count):
    tables = [f"CREATE TABLE t{n} (id INTEGER PRIMARY KEY, x TEXT);" for n in range(count)]
    return "\n".join(
        [*tables, "CREATE TABLE child (a REFERENCES t7 (id)); CREATE TABLE parent (id INTEGER PRIMARY KEY);"]
    )


def test_of_many_tables_the_needed_ones_and_their_neighbours_are_kept(database):
    source = database(many(60))
    sampling = choose_tables(source, ["T7"], seed=1, max_tables=10)
    assert {"t7", "child"} <= set(sampling.kept) and len(sampling.kept) == 10
    assert sampling.needed == ("t7",) and sampling.tables_in_source == 62 and "10 of 62" in sampling.note
    assert sampling == choose_tables(source, ["t7"], seed=1, max_tables=10)
    assert sampling.kept != choose_tables(source, ["t7"], seed=2, max_tables=10).kept


def test_needed_tables_are_kept_beyond_the_limit(database):
    source = database(many(20))
    needed = [f"t{n}" for n in range(6)]
    assert set(choose_tables(source, needed, seed=0, max_tables=3).kept) == set(needed)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, Reason.DATABASE_MISSING),
        (b"not a database, certainly not one" * 40, Reason.DATABASE_BROKEN),
        (b"", Reason.DATABASE_BROKEN),
        (b"x" * 2000, Reason.DATABASE_TOO_LARGE),
    ],
)
def test_a_database_that_cannot_be_used_is_refused_by_name(tmp_path, content, reason):
    path = tmp_path / "shop.sqlite"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(Rejected, match="shop") as rejected:
        describe(path, "shop", 1500)
    assert rejected.value.reason is reason


def test_a_database_with_a_damaged_page_is_refused(tmp_path, database):
    source = database("CREATE TABLE t (x TEXT); " + "INSERT INTO t VALUES (hex(zeroblob(900)));" * 60)
    data = bytearray(source.path.read_bytes())
    data[4096 * 3 : 4096 * 4] = b"\xff" * 4096
    source.path.write_bytes(data)
    with pytest.raises(Rejected) as rejected:
        describe(source.path, "made", 1 << 30)
    assert rejected.value.reason is Reason.DATABASE_BROKEN


@pytest.mark.parametrize(
    "fault",
    [
        "UPDATE w SET b = 3 WHERE a = 'A'",
        "DELETE FROM w WHERE a = 'A'",
        "INSERT INTO w VALUES ('c', 9)",
        "UPDATE w SET a = 'a' WHERE a = 'A'",
        "DROP TABLE w",
        "DROP INDEX i",
    ],
)
def test_a_planted_fault_in_an_sqlite_file_is_caught(tmp_path, database, fault):
    source = database(ODD)
    path = tmp_path / "copy"
    names = [table.name for table in source.tables]
    copy_tables(source, path, names)
    reread_sqlite(path, source, names)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(fault)
    with pytest.raises(CheckError, match=r"copy: .*w"):
        reread_sqlite(path, source, names)
