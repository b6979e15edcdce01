"""The commands on sources before a build: `dataspace corpus check` and `dataspace corpus synthesize`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from pipeline.sources.check import check_corpus
from pipeline.synthesize import synthesize as make_databases

corpus_app = typer.Typer(no_args_is_help=True, help="Sources: say what is usable, make witness databases.")


@corpus_app.command("check")
def check(
    source: Annotated[Path, typer.Argument(help="Folder, or file of questions, that `dataspace build` reads.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole report as JSON.")] = False,
) -> None:
    """Say what of a source a build could try. Example: dataspace corpus check corpora/bird"""
    report = check_corpus(source)
    print(json.dumps(report.to_json(), ensure_ascii=False, indent=2) if as_json else report.to_text())
    raise typer.Exit(report.exit_code)


@corpus_app.command("synthesize")
def synthesize(
    source: Annotated[Path, typer.Argument(help="A source with a schema file whose databases are missing.")],
    out: Annotated[Path, typer.Argument(help="New or empty folder for questions and made-up databases.")],
    seed: Annotated[int, typer.Option(help="Same seed, same bytes.")] = 0,
) -> None:
    """Make databases on which golds find something. Example: dataspace corpus synthesize corpora/bull try/bull"""
    print(make_databases(source, out, seed).to_text())
