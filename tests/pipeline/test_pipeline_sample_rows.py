import json
import sqlite3
from collections import Counter
from contextlib import closing

import pytest

from pipeline.build import BuildParams, build
from pipeline.errors import BuildError
from pipeline.sampling.broken_keys import newly_broken
from pipeline.sampling.overlap import SampledTask, overlap
from pipeline.stages.keep import Portion, keep_rows
from pipeline.stages.sample import Mode, copy_tables

COUNT = "WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i LIMIT {n})"
SHOPS = f"""
CREATE TABLE shop (id INTEGER PRIMARY KEY, kind TEXT, sales INTEGER);
{COUNT.format(n=3000)} INSERT INTO shop SELECT n, iif(n % 100 = 3, 'rare', iif(n % 4 = 0, 'b', 'a')),
  iif(n % 50 = 9, NULL, n) FROM i;
CREATE TABLE bill (shop INTEGER REFERENCES shop (id), twin INTEGER REFERENCES bill (no), no INTEGER PRIMARY KEY);
{COUNT.format(n=9000)} INSERT INTO bill SELECT n % 3000 + 1, n % 9000 + 1, n FROM i;
"""
ALONE = SHOPS.replace("REFERENCES shop (id)", "").replace("REFERENCES bill (no)", "")


def sample(source, sql, target, **portion):
    """Write a sample and return how many rows of each table it has."""
    names = [table.name for table in source.tables]
    given = {"witnesses": None, "noise_rows": 0, "whole_rows": 0, "seed": 0, "seconds": 10.0, **portion}
    kept = keep_rows(source, names, sql, Portion(**given), target.with_suffix(".scratch"))
    copy_tables(source, target, names, kept)
    return {name: count for name, (count, _) in kept.counts.items()}


def rows_of(path, sql):
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return connection.execute(sql).fetchall()


def test_rows_just_beyond_the_edge_and_rows_with_null_are_kept(tmp_path, database):
    source = database(ALONE)
    sample(source, "SELECT id FROM shop WHERE sales > 2990 AND kind = 'b'", tmp_path / "s", misses=3)
    turned_away = rows_of(tmp_path / "s", "SELECT sales FROM shop WHERE kind = 'b' AND sales <= 2990 ORDER BY 1 DESC")
    assert turned_away[:3] == [(2988,), (2984,), (2980,)]
    assert rows_of(tmp_path / "s", "SELECT count(*) FROM shop WHERE kind = 'b' AND sales IS NULL") == [(0,)]
    sample(source, "SELECT id FROM shop WHERE sales > 2990 AND id % 2 = 1", tmp_path / "t", misses=3)
    assert rows_of(tmp_path / "t", "SELECT count(*) FROM shop WHERE id % 2 = 1 AND sales IS NULL") == [(3,)]


def test_kept_rows_have_some_of_the_rows_that_refer_to_them(tmp_path, database):
    counts = sample(database(SHOPS), "SELECT kind FROM shop WHERE id = 9", tmp_path / "s")
    children = rows_of(tmp_path / "s", "SELECT no FROM bill WHERE shop = 9")
    assert len(children) == 2, "of three, at most two of each parent"
    # bill refers to bill, on and on: what a row refers to is followed sixty times at most
    assert counts["bill"] < 300


def test_children_of_many_rows_are_capped(tmp_path, database):
    source = database(SHOPS.replace("twin INTEGER REFERENCES bill (no)", "twin INTEGER"))
    counts = sample(source, "SELECT kind FROM shop WHERE id < 2000", tmp_path / "s")
    assert counts["bill"] == 100


def test_a_composite_key_is_followed_both_ways(tmp_path, database):
    script = f"""CREATE TABLE p (a INTEGER, b TEXT, PRIMARY KEY (b, a));
    CREATE TABLE c (x TEXT, y INTEGER, FOREIGN KEY (y, x) REFERENCES p (a, b));
    {COUNT.format(n=40)} INSERT INTO p SELECT n, 'b' || (n % 2) FROM i;
    {COUNT.format(n=400)} INSERT INTO c SELECT 'b' || (n % 2), (n - 1) % 40 + 1 FROM i;"""
    source = database(script)
    assert sample(source, "SELECT 1 FROM p WHERE a = 7", tmp_path / "down") == {"p": 1, "c": 2}
    assert sample(source, "SELECT 1 FROM c WHERE rowid = 5", tmp_path / "up") == {"p": 1, "c": 1}


