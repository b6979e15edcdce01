"""The `dataspace` command: one line a subcommand, each calls one function.

Exit codes: 0 fine; 1 the work itself failed; 2 wrong use or unreadable input. Results go to stdout, complaints to
stderr.
"""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from agents import batch
from agents.contract import ContractError
from db.backup import BackupError
from db.blobs import BlobError
from evaluator import cli as evaluator_cli
from evaluator.errors import EvaluatorError
from pipeline.build import BuildParams, build
from pipeline.errors import PipelineError
from pipeline.explain import explain as explain_task
from pipeline.params import rows_of_tables
from pipeline.stages.sample import Mode
from pipeline.translate.model import Direction, Parts
from review_app import accounts, doctor
from review_app.accounts import NewAccount
from review_app.audit.bundle import AuditError
from review_app.candidates import import_candidates
from review_app.cli_audit import audit_command
from review_app.cli_backup import backup_command, restore_command
from review_app.cli_common import Failed, bar, open_office, show
from review_app.cli_corpus import corpus_app
from review_app.cli_judge import judge, translator_of
from review_app.cli_ledger import ledger_app
from review_app.cli_lint import lint
from review_app.cli_release import release_app
from review_app.cli_report import report_app
from review_app.cli_tables import diff, rules_app
from review_app.desk.office import Office
from review_app.domain.errors import CorruptHistory, ReviewError, StorageFailed
from review_app.domain.people import ANY_DOMAIN, Role
from review_app.settings import settings

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Build, review blind, score and release tasks for data agents.",
)
user_app = typer.Typer(no_args_is_help=True, help="Accounts: add, list, disable.")
agents_app = typer.Typer(no_args_is_help=True, help="Baselines on a release: run an agent, collect its predictions.")
app.add_typer(user_app, name="user")
app.add_typer(ledger_app, name="ledger")
app.add_typer(agents_app, name="agents")
app.add_typer(rules_app, name="rules")
app.add_typer(corpus_app, name="corpus")
app.add_typer(report_app, name="report")
app.add_typer(release_app, name="release")
app.command("diff")(diff)
app.command("audit")(audit_command)
app.command("judge")(judge)
app.command("lint")(lint)
app.command("backup")(backup_command)
app.command("restore")(restore_command)


