"""The `dataspace` command as a person types it: what it prints, what it leaves, and its exit code."""

import io
import json
import sqlite3
from contextlib import closing

import click
import pytest
import typer
from candidates_folder import GOLD, rules, write_candidates

from evaluator.rules import parse_rules
from evaluator.tables import parse_table
from review_app import accounts, cli
from review_app.desk import ExpertDesk, Office, Viewer
from review_app.desk.admin import sign_in
from review_app.domain.content import Verdict
from review_app.settings import settings

PASSWORD = "correct horse battery"


@pytest.fixture
def var(tmp_path, monkeypatch, sqlite_template):
    """A fresh installation: its var folder, with a migrated database."""
    folder = tmp_path / "var"
    folder.mkdir()
    (folder / "review.db").write_bytes(sqlite_template.read_bytes())
    for name in ("DATABASE_URL", "PORT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DATASPACE_VAR", str(folder))
    monkeypatch.setenv("COLUMNS", "200")
    settings.cache_clear()
    yield folder
    settings.cache_clear()


@pytest.fixture
def run(capsys):
    """Run the command; return its exit code, standard output and standard error."""

    def call(*words):
        code = cli.main([str(word) for word in words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def add(run, monkeypatch):
    def call(login, *options, password=PASSWORD):
        monkeypatch.setattr("sys.stdin", io.StringIO(password + "\n"))
        return run("user", "add", login, "--name", login.title(), "--password-stdin", *options)

    return call


# --- help -------------------------------------------------------------------------------------------------------------


def subcommands(command, words=()):
    if not isinstance(command, click.Group | typer.core.TyperGroup):
        yield words
        return
    for name, child in command.commands.items():
        yield from subcommands(child, (*words, name))


@pytest.mark.parametrize("words", list(subcommands(typer.main.get_command(cli.app))), ids=" ".join)
def test_the_help_of_every_subcommand_has_an_example(run, monkeypatch, words):
    monkeypatch.setenv("COLUMNS", "200")
    code, out, _ = run(*words, "--help")
    assert code == 0
    assert "example:" in out.lower()


@pytest.mark.parametrize("words", [[], ["nonsense"], ["user"], ["release", "v1"], ["import"], ["user", "add", "ann"]])
def test_wrong_use_ends_with_two(run, words):
    assert run(*words)[0] == 2


# --- settings and database --------------------------------------------------------------------------------------------


DATABASE_COMMANDS = [
    ("user", "list"),
    ("user", "disable", "ann"),
    ("user", "enable", "ann"),
    ("import", "candidates"),
    ("release", "v1", "--out", "out"),
    ("ledger", "verify"),
    ("ledger", "rebuild"),
    ("ledger", "show", "task_1"),
    ("ledger", "export", "copy"),
    ("report", "agreement"),
    ("demo",),
]


@pytest.mark.parametrize("words", DATABASE_COMMANDS, ids=" ".join)
def test_without_a_database_every_command_says_what_to_run_and_makes_none(var, run, words):
    (var / "review.db").unlink()
    code, out, err = run(*words)
    assert (code, out) == (1, "")
    assert f"there is no {var / 'review.db'} yet" in err
    assert "run `dataspace migrate`" in err
    assert list(var.iterdir()) == []


def test_an_empty_database_is_told_by_its_schema(var, run):
    (var / "review.db").write_bytes(b"")
    code, _, err = run("user", "list")
    assert code == 1
    assert "schema None" in err
    assert "run `dataspace migrate`" in err


def test_a_file_that_is_no_database_is_told_in_one_line(var, run):
    (var / "review.db").write_bytes(b"not a database " * 500)
    code, _, err = run("ledger", "verify")
    assert code == 1
    assert err.count("\n") == 1
    assert "file is not a database" in err


def test_migrate_makes_the_database_and_can_be_run_again(var, run):
    (var / "review.db").unlink()
    assert [run("migrate")[0] for _ in range(2)] == [0, 0]
    assert run("user", "list")[:2] == (0, "[]\n")


@pytest.mark.parametrize(("name", "value"), [("PORT", "abc"), ("DATASPACE_LEASE_HOURS", "0")])
def test_a_setting_that_does_not_read_is_named(var, run, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    settings.cache_clear()
    code, _, err = run("user", "list")
    assert code == 2
    assert name.removeprefix("DATASPACE_").lower() in err.lower()
    assert "correct the environment" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("url", ["nonsense", "postgresql://nobody@127.0.0.1:1/none"])
def test_a_database_that_cannot_be_reached_is_told_in_one_line(var, run, monkeypatch, url):
    monkeypatch.setenv("DATABASE_URL", url)
    settings.cache_clear()
    code, _, err = run("user", "list")
    assert (code, err.count("\n")) == (1, 1)
    assert "check DATASPACE_VAR and DATABASE_URL" in err


def test_doctor_finds_a_sound_installation_sound(var, run):
    code, out, err = run("doctor")
    assert (code, err) == (0, "")
    assert [line.split()[1] for line in out.splitlines()] == ["Python:", "SQLite:", "disk:", "database:", "ledger:"]


def test_doctor_names_what_is_bad_and_changes_nothing(var, run):
    (var / "review.db").unlink()
    code, out, err = run("doctor")
    assert code == 1
    assert "BAD database" in out
    assert "run `dataspace migrate`" in err
    assert list(var.iterdir()) == []


# --- people -----------------------------------------------------------------------------------------------------------


def test_people_are_added_listed_and_disabled(var, run, add):
    assert add("ann", "--role", "expert", "--domain", "fund", "--language", "zh", "--locale", "zh")[0] == 0
    assert add("mo", "--role", "lead", "--role", "admin")[0] == 0
    assert run("user", "disable", "ann") == (0, "ann is disabled\n", "")
    listed = json.loads(run("user", "list")[1])
    assert [(one["login"], one["roles"], one["domains"], one["languages"], one["active"]) for one in listed] == [
        ("ann", ["expert"], ["fund"], ["zh"], False),
        ("mo", ["admin", "lead"], ["*"], ["en", "zh"], True),
    ]


def test_the_password_that_was_piped_in_signs_in(var, add):
    code, out, _ = add("ann", "--role", "expert")
    assert (code, json.loads(out)["login"]) == (0, "ann")
    assert PASSWORD not in out
    office = Office.at(settings())
    assert sign_in(office, "ann", PASSWORD)
    office.engine.dispose()


def test_a_new_password_replaces_the_old_one_and_enabling_lets_in_again(var, run, add, monkeypatch):
    add("ann", "--role", "expert")
    monkeypatch.setattr("sys.stdin", io.StringIO("another long password\n"))
    assert run("user", "password", "ann", "--password-stdin")[0] == 0
    office = Office.at(settings())
    assert sign_in(office, "ann", PASSWORD) is None
    assert sign_in(office, "ann", "another long password")
    run("user", "disable", "ann")
    assert sign_in(office, "ann", "another long password") is None
    run("user", "enable", "ann")
    assert sign_in(office, "ann", "another long password")
    office.engine.dispose()


@pytest.mark.parametrize(
    ("login", "options", "password", "message"),
    [
        ("ann", ("--role", "expert"), "short", "has 5 characters; it needs 12"),
        ("ann", ("--role", "expert"), "", "has 0 characters"),
        ("a b", ("--role", "expert"), PASSWORD, "'a b' must be 2 to 80 letters"),
        ("ann", ("--role", "expert", "--role", "lead"), PASSWORD, "one of the two roles"),
        ("ann", ("--role", "expert", "--locale", "fr"), PASSWORD, "none of en, zh"),
        ("ann", ("--role", "boss"), PASSWORD, "boss"),
    ],
)
def test_an_account_that_cannot_be_made_ends_with_two_and_the_reason(var, run, add, login, options, password, message):
    code, out, err = add(login, *options, password=password)
    assert (code, out) == (2, "")
    assert message in err
    assert run("user", "list")[1] == "[]\n"


def test_disabling_nobody_says_where_to_look(var, run):
    assert run("user", "disable", "bob") == (
        2,
        "",
        "dataspace: there is no account 'bob'; see `dataspace user list`\n",
    )


# --- import, ledger, release ------------------------------------------------------------------------------------------


def test_import_prints_a_report_and_a_second_one_changes_nothing(var, run, tmp_path):
    folder = write_candidates(tmp_path / "candidates", 2)
    code, out, _ = run("import", folder)
    assert (code, json.loads(out)["imported"]) == (0, ["task_1", "task_2"])
    code, out, _ = run("import", folder)
    assert (code, json.loads(out)["already_there"]) == (0, ["task_1", "task_2"])
    assert json.loads(run("ledger", "verify")[1]) == {"entries": 2, "problems": []}


def test_refused_candidates_end_with_one_and_the_reasons_on_standard_output(var, run, tmp_path):
    folder = write_candidates(tmp_path / "candidates", 2)
    (folder / "task_1/private/gold.csv").unlink()
    code, out, err = run("import", folder)
    assert (code, json.loads(out)["imported"]) == (1, ["task_2"])
    assert "gold.csv: there is no such file; build it again" in json.loads(out)["refused"]["task_1"]
    assert "1 candidates were refused" in err


def test_an_unreadable_folder_ends_with_two_and_names_file_and_remedy(var, run, tmp_path):
    code, out, err = run("import", tmp_path / "gone")
    assert (code, out) == (2, "")
    assert f"{tmp_path / 'gone' / 'manifest.json'}: cannot be read" in err
    assert "name a folder that `dataspace build` wrote" in err


@pytest.fixture
def one_task(var, run, tmp_path):
    run("import", write_candidates(tmp_path / "candidates"))


def by_hand(var, *statements):
    """Change the database as somebody with the file in an editor might."""
    with closing(sqlite3.connect(var / "review.db")) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def test_ledger_verify_names_the_entry_that_was_changed(var, run, one_task):
    triggers = [f"DROP TRIGGER {name}" for name in names_of_triggers(var)]
    by_hand(var, *triggers, "UPDATE ledger SET payload = replace(payload, 'Which funds', 'Which bonds')")
    code, out, err = run("ledger", "verify")
    assert (code, len(json.loads(out)["problems"])) == (1, 1)
    assert "task_1 version 1 (TaskImported, seq 1): its content does not give its hash" in err


def names_of_triggers(var):
    with closing(sqlite3.connect(var / "review.db")) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]


def test_ledger_verify_notices_entries_that_were_cut_off(var, run, one_task):
    triggers = [f"DROP TRIGGER {name}" for name in names_of_triggers(var)]
    by_hand(var, *triggers, "DELETE FROM ledger")
    code, _, err = run("ledger", "verify")
    assert code == 1
    assert "task_1: the status row is at version 1, the chain ends at 0" in err


def test_ledger_rebuild_mends_status_rows_and_says_which(var, run, one_task):
    by_hand(var, "UPDATE task_status SET state = 'approved'")
    assert json.loads(run("ledger", "rebuild")[1]) == {"tasks": 1, "differed": ["task_1"]}
    assert json.loads(run("ledger", "rebuild")[1]) == {"tasks": 1, "differed": []}


def test_a_history_that_the_rules_call_impossible_ends_with_one(var, run, one_task):
    triggers = [f"DROP TRIGGER {name}" for name in names_of_triggers(var)]
    by_hand(var, *triggers, "UPDATE ledger SET kind = 'TaskForged'")
    code, _, err = run("ledger", "rebuild")
    assert code == 1
    assert "TaskForged" in err


def test_a_release_without_an_approved_task_is_refused(var, run, one_task, tmp_path):
    code, out, err = run("release", "v1", "--out", tmp_path / "out")
    assert (code, out) == (2, "")
    assert "no task is approved; finish reviews first" in err


def test_a_dry_run_says_what_blocks_and_writes_nothing(var, run, one_task, tmp_path):
    code, out, _ = run("release", "v1", "--out", tmp_path / "out", "--dry-run")
    assert (code, json.loads(out)["blocked"]) == (0, {"task_1": "no expert has begun"})
    assert not (tmp_path / "out").exists()


def test_a_release_is_made_once_and_its_gold_scores_one(var, run, add, one_task, tmp_path):
    office = Office.at(settings())
    for login in ("ann", "bob"):
        add(login, "--role", "expert")
        with office.write() as session:
            token = accounts.sign_in(session, login, True, office.clock(), 1)
        desk = ExpertDesk(office, Viewer(accounts.hash_token(token)))
        task_id = desk.next_task()
        desk.seal(task_id, parse_table(GOLD))
        desk.submit_review(task_id, Verdict.ACCEPT, (), parse_rules(rules(task_id)))
    office.engine.dispose()
    code, out, _ = run("release", "v1", "--out", tmp_path / "out")
    assert (code, json.loads(out)["tasks"]) == (0, ["task_1"])
    code, _, err = run("release", "v1", "--out", tmp_path / "out")
    assert code == 2
    assert "choose another name" in err
    predictions = tmp_path / "predictions"
    assert score(run, tmp_path / "out/v1", predictions) == 0.0
    (predictions / "task_1").mkdir()
    (predictions / "task_1/prediction.csv").write_bytes((tmp_path / "out/v1/output/task_1/gold.csv").read_bytes())
    assert score(run, tmp_path / "out/v1", predictions) == 1.0


def score(run, release, predictions):
    predictions.mkdir(exist_ok=True)
    roots = {"prediction": predictions, "gold": release / "output", "config": release / "evaluation/configs"}
    options = [word for name, root in roots.items() for word in (f"--{name}-root", root)]
    assert run("evaluate", *options, "--output", predictions.parent / "summary.json")[0] == 0
    return json.loads((predictions.parent / "summary.json").read_text())["task_accuracy"]


def test_build_ends_with_two_for_a_source_that_is_not_there(run, tmp_path):
    code, out, err = run("build", "--source", tmp_path / "gone", "--out", tmp_path / "out")
    assert (code, out) == (2, "")
    assert f"{tmp_path / 'gone'}: there is no such folder" in err


def test_evaluate_passes_its_options_and_exit_code_through(run, tmp_path):
    code, _, err = run(
        "evaluate", "--prediction-root", tmp_path, "--gold-root", tmp_path / "gone", "--config-root", "."
    )
    assert code == 2
    assert "gone" in err
    assert run("evaluate", "--workers", "0")[0] == 2