def test_distractors_have_the_shares_of_the_source(tmp_path, database):
    source = database(ALONE)
    sample(source, "SELECT 1", tmp_path / "s", noise_rows=100)
    shares = Counter(kind for (kind,) in rows_of(tmp_path / "s", "SELECT kind FROM shop"))
    assert shares["rare"] == 1 and abs(shares["b"] - 25) <= 2 and sum(shares.values()) == 100


def test_tables_and_tasks_have_the_sizes_that_were_asked_for(tmp_path, database):
    source = database(ALONE)
    assert sample(source, "SELECT 1", tmp_path / "a", noise_rows=50, table_rows=(("BILL", 70),)) == {
        "shop": 50,
        "bill": 70,
    }
    assert sample(source, "SELECT 1", tmp_path / "b", noise_rows=500, task_rows=60) == {"shop": 30, "bill": 30}
    needed = sample(source, "SELECT 1 FROM shop WHERE id <= 99", tmp_path / "c", noise_rows=500, task_rows=60)
    assert needed == {"shop": 99, "bill": 0}, "what the gold needs is kept"


def test_negative_sizes_are_refused():
    for params in ({"task_rows": -1}, {"table_rows": (("t", -1),)}):
        with pytest.raises(BuildError, match="must not be negative"):
            BuildParams(**params)


def test_a_reference_that_the_sample_alone_breaks_is_named(tmp_path, database):
    source = database(SHOPS + "INSERT INTO bill VALUES (99999, 1, 99999);")
    copy_tables(source, tmp_path / "s", ["shop", "bill"])
    assert not newly_broken(source.path, tmp_path / "s", ["shop", "bill"])
    with closing(sqlite3.connect(tmp_path / "s")) as connection, connection:
        connection.execute("DELETE FROM shop WHERE id = 9")
    found = newly_broken(source.path, tmp_path / "s", ["shop", "bill"])
    assert found.total() == 3 and {row[2] for row in found} == {"shop"}
    assert not newly_broken(source.path, tmp_path / "s", ["bill"]), "the parent is left out"


def test_shrinking_keeps_the_first_rows_of_an_order_and_those_behind(tmp_path, database):
    sql = "SELECT id FROM shop WHERE sales IS NOT NULL ORDER BY sales DESC LIMIT 3"
    source = database(SHOPS)
    sample(source, sql, tmp_path / "s", witnesses=6)
    assert rows_of(tmp_path / "s", sql) == rows_of(source.path, sql)
    assert (2996,) in rows_of(tmp_path / "s", "SELECT sales FROM shop")


def test_tasks_of_one_database_get_other_rows_and_their_overlap_is_reported(corpus, tmp_path):
    corpus.database("shops", ALONE)
    for number in (5, 6, 6):
        corpus.ask(f"SELECT id FROM shop WHERE id = {number}", db="shops")
    out = tmp_path / "out"
    report = build(corpus.root, out, BuildParams(sampling=Mode.PRESERVE, noise_rows=100, whole_table_rows=0))
    found = report.overlap["shops"]
    assert found.tasks == 3 and found.pairs == 1 and 0 < found.mean < 0.3
    assert json.loads((out / "report.json").read_text())["overlap"]["shops"]["mean"] == found.mean
    assert "| shops | 3 |" in (out / "report.md").read_text() and "shops" in (out / "report.html").read_text()


def test_the_overlap_is_that_of_the_smaller_sample_over_tables_that_are_not_whole(tmp_path, database):
    source = database(SHOPS)
    paths = [tmp_path / name for name in ("one", "two")]
    for path, kept in zip(paths, ("id <= 40", "id > 30 AND id <= 130"), strict=True):
        copy_tables(source, path, ["shop"])
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(f"DELETE FROM shop WHERE NOT ({kept})")
    tasks = [
        SampledTask(path, {"shop": (count, 3000), "bill": (9, 9)}) for path, count in zip(paths, (40, 100), strict=True)
    ]
    assert overlap(tasks).mean == 0.25
    assert overlap(tasks[:1]) is None
