import pytest

from pipeline.sql.lineage import lineage_of
from pipeline.sql.mutations import Part, mutations
from pipeline.sql.qualified import qualified, schema_of
from pipeline.sql.tree import parse, render

SCHEMA = schema_of({"a": ["id", "x", "y"], "b": ["id", "a", "z"]})


def parts(sql):
    return [(one.part, one.what.replace('"', "")) for one in mutations(qualified(sql, SCHEMA))]


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("SELECT x FROM a", []),
        ("SELECT x FROM a WHERE x > 1 AND (y = 'p' OR x = 2)", ["a.x > 1", "a.y = 'p' OR a.x = 2"]),
        ("SELECT y FROM a GROUP BY y HAVING count(*) > 2", ["COUNT(*) > 2"]),
        ("SELECT x FROM a LEFT JOIN b ON b.a = a.id AND z = 3", ["b.a = a.id", "b.z = 3"]),
        ("SELECT DISTINCT y FROM a", ["DISTINCT"]),
        ("SELECT count(DISTINCT y) FROM a", ["COUNT(DISTINCT a.y)"]),
        ("SELECT x FROM a WHERE id IN (SELECT DISTINCT a FROM b)", ["a.id IN (SELECT DISTINCT b.a AS a FROM b AS b)"]),
        ("SELECT x FROM a JOIN b ON b.a = a.id", ["b.a = a.id", "JOIN b AS b ON b.a = a.id"]),
        ("SELECT x, z FROM a JOIN b ON b.a = a.id", ["b.a = a.id"]),
        ("SELECT * FROM a JOIN b ON b.a = a.id", ["b.a = a.id"]),
    ],
)
def test_every_part_of_a_query_is_taken_away_once(sql, found):
    assert [what for _, what in parts(sql)] == found


def test_a_comparison_of_two_tables_is_a_link_and_one_with_an_inner_query_is_not():
    sql = "SELECT a.x, b.z FROM a, b WHERE a.id = b.a AND EXISTS (SELECT 1 FROM b AS o WHERE o.a = a.id)"
    assert [part for part, _ in parts(sql)] == [Part.LINK, Part.CONDITION, Part.LINK]


def test_a_query_that_is_not_qualified_loses_conditions_but_no_table_that_may_be_used():
    found = mutations(parse("SELECT x FROM a JOIN b ON a = a.id WHERE z = 1"))
    assert [one.part for one in found] == [Part.LINK, Part.CONDITION] and not found[1].misses
    assert mutations(parse("SELECT * FROM a JOIN b"))[:] == []


def misses(sql):
    """The rows that each part turns away: condition and order, without quotes."""
    made = [miss for one in mutations(qualified(sql, SCHEMA)) for miss in one.misses]
    return [(render(miss.select.args["where"].this).replace('"', ""), miss.order.replace('"', "")) for miss in made]


def test_rows_at_the_edge_of_a_comparison_come_first_and_those_with_null_are_asked_for():
    assert misses("SELECT y FROM a WHERE x >= 4") == [("(NOT (a.x >= 4))", "a.x DESC"), ("((a.x >= 4) IS NULL)", "")]
    assert misses("SELECT y FROM a WHERE 4 >= x")[0] == ("(NOT (4 >= a.x))", "a.x")
    between = misses("SELECT y FROM a WHERE x BETWEEN 2 AND 5")
    assert [order for _, order in between] == ["a.x DESC", "a.x", ""]
    assert misses("SELECT y FROM a WHERE y = 'p'")[0] == ("(NOT (a.y = 'p'))", "")


def test_rows_without_a_partner_are_what_a_join_turns_away():
    found = misses("SELECT x FROM a JOIN b ON b.a = a.id WHERE x > 1")
    assert ("a.x > 1 AND NOT EXISTS(SELECT 1 FROM b AS b WHERE b.a = a.id)", "") in found


def test_what_a_link_an_outer_join_or_having_turns_away_is_not_asked_for():
    assert misses("SELECT x, z FROM a JOIN b ON b.a = a.id") == []
    assert misses("SELECT x, z FROM a LEFT JOIN b ON b.a = a.id AND b.z = 3") == []
    assert misses("SELECT y FROM a GROUP BY y HAVING count(*) > 2") == []


@pytest.mark.parametrize(
    ("sql", "order", "first"),
    [
        ("SELECT x FROM a ORDER BY x DESC LIMIT 3 OFFSET 2", "x DESC", 5),
        ("SELECT x FROM a ORDER BY x", "", 0),
        ("SELECT x FROM a ORDER BY x LIMIT 1 + 1", "", 0),
        ("SELECT y FROM a GROUP BY y ORDER BY count(*) LIMIT 3", "", 0),
    ],
)
def test_the_first_rows_of_an_order_are_known(sql, order, first):
    block = lineage_of(parse(sql), lambda name: "rowid")
    assert (block.order, block.first) == (order, first)
