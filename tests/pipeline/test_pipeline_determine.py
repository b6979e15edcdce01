import pytest

from pipeline.content import Reason, Rejected
from pipeline.judge import determined_on
from pipeline.stages.execute import Limits, execute

DATA = """
CREATE TABLE score (name TEXT, team TEXT, points INTEGER, bonus INTEGER);
INSERT INTO score VALUES ('Ann', 'red', 9, 1), ('Bob', 'red', 9, 2), ('Cho', 'blue', 5, NULL), ('Dee', 'blue', 4, 3),
                         ('Eve', 'grey', 1, 7), ('Eve', 'grey', 1, 7);
"""


@pytest.fixture
def judged(sandbox, database):
    made = database(DATA)

    def judge(sql):
        answer = execute(sandbox, made.path, sql, Limits())
        return determined_on(made, made.path, sql, answer, sandbox, Limits())

    return judge


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name FROM score ORDER BY points DESC LIMIT 1",
        "SELECT name FROM score LIMIT 2",
        "SELECT name FROM score ORDER BY points LIMIT 2 OFFSET 3",
        "SELECT name FROM score ORDER BY points DESC LIMIT 3 OFFSET 1",
        "SELECT * FROM score ORDER BY points DESC LIMIT 1",
        "SELECT DISTINCT name FROM score ORDER BY length(name) LIMIT 1",
        "SELECT team FROM score WHERE name = (SELECT name FROM score ORDER BY points DESC LIMIT 1) AND bonus = 1",
        "WITH best AS (SELECT name, bonus FROM score ORDER BY points DESC LIMIT 1) SELECT bonus FROM best",
        "SELECT name, points FROM score UNION SELECT team, 4 FROM score ORDER BY 2 LIMIT 3",
        "SELECT team FROM score GROUP BY team ORDER BY count(*) LIMIT 1",
        "SELECT team, (SELECT name FROM score b WHERE b.team = a.team ORDER BY points LIMIT 1) FROM score a",
    ],
)
def test_a_limit_that_cuts_a_tie_is_refused_with_two_answers(judged, sql):
    with pytest.raises(Rejected) as rejected:
        judged(sql)
    assert rejected.value.reason is Reason.LIMIT_CUTS_A_TIE
    assert "one answer has" in rejected.value.evidence and "another has" in rejected.value.evidence


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name FROM score ORDER BY points DESC LIMIT 2",
        "SELECT name FROM score ORDER BY points DESC, bonus LIMIT 1",
        "SELECT name FROM score ORDER BY points LIMIT 1",  # both tied rows say Eve
        "SELECT points FROM score ORDER BY points DESC LIMIT 1",
        "SELECT name FROM score LIMIT 100",
        "SELECT count(*) FROM (SELECT name FROM score ORDER BY points DESC LIMIT 1)",
        "SELECT sum(points) FROM (SELECT points, name FROM score ORDER BY points DESC LIMIT 1)",
        "SELECT max(points) FROM score LIMIT 1",
        "SELECT name FROM score UNION SELECT team FROM score ORDER BY 1 LIMIT 3",
    ],
)
def test_a_tie_that_changes_nothing_is_let_through(judged, sql):
    assert judged(sql).unchecked == ()


