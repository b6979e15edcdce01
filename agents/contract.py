"""The run folder: what an attempt is asked, what came of it, written so that a result appears whole or not at all.

runs/EXPERIMENT/task_N/attempt_K/  request.json  events.jsonl  output/prediction.csv  result.json (last, atomic)
"""

import hashlib
import json
import os
import tempfile
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any


class ContractError(Exception):
    """A bundle or run folder does not hold what it must; the message names the file and the remedy."""


class Outcome(StrEnum):
    """How an attempt ended. The last three say nothing about the agent: such an attempt is tried again."""

    SUBMITTED = "submitted"
    NO_SUBMISSION = "no_submission"
    INVALID_PREDICTION = "invalid_prediction"
    WALL_TIME = "wall_time"
    TURNS = "turns"
    ACTIONS = "actions"
    OUTPUT_LIMIT = "output_limit"
    CONTEXT_LIMIT = "context_limit"
    COST_LIMIT = "cost_limit"
    POLICY_VIOLATION = "policy_violation"
    INFRASTRUCTURE_ERROR = "infrastructure_error"
    STOPPED = "stopped"
    KILLED = "killed"

    @property
    def final(self) -> bool:
        """Whether the attempt is scored and never tried again."""
        return self not in (Outcome.INFRASTRUCTURE_ERROR, Outcome.STOPPED, Outcome.KILLED)


@dataclass(frozen=True)
class BundleTask:
    """A task of a release as an agent may see it: question and context folder. Gold is not reachable from here."""

    task_id: str
    question: str
    context: Path
    digest: str


def read_bundle(bundle: Path) -> list[BundleTask]:
    """Return the tasks of a release folder, by number.

    Raises:
        ContractError: the folder holds no task, or a task file does not read.
    """
    homes = sorted((bundle / "input").glob("task_*"), key=lambda home: int(home.name.removeprefix("task_")))
    if not homes:
        raise ContractError(f"{bundle / 'input'}: there is no task; name a folder that `dataspace release` wrote")
    return [_task(home) for home in homes]


def _task(home: Path) -> BundleTask:
    path = home / "task.json"
    try:
        question = json.loads(path.read_text(encoding="utf-8"))["question"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ContractError(f"{path}: does not read ({error}); write the release again") from error
    return BundleTask(home.name, question, home / "context", _content_digest(home))


def _content_digest(home: Path) -> str:
    """SHA-256 over every file's relative path and bytes: a changed task is another task."""
    whole = hashlib.sha256()
    for path in sorted(path for path in home.rglob("*") if path.is_file()):
        whole.update(path.relative_to(home).as_posix().encode() + b"\0")
        with path.open("rb") as stream:
            whole.update(hashlib.file_digest(stream, "sha256").digest())
    return whole.hexdigest()


@dataclass(frozen=True)
class Request:
    """What an attempt is asked. Its fingerprint decides whether a stored result still counts."""

    task_id: str
    task_digest: str
    agent: str
    repetition: int

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the request's canonical JSON."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class Result:
    """What came of an attempt. `prediction_sha256` is None unless a prediction was accepted."""

    task_id: str
    outcome: Outcome
    fingerprint: str
    prediction_sha256: str | None
    message: str


def write_json(path: Path, value: Any) -> None:
    """Write a file that appears whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        json.dump(value, stream, ensure_ascii=False, indent=2, sort_keys=True)
        stream.write("\n")
        stream.flush()
        os.fsync(stream.fileno())
    Path(name).replace(path)


def read_result(path: Path) -> Result | None:
    """Return a stored result, None for an attempt that did not end.

    Raises:
        ContractError: the file is there and does not read.
    """
    if not path.exists():
        return None
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        return Result(**{**stored, "outcome": Outcome(stored["outcome"])})
    except (ValueError, KeyError, TypeError) as error:
        raise ContractError(f"{path}: does not read ({error}); remove the attempt's folder and run again") from error
