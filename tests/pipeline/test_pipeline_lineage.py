import json
import sqlite3
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.build import BuildParams, build
from pipeline.checks import execute_gold
from pipeline.content import Instance
from pipeline.database import describe
from pipeline.errors import BuildError
from pipeline.sandbox import Kind, QueryFailed, Sandbox
from pipeline.sources import open_source
from pipeline.sql.lineage import lineages
from pipeline.sql.tree import parse
from pipeline.stages.determine import bag
from pipeline.stages.keep import Portion, keep_rows
from pipeline.stages.sample import Mode, copy_tables


def portion(witnesses=None, noise=0, whole=0, seed=0):
    return Portion(witnesses, noise, whole, seed, 10.0)


def sampled(source, sql, chosen, target):
    """Write a sample of all tables and return how many rows of each it has."""
    names = [table.name for table in source.tables]
    kept = keep_rows(source, names, sql, chosen, target.with_suffix(".scratch"))
    copy_tables(source, target, names, kept)
    return {name: count for name, (count, _) in kept.counts.items()}


def rows_of(path, sql):
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return tuple(connection.execute(sql))


SCHEMA = """
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y TEXT);
CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a (id), x INTEGER);
CREATE TABLE c (x INTEGER, z INTEGER);
"""
SMALL = st.none() | st.integers(0, 4)
DATA = st.fixed_dictionaries(
    {
        "a": st.lists(st.tuples(SMALL, st.sampled_from([None, "p", "q"])), min_size=4, max_size=8),
        "b": st.lists(st.tuples(SMALL, SMALL), min_size=4, max_size=8),
        "c": st.lists(st.tuples(SMALL, SMALL), min_size=4, max_size=8),
    }
)
SHAPES = [
    "SELECT x, y FROM a WHERE x > {n} ORDER BY x, y LIMIT 2",
    "SELECT count(*), sum(b.x) FROM a JOIN b ON a.id = b.a WHERE a.y = 'p' AND b.x < {n}",
    "SELECT a.id FROM a LEFT JOIN b ON a.id = b.a WHERE b.id IS NULL AND a.x > {n}",
    "SELECT a.id, c.z FROM a LEFT JOIN b ON a.id = b.a LEFT JOIN c ON c.x = b.x WHERE a.y = 'q' OR c.z = {n}",
    "SELECT a.id FROM a LEFT JOIN b ON a.id = b.a JOIN c ON c.x = coalesce(b.x, {n})",
    "SELECT id FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.a = a.id AND b.x >= {n})",
    "SELECT id FROM a WHERE x NOT IN (SELECT x FROM c WHERE z > {n})",
    "SELECT id FROM a WHERE x > (SELECT avg(b.x) FROM b WHERE b.a = a.id) AND y <> 'q'",
    "SELECT id FROM a AS o WHERE x IN (SELECT x FROM a WHERE id IN (SELECT a FROM b WHERE x = o.x) OR x = {n})",
    "SELECT x FROM a EXCEPT SELECT x FROM b WHERE a < {n}",
    "SELECT y, max(x) FROM a GROUP BY y HAVING count(*) > (SELECT count(*) FROM c WHERE z = {n})",
    "WITH big AS (SELECT x FROM c WHERE z > {n}) SELECT a.id FROM a JOIN big USING (x)",
    "SELECT id, (SELECT min(z) FROM c WHERE c.x = a.x) FROM a WHERE id IN (SELECT a FROM b)",
    "SELECT x, row_number() OVER (ORDER BY x, id) FROM b WHERE x > {n}",
    "SELECT a.id FROM b RIGHT JOIN a ON a.id = b.a WHERE b.id IS NULL",
    "SELECT t.n FROM (SELECT x, count(*) AS n FROM c GROUP BY x) AS t JOIN a ON a.x = t.x WHERE t.n > 1",
    "SELECT x + 1 AS more FROM a WHERE more > {n}",
    "WITH RECURSIVE up(n) AS (SELECT min(x) FROM c UNION SELECT n + 1 FROM up, c WHERE n < z) SELECT n FROM up",
]


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=20, deadline=None)
@given(DATA, st.integers(0, 4), st.integers(1, 3), st.integers(0, 99))
def test_a_sample_gives_the_same_result_whatever_else_it_keeps(shape, data, n, noise, seed):
    sql = shape.format(n=n)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.sqlite"
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.executescript(SCHEMA)
            connection.executemany("INSERT INTO a (x, y) VALUES (?, ?)", data["a"])
            connection.executemany("INSERT INTO b (a, x) VALUES (?, ?)", data["b"])
            connection.executemany("INSERT INTO c VALUES (?, ?)", data["c"])
        source = describe(path, "made", 1 << 30)
        sampled(source, sql, portion(noise=noise, seed=seed), Path(folder) / "sample")
        assert Counter(rows_of(Path(folder) / "sample", sql)) == Counter(rows_of(path, sql))


