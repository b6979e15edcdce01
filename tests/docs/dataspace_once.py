"""Runs `dataspace` for a test, many times: everything is imported once, each command has a process of its own.

One JSON object a line comes in (arguments, folder, environment, typed, output) and one exit code a line goes out.
Importing takes a second, which over all pages would be most of the test's time.
"""

import json
import os
import sys
import tempfile

from review_app.cli import main


def run(asked: dict) -> int:
    """What `dataspace ...` does in this folder and environment; both streams go to the output file."""
    os.setsid()  # without a terminal a password is read from the input
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.chdir(asked["folder"])
    with tempfile.TemporaryFile() as typed:
        typed.write(asked["typed"].encode())
        typed.seek(0)
        os.dup2(typed.fileno(), 0)
    sys.stdin = os.fdopen(0)
    output = os.open(asked["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    return main(asked["arguments"])


if __name__ == "__main__":
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            code = run(json.loads(line))
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
