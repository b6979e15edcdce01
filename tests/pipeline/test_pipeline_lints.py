"""Each lint finds its fault on a small database, and leaves the same query without the fault alone."""

import json

import pytest

from pipeline.checks.lint_case import LintKind, Severity
from pipeline.checks.lint_corpus import lint_corpus
from pipeline.checks.lints import lints_of
from pipeline.sql.tree import NotParsed
from review_app.cli import main

SCRIPT = """
CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT, code TEXT, rank INTEGER);
INSERT INTO owner VALUES (1, 'Ann', '9', 1), (2, 'Bo', '10', NULL), (3, 'Cy', '100', 3);
CREATE TABLE pet (id INTEGER PRIMARY KEY, owner TEXT, kind TEXT, weight REAL);
INSERT INTO pet VALUES (1, '1', 'cat', 1.5), (2, '1', 'dog', 7), (3, '2', 'cat', 1.1), (4, '3', 'cat', 2);
CREATE TABLE visit (pet INTEGER, cost REAL);
INSERT INTO visit VALUES (1, 10), (1, 20), (2, 5), (3, 1), (4, 1);
"""
JOINED = "FROM pet p JOIN visit v ON v.pet = p.id"

# kind, a gold with the fault, the nearest gold without it
CASES = [
    (
        LintKind.TIE_AT_CUT,
        "SELECT name FROM owner JOIN pet ON owner.id = pet.owner GROUP BY owner.id ORDER BY min(kind) LIMIT 1",
        "SELECT name FROM owner ORDER BY name LIMIT 1",
    ),
    (LintKind.NULL_IN_SORT_KEY, "SELECT name FROM owner ORDER BY rank", "SELECT rank FROM owner ORDER BY name"),
    (
        LintKind.NULL_IN_SORT_KEY,
        "SELECT name, rank AS r FROM owner ORDER BY r LIMIT 1",
        "SELECT name, rank AS r FROM owner WHERE rank > 0 ORDER BY r LIMIT 1",
    ),
    (
        LintKind.NUMBER_AS_TEXT,
        "SELECT name FROM owner ORDER BY code",
        "SELECT name FROM owner ORDER BY CAST(code AS INTEGER)",
    ),
    (LintKind.NUMBER_AS_TEXT, "SELECT max(code) FROM owner", "SELECT max(name) FROM owner"),
    (LintKind.NUMBER_AS_TEXT, "SELECT name FROM owner WHERE code < '50'", "SELECT name FROM owner WHERE code = '9'"),
    (LintKind.TYPES_DIFFER, "SELECT name FROM owner WHERE code = 9", "SELECT name FROM owner WHERE code = '9'"),
    (LintKind.TYPES_DIFFER, "SELECT name FROM owner WHERE id <> 'x'", "SELECT name FROM owner WHERE id <> 1"),
    (LintKind.TYPES_DIFFER, "SELECT name FROM owner o JOIN pet p ON p.owner = o.id", f"SELECT kind {JOINED}"),
    (LintKind.DUPLICATE_NAMES, "SELECT name, code AS Name FROM owner", "SELECT name, code FROM owner"),
    (LintKind.ORDER_NOT_FIXED, "SELECT kind, id FROM pet ORDER BY kind", "SELECT kind, id FROM pet ORDER BY kind, id"),
    (LintKind.DISTINCT_NOTHING, "SELECT DISTINCT name FROM owner", "SELECT DISTINCT kind FROM pet"),
    (LintKind.DISTINCT_NOTHING, "SELECT count(DISTINCT name) FROM owner", "SELECT count(DISTINCT kind) FROM pet"),
    (
        LintKind.DISTINCT_EVERYTHING,
        "SELECT DISTINCT kind FROM pet WHERE id <> 2",
        "SELECT DISTINCT kind FROM pet WHERE id < 3",
    ),
    (LintKind.FAN_OUT, f"SELECT sum(p.weight) {JOINED}", f"SELECT sum(v.cost) {JOINED}"),
    (
        LintKind.FAN_OUT,
        "SELECT count(a.id) FROM pet a JOIN pet b ON a.kind = b.kind",
        f"SELECT count(p.id) {JOINED}",
    ),
    (LintKind.LIKE_PLAIN, "SELECT id FROM pet WHERE kind LIKE 'Cat'", "SELECT id FROM pet WHERE kind LIKE 'Ca%'"),
    (LintKind.LONG_FLOAT, "SELECT avg(weight) / 3 FROM pet", "SELECT round(avg(weight) / 3, 2) FROM pet"),
    (LintKind.ALWAYS_TRUE, "SELECT id FROM pet WHERE weight > 1", "SELECT id FROM pet WHERE weight > 1.2"),
    (LintKind.ALWAYS_TRUE, "SELECT id FROM pet WHERE 1 = 1", "SELECT id FROM pet"),
    (
        LintKind.NEVER_TRUE,
        "SELECT count(*) + 1 FROM pet WHERE kind = 'Cat'",
        "SELECT count(*) + 1 FROM pet WHERE kind = 'cat'",
    ),
    (
        LintKind.NEVER_TRUE,
        "SELECT name FROM owner EXCEPT SELECT name FROM owner WHERE rank > 9",
        "SELECT name FROM owner LEFT JOIN visit ON owner.id = visit.pet + 5 WHERE visit.pet IS NULL",
    ),
    (
        LintKind.JOIN_WITHOUT_EFFECT,
        "SELECT v.cost FROM visit v JOIN pet p ON v.pet = p.id",
        "SELECT p.weight FROM pet p JOIN visit v ON v.pet = p.id",
    ),
    (
        LintKind.CONDITION_NOTHING,
        "SELECT id FROM pet WHERE weight > 1.2 AND weight > 1.3",
        "SELECT id FROM pet WHERE weight > 1.2 AND kind = 'cat'",
    ),
]


