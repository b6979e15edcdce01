import pytest

from pipeline.checks import CheckError, execute_gold, lint_gold
from pipeline.content import Reason


def test_a_gold_is_executed_and_written_as_text(shop):
    table = execute_gold(shop.path, "SELECT code, sales FROM shop ORDER BY code;")
    assert table.header == ("code", "sales")
    assert table.rows == (("007", "2.5"), ("008", "0.25"), ("009", ""), ("010", "4.0"))


def test_an_empty_result_is_a_table_too(shop):
    assert execute_gold(shop.path, "SELECT code FROM shop WHERE 0").rows == ()


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        ("DELETE FROM shop", "only reading is allowed"),
        ("SELECT 1; SELECT 2", "one statement"),
        ("SELECT mayor FROM city", "no such column: mayor"),
        ("", "holds no query"),
        (
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
            "did not end within 0.3",
        ),
        ("SELECT a.code FROM shop a, shop b", "more than 5 rows"),
        ("SELECT x'00'", "bytes that are no text"),
    ],
)
def test_a_gold_that_fails_says_why_in_a_sentence(shop, sql, sentence):
    with pytest.raises(CheckError, match=sentence):
        execute_gold(shop.path, sql, time_limit_seconds=0.3, row_limit=5)


def test_a_missing_database_is_named(tmp_path):
    with pytest.raises(CheckError, match=r"x\.sqlite"):
        execute_gold(tmp_path / "x.sqlite", "SELECT 1")
    with pytest.raises(CheckError, match=r"x\.sqlite"):
        lint_gold(tmp_path / "x.sqlite", "SELECT 1")


def test_a_lint_names_the_reason_and_proves_it(shop):
    (lint,) = lint_gold(shop.path, "SELECT name FROM city ORDER BY people LIMIT 1")
    assert lint.reason is Reason.LIMIT_CUTS_A_TIE
    assert "Bern" in lint.evidence and "Ulm" in lint.evidence
    assert lint_gold(shop.path, "SELECT name FROM city ORDER BY people DESC LIMIT 1") == ()