def main(argv: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    try:
        app(argv, prog_name="dataspace")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except (Failed, CorruptHistory, StorageFailed, BlobError) as failure:
        return _complain(failure, 1)
    except SQLAlchemyError as error:
        return _complain(f"the database refused ({doctor.first_line(error)}); run `dataspace doctor`", 1)
    except ValidationError as error:
        return _complain(_wrong_settings(error), 2)
    except OSError as error:
        return _complain(_unreachable(error), 2)
    except (
        ReviewError,
        PipelineError,
        EvaluatorError,
        AuditError,
        BackupError,
        batch.BatchError,
        ContractError,
        ValueError,
    ) as error:
        return _complain(error, 2)
    return 0


def _complain(about: Exception | str, code: int) -> int:
    print(f"dataspace: {about}", file=sys.stderr)
    return code


def _wrong_settings(error: ValidationError) -> str:
    wrong = "; ".join(f"{fault['loc'][0]}: {fault['msg']}, not {fault['input']!r}" for fault in error.errors())
    return f"a setting does not read ({wrong}); correct the environment, docs/running.md lists its variables"


def _unreachable(error: OSError) -> str:
    if error.filename is None:
        return str(error)
    return f"{error.filename}: {error.strerror}; check the path and who may read and write it"


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\n")
    return str(typer.prompt("password", hide_input=True, confirmation_prompt=True, err=True))


@app.command()
def serve(
    port: Annotated[int | None, typer.Option(help="Port to listen on; PORT or 8501 by default.")] = None,
    address: Annotated[str | None, typer.Option(help="Address to listen on; 127.0.0.1 by default.")] = None,
) -> None:
    """Start the web process. Example: dataspace serve --port 8501"""
    chosen = settings()
    script = Path(__file__).with_name("asgi.py")
    arguments = ["--server.port", str(port or chosen.port), "--server.address", address or chosen.address]
    os.execv(sys.executable, [sys.executable, "-m", "streamlit", "run", str(script), *arguments])  # noqa: S606


@app.command()
def worker() -> None:
    """Do what pages ask for and takes long. Example: dataspace worker"""
    from review_app import worker as work  # the workflow engine takes a second to import

    work.run(settings())


@app.command()
def migrate() -> None:
    """Bring the database to the newest schema. Example: dataspace migrate"""
    from db.engine import migrate as upgrade
    from review_app.requests import prepare

    upgrade(Office.at(settings()).engine)
    prepare(settings())


@app.command()
def demo() -> None:
    """Make the demo corpus, its candidates and accounts, where missing. Example: dataspace demo"""
    from review_app import demo as first_start

    for made in first_start.prepare(open_office(), lambda text: print(f"demo: {text}", flush=True)):
        print(f"demo account: {made.login:<6} password {made.password}  ({made.roles}: {made.name})")


@app.command("build")
def build_command(
    source: Annotated[Path, typer.Option(help="Folder of text-to-SQL questions with their databases.")],
    out: Annotated[Path, typer.Option(help="Folder to write candidates to; a second run goes on where one ended.")],
    seed: Annotated[int, typer.Option(help="Same seed, same bytes.")] = 0,
    first_id: Annotated[int, typer.Option(help="N of the first task_N.", min=1)] = 1,
    domain: Annotated[str | None, typer.Option(help="Domain of instances that name none.")] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first so many instances.", min=1)] = None,
    sampling: Annotated[Mode, typer.Option(help="How the rows of a task's database are chosen.")] = Mode.AUTO,
    noise_rows: Annotated[int, typer.Option(help="Rows a table that a sample draws beside what the gold sees.")] = 200,
    whole_table_rows: Annotated[int, typer.Option(help="Tables of so many rows are sampled whole.")] = 200,
    task_rows: Annotated[int | None, typer.Option(help="Rows that a sample should have in all tables.", min=0)] = None,
    table_rows: Annotated[list[str] | None, typer.Option(help="TABLE=N: --noise-rows of one table.")] = None,
    copied_up_to_mib: Annotated[int, typer.Option(help="Largest database that `auto` copies.", min=0)] = 16,
    max_tables: Annotated[int, typer.Option(help="Most tables of a workspace.", min=1)] = 40,
    max_database_mib: Annotated[int, typer.Option(help="A larger database is rejected.", min=1)] = 512,
    time_limit: Annotated[float, typer.Option(help="Seconds of processor time for one run of a gold.")] = 10.0,
    row_limit: Annotated[int, typer.Option(help="A gold with more rows is rejected.", min=1)] = 5000,
    explain: Annotated[str | None, typer.Option(help="Build nothing; say what became of this task_N.")] = None,
    workers: Annotated[int, typer.Option(help="Processes that share the databases; same bytes.", min=1)] = 1,
    only: Annotated[list[str] | None, typer.Option(help="Only the instance of this id; may be repeated.")] = None,
    translate: Annotated[Direction, typer.Option(help="From which language into which.")] = Direction.NONE,
    translate_parts: Annotated[Parts, typer.Option(help="What is translated.")] = Parts.ALL,
    glossary: Annotated[Path | None, typer.Option(help="CSV of words that go before all others.")] = None,
    model: Annotated[Path | None, typer.Option(help="TOML file of a model that translates the rest.")] = None,
) -> None:
    """Turn instances into candidates. Example: dataspace build --source corpora/bird --out candidates/bird"""
    if explain is not None:
        print(explain_task(out, explain).to_text())
        return
    params = BuildParams(
        seed=seed,
        first_id=first_id,
        domain=domain,
        limit=limit,
        time_limit_seconds=time_limit,
        row_limit=row_limit,
        max_tables=max_tables,
        max_database_bytes=max_database_mib << 20,
        sampling=sampling,
        copied_up_to_bytes=copied_up_to_mib << 20,
        noise_rows=noise_rows,
        whole_table_rows=whole_table_rows,
        task_rows=task_rows,
        table_rows=rows_of_tables(table_rows or ()),
        only=tuple(only or ()),
        translate=translate,
        translate_parts=translate_parts,
        glossary=glossary,
    )
    with bar("building") as progress:
        report = build(source, out, params, progress, workers=workers, translator=translator_of(model, out))
    show(report.to_json())
    if not report.candidates:
        raise Failed(f"no instance of {source} became a candidate; {out / 'report.md'} says why")


@app.command("import")
def import_command(folder: Annotated[Path, typer.Argument(help="A folder that `dataspace build` wrote.")]) -> None:
    """Take candidates under review. Example: dataspace import candidates/bird"""
    with bar("importing") as progress:
        report = import_candidates(open_office(), folder, progress=progress)
    show(report.to_json())
    if report.refused:
        raise Failed(f"{len(report.refused)} candidates were refused; the reasons are above, the others are imported")


@user_app.command("add")
def user_add(
    login: str,
    name: Annotated[str, typer.Option(help="The person's name; never in the ledger.")],
    role: Annotated[list[Role], typer.Option(help="expert, lead, admin or builder; may be given again.")],
    domain: Annotated[list[str] | None, typer.Option(help="Domain of the expert; all when left out.")] = None,
    language: Annotated[list[str] | None, typer.Option(help="en or zh; both when left out.")] = None,
    locale: Annotated[str, typer.Option(help="Language of the screens: en or zh.")] = "en",
    password_stdin: Annotated[bool, typer.Option(help="Read the password from standard input.")] = False,
) -> None:
    """Make an account. Example: dataspace user add ann --name "Ann Archer" --role expert --domain fund"""
    password = _password(password_stdin)
    new = NewAccount(
        login, name, password, tuple(role), tuple(domain or (ANY_DOMAIN,)), tuple(language or ("en", "zh")), locale
    )
    office = open_office()
    with office.write() as session:
        profile = accounts.add(session, new, office.clock())
    show({"id": profile.id, "login": profile.login})


@user_app.command("password")
def user_password(
    login: str,
    password_stdin: Annotated[bool, typer.Option(help="Read the password from standard input.")] = False,
) -> None:
    """Set a new password and end the person's sign-ins. Example: dataspace user password ann"""
    office, password = (
        open_office(),
        _password(password_stdin),
    )  # asked for before the transaction: it locks out writers
    with office.write() as session:
        accounts.set_password(session, login, password, office.clock())
    print(f"{login} has a new password")


@user_app.command("list")
def user_list() -> None:
    """List all accounts. Example: dataspace user list"""
    with open_office().read() as session:
        found = accounts.everyone(session)
    show(
        [
            {
                "login": profile.login,
                "name": profile.name,
                "roles": sorted(profile.person.roles),
                "domains": sorted(profile.person.domains),
                "languages": sorted(profile.person.languages),
                "active": profile.person.active,
            }
            for profile in found
        ]
    )


@user_app.command("disable")
def user_disable(login: str) -> None:
    """Disable an account and end its sign-ins; nothing is deleted. Example: dataspace user disable ann"""
    office = open_office()
    with office.write() as session:
        accounts.set_active(session, login, False, office.clock())
    print(f"{login} is disabled")


@user_app.command("enable")
def user_enable(login: str) -> None:
    """Enable an account again. Example: dataspace user enable ann"""
    office = open_office()
    with office.write() as session:
        accounts.set_active(session, login, True, office.clock())
    print(f"{login} is enabled")


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True}, add_help_option=False)
def evaluate(context: typer.Context) -> None:
    """Score predictions. Example: dataspace evaluate --prediction-root P --gold-root G --config-root C --output S"""
    raise typer.Exit(evaluator_cli.main(context.args))


