import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import evaluator
from evaluator.cli import main
from evaluator.errors import SuiteError
from evaluator.suite import score_suite

TEXT = {"gold_index": 0, "gold_name": "h", "type": "text"}
NUMBER = {"gold_index": 0, "gold_name": "n", "type": "number", "comparison": {"mode": "decimal_places", "digits": 2}}


def add_task(root: Path, number, *, gold="h\nA\n", prediction="h\nA\n", column=TEXT):
    task = f"task_{number}"
    for part in ("predictions", "gold"):
        (root / part / task).mkdir(parents=True)
    (root / "configs").mkdir(exist_ok=True)
    config = {"schema_version": "1.0", "task_id": task, "order_sensitive": False, "columns": [column]}
    (root / "configs" / f"{task}.json").write_text(json.dumps(config))
    (root / "gold" / task / "gold.csv").write_text(gold)
    if prediction is not None:
        (root / "predictions" / task / "prediction.csv").write_text(prediction)


def roots(root: Path) -> list[Path]:
    return [root / "predictions", root / "gold", root / "configs"]


def options(root: Path) -> list[str]:
    names = ("--prediction-root", "--gold-root", "--config-root")
    return [part for name, path in zip(names, roots(root), strict=True) for part in (name, str(path))]


@pytest.fixture
def suite(tmp_path):
    add_task(tmp_path, 10)
    add_task(tmp_path, 2, prediction="h\nB\n")
    add_task(tmp_path, 3, prediction=None)
    (tmp_path / "predictions" / "task_99").mkdir()
    (tmp_path / "predictions" / "task_5").write_text("a file, not a folder")
    return tmp_path


def test_the_summary_file_has_the_official_shape(suite, capsys):
    assert main(options(suite)) == 0
    path = suite / "predictions" / "evaluation_summary.json"
    digest = hashlib.sha256()
    for number in (2, 3, 10):
        name = f"task_{number}.json"
        digest.update(name.encode() + b"\0" + (suite / "configs" / name).read_bytes() + b"\0")
    task = {
        "task_id": "task_2",
        "passed": False,
        "score": 0,
        "order_sensitive": False,
        "gold_column_count": 1,
        "prediction_column_count": 1,
        "gold_row_count": 1,
        "prediction_row_count": 1,
        "column_mapping": None,
        "error_code": "relation_mismatch",
        "error": "no assignment of the prediction's columns makes its rows equal to those of gold",
    }
    missing = {
        **task,
        "task_id": "task_3",
        "prediction_column_count": 0,
        "prediction_row_count": 0,
        "error_code": "missing_prediction",
        "error": "there is no prediction.csv for this task",
    }
    passed = {
        **task,
        "task_id": "task_10",
        "passed": True,
        "score": 1,
        "column_mapping": [{"gold_index": 0, "prediction_index": 0}],
        "error_code": None,
        "error": None,
    }
    summary = {
        "evaluator": "dataspace",
        "evaluator_version": "1.0.0",
        "config_schema_version": "1.0",
        "config_set_sha256": digest.hexdigest(),
        "metric": "task_accuracy",
        "task_count": 3,
        "passed_task_count": 1,
        "failed_task_count": 2,
        "task_accuracy": 1 / 3,
        "unscored_prediction_tasks": ["task_99"],
        "tasks": [task, missing, passed],
    }
    assert path.read_text("utf-8") == json.dumps(summary, indent=2, ensure_ascii=False) + "\n"
    del summary["tasks"]
    assert capsys.readouterr().out == f"{json.dumps(summary, indent=2)}\nSaved summary to: {path}\n"


def test_two_workers_give_the_same_summary_as_one(suite):
    assert score_suite(*roots(suite), workers=2) == score_suite(*roots(suite))


