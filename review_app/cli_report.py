"""The commands on reports: `dataspace report agreement`, `dataspace report judge`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from review_app.agreement import render
from review_app.agreement.render import Format
from review_app.agreement.report import report
from review_app.cli_common import open_office
from review_app.desk.cases import cases
from review_app.judge_agreement import judge_report, read_judgements

report_app = typer.Typer(no_args_is_help=True, help="Reports: how far the experts agree.")


@report_app.command("agreement")
def agreement(
    form: Annotated[Format, typer.Option("--format", help="csv, json, html or md.")] = Format.MD,
    out: Annotated[Path | None, typer.Option(help="Folder to write to; standard output when left out.")] = None,
    seed: Annotated[int, typer.Option(help="Same tasks, same seed, same figures.")] = 0,
) -> None:
    """Say how far experts agree who worked blind. Example: dataspace report agreement --format html --out report"""
    written = render.files(report(cases(open_office()), seed), form)
    if out is None:
        print("\n".join(written.values()), end="")
        return
    out.mkdir(parents=True, exist_ok=True)
    for name, text in written.items():
        partial = out / f".{name}.partial"
        partial.write_text(text, encoding="utf-8")
        partial.replace(out / name)
        print(out / name)


@report_app.command("judge")
def judge(candidates: Annotated[Path, typer.Argument(help="A folder that `dataspace judge` has judged.")]) -> None:
    """Say how far a model's judgements agree with the experts' verdicts. Example: dataspace report judge built"""
    found = judge_report(read_judgements(candidates), cases(open_office()))
    print(json.dumps(found, ensure_ascii=False, indent=2))
