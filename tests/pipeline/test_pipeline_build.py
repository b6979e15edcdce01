import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import pipeline.runner
from evaluator.compare import compare
from evaluator.rules import load_rules
from evaluator.tables import read_table
from pipeline.build import BuildParams, build
from pipeline.checks import execute_gold
from pipeline.errors import BuildError
from pipeline.names import sibling_key

ALL_SALES = "SELECT code, sales FROM shop ORDER BY code"
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def built(corpus, out, **params):
    report = build(corpus.root, out, BuildParams(**params))
    return report, json.loads((out / "manifest.json").read_text())


def contents(out):
    return {p.relative_to(out): p.read_bytes() for p in out.rglob("*") if p.is_file() and ".artifacts" not in p.parts}


@pytest.fixture
def out(tmp_path):
    return tmp_path / "candidates"


def test_a_candidate_folder_has_exactly_the_agreed_files(corpus, out):
    corpus.ask(ALL_SALES, evidence="Sales are in millions.", domain="fund")
    report, manifest = built(corpus, out)
    assert (report.total, report.candidates, report.rejections) == (1, 1, {})
    (task,) = manifest["tasks"]
    assert (task["task_id"], task["instance"]) == ("task_1", "q0")
    found = {str(p.relative_to(out / "task_1")) for p in (out / "task_1").rglob("*") if p.is_file()}
    assert found == set(task["files"])
    private = {"gold.csv", "gold.sql", "rules.json", "sampled.sqlite", "provenance.json"}
    assert {name for name in found if not name.startswith("context/")} == {
        "task.json",
        *(f"private/{n}" for n in private),
    }
    assert json.loads((out / "task_1/task.json").read_text()) == {
        "task_id": "task_1",
        "question": "Question 0?",
        "language": "en",
        "domain": "fund",
    }
    assert "Sales are in millions." in (out / "task_1/context/knowledge.md").read_text()
    assert "SELECT" not in (out / "task_1/context/knowledge.md").read_text()


def test_the_gold_is_what_its_sql_gives_on_the_sampled_database(corpus, out):
    corpus.ask('SELECT name AS "n" FROM city WHERE name <> "Bern";')
    built(corpus, out)
    private = out / "task_1/private"
    sql = (private / "gold.sql").read_text()
    gold = read_table(private / "gold.csv")
    assert "'Bern'" in sql
    assert execute_gold(private / "sampled.sqlite", sql) == gold
    assert compare(gold, gold, load_rules(private / "rules.json")).passed


def test_each_table_lies_in_one_evidence_file_which_provenance_names(corpus, out):
    corpus.ask("SELECT name, sales FROM shop JOIN city ON city.id = shop.city", pair="both")
    built(corpus, out)
    provenance = json.loads((out / "task_1/private/provenance.json").read_text())
    listed = [table for file in provenance["workspace"] for table in file["tables"]]
    assert sorted(listed) == ["city", "shop"] == sorted(provenance["names"])
    assert provenance["evidence_files"] == sorted(provenance["names"].values())
    assert all((out / "task_1/context" / file["path"]).is_file() for file in provenance["workspace"])
    assert provenance["sibling"] == "both"
    assert {decision["table"] for decision in provenance["routing"]} == {"city", "shop"}


def test_provenance_lists_the_knowledge_file_too(corpus, out):
    corpus.ask(ALL_SALES, evidence="x")
    built(corpus, out)
    provenance = json.loads((out / "task_1/private/provenance.json").read_text())
    on_disk = {str(p.relative_to(out / "task_1/context")) for p in (out / "task_1/context").rglob("*") if p.is_file()}
    assert {file["path"] for file in provenance["workspace"]} == on_disk
    assert provenance["sibling"] == sibling_key(None, "shop", ALL_SALES.upper())


def test_ids_do_not_depend_on_which_instances_are_rejected(corpus, out):
    for sql in ("SELECT 0 FROM city WHERE 0", ALL_SALES, "SELECT", "SELECT count(*) FROM city"):
        corpus.ask(sql)
    report, manifest = built(corpus, out, first_id=40)
    assert [(task["task_id"], task["instance"]) for task in manifest["tasks"]] == [("task_41", "q1"), ("task_43", "q3")]
    assert report.total == report.candidates + len(report.rejected) == 4
    _, only = built(corpus, out, first_id=40, only=("q3",))
    assert [task["task_id"] for task in only["tasks"]] == ["task_43"]
    assert not (out / "task_41").exists()


BAD = {
    "no row": "SELECT * FROM shop WHERE code = 'x'",
    "only NULL or a lone 0": "SELECT count(*) FROM shop WHERE code = 'x'",
    "does not parse": "SELECT 'Xi'an'",
    "does not execute": "SELECT mayor FROM city",
    "time limit": ENDLESS,
    "memory limit": "SELECT zeroblob(400000000)",
    "too many rows": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5001) SELECT i FROM n",
    "too many columns": f"SELECT {', '.join('1' * 65)}",
    "not representable": "SELECT x'00ff'",
    "reads the clock": "SELECT date('now')",
    "reads a view": "SELECT * FROM big_city",
    "LIMIT cuts a tie": "SELECT name FROM city ORDER BY people LIMIT 1",
    "bare column in GROUP BY": "SELECT city, code FROM shop GROUP BY city",
}


