import pytest

from pipeline.sandbox import QueryFailed
from pipeline.sql.quotes import with_plain_literals


@pytest.fixture
def prepare(sandbox, shop):
    def objection(sql):
        try:
            sandbox.run(shop.path, f"EXPLAIN {sql}", seconds=1, rows=0)
        except QueryFailed as error:
            return str(error)
        return None

    return objection


@pytest.mark.parametrize(
    ("sql", "plain"),
    [
        ('SELECT id FROM city WHERE name = "Bern"', "SELECT id FROM city WHERE name = 'Bern'"),
        ('SELECT "id" FROM city WHERE "name" = "Xi\'an"', "SELECT \"id\" FROM city WHERE \"name\" = 'Xi''an'"),
        ('SELECT "a ""b""" FROM city', "SELECT 'a \"b\"' FROM city"),
        ('SELECT name AS "n" FROM city ORDER BY "n"', 'SELECT name AS "n" FROM city ORDER BY "n"'),
        ('SELECT  "name"  FROM "city" -- "x"', 'SELECT  "name"  FROM "city" -- "x"'),
        ('SELECT id FROM city WHERE name = "people"', 'SELECT id FROM city WHERE name = "people"'),
        ('SELECT id FROM city WHERE name = "code"', "SELECT id FROM city WHERE name = 'code'"),
    ],
)
def test_a_quoted_word_is_a_text_exactly_where_sqlite_finds_no_name(prepare, sql, plain):
    assert with_plain_literals(sql, prepare)[0] == plain


def test_a_query_that_does_not_prepare_is_left_as_it_is(prepare):
    assert with_plain_literals('SELECT "x" FROM nowhere', prepare) == ('SELECT "x" FROM nowhere', 0)


def test_the_same_word_can_be_a_name_here_and_a_text_there(prepare):
    sql = 'SELECT "code" FROM shop WHERE city IN (SELECT id FROM city WHERE name = "sales")'
    assert with_plain_literals(sql, prepare)[0] == sql  # `sales` belongs to the outer query: still a name
    sql = 'SELECT name FROM city WHERE name <> "sales" AND id IN (SELECT city FROM shop WHERE "sales" > 1)'
    assert with_plain_literals(sql, prepare)[0] == sql.replace('"sales" AND', "'sales' AND")
