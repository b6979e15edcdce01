"""The command on golds before a build: `dataspace lint`."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from pipeline.checks.lint_corpus import CorpusLints, lint_corpus


def lint(
    source: Annotated[Path, typer.Argument(help="Folder, or file of questions, that `dataspace build` reads.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print every lint of every gold as JSON.")] = False,
    examples: Annotated[int, typer.Option(help="How many golds to show of each kind.", min=0)] = 1,
) -> None:
    """Say what to look at in the golds of a source. Example: dataspace lint corpora/bird --examples 3"""
    found = lint_corpus(source)
    if as_json:
        print(json.dumps(found.to_json(), ensure_ascii=False, indent=2))
        return
    console = Console(highlight=False)
    console.print(_grid(found))
    _show(console, found, examples)
    console.print(f"{len(found.golds)} instances: {found.clean} without a lint, {found.problems} could not be linted")


def _grid(found: CorpusLints) -> Grid:
    grid = Grid("severity", "lint", "golds", title=found.corpus)
    for (kind, severity), count in found.counts().items():
        grid.add_row(severity, kind, str(count))
    return grid


def _show(console: Console, found: CorpusLints, examples: int) -> None:
    for kind, severity in found.counts():
        same = [
            (gold, one) for gold in found.golds for one in gold.lints if (one.kind, one.severity) == (kind, severity)
        ]
        for gold, one in same[:examples]:
            console.print(Text(f"{severity}: {kind}: {gold.instance}: {one.message}\n  {one.evidence}"))