def test_progress_is_told_after_each_task(suite):
    told = []
    score_suite(*roots(suite), progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("missing", ["predictions", "gold", "configs"])
def test_a_missing_root_is_named(suite, missing, capsys):
    shutil.rmtree(suite / missing)
    assert main(options(suite)) == 2
    assert str(suite / missing) in capsys.readouterr().err


def test_a_broken_gold_refuses_everything_and_names_file_and_cell(suite, capsys):
    add_task(suite, 11, gold="n\n1\nabc\n", column=NUMBER)
    assert main(options(suite)) == 2
    complaint = capsys.readouterr().err
    assert f"{suite}/gold/task_11/gold.csv: gold column 1 ('n'), row 3: 'abc' cannot be read as number" in complaint
    assert not (suite / "predictions" / "evaluation_summary.json").exists()


def test_keep_going_scores_the_rest_and_lists_what_was_skipped(suite, capsys):
    add_task(suite, 11, gold="n\nabc\n", column=NUMBER)
    (suite / "configs" / "task_template.json").write_text("{}")
    (suite / "configs" / "task_12.json").write_text("{}")
    assert main([*options(suite), "--keep-going"]) == 0
    summary = json.loads((suite / "predictions" / "evaluation_summary.json").read_text())
    assert summary["task_count"] == 3
    assert [task["task_id"] for task in summary["skipped_tasks"]] == ["task_template", "task_11", "task_12"]
    assert "skipped task_11" in capsys.readouterr().err


def test_a_gold_that_the_official_evaluator_dies_on_is_refused(tmp_path):
    add_task(tmp_path, 1, gold="n\n1e98\n", prediction="n\n5\n", column=NUMBER)
    with pytest.raises(SuiteError, match="more digits than can be compared"):
        score_suite(*roots(tmp_path))


def test_a_linked_task_folder_fails_its_task_only(suite):
    folder = suite / "predictions" / "task_10"
    folder.rename(suite / "elsewhere")
    folder.symlink_to(suite / "elsewhere")
    codes = {task.task_id: task.comparison.error_code for task in score_suite(*roots(suite)).tasks}
    assert codes["task_10"] == "invalid_prediction_csv"
    assert codes["task_2"] == "relation_mismatch"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions do not bind this user")
def test_an_unreadable_folder_fails_its_task_only(suite):
    (suite / "predictions" / "task_10").chmod(0)
    codes = {task.task_id: task.comparison.error_code for task in score_suite(*roots(suite)).tasks}
    assert codes["task_10"] == "invalid_prediction_csv"


def test_twins_with_leading_zeros_have_one_order(tmp_path):
    for number in ("01", "1", "001"):
        add_task(tmp_path, number)
    assert [task.task_id for task in score_suite(*roots(tmp_path)).tasks] == ["task_001", "task_01", "task_1"]


def test_an_output_that_cannot_be_written_is_refused_before_scoring(suite, capsys):
    assert main([*options(suite), "--output", str(suite / "gold")]) == 2
    assert main([*options(suite), "--output", str(suite / "no" / "s.json")]) == 2
    assert capsys.readouterr().err.count("the output ") >= 1


def test_wrong_use_exits_with_two():
    with pytest.raises(SystemExit) as caught:
        main(["--gold-root", "x"])
    assert caught.value.code == 2


def test_it_runs_alone_without_any_other_package(suite):
    home = suite / "alone"
    shutil.copytree(Path(evaluator.__file__).parent, home / "evaluator", ignore=shutil.ignore_patterns("__pycache__"))
    add_task(suite, "٣")
    command = [sys.executable, "-S", "-E", "-m", "evaluator", *options(suite), "--workers", "2"]
    done = subprocess.run(command, cwd=home, capture_output=True, text=True, env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr
    assert '"task_count": 4' in done.stdout


def test_the_whole_public_surface_imports_in_isolation(tmp_path):
    shutil.copytree(Path(evaluator.__file__).parent, tmp_path / "evaluator")
    script = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from evaluator import compare, load_rules, read_table, score_suite\n"
        "import pathlib, importlib\n"
        f"for path in pathlib.Path({str(tmp_path / 'evaluator')!r}).glob('*.py'):\n"
        "    if path.stem != '__main__': importlib.import_module('evaluator.' + path.stem)\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('review_app', 'pipeline', 'agents', 'db')])\n"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr
