import json

from pipeline.params import BuildParams
from review_app.cli import main

_PLAN = {
    "db_id": "m",
    "table_names_original": ["fund"],
    "column_names_original": [[-1, "*"], [0, "code"], [0, "size"]],
    "column_types": ["text", "text", "real"],
    "primary_keys": [1],
}


def bull(root):
    root.mkdir()
    asked = {
        "q_id": 1,
        "db_name": "m",
        "question": "Which are large?",
        "sql_query": "SELECT code FROM fund WHERE size > 9",
    }
    (root / "dev.json").write_text(json.dumps([asked]))
    (root / "tables.json").write_text(json.dumps([_PLAN]))
    (root / "db_info.json").write_text("[]")
    return root


def test_corpus_check_counts_what_is_usable_and_says_why_not_the_rest(corpus, capsys):
    corpus.ask("SELECT name FROM city")
    corpus.ask("SELECT date('now')")
    assert main(["corpus", "check", str(corpus.root)]) == 0
    said = capsys.readouterr().out
    assert "1 of 2 instances are usable" in said and "1 x reads the clock" in said


def test_corpus_check_as_json_is_the_report(corpus, capsys):
    corpus.ask("SELECT mayor FROM city")
    assert main(["corpus", "check", str(corpus.root), "--json"]) == 1, "nothing is usable"
    found = json.loads(capsys.readouterr().out)
    assert (found["usable"], found["reasons"]) == (0, {"does not execute": 1})


def test_corpus_check_without_a_source_names_the_folder(tmp_path, capsys):
    assert main(["corpus", "check", str(tmp_path / "nothing")]) == 2
    assert "nothing" in capsys.readouterr().err


def test_corpus_synthesize_makes_databases_that_a_build_can_use(tmp_path, capsys):
    source, out = bull(tmp_path / "bull"), tmp_path / "made"
    assert main(["corpus", "check", str(source)]) == 1, "the database is missing"
    assert main(["corpus", "synthesize", str(source), str(out), "--seed", "3"]) == 0
    assert "1 of 1 golds" in capsys.readouterr().out
    assert main(["corpus", "check", str(out)]) == 0


def test_the_options_of_a_build_reach_its_parameters(corpus, tmp_path, capsys):
    first = corpus.ask("SELECT name FROM city WHERE people > 2")
    corpus.ask("SELECT name FROM city")
    out = tmp_path / "out"
    options = {"--sampling": "shrink", "--noise-rows": "1", "--whole-table-rows": "0", "--copied-up-to-mib": "2"}
    limits = {"--max-tables": "3", "--max-database-mib": "5", "--time-limit": "4", "--row-limit": "7", "--only": first}
    words = [word for pair in {**options, **limits}.items() for word in pair]
    assert main(["build", "--source", str(corpus.root), "--out", str(out), *words]) == 0
    params = json.loads((out / "manifest.json").read_text())["params"]
    wanted = {"sampling": "shrink", "noise_rows": 1, "whole_table_rows": 0, "copied_up_to_bytes": 2 << 20}
    wanted |= {"max_tables": 3, "max_database_bytes": 5 << 20, "time_limit_seconds": 4.0, "row_limit": 7}
    assert {**params, **wanted, "only": [first]} == params


def test_the_command_without_options_builds_with_the_parameters_of_python(corpus, tmp_path):
    corpus.ask("SELECT name FROM city")
    out = tmp_path / "out"
    assert main(["build", "--source", str(corpus.root), "--out", str(out)]) == 0
    params = json.loads((out / "manifest.json").read_text())["params"]
    assert params["sampling"] == BuildParams().sampling
    assert all(params[name] == value for name, value in vars(BuildParams()).items() if isinstance(value, int | float))