def test_each_reason_is_given_with_a_sentence_and_its_proof(corpus, out):
    corpus.database("shop", "CREATE VIEW big_city AS SELECT * FROM city WHERE people > 5")
    for sql in BAD.values():
        corpus.ask(sql)
    report, _ = built(corpus, out, time_limit_seconds=0.5)
    assert {str(r.reason): r.instance for r in report.rejected} == {reason: f"q{n}" for n, reason in enumerate(BAD)}
    assert all(r.message and r.evidence for r in report.rejected)
    lines = (out / "rejections.jsonl").read_text().splitlines()
    assert [list(json.loads(line)) for line in lines] == [["instance", "stage", "reason", "message", "evidence"]] * len(
        BAD
    )
    assert all(reason in (out / "report.md").read_text() for reason in BAD)


def test_one_bad_instance_never_stops_the_others(corpus, out, tmp_path):
    corpus.ask(ALL_SALES)
    (corpus.root / "db/broken.sqlite").write_bytes(b"\0" * 5000)
    corpus.ask("SELECT 1", db="broken")
    corpus.ask("SELECT 1", db="missing")
    corpus.ask("SELECT 1", db="../shop")
    corpus.line("{")
    corpus.ask(ALL_SALES, id="q0")
    corpus.ask(ENDLESS)
    corpus.ask("SELECT name FROM city")
    report, manifest = built(corpus, out, time_limit_seconds=0.3)
    assert [task["task_id"] for task in manifest["tasks"]] == ["task_1", "task_8"]
    assert [str(r.reason) for r in report.rejected] == [
        "database broken",
        "database missing",
        "unsafe name",
        "unreadable line",
        "duplicate id",
        "time limit",
    ]


HOSTILE = """
CREATE TABLE "../x" ("../../ward" TEXT, beds INTEGER);
INSERT INTO "../x" VALUES ('../a', 3), ('b|c', 4);
CREATE TABLE "X" (a); CREATE TABLE "con" (a); CREATE TABLE "电视" (a TEXT); CREATE TABLE "a/b\\c" (a);
CREATE TABLE "%s" (a);
""" % ("长" * 200)


def test_a_table_named_like_a_path_stays_inside_its_folder(corpus, out):
    corpus.database("hostile", HOSTILE)
    corpus.ask('SELECT "../../ward", beds FROM "../x"', db="hostile")
    report, _ = built(corpus, out)
    assert report.candidates == 1
    names = json.loads((out / "task_1/private/provenance.json").read_text())["names"]
    assert "../x" in names and "电视" in names
    for path in names.values():
        assert (out / "task_1/context" / path).resolve().is_relative_to(out.resolve())
        assert all(len(part.encode()) <= 255 for part in Path(path).parts)
    assert {p.name for p in corpus.root.parent.iterdir()} == {"little", "candidates"}


def test_of_two_thousand_tables_the_limit_is_kept(corpus, out):
    tables = "\n".join(f"CREATE TABLE t{n} (a INTEGER); INSERT INTO t{n} VALUES ({n});" for n in range(2000))
    corpus.database("huge", f"BEGIN; {tables} COMMIT;")
    corpus.ask("SELECT a FROM t1999", db="huge")
    report, _ = built(corpus, out)
    assert report.candidates == 1
    provenance = json.loads((out / "task_1/private/provenance.json").read_text())
    assert len(provenance["names"]) == 40 and "t1999" in provenance["names"]
    assert "40 of 2000" in provenance["sampling"]["note"]


def test_the_same_source_and_params_give_the_same_bytes(corpus, out, tmp_path):
    corpus.ask(ALL_SALES)
    corpus.ask("SELECT 1 WHERE 0")
    built(corpus, out)
    built(corpus, tmp_path / "elsewhere/again")
    assert contents(out) == contents(tmp_path / "elsewhere/again")
    assert not any(str(tmp_path).encode() in data for data in contents(out).values())


def test_a_second_build_repeats_nothing(corpus, out, monkeypatch):
    corpus.ask(ALL_SALES)
    corpus.ask("SELECT 1 WHERE 0")
    built(corpus, out)
    before = contents(out)
    monkeypatch.setattr(pipeline.runner, "judge", None)
    report, _ = built(corpus, out)
    assert report.up_to_date == 2 and report.candidates == 1 and contents(out) == before


@pytest.mark.parametrize("params", [{"seed": 1}, {"domain": "x"}, {"row_limit": 9}])
def test_other_params_build_anew(corpus, out, params):
    corpus.ask(ALL_SALES)
    built(corpus, out)
    assert built(corpus, out, **params)[0].up_to_date == 0


