"""What the analysis says of a gold, and that the library reads real golds as SQLite does."""

import pytest

from pipeline.database import describe
from pipeline.judge import prepares_on
from pipeline.sandbox import Sandbox
from pipeline.sources import open_source
from pipeline.sql.facts import facts
from pipeline.sql.qualified import qualified, schema_of
from pipeline.sql.quotes import with_plain_literals
from pipeline.sql.resolve import Place
from pipeline.sql.tree import NotParsed, parse, render
from pipeline.stages.determine import bag
from pipeline.stages.execute import Limits

SCHEMA = schema_of({"city": ["id", "name", "people"], "shop": ["code", "city", "sales", "opened"], 'a "b"': ["C d"]})
CITY = Place("shop", "city"), Place("city", "id")
ONE_IN = 40  # of the real golds; benchmarks/sql_round_trip.py takes them all


def said(sql):
    return facts(qualified(sql, SCHEMA))


def test_columns_are_those_of_tables_whatever_the_query_calls_them():
    found = said("SELECT x.n FROM (SELECT name AS n, people FROM City) AS x WHERE x.people > 2")
    assert found.tables == ("city",)
    assert found.columns == (Place("city", "name"), Place("city", "people"))
    (predicate,) = found.predicates
    assert (predicate.places, predicate.operator, predicate.values) == ((Place("city", "people"),), "gt", (2,))


def test_columns_are_followed_through_cte_union_and_correlation():
    cte = said("WITH w AS (SELECT name AS v FROM city UNION SELECT code FROM shop) SELECT v FROM w WHERE v = 'x'")
    assert cte.predicates[0].places == (Place("city", "name"), Place("shop", "code"))
    inner = said("SELECT name FROM city c WHERE EXISTS (SELECT 1 FROM shop WHERE city = c.id)")
    assert inner.joins == (tuple(sorted(CITY)),)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name FROM city c JOIN shop s ON s.city = c.id",
        "SELECT name FROM city, shop WHERE id = city",
        "SELECT name FROM city WHERE id IN (SELECT city FROM shop)",
    ],
)
def test_a_join_is_found_however_it_is_written(sql):
    assert said(sql).joins == (tuple(sorted(CITY)),)


@pytest.mark.parametrize(
    ("condition", "operator", "values", "negated"),
    [
        ("people = '1'", "eq", ("1",), False),
        ("people = -1.5", "eq", (-1.5,), False),
        ("3 < people", "gt", (3,), False),
        ("people BETWEEN 1 AND 2", "between", (1, 2), False),
        ("name NOT IN ('a', 'b')", "in", ("a", "b"), True),
        ("name LIKE 'a%'", "like", ("a%",), False),
        ("name IS NOT NULL", "is", (None,), True),
    ],
)
def test_a_predicate_has_its_values_with_their_types(condition, operator, values, negated):
    (found,) = said(f"SELECT id FROM city WHERE {condition}").predicates
    assert (found.operator, found.values, found.negated) == (operator, values, negated)
    assert [type(value) for value in found.values] == [type(value) for value in values]


def test_the_rest_of_a_query_is_named():
    sql = "SELECT name, count(*) FROM city GROUP BY name ORDER BY count(*) DESC LIMIT 3 OFFSET 1"
    found = said(f"{sql}")
    assert found.aggregates[0] == "COUNT(*)" and len(found.group_by) == len(found.order_by) == 1
    assert (found.limits, found.offsets) == ((3,), (1,))
    both = said("SELECT id FROM city UNION SELECT city FROM shop EXCEPT SELECT 1")
    assert set(both.set_operations) == {"union", "except"}
    assert said("SELECT date('now')").clock is not None


@pytest.mark.parametrize(
    ("sql", "stratum"),
    [
        ("SELECT name FROM city", "0 joins, flat, plain, free"),
        ("SELECT max(people) FROM city, shop", "1 joins, flat, aggregated, free"),
        ("SELECT id FROM city UNION SELECT city FROM shop", "0 joins, nested, plain, free"),
        ("SELECT 1 FROM city a JOIN city b JOIN city c ORDER BY 1", "2+ joins, flat, plain, ordered"),
        ("SELECT id FROM city WHERE people = (SELECT max(people) FROM city)", "0 joins, nested, aggregated, free"),
    ],
)
def test_the_features_of_a_query_give_its_stratum(sql, stratum):
    assert said(sql).features.stratum == stratum


def test_odd_names_are_resolved():
    assert said('SELECT "c D" FROM "A ""b""" WHERE "C d" = 1').columns == (Place('a "b"', "c d"),)


def test_a_name_that_nothing_has_is_refused():
    with pytest.raises(NotParsed, match="cannot be resolved"):
        qualified("SELECT mayor FROM city", SCHEMA)


@pytest.mark.shared
def test_real_golds_return_the_same_after_a_round_trip_and_with_names_resolved(corpora):
    differing = []
    with Sandbox() as sandbox:
        for folder in sorted(path for path in corpora.iterdir() if path.is_dir()):
            source = open_source(folder)
            for entry in source.entries()[::ONE_IN]:
                database = describe(source.database(entry.db), entry.db, 1 << 40)
                schema = schema_of({t.name: [c.name for c in t.columns] for t in database.tables})
                sql, _ = with_plain_literals(entry.sql.strip(), prepares_on(database.path, sandbox, Limits()))
                written = [sql, render(parse(sql)), render(qualified(sql, schema))]
                answers = [bag(sandbox.run(database.path, q, seconds=10, rows=100_000).rows) for q in written]
                if any(answer != answers[0] for answer in answers):
                    differing.append(entry.id)
    assert differing == []
