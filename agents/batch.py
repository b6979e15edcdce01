"""Run an agent on every task of a bundle. Finished attempts stay; a second run goes on where one ended."""

import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from agents.acceptance import NAME, accept
from agents.contract import BundleTask, Outcome, Request, Result, read_bundle, read_result, write_json
from agents.reference import Agent, header_only, nop, oracle

MAX_ATTEMPTS = 3
AGENTS = ("oracle", "nop", "header-only")


class BatchError(Exception):
    """The batch cannot be run as asked; the message says why."""


@dataclass(frozen=True)
class BatchReport:
    """What became of every task; the denominator is the bundle's tasks, always."""

    experiment: str
    tasks: int
    outcomes: dict[str, int]


def run(
    bundle: Path,
    agent: str,
    out: Path,
    progress: Callable[[int, int, str], None] = lambda done, total, name: None,
) -> BatchReport:
    """Give each task to the agent and store what came of it under `out/task_N/attempt_K`.

    Raises:
        BatchError: an agent that is not known.
        ContractError: the bundle or a stored result does not read.
    """
    solve = _agent(agent, bundle)
    tasks = read_bundle(bundle)
    results = []
    for place, task in enumerate(tasks, start=1):
        results.append(_one(task, agent, solve, out / task.task_id))
        progress(place, len(tasks), task.task_id)
    return BatchReport(out.name, len(tasks), dict(sorted(Counter(result.outcome.value for result in results).items())))


def _agent(name: str, bundle: Path) -> Agent:
    known: dict[str, Agent] = {"nop": nop, "header-only": header_only, "oracle": oracle(bundle / "output")}
    if name not in known:
        raise BatchError(f"no agent is called {name!r}; choose one of {', '.join(AGENTS)}")
    return known[name]


def _one(task: BundleTask, agent: str, solve: Agent, home: Path) -> Result:
    request = Request(task.task_id, task.digest, agent, repetition=1)
    attempts = sorted(home.glob("attempt_*"), key=lambda path: int(path.name.removeprefix("attempt_")))
    stored = [read_result(attempt / "result.json") for attempt in attempts]
    for result in stored:
        # a task or agent that changed meanwhile has another fingerprint: that attempt no longer speaks of it
        if result is not None and result.outcome.final and result.fingerprint == request.fingerprint:
            return result
    spent = [result for result in stored if result is not None and result.fingerprint == request.fingerprint]
    if len(spent) >= MAX_ATTEMPTS:
        return spent[-1]
    return _attempt(task, request, solve, home / f"attempt_{len(attempts) + 1}")


def _attempt(task: BundleTask, request: Request, solve: Agent, folder: Path) -> Result:
    output = folder / "output"
    output.mkdir(parents=True)
    write_json(folder / "request.json", {**asdict(request), "question": task.question})
    try:
        solve(task, output)
    except OSError as error:
        return _ended(folder, Result(task.task_id, Outcome.INFRASTRUCTURE_ERROR, request.fingerprint, None, str(error)))
    accepted = accept(output)
    outcome = Outcome.SUBMITTED if accepted.sha256 else Outcome.INVALID_PREDICTION
    outcome = outcome if accepted.there else Outcome.NO_SUBMISSION
    return _ended(folder, Result(task.task_id, outcome, request.fingerprint, accepted.sha256, accepted.reason))


def _ended(folder: Path, result: Result) -> Result:
    write_json(folder / "result.json", {**asdict(result), "outcome": result.outcome.value})
    return result


def collect(run_folder: Path, out: Path) -> int:
    """Copy the accepted prediction of each task into a prediction root for the evaluator; return how many.

    Raises:
        BatchError: `out` exists already.
        ContractError: a stored result does not read.
    """
    if out.exists():
        raise BatchError(f"{out} exists already; name a new folder")
    out.mkdir(parents=True)
    count = 0
    for home in sorted(run_folder.glob("task_*")):
        for attempt in sorted(home.glob("attempt_*"), key=lambda path: -int(path.name.removeprefix("attempt_"))):
            result = read_result(attempt / "result.json")
            if result is not None and result.prediction_sha256 is not None:
                (out / home.name).mkdir()
                shutil.copyfile(attempt / "output" / NAME, out / home.name / NAME, follow_symlinks=False)
                count += 1
                break
    return count