@pytest.mark.parametrize(
    ("sql", "ordered", "fixed"),
    [
        ("SELECT name FROM score", False, False),
        ("SELECT name, points FROM score ORDER BY points", True, False),
        ("SELECT points FROM score ORDER BY points", True, True),
        ("SELECT name FROM score ORDER BY name", True, True),
        ("SELECT name, points FROM score ORDER BY points DESC, name", True, True),
        ("SELECT name FROM (SELECT name FROM score ORDER BY points)", False, False),
    ],
)
def test_the_order_is_fixed_if_no_two_different_rows_tie(judged, sql, ordered, fixed):
    determined = judged(sql)
    assert (determined.ordered, determined.order_fixed) == (ordered, fixed)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT team, name FROM score GROUP BY team",
        "SELECT name, count(*) FROM score",
        "SELECT team, bonus FROM score WHERE team = 'blue' GROUP BY team",
        "SELECT * FROM score GROUP BY team",
        "SELECT s.*, count(*) FROM score AS s GROUP BY s.team",
        "SELECT team, count(*) FROM score GROUP BY team HAVING name > 'C' AND team = 'blue' OR name = 'Bob'",
        "SELECT team, max(points), name FROM score GROUP BY team",
        "SELECT name, max(points) FROM score",
        "SELECT x FROM (SELECT team, name AS x FROM score GROUP BY team) WHERE team = 'red'",
        "SELECT upper(name) FROM score GROUP BY team",
        "SELECT team FROM score GROUP BY team ORDER BY CASE team WHEN 'red' THEN name ELSE 'Az' END LIMIT 1",
    ],
)
def test_a_bare_column_with_several_values_is_refused(judged, sql):
    with pytest.raises(Rejected) as rejected:
        judged(sql)
    assert rejected.value.reason is Reason.BARE_COLUMN
    assert "another has" in rejected.value.evidence


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT team, count(*) FROM score GROUP BY team",
        "SELECT t.team AS x, count(*) FROM score AS t GROUP BY x",
        "SELECT team, count(*) FROM score GROUP BY 1",
        "SELECT name, team, count(*) FROM score GROUP BY name",  # a name has one team
        "SELECT team, name FROM score WHERE name IN ('Ann', 'Dee') GROUP BY team",
        "SELECT team, min(points), name FROM score WHERE team = 'blue' GROUP BY team",
        "SELECT name, min(points) FROM score",  # both rows with the least points say Eve
        "SELECT min(points, bonus), name FROM score",
        "SELECT upper(team), count(*) FROM score GROUP BY upper(team)",
        "SELECT team, sum(points) FILTER (WHERE name > 'B') FROM score GROUP BY team",
        "SELECT name, sum(points) OVER (PARTITION BY team) FROM score",
        "SELECT team, count(*) AS n FROM score GROUP BY team ORDER BY n",
        "SELECT x, count(*) FROM (SELECT *, max(points) AS x FROM score GROUP BY team, name) GROUP BY x",
        "SELECT team FROM score GROUP BY team HAVING count(*) > 1 AND team > 'c' ORDER BY score.team",
        "SELECT total(points), avg(bonus) FROM score",
        "SELECT 'all', count(*) FROM score",
    ],
)
def test_a_bare_column_with_one_value_is_let_through(judged, sql):
    assert judged(sql).unchecked == ()


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT name, ROW_NUMBER() OVER (ORDER BY points) FROM score", Reason.WINDOW_CUTS_A_TIE),
        (
            "SELECT name FROM (SELECT *, NTILE(2) OVER (PARTITION BY team ORDER BY points) n FROM score) WHERE n = 1",
            Reason.WINDOW_CUTS_A_TIE,
        ),
        ("SELECT name, LAG(name) OVER (ORDER BY team) FROM score WHERE team <> 'grey'", Reason.WINDOW_CUTS_A_TIE),
        ("SELECT name, FIRST_VALUE(name) OVER (ORDER BY team DESC) FROM score", Reason.WINDOW_CUTS_A_TIE),
        (
            "SELECT name, SUM(bonus) OVER (ORDER BY points ROWS UNBOUNDED PRECEDING) FROM score",
            Reason.WINDOW_CUTS_A_TIE,
        ),
        ("SELECT team, group_concat(name) FROM score GROUP BY team", Reason.CONCATENATION_WITHOUT_ORDER),
        ("SELECT team, group_concat(DISTINCT name) FROM score GROUP BY team", Reason.CONCATENATION_WITHOUT_ORDER),
        ("SELECT json_group_array(name) FROM score", Reason.CONCATENATION_WITHOUT_ORDER),
    ],
)
def test_a_window_or_concatenation_in_no_order_is_refused(judged, sql, reason):
    with pytest.raises(Rejected) as rejected:
        judged(sql)
    assert rejected.value.reason is reason


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name, RANK() OVER (ORDER BY points) FROM score",
        "SELECT name, ROW_NUMBER() OVER (ORDER BY points, name) FROM score WHERE team = 'red'",
        "SELECT points, ROW_NUMBER() OVER (PARTITION BY team ORDER BY points) FROM score",
        "SELECT team, ROW_NUMBER() OVER (ORDER BY count(*), team) FROM score GROUP BY team",
        "SELECT name, SUM(points) OVER (ORDER BY points) FROM score",
        "SELECT group_concat(name) FROM (SELECT name FROM score ORDER BY name)",
        "SELECT team, group_concat(name) FROM score WHERE team = 'grey' GROUP BY team",
    ],
)
def test_a_window_or_concatenation_that_the_data_fix_is_let_through(judged, sql):
    assert judged(sql).unchecked == ()


def test_a_choice_that_is_thrown_away_again_does_not_matter(judged):
    judged("SELECT team FROM (SELECT team, name FROM score GROUP BY team)")
    judged("SELECT count(*) FROM (SELECT team, max(points), name FROM score GROUP BY team) WHERE name <> 'Zoe'")


def test_sql_that_the_library_cannot_read_is_refused_by_name(judged):
    with pytest.raises(Rejected, match="library cannot read") as rejected:
        judged("SELECT name FROM score ORDER BY name LIMIT 2 - (SELECT 1) % 2 OFFSET 1")
    assert rejected.value.reason is Reason.DOES_NOT_PARSE