CHAIN = """
CREATE TABLE land (code TEXT, zone INT, PRIMARY KEY (code, zone));
CREATE TABLE city (id INTEGER PRIMARY KEY, land TEXT, zone INT, twin INT REFERENCES city,
                   FOREIGN KEY (land, zone) REFERENCES land);
CREATE TABLE loose (id INTEGER PRIMARY KEY, n INT REFERENCES wrong (n), c INT REFERENCES city (id));
CREATE TABLE wrong (n INT);
CREATE TABLE norow (k TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO norow VALUES ('x'), ('y');
WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i LIMIT 300) INSERT INTO land SELECT 'l' || n, n FROM i;
WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i LIMIT 300)
  INSERT INTO city SELECT n, 'l' || n, n, n % 300 + 1 FROM i WHERE n < 6 OR n = 300;
WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i LIMIT 300)
  INSERT INTO loose SELECT n, 1, CASE n % 2 WHEN 0 THEN 300 END FROM i;
WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i LIMIT 300) INSERT INTO wrong SELECT 1 FROM i;
"""


def test_kept_rows_find_what_they_refer_to(tmp_path, database):
    counts = sampled(database(CHAIN), "SELECT id FROM loose WHERE id = 4", portion(), tmp_path / "sample")
    # 4 refers to city 300, whose twin is 1, and so on to 5 (6 is missing in the source); each has its land
    assert counts == {"land": 6, "city": 6, "loose": 1, "wrong": 0, "norow": 2}


def test_a_sample_breaks_no_reference_that_holds_in_the_source(tmp_path, database):
    source = database(CHAIN.replace("n INT REFERENCES wrong (n), c INT", "n INT, c INT"))
    sampled(source, "SELECT id FROM loose WHERE id < 9", portion(noise=20), tmp_path / "sample")
    checks = [rows_of(path, "PRAGMA foreign_key_check") for path in (source.path, tmp_path / "sample")]
    assert len(checks[0]) == 1 and set(checks[1]) <= set(checks[0])


def test_other_rows_are_drawn_by_the_seed_and_small_tables_are_whole(tmp_path, database):
    source = database(CHAIN)
    for name, seed in (("one", 1), ("two", 1), ("other", 2)):
        counts = sampled(source, "SELECT 1", portion(noise=30, whole=10, seed=seed), tmp_path / name)
        assert counts["wrong"] == 30 and counts["city"] == 6 and counts["land"] >= 30
    one, two, other = (rows_of(tmp_path / name, "SELECT rowid FROM wrong") for name in ("one", "two", "other"))
    assert one == two != other
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_what_cannot_be_told_keeps_all_rows(tmp_path, database):
    source = database(CHAIN)
    assert sampled(source, "SELECT n + 1 AS m FROM wrong WHERE m > 9", portion(), tmp_path / "s")["wrong"] == 300
    assert lineages(parse("SELECT 1"), lambda name: "rowid") == []


def test_an_inner_join_on_what_a_left_join_may_leave_out_keeps_all_rows(tmp_path, database):
    script = """INSERT INTO a (x) VALUES (1), (2), (3); INSERT INTO c VALUES (3, 1); INSERT INTO b (a, x) VALUES (2, 9);
    WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i LIMIT 200)
    INSERT INTO b SELECT n + 1, NULL, 9 FROM i"""
    source = database(SCHEMA + script)
    sql = "SELECT a.id FROM a LEFT JOIN b ON a.id = b.a JOIN c ON c.x = coalesce(b.x, 3)"
    sampled(source, sql, portion(noise=3), tmp_path / "sample")
    assert rows_of(tmp_path / "sample", sql) == rows_of(source.path, sql) == ((1,), (3,))


def test_a_sandbox_writes_its_scratch_and_nothing_else(tmp_path, database):
    source = database(CHAIN)
    with closing(sqlite3.connect(tmp_path / "scratch")) as connection:
        connection.execute("CREATE TABLE k (r INTEGER PRIMARY KEY)")
    before = source.path.read_bytes()
    with Sandbox(tmp_path / "scratch") as sandbox:
        sandbox.run(source.path, "INSERT INTO keep.k SELECT n FROM wrong LIMIT 1", seconds=5, rows=0)
        for sql in (
            "INSERT INTO main.wrong VALUES (7)",
            "CREATE TABLE keep.x (y)",
            "DROP TABLE keep.k",
            "UPDATE keep.k SET r = 9",
            "ATTACH ':memory:' AS other",
            "PRAGMA keep.user_version = 3",
        ):
            with pytest.raises(QueryFailed) as failed:
                sandbox.run(source.path, sql, seconds=5, rows=0)
            assert failed.value.kind in {Kind.DENIED, Kind.SQL}
    assert source.path.read_bytes() == before
    assert rows_of(tmp_path / "scratch", "SELECT * FROM k") == ((1,),)