@agents_app.command("run")
def agents_run(
    bundle: Annotated[Path, typer.Argument(help="A folder that `dataspace release` wrote.")],
    agent: Annotated[str, typer.Option(help=f"One of {', '.join(batch.AGENTS)}.")],
    out: Annotated[Path, typer.Option(help="Folder of the run; a second call goes on where one ended.")],
) -> None:
    """Run an agent on every task. Example: dataspace agents run releases/v1 --agent nop --out runs/nop"""
    with bar("running") as progress:
        report = batch.run(bundle, agent, out, progress)
    show({"experiment": report.experiment, "tasks": report.tasks, "outcomes": report.outcomes})


@agents_app.command("collect")
def agents_collect(
    run_folder: Annotated[Path, typer.Argument(help="A folder that `dataspace agents run` wrote.")],
    out: Annotated[Path, typer.Option(help="Prediction root to make; must not exist.")],
) -> None:
    """Make a prediction root for the evaluator. Example: dataspace agents collect runs/nop --out predictions"""
    show({"predictions": batch.collect(run_folder, out)})


@app.command("doctor")
def doctor_command() -> None:
    """Say whether everything that the system needs is there. Example: dataspace doctor"""
    checks = doctor.examine(settings())
    for check in checks:
        print(f"{'ok ' if check.fine else 'BAD'} {check.what}: {check.found}")
    bad = [check for check in checks if not check.fine]
    if bad:
        raise Failed("; ".join(check.remedy for check in bad))
