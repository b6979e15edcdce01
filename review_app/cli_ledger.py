"""The commands on the ledger: verify it, read it, carry it out, rebuild what follows from it."""

from pathlib import Path
from typing import Annotated

import typer

from db import ledger
from review_app import ledger_files, store
from review_app.cli_common import Failed, open_office, show
from review_app.ledger_story import story

ledger_app = typer.Typer(no_args_is_help=True, help="The append-only ledger: verify, read, export, rebuild.")
Whole = Annotated[bool, typer.Option("--whole", help="Also open what tasks under review still keep blind.")]


@ledger_app.command("verify")
def verify(
    export: Annotated[Path | None, typer.Option(help="Check an exported folder instead of the database.")] = None,
) -> None:
    """Check every chain of the ledger. Example: dataspace ledger verify"""
    if export is not None:
        count, problems = ledger_files.verify(export)
    else:
        with open_office().read() as session:
            count, problems = store.verify(session)
    show({"entries": count, "problems": problems})
    if problems:
        raise Failed(f"the ledger does not hold: {problems[0]}")


@ledger_app.command("rebuild")
def rebuild() -> None:
    """Make the status rows anew from the ledger. Example: dataspace ledger rebuild"""
    with open_office().write() as session:
        rebuilt = store.rebuild(session)
    show({"tasks": rebuilt.tasks, "differed": list(rebuilt.differed)})


@ledger_app.command("show")
def show_task(task_id: Annotated[str, typer.Argument(help="task_N")], whole: Whole = False) -> None:
    """Print a task's life, entry by entry. Example: dataspace ledger show task_1

    Of a task under review, and of its siblings, only what tells nothing about golds and answers, unless --whole.
    """
    with open_office().read() as session:
        entries = ledger.read(session, task_id)
        blind = frozenset[str]() if whole else ledger_files.blind_families(session)
    if not entries:
        raise Failed(f"there is no task {task_id} in the ledger; the lead's list of tasks names all")
    print(story(entries, hidden=entries[0].payload.get("sibling") in blind), end="")


@ledger_app.command("export")
def export_chains(
    out: Annotated[Path, typer.Argument(help="Folder to make; must not exist.")], whole: Whole = False
) -> None:
    """Write every chain as JSON Lines. Example: dataspace ledger export ledger-copy

    Tasks under review leave commitments in place of values, unless --whole.
    """
    with open_office().read() as session:
        count = ledger_files.export(session, out, whole)
    show({"tasks": count, "folder": str(out)})
