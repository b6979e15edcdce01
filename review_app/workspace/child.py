"""A question to a process of its own with limits: what is read there is not trusted, and may take it down with it."""

import json
import os
import resource
import selectors
import subprocess
import sys
import threading
import time
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


class Serving:
    """A child that stays: one JSON object a line in, one out, in turn. One that is late or dead is replaced."""

    def __init__(self, module: str) -> None:
        self.module = module
        self._turn = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None

    def asked(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Return what the child answers; the seconds count from the question's turn.

        Raises:
            ChildFailed: no answer within the seconds, or the child died over it; the next question gets a new one.
        """
        with self._turn:
            if self._child is None or self._child.poll() is not None:
                self._child = self._started()
            child = self._child
            try:
                child.stdin.write(json.dumps(question).encode() + b"\n")  # type: ignore[union-attr]  # it is a pipe
                answer: dict[str, Any] = json.loads(_line(child, time.monotonic() + seconds))
            except (OSError, ValueError, TimeoutError) as error:
                child.kill()
                child.wait()
                self._child = None
                raise ChildFailed(self.module) from error
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-I", "-m", f"review_app.workspace.{self.module}"]
        return subprocess.Popen(  # noqa: S603 - our own module; what was uploaded goes by standard input
            command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={}
        )


def _line(child: subprocess.Popen[bytes], until: float) -> bytes:
    """What the child writes up to the end of a line, or to its own end."""
    read = bytearray()
    with selectors.DefaultSelector() as waiting:
        waiting.register(child.stdout, selectors.EVENT_READ)  # type: ignore[arg-type]  # it is a pipe
        while not read.endswith(b"\n"):
            if not waiting.select(max(0.0, until - time.monotonic())):
                raise TimeoutError
            piece = os.read(child.stdout.fileno(), 1 << 20)  # type: ignore[union-attr]  # it is a pipe
            if not piece:
                break
            read += piece
    return bytes(read)


def limit(*, memory: int, cpu_seconds: int = resource.RLIM_INFINITY) -> None:
    """Called in the child before anything is read: no more memory (bytes) and time than this, no file, no core dump."""
    for what, most in (
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))
