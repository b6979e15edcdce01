"""The command that checks a release: `dataspace audit`."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from review_app.audit import audit


def audit_command(
    release: Annotated[Path, typer.Argument(help="A folder that `dataspace release` wrote.")],
    private: Annotated[Path | None, typer.Option(help="The private part, NAME.private, if you have it.")] = None,
    golds: Annotated[Path | None, typer.Option(help="A third party's golds, task_N.csv each, to be compared.")] = None,
    sample: Annotated[int | None, typer.Option(help="Check the golds and workspaces of so many tasks only.")] = None,
    seed: Annotated[int, typer.Option(help="Draws the tasks of a sample.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print every check as JSON.")] = False,
) -> None:
    """Check a release without trusting whoever made it. Example: dataspace audit releases/v1

    Exit code 0: nothing failed; 1: something did; 2: there is no release in the folder.
    """
    report = audit(release, private=private, golds=golds, sample=sample, seed=seed)
    print(json.dumps(report.to_json(), ensure_ascii=False, indent=2) if as_json else report.to_text(), end="")
    sys.stdout.flush()
    raise typer.Exit(0 if report.passed else 1)
