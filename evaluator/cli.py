"""The command `python -m evaluator`: the official options, messages and exit codes, and a few of our own."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from evaluator.errors import EvaluatorError, SuiteError
from evaluator.suite import Summary, score_suite

PROGRAM = "evaluator"
SUMMARY_NAME = "evaluation_summary.json"


def main(argv: list[str] | None = None) -> int:
    """Score a folder of predictions. Exit 0: summary written, whatever the score; 2: cannot score."""
    arguments = _parser().parse_args(argv)
    output = arguments.output or arguments.prediction_root / SUMMARY_NAME
    try:
        _require_writable(output, arguments.prediction_root)
        summary = score_suite(
            arguments.prediction_root,
            arguments.gold_root,
            arguments.config_root,
            keep_going=arguments.keep_going,
            workers=arguments.workers,
            progress=_show_progress if sys.stderr.isatty() else None,
        )
        saved = _save(summary, output)
    except EvaluatorError as error:
        _say(f"{PROGRAM}: {error}", error=True)
        return 2
    _report(summary, saved)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m {PROGRAM}",
        description=main.__doc__,
        epilog=f"example: python -m {PROGRAM} --prediction-root runs --gold-root gold --config-root configs",
    )
    parser.add_argument("--prediction-root", type=Path, required=True, help="folder with task_N/prediction.csv")
    parser.add_argument("--gold-root", type=Path, required=True, help="folder with task_N/gold.csv")
    parser.add_argument("--config-root", type=Path, required=True, help="folder with task_N.json")
    parser.add_argument("--output", type=Path, help=f"summary file (default: {SUMMARY_NAME} in the prediction root)")
    parser.add_argument("--keep-going", action="store_true", help="skip and list tasks whose config or gold is broken")
    parser.add_argument("--workers", type=_positive, default=1, help="number of processes (default: 1)")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def _require_writable(output: Path, prediction_root: Path) -> None:
    """Refuse an output that cannot be written before hours of work, not after."""
    if output.parent == prediction_root and not prediction_root.is_dir():
        return  # the missing root is the better message
    if output.is_dir():
        raise SuiteError(f"the output {output} is a folder; name a file")
    if not output.parent.is_dir():
        raise SuiteError(f"the folder of the output {output} does not exist; create it first")
    if not os.access(output if output.exists() else output.parent, os.W_OK):
        raise SuiteError(f"the output {output} cannot be written: permission denied")


def _save(summary: Summary, output: Path) -> Path:
    """Write the summary, whole or not at all, and return the path."""
    output = output.resolve()
    text = json.dumps(summary.to_json(), indent=2, ensure_ascii=False) + "\n"
    data = text.encode("utf-8", "backslashreplace")
    try:
        if output.exists() and not output.is_file():
            output.write_bytes(data)  # a pipe or device cannot be replaced
            return output
        draft = output.with_name(f".{output.name}.{os.getpid()}.tmp")
        draft.write_bytes(data)
        draft.replace(output)
    except OSError as error:
        raise SuiteError(f"the summary {output} cannot be written: {error.strerror}") from error
    return output


def _report(summary: Summary, saved: Path) -> None:
    shown = {key: value for key, value in summary.to_json().items() if key != "tasks"}
    _say(json.dumps(shown, indent=2, ensure_ascii=False))
    _say(f"Saved summary to: {saved}")
    for task in summary.skipped:
        _say(f"{PROGRAM}: skipped {task.task_id}: {task.reason}", error=True)


def _show_progress(done: int, total: int) -> None:
    end = "\n" if done == total else ""
    print(f"\r{done} of {total} tasks", end=end, file=sys.stderr, flush=True)


def _say(text: str, *, error: bool = False) -> None:
    """Print, with escapes for what the terminal's encoding cannot show."""
    stream = sys.stderr if error else sys.stdout
    encoding = stream.encoding or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding), file=stream)
