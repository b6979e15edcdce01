"""The commands on tables and rules: `dataspace diff`, `dataspace rules infer`, `dataspace rules check`."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table as Grid

from evaluator.diff import Diff, explain_file, explain_html
from evaluator.rules import load_rules, to_document
from evaluator.tables import read_table
from review_app import rules_proposal

rules_app = typer.Typer(no_args_is_help=True, help="Rules: propose them for a gold, check them.")


def diff(
    gold: Path,
    prediction: Path,
    rules: Annotated[Path, typer.Option(help="The task config that says how to compare.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole explanation as JSON.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write the explanation to this HTML file too.")] = None,
) -> None:
    """Say why two tables differ. Example: dataspace diff gold.csv mine.csv --rules task_1.json"""
    found = explain_file(read_table(gold), prediction, load_rules(rules))
    if as_json:
        print(json.dumps(found.to_json(), ensure_ascii=False, indent=2))
    else:
        _draw(Console(highlight=False), found)
    if html is not None:
        html.write_text(explain_html(found), encoding="utf-8")
    raise typer.Exit(0 if found.outcome.passed else 1)


def _draw(console: Console, found: Diff) -> None:
    said = "equal under these rules" if found.outcome.passed else f"different: {found.outcome.error_code}"
    console.print(said, markup=False)
    for difference in found.differences:
        mark = "proved" if difference.exact else "likely"
        console.print(f"{difference.code} ({mark}) {difference.sentence}", markup=False)
    if found.cells:
        console.print(_cells(found))
    if found.truncated:
        console.print("there are more differences than are shown", markup=False)


def _cells(found: Diff) -> Grid:
    grid = Grid("gold row", "prediction row", "column", "gold", "prediction", "kind")
    for cell in found.cells:
        places = (str(cell.gold_row), str(cell.prediction_row), str(cell.gold_column + 1))
        grid.add_row(*places, *(_plain(text) for text in (cell.gold, cell.prediction, cell.kind)))
    return grid


def _plain(text: str) -> str:
    """Brackets are markup to the printer; a cell is only text."""
    return text.replace("[", "\\[")


@rules_app.command("infer")
def infer(
    gold: Path,
    sql: Annotated[str | None, typer.Option(help="The gold's SQL; what it says wins.")] = None,
    task_id: Annotated[str, typer.Option(help="Task id to write into the config.")] = "task_1",
) -> None:
    """Propose rules, with a reason a field. Example: dataspace rules infer gold.csv --task-id task_7"""
    proposal = rules_proposal.propose(read_table(gold), task_id, sql)
    print(json.dumps(to_document(proposal.rules), ensure_ascii=False, indent=2))
    for reason in proposal.reasons:
        print(reason, file=sys.stderr)


@rules_app.command("check")
def check(
    config: Path, gold: Annotated[Path | None, typer.Argument(help="The gold to read under the rules.")] = None
) -> None:
    """Check rules against schema and gold. Example: dataspace rules check task_1.json gold.csv"""
    checked = rules_proposal.check(config, read_table(gold) if gold else None)
    for problem in checked.problems:
        print(f"{config}: {problem}", file=sys.stderr)
    if checked.problems:
        raise typer.Exit(1)
    print(f"{config}: fine")
