"""Agents whose score is known beforehand: they check the harness, not a model.

They run in this process and execute nothing, so they need no sandbox. `oracle` is the only one that is handed golds.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from agents.acceptance import NAME
from agents.contract import BundleTask

Agent = Callable[[BundleTask, Path], None]


def oracle(golds: Path) -> Agent:
    """Return the agent that copies the gold: it must score 100 %."""

    def solve(task: BundleTask, output: Path) -> None:
        shutil.copyfile(golds / task.task_id / "gold.csv", output / NAME)

    return solve


def nop(task: BundleTask, output: Path) -> None:
    """Do nothing: it must score 0 %."""


def header_only(task: BundleTask, output: Path) -> None:
    """Hand in a table without rows: 0 %, unless a gold is empty."""
    (output / NAME).write_text("answer\n", encoding="utf-8")