def test_a_changed_database_builds_anew(corpus, out):
    corpus.ask("SELECT name FROM city")
    built(corpus, out)
    with closing(sqlite3.connect(corpus.root / "db/shop.sqlite")) as connection, connection:
        connection.execute("UPDATE city SET name = 'Genf' WHERE name = 'Bern'")
    built(corpus, out)
    assert b"Genf" in (out / "task_1/private/gold.csv").read_bytes()


def test_a_damaged_task_and_a_damaged_artifact_are_made_again(corpus, out):
    corpus.ask(ALL_SALES)
    built(corpus, out)
    before = contents(out)
    for path in out.glob("task_1/context/*/*"):
        path.write_bytes(b"damaged")  # hard links: the artifact is damaged too
    assert contents(out) != before
    built(corpus, out)
    assert contents(out) == before


def test_a_build_that_was_killed_goes_on_where_it_was(corpus, out):
    for n in range(40):
        corpus.ask(f"SELECT code, {n} FROM shop")
    code = (
        "import os, sys, signal; from pathlib import Path; from pipeline.build import *\n"
        "def stop(done, total, name): done == 20 and os.kill(os.getpid(), signal.SIGKILL)\n"
        "build(Path(sys.argv[1]), Path(sys.argv[2]), BuildParams(), stop)"
    )
    killed = subprocess.run([sys.executable, "-c", code, str(corpus.root), str(out)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not (out / "manifest.json").exists() and (out / "task_20").is_dir()
    report, manifest = built(corpus, out)
    assert report.up_to_date == 20 and len(manifest["tasks"]) == 40


def test_an_unexpected_error_becomes_a_rejection_and_is_tried_again(corpus, out, monkeypatch):
    corpus.ask(ALL_SALES)
    with monkeypatch.context() as patch:
        patch.setattr(pipeline.runner, "judge", lambda *_, **__: 1 / 0)
        report, _ = built(corpus, out)
    (rejection,) = report.rejected
    assert (rejection.reason, rejection.evidence) == ("builder error", "ZeroDivisionError: division by zero")
    assert built(corpus, out)[0].candidates == 1


def test_a_full_disk_stops_the_build_with_a_remedy(corpus, out, monkeypatch):
    def no_room(*_):
        raise OSError(28, os.strerror(28))

    corpus.ask(ALL_SALES)
    monkeypatch.setattr(pipeline.runner, "link_or_copy", no_room)
    with pytest.raises(BuildError, match="make room and build again"):
        built(corpus, out)
    assert not (out / "task_1").exists()


DOWNLOADS = {
    "spider": ("dev.json", "database", {"db_id": "shop", "question": "?", "query": "SELECT name FROM city"}),
    "bird": (
        "dev.json",
        "dev_databases",
        {"db_id": "shop", "question": "?", "SQL": "SELECT name FROM city", "question_id": 3},
    ),
}


@pytest.mark.parametrize("layout", DOWNLOADS)
def test_a_download_is_built_as_it_was_downloaded(corpus, out, tmp_path, layout):
    name, folder, question = DOWNLOADS[layout]
    root = tmp_path / layout
    (root / folder / "shop").mkdir(parents=True)
    (root / name).write_text(json.dumps([question, {**question, "db_id": "gone", "question_id": 4}]))
    (root / folder / "shop/shop.sqlite").write_bytes((corpus.root / "db/shop.sqlite").read_bytes())
    report = build(root, out, BuildParams())
    assert (report.candidates, report.rejections) == (1, {"database missing": 1})
    assert json.loads((out / "manifest.json").read_text())["source"]["layout"] == layout


def test_progress_is_told_after_each_instance_by_stage(corpus, out):
    corpus.ask(ALL_SALES)
    corpus.line("{")
    corpus.ask("SELECT nothing FROM nowhere")
    told = []
    build(corpus.root, out, BuildParams(), lambda *step: told.append(step))
    assert told == [
        (1, 3, "task_1: 1 kept"),
        (2, 3, "task_2: 1 kept, rejected 1 at source"),
        (3, 3, "task_3: 1 kept, rejected 1 at source, 1 at execute"),
    ]


def test_a_folder_with_other_files_is_not_touched(corpus, out):
    out.mkdir()
    (out / "thesis.doc").write_text("precious")
    with pytest.raises(BuildError, match="holds other files"):
        built(corpus, out)
    assert [p.name for p in out.iterdir()] == ["thesis.doc"]


def test_an_unknown_id_is_named(corpus, out):
    corpus.ask(ALL_SALES)
    with pytest.raises(BuildError, match="'q7'"):
        built(corpus, out, only=("q7",))


def test_two_builds_do_not_write_one_folder_at_once(corpus, out):
    corpus.ask(ALL_SALES)

    def second(*_):
        with pytest.raises(BuildError, match="another build writes there"):
            built(corpus, out)

    build(corpus.root, out, BuildParams(), second)