def lints(base, sandbox, sql):
    def run(query):
        return sandbox.run(base.path, query, seconds=5, rows=1000)

    return lints_of(sql, base, run(sql), run)


@pytest.mark.parametrize(("kind", "faulty", "sound"), CASES)
def test_a_lint_finds_its_fault_and_nothing_beside_it(database, sandbox, kind, faulty, sound):
    base = database(SCRIPT)
    found = lints(base, sandbox, faulty)
    assert kind in {one.kind for one in found} and all(one.message and one.evidence for one in found)
    assert kind not in {one.kind for one in lints(base, sandbox, sound)}


def test_every_kind_of_lint_is_tried():
    assert {kind for kind, _, _ in CASES} == set(LintKind)


def test_null_that_comes_first_at_a_limit_is_an_error_and_else_a_note(database, sandbox):
    base = database(SCRIPT)
    for sql, severity in [("rank LIMIT 1", Severity.ERROR), ("rank DESC LIMIT 1", Severity.NOTE)]:
        (found,) = lints(base, sandbox, f"SELECT name FROM owner ORDER BY {sql}")
        assert (found.kind, found.severity) == (LintKind.NULL_IN_SORT_KEY, severity)


def test_the_gravest_lint_comes_first(database, sandbox):
    sql = "SELECT DISTINCT name FROM owner WHERE id > 0 ORDER BY rank LIMIT 1"
    severities = [one.severity for one in lints(database(SCRIPT), sandbox, sql)]
    assert severities == sorted(severities, key=list(Severity).index) and len(set(severities)) > 1


def test_linting_leaves_the_tree_as_it_was(database, sandbox):
    base, sql = database(SCRIPT), f"SELECT DISTINCT count(DISTINCT p.kind) {JOINED} WHERE weight > 1"
    assert lints(base, sandbox, sql) == lints(base, sandbox, sql)


def test_what_the_library_cannot_resolve_is_not_linted(database, sandbox):
    with pytest.raises(NotParsed):
        lints(database(SCRIPT), sandbox, "SELECT 'a' FROM owner LIMIT 2 - (SELECT 1) % 2")


def test_a_corpus_is_counted_gold_by_gold(corpus):
    corpus.ask("SELECT DISTINCT code FROM shop")
    corpus.ask("SELECT name FROM city WHERE people > 2")
    corpus.ask("SELECT mayor FROM city")
    corpus.line("{")
    found = lint_corpus(corpus.root)
    assert found.counts() == {(LintKind.DISTINCT_NOTHING, Severity.NOTE): 1}
    assert (found.clean, found.problems, len(found.golds)) == (1, 2, 4)
    assert "no such column: mayor" in found.golds[2].problem


def test_the_command_prints_counts_and_examples_as_plain_text(corpus, capsys):
    corpus.ask("SELECT DISTINCT name AS '[red]' FROM city")
    assert main(["lint", str(corpus.root)]) == 0
    said = capsys.readouterr().out
    assert "DISTINCT changes nothing" in said and "[red]" in said and "1 instances" in said


def test_the_command_prints_all_as_json(corpus, capsys):
    corpus.ask("SELECT DISTINCT code FROM shop")
    assert main(["lint", str(corpus.root), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"] == [
        {"kind": "DISTINCT changes nothing", "severity": "note", "golds": 1}
    ]
