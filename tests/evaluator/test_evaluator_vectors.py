"""The official outcomes, case by case: a sample beside the tests, and all of them where the shared folder is."""

import base64
import json
import os
from pathlib import Path

import pytest

from evaluator.cli import main
from evaluator.compare import compare
from evaluator.rules import parse_rules
from evaluator.suite import score_suite
from evaluator.tables import parse_table

SAMPLE = Path(__file__).parents[1] / "data" / "vectors"
SHARED = Path(__file__).parents[2].parent / "shared" / "vectors"
MAY_STAY_UNDECIDED = ("hard-graph_rook4", "hard-graph_latin")


def both(sample: str, shared: str):
    """The sample always, the whole file where it is."""
    absent = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared folder with all vectors is absent")
    return [
        pytest.param(SAMPLE / sample, id="sample"),
        pytest.param(SHARED / shared, id="all", marks=[pytest.mark.shared, absent]),
    ]


def cases_in(path: Path) -> list[dict]:
    # Not splitlines: cells hold U+2028 and the like as they are.
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def write_special(path: Path, kind: str, gold: bytes) -> None:
    if kind == "directory":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "symlink":
        path.with_name("real.csv").write_bytes(gold)
        path.symlink_to("real.csv")
    elif kind == "dangling_symlink":
        path.symlink_to("nothing.csv")
    else:
        path.symlink_to(path.name)


def write_prediction(case: dict, path: Path) -> None:
    if "prediction_kind" in case:
        write_special(path, case["prediction_kind"], case["gold_csv"].encode())
    elif "prediction_b64" in case:
        path.write_bytes(base64.b64decode(case["prediction_b64"]))
    elif case["prediction_csv"] is not None:
        path.write_bytes(case["prediction_csv"].encode())


def write_suite(cases: list[dict], root: Path) -> list[Path]:
    roots = [root / name for name in ("predictions", "gold", "configs")]
    (root / "configs").mkdir()
    for number, case in enumerate(cases, start=1):
        for part in roots[:2]:
            (part / f"task_{number}").mkdir(parents=True)
        config = {**case["config"], "task_id": f"task_{number}"}
        (root / "configs" / f"task_{number}.json").write_text(json.dumps(config))
        (root / "gold" / f"task_{number}" / "gold.csv").write_bytes(case["gold_csv"].encode())
        write_prediction(case, root / "predictions" / f"task_{number}" / "prediction.csv")
    return roots


def expectation(verdict: dict) -> tuple:
    mapping = verdict["column_mapping"]
    return verdict["passed"], verdict["error_code"], None if mapping is None else tuple(mapping)


def outcome(comparison) -> tuple:
    return comparison.passed, comparison.error_code, comparison.column_mapping


@pytest.mark.parametrize("path", both("public.jsonl", "vectors_public.jsonl"))
def test_every_public_case_has_the_official_outcome(path, tmp_path):
    cases = cases_in(path)
    summary = score_suite(*write_suite(cases, tmp_path))
    scored = zip(cases, summary.tasks, strict=True)
    wrong = [case["id"] for case, task in scored if outcome(task.comparison) != expectation(case["expected"])]
    assert wrong == []


@pytest.mark.parametrize("path", both("crash.jsonl", "vectors_crash.jsonl"))
def test_where_the_official_evaluator_dies_the_defensible_outcome_is_given(path, tmp_path):
    cases = cases_in(path)
    summary = score_suite(*write_suite(cases, tmp_path))
    scored = zip(cases, summary.tasks, strict=True)
    wrong = [case["id"] for case, task in scored if outcome(task.comparison) != expectation(case["defensible"])]
    assert wrong == []


def hard_outcome(case: dict) -> tuple:
    gold, prediction = (parse_table(case[name].encode()) for name in ("gold_csv", "prediction_csv"))
    return outcome(compare(gold, prediction, parse_rules(case["config"])))


@pytest.mark.parametrize("path", both("hard.jsonl", "vectors_hard.jsonl"))
def test_hard_alignments_are_decided_as_the_truth_says(path):
    wrong = []
    for case in cases_in(path):
        found = hard_outcome(case)
        excused = found[1] == "undecided" and case["id"].startswith(MAY_STAY_UNDECIDED)
        if found != expectation(case["expected"]) and not excused:
            wrong.append((case["id"], found))
    assert wrong == []


@pytest.mark.parametrize("path", both("hard.jsonl", "vectors_hard.jsonl"))
def test_a_hard_gold_against_itself_is_never_undecided(path):
    for case in cases_in(path):
        assert hard_outcome({**case, "prediction_csv": case["gold_csv"]})[0], case["id"]


def config_bytes(case: dict) -> bytes:
    good = '{"schema_version": "1.0", "task_id": "task_1", "order_sensitive": false, "columns": []}'
    special = {
        "json_utf16": good.encode("utf-16"),
        "json_latin1": good.replace("1.0", "é").encode("latin-1"),
        "json_deep": b"[" * 100_000 + b"]" * 100_000,
    }
    return special.get(case["id"]) or case["config_text"].encode()


def write_config_case(case: dict, root: Path) -> list[str]:
    configs = root / "configs"
    configs.mkdir()
    stem = Path(case["file"]).stem
    if case["config_text"] == "DIRECTORY":
        (configs / case["file"]).mkdir()
    elif case["config_text"] != "NONE":
        (configs / case["file"]).write_bytes(config_bytes(case))
    tasks = [stem]
    if "extra_config" in case:
        name, text = case["extra_config"]
        (configs / name).write_text(text)
        tasks.append(Path(name).stem)
    for task in tasks:
        for part, name, text in (
            ("gold", "gold.csv", case["gold_csv"]),
            ("predictions", "prediction.csv", case["prediction_csv"]),
        ):
            folder = root / part / task
            folder.mkdir(parents=True, exist_ok=True)
            write_table(folder / name, text, case["id"])
    return ["--prediction-root", f"{root}/predictions", "--gold-root", f"{root}/gold", "--config-root", f"{configs}"]


def write_table(path: Path, text: str | None, case_id: str) -> None:
    if text == "DIR":
        path.mkdir()
    elif text == "SYMLINK":
        path.with_name("real.csv").write_text("h\nA\n")
        path.symlink_to("real.csv")
    elif text is not None:
        path.write_bytes(text.encode("latin-1" if case_id == "gold_bad_utf8" else "utf-8"))


@pytest.mark.parametrize("path", both("config.jsonl", "vectors_config.jsonl"))
def test_configs_are_accepted_as_officially_and_its_crashes_are_clear_refusals(path, tmp_path, capsys):
    wrong = []
    for number, case in enumerate(cases_in(path)):
        root = tmp_path / str(number)
        root.mkdir()
        official = case["official"]
        found = main(write_config_case(case, root))
        complaint = capsys.readouterr().err
        if found != (0 if official["exit"] == 0 else 2) or (found == 2 and "evaluator: " not in complaint):
            wrong.append((case["id"], found, complaint))
        if official["exit"] == 0:
            summary = json.loads((root / "predictions" / "evaluation_summary.json").read_text())
            codes = {task["task_id"]: task["error_code"] or "pass" for task in summary["tasks"]}
            assert codes == official["tasks"], case["id"]
    assert wrong == []