LONG = """
CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE sale (id INTEGER PRIMARY KEY, city INTEGER REFERENCES city (id), day TEXT, amount INTEGER);
WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i LIMIT 900)
  INSERT INTO city SELECT n, 'city ' || n FROM i;
WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i LIMIT 9000)
  INSERT INTO sale SELECT n, n % 900 + 1, date('2020-01-01', '+' || (n % 700) || ' days'), n * 7919 % 1000 FROM i;
"""
RICH = "SELECT name, sum(amount) FROM sale JOIN city ON city.id = city WHERE amount > 900 GROUP BY name"


def test_a_build_by_sample_has_the_gold_of_the_source_in_fewer_rows(corpus, tmp_path):
    corpus.database("long", LONG)
    corpus.ask("SELECT name, day FROM sale JOIN city ON city.id = city WHERE amount > 990", db="long")
    golds = {}
    for mode in (Mode.COPY, Mode.PRESERVE):
        out = tmp_path / mode
        assert build(corpus.root, out, BuildParams(sampling=mode, noise_rows=50)).candidates == 1
        golds[mode] = Counter((out / "task_1/private/gold.csv").read_text().splitlines())
    assert golds[Mode.COPY] == golds[Mode.PRESERVE]
    provenance = json.loads((tmp_path / "preserve/task_1/private/provenance.json").read_text())
    assert provenance["sampling"]["method"] == "preserve" and provenance["checks"]["result_equal_on_sample"]
    kept, of = provenance["sampling"]["rows"]["sale"]
    assert 50 <= kept < 300 and of == 9000
    assert rows_of(tmp_path / "preserve/task_1/private/sampled.sqlite", "PRAGMA foreign_key_check") == ()


def test_shrinking_makes_a_smaller_gold_that_its_sample_gives(corpus, tmp_path):
    corpus.database("long", LONG)
    corpus.ask(RICH, db="long")
    build(corpus.root, tmp_path / "out", BuildParams(sampling=Mode.SHRINK, noise_rows=0))
    private = tmp_path / "out/task_1/private"
    provenance = json.loads((private / "provenance.json").read_text())
    assert provenance["sampling"]["method"] == "shrink" and provenance["sampling"]["witnesses"] == 20
    gold = execute_gold(private / "sampled.sqlite", (private / "gold.sql").read_text())
    assert 1 <= len(gold.rows) <= 20 and not provenance["checks"]["result_equal_on_sample"]


def test_a_small_database_is_copied_and_a_large_one_sampled(corpus, tmp_path):
    corpus.database("long", LONG)
    corpus.ask(RICH, db="long")
    for name, size, method in (("a", 16 << 20, "copy"), ("b", 10_000, "preserve")):
        build(corpus.root, tmp_path / name, BuildParams(copied_up_to_bytes=size))
        provenance = json.loads((tmp_path / name / "task_1/private/provenance.json").read_text())
        assert provenance["sampling"]["method"] == method


def test_a_build_by_sample_twice_gives_the_same_bytes(corpus, tmp_path):
    corpus.database("long", LONG)
    corpus.ask(RICH, db="long")
    for name in ("a", "b"):
        build(corpus.root, tmp_path / name, BuildParams(sampling=Mode.PRESERVE))
    files = [
        {p.relative_to(tmp_path / name): p.read_bytes() for p in (tmp_path / name / "task_1").rglob("*") if p.is_file()}
        for name in ("a", "b")
    ]
    assert files[0] == files[1]


def test_unknown_ways_of_sampling_are_refused():
    with pytest.raises(BuildError, match="copy, preserve, shrink"):
        BuildParams(sampling="all")


@pytest.mark.shared
@pytest.mark.parametrize("name", ["archer-bilingual", "bird-dev-lite", "defog-sqlite", "spider-dev"])
def test_samples_for_real_golds_give_the_results_of_the_source(name, corpora, tmp_path, sandbox):
    """Every twelfth gold; all 2,355 were tried once."""
    source = open_source(corpora / name)
    golds = [entry for entry in source.entries() if isinstance(entry, Instance)][::12]
    for at, gold in enumerate(golds):
        described = describe(source.database(gold.db), gold.db, 1 << 30)
        target = tmp_path / f"{at}"
        sampled(described, gold.sql.strip(), portion(noise=3, seed=at), target)
        one, other = (sandbox.run(p, gold.sql.strip(), seconds=10, rows=9999) for p in (described.path, target))
        assert bag(one.rows) == bag(other.rows), gold.id
