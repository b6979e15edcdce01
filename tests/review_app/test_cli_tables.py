import json

import pytest
from candidates_folder import GOLD, rules

from review_app.cli import main

SQL = "SELECT name, ROUND(size, 1) AS size FROM fund ORDER BY size DESC"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "gold.csv").write_bytes(GOLD)
    (tmp_path / "task_1.json").write_text(json.dumps(rules("task_1")))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_copy_is_equal_and_exits_with_0(folder, capsys):
    assert main(["diff", "gold.csv", "gold.csv", "--rules", "task_1.json"]) == 0
    assert "equal under these rules" in capsys.readouterr().out


def test_a_difference_names_row_and_values_and_exits_with_1(folder, capsys):
    (folder / "mine.csv").write_bytes(GOLD.replace(b"7.25", b"7.26").replace(b"Beta", b"[red]Beta"))
    assert main(["diff", "gold.csv", "mine.csv", "--rules", "task_1.json", "--html", "why.html"]) == 1
    said = capsys.readouterr().out
    assert "7.26" in said
    assert "[red]Beta" in said
    assert "7.26" in (folder / "why.html").read_text()


def test_the_explanation_as_json_is_whole(folder, capsys):
    (folder / "mine.csv").write_bytes(GOLD.replace(b"7.25", b"7.26"))
    main(["diff", "gold.csv", "mine.csv", "--rules", "task_1.json", "--json"])
    assert json.loads(capsys.readouterr().out)["cells"][0]["prediction"] == "7.26"


def test_rules_are_inferred_from_cells_and_sql_with_reasons(folder, capsys):
    assert main(["rules", "infer", "gold.csv", "--sql", SQL, "--task-id", "task_9"]) == 0
    said = capsys.readouterr()
    document = json.loads(said.out)
    assert (document["task_id"], document["order_sensitive"]) == ("task_9", True)
    assert document["columns"][1]["comparison"] == {"mode": "decimal_places", "digits": 1}
    assert "the SQL rounds" in said.err


def test_inferred_rules_pass_the_check(folder, capsys):
    main(["rules", "infer", "gold.csv"])
    (folder / "task_1.json").write_text(capsys.readouterr().out)
    assert main(["rules", "check", "task_1.json", "gold.csv"]) == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"order_sensitive": "yes"}, "order_sensitive"),
        ({"columns": []}, "columns"),
        ({"extra": 1}, "extra"),
        ({"columns": rules("task_1")["columns"][:1]}, "columns"),
        ({"columns": [{"gold_index": 0, "gold_name": "n", "type": "date"}, rules("task_1")["columns"][1]]}, "Alpha"),
    ],
)
def test_bad_rules_are_named_and_exit_with_1(folder, capsys, change, said):
    (folder / "task_1.json").write_text(json.dumps({**rules("task_1"), **change}))
    assert main(["rules", "check", "task_1.json", "gold.csv"]) == 1
    assert said in capsys.readouterr().err


def test_what_cannot_be_read_exits_with_2(folder, capsys):
    (folder / "task_1.json").write_text("{")
    assert main(["rules", "check", "task_1.json"]) == 2
    assert main(["diff", "gold.csv", "gold.csv", "--rules", "nothing.json"]) == 2
    assert main(["rules", "infer", "gold.csv", "--sql", "SELEC"]) == 2
    assert "nothing.json" in capsys.readouterr().err
