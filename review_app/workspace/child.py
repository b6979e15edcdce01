"""A question to a process of its own with limits: what is read there is not trusted, and may take it down with it."""

import json
import resource
import subprocess
import sys
from typing import Any


class ChildFailed(Exception):
    """The process gave no answer: it ran into a limit of time or memory, or what it read brought it down."""


def asked(module: str, question: bytes, seconds: int) -> dict[str, Any]:
    """Return what `review_app.workspace.MODULE` answers to the question on its standard input: one JSON object.

    Raises:
        ChildFailed: no answer within the seconds, or none at all.
    """
    command = [sys.executable, "-I", "-m", f"review_app.workspace.{module}"]
    try:
        # our own module; what was uploaded goes by standard input
        done = subprocess.run(command, input=question, capture_output=True, timeout=seconds, env={})  # noqa: S603
        answer: dict[str, Any] = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError) as error:
        raise ChildFailed(module) from error
    return answer


def limit(*, memory: int, cpu_seconds: int) -> None:
    """Called in the child before anything is read: no more memory (bytes) and time than this, no file, no core dump."""
    for what, most in (
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))
