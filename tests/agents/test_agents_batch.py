import json
import os

import pytest

from agents.acceptance import accept
from agents.batch import BatchError, collect, run
from agents.contract import ContractError, read_bundle
from evaluator.suite import score_suite

GOLD = "name,size\nAlpha,1.50\n"


@pytest.fixture
def bundle(tmp_path):
    """A release of three tasks."""
    root = tmp_path / "v1"
    for number in (1, 2, 10):
        home = root / "input" / f"task_{number}"
        (home / "context").mkdir(parents=True)
        (home / "context" / "a.csv").write_text("a\n1\n")
        (home / "task.json").write_text(json.dumps({"task_id": home.name, "question": "How large?"}))
        (root / "output" / home.name).mkdir(parents=True)
        (root / "output" / home.name / "gold.csv").write_text(GOLD)
        configs = root / "evaluation" / "configs"
        configs.mkdir(parents=True, exist_ok=True)
        columns = [{"gold_index": place, "gold_name": name, "type": "text"} for place, name in enumerate(("n", "s"))]
        config = {"schema_version": "1.0", "task_id": home.name, "order_sensitive": False, "columns": columns}
        (configs / f"{home.name}.json").write_text(json.dumps(config))
    return root


def score(bundle, agent, tmp_path):
    run(bundle, agent, tmp_path / "runs" / agent)
    collect(tmp_path / "runs" / agent, tmp_path / f"predictions-{agent}")
    roots = (tmp_path / f"predictions-{agent}", bundle / "output", bundle / "evaluation" / "configs")
    return score_suite(*roots).to_json()["task_accuracy"]


@pytest.mark.parametrize(("agent", "accuracy"), [("oracle", 1.0), ("nop", 0.0), ("header-only", 0.0)])
def test_reference_agents_score_what_they_must(bundle, tmp_path, agent, accuracy):
    assert score(bundle, agent, tmp_path) == accuracy


def test_tasks_come_by_number(bundle):
    assert [task.task_id for task in read_bundle(bundle)] == ["task_1", "task_2", "task_10"]


def test_a_second_run_keeps_what_is_final(bundle, tmp_path):
    out = tmp_path / "runs" / "x"
    run(bundle, "oracle", out)
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*.json")}
    run(bundle, "oracle", out)
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*.json")} == before


def test_a_changed_task_runs_again_and_alone(bundle, tmp_path):
    out = tmp_path / "runs" / "x"
    run(bundle, "oracle", out)
    (bundle / "input" / "task_2" / "context" / "a.csv").write_text("a\n2\n")
    run(bundle, "oracle", out)
    attempts = {home.name: len(list(home.iterdir())) for home in out.iterdir()}
    assert attempts == {"task_1": 1, "task_2": 2, "task_10": 1}


def test_a_killed_attempt_is_tried_again(bundle, tmp_path):
    out = tmp_path / "runs" / "x"
    run(bundle, "oracle", out)
    (out / "task_1" / "attempt_1" / "result.json").unlink()
    assert run(bundle, "oracle", out).outcomes == {"submitted": 3}


def test_an_agent_that_cannot_run_is_retried_and_capped(bundle, tmp_path):
    (bundle / "output" / "task_1" / "gold.csv").unlink()
    for _ in range(5):
        report = run(bundle, "oracle", tmp_path / "runs" / "x")
    assert report.outcomes == {"infrastructure_error": 1, "submitted": 2}
    assert len(list((tmp_path / "runs" / "x" / "task_1").iterdir())) == 3


def left(tmp_path, plant):
    output = tmp_path / "output"
    output.mkdir()
    gold = tmp_path / "gold.csv"
    gold.write_text(GOLD)
    plant(output, gold)
    return accept(output)


@pytest.mark.parametrize(
    "plant",
    [
        lambda output, gold: (output / "prediction.csv").symlink_to(gold),
        lambda output, gold: (output / "prediction.csv").symlink_to("nowhere"),
        lambda output, gold: os.mkfifo(output / "prediction.csv"),
        lambda output, gold: (output / "prediction.csv").mkdir(),
        lambda output, gold: (output / "prediction.csv").write_bytes(b""),
        lambda output, gold: (output / "prediction.csv").write_text('a\n"open'),
        lambda output, gold: (output / "answer.csv").write_text(GOLD),
    ],
    ids=["link to the gold", "dangling link", "pipe", "folder", "empty", "open quote", "another name"],
)
def test_what_is_no_prediction_is_not_accepted(tmp_path, plant):
    accepted = left(tmp_path, plant)
    assert accepted.sha256 is None
    assert accepted.reason


def test_a_linked_output_folder_is_not_accepted(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "prediction.csv").write_text(GOLD)
    (tmp_path / "output").symlink_to(tmp_path / "real")
    assert accept(tmp_path / "output").sha256 is None


def test_an_unknown_agent_and_an_empty_bundle_are_named(bundle, tmp_path):
    with pytest.raises(BatchError, match="oracle, nop"):
        run(bundle, "gpt", tmp_path / "x")
    with pytest.raises(ContractError, match="no task"):
        run(tmp_path / "nothing", "nop", tmp_path / "x")


def test_a_damaged_result_is_named(bundle, tmp_path):
    run(bundle, "nop", tmp_path / "x")
    (tmp_path / "x" / "task_1" / "attempt_1" / "result.json").write_text("{")
    with pytest.raises(ContractError, match="task_1/attempt_1"):
        run(bundle, "nop", tmp_path / "x")
