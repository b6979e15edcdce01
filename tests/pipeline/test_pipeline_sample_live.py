import json

import pytest

from pipeline.build import BuildParams, build
from pipeline.errors import BuildError
from pipeline.params import rows_of_tables
from pipeline.sampling.live import Liveness, Parts, lost, shares
from pipeline.stages.sample import Mode

SALES = """
CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, people INTEGER);
CREATE TABLE sale (id INTEGER PRIMARY KEY, city INTEGER REFERENCES city (id), kind TEXT, amount INTEGER);
WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i LIMIT 900)
  INSERT INTO city SELECT n, 'city ' || n, n FROM i;
WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i LIMIT 9000)
  INSERT INTO sale SELECT n, n % 450 * 2 + 1, iif(n % 3000 = 7, 'rare', 'usual'), n * 7919 % 1000 FROM i;
"""


@pytest.fixture
def asks(sandbox):
    def on(path):
        return lambda sql, rows, steps: sandbox.run(path, sql, seconds=10, rows=rows, steps=steps)

    return on


def liveness(sql, source, asks):
    """Each part of a gold with whether it is live on a copy of its database."""
    ask = asks(source.path)
    answer = ask(sql, 9999, 10**9)
    return {
        part.what.replace('"', ""): part.sample
        for part in Parts(sql, source, ask, answer).on(ask, answer, is_copy=True)
    }


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT id FROM sale WHERE amount > 500 AND id > 0", {"sale.amount > 500": True, "sale.id > 0": False}),
        (
            "SELECT id FROM sale WHERE amount > 5 AND amount > 500",
            {"sale.amount > 5": False, "sale.amount > 500": True},
        ),
        ("SELECT DISTINCT kind FROM sale", {"DISTINCT": True}),
        ("SELECT DISTINCT id FROM city", {"DISTINCT": False}),
        ("SELECT count(DISTINCT id) FROM city", {"COUNT(DISTINCT city.id)": False}),
        ("SELECT kind FROM sale GROUP BY kind HAVING count(*) > 10", {"COUNT(*) > 10": True}),
    ],
)
def test_a_part_is_live_if_the_gold_without_it_gives_other_rows(sql, expected, database, asks):
    assert liveness(sql, database(SALES), asks) == expected


def test_a_joined_table_is_live_if_it_turns_rows_away_or_repeats_them(database, asks):
    source = database(SALES)
    both = liveness("SELECT count(*) FROM city JOIN sale ON sale.city = city.id WHERE city.id < 9", source, asks)
    assert set(both.values()) == {True} and len(both) == 3
    none = liveness("SELECT sale.id FROM sale JOIN city ON sale.city = city.id", source, asks)
    assert none["JOIN city AS city ON sale.city = city.id"] is False


def test_what_takes_too_many_steps_cannot_be_told(database, asks):
    sql = "SELECT sum(s.amount + o.amount) FROM sale s JOIN sale o ON s.id = o.id WHERE s.amount > 5"
    assert liveness(sql, database(SALES), asks) == {"s.id = o.id": None, "s.amount > 5": True}


def test_the_source_is_asked_only_for_parts_that_do_nothing_on_the_sample(database, asks):
    source = database(SALES)
    sql = "SELECT id FROM sale WHERE kind = 'rare' AND amount >= 0"
    answer = asks(source.path)(sql, 99, 10**9)
    asked = []

    def ask_source(query, rows, steps):
        asked.append(query)
        return asks(source.path)(query, rows, steps)

    found = Parts(sql, source, ask_source, answer).on(asks(source.path), answer, is_copy=False)
    assert [(one.sample, one.source) for one in found] == [(True, True), (False, False)] and len(asked) == 1


def test_parts_that_only_the_source_makes_live_are_lost():
    kinds = [(True, True), (False, True), (False, False), (False, None), (None, True)]
    parts = [Liveness("condition", str(at), *pair) for at, pair in enumerate(kinds)]
    assert lost(parts) == [parts[1]]
    counted = shares([part.to_json() for part in parts])
    assert counted == {"live": 1, "not live in the source": 3, "cannot be told": 1}


def provenance_of(out):
    return json.loads((out / "task_1/private/provenance.json").read_text())


def test_a_build_draws_rows_that_one_condition_alone_turns_away(corpus, tmp_path):
    corpus.database("sales", SALES)
    corpus.ask("SELECT id FROM sale WHERE kind = 'rare' AND city < 400 AND city > 0", db="sales")
    params = BuildParams(sampling=Mode.PRESERVE, noise_rows=0, whole_table_rows=0)
    report = build(corpus.root, tmp_path / "out", params)
    found = provenance_of(tmp_path / "out")["checks"]["liveness"]
    assert [(part["sample"], part["source"]) for part in found] == [(True, True), (True, True), (False, False)]
    assert report.liveness == {"live": 2, "not live in the source": 1, "cannot be told": 0}
    assert "| live | 2 |" in (tmp_path / "out/report.md").read_text()


def test_more_rows_are_drawn_until_every_part_is_live(corpus, tmp_path):
    corpus.database("sales", SALES)
    # without the condition another kind is first only if more than 2,995 of its rows are there
    sql = "SELECT kind FROM sale WHERE kind = 'rare' GROUP BY kind ORDER BY count(*) > 2995 DESC, kind LIMIT 1"
    corpus.ask(sql, db="sales")
    build(corpus.root, tmp_path / "out", BuildParams(sampling=Mode.PRESERVE, noise_rows=0, whole_table_rows=0))
    found = provenance_of(tmp_path / "out")
    assert found["sampling"]["misses"] == 20_000 and found["checks"]["liveness"][0]["sample"]


@pytest.mark.parametrize(("copied_up_to", "reasons"), [(0, {"part without effect on the sample": 1}), (9 << 20, {})])
def test_a_part_that_no_sample_makes_live_is_rejected_where_the_database_is_too_large_to_copy(
    corpus, tmp_path, copied_up_to, reasons
):
    corpus.database("sales", SALES)
    corpus.ask("SELECT name FROM city, (SELECT 5 AS n) AS s WHERE id = s.n", db="sales")
    sizes = {"noise_rows": 0, "whole_table_rows": 0, "copied_up_to_bytes": copied_up_to}
    report = build(corpus.root, tmp_path / "out", BuildParams(sampling=Mode.PRESERVE, **sizes))
    assert report.rejections == reasons
    if not reasons:
        assert provenance_of(tmp_path / "out")["sampling"]["method"] == "copy"


def test_a_condition_that_does_nothing_is_a_lint_of_the_candidate(corpus, tmp_path):
    corpus.ask("SELECT name FROM city WHERE people > 0 AND id > 1")
    report = build(corpus.root, tmp_path / "out", BuildParams())
    assert report.lints["note: condition without effect"] == 1


def test_rows_of_tables_are_read_from_a_command_line():
    assert rows_of_tables(["a=b=3", "t=0"]) == (("a=b", 3), ("t", 0))
    for wrong in ("t", "=3", "t=-1", "t=x"):
        with pytest.raises(BuildError, match="TABLE=N"):
            rows_of_tables([wrong])
