"""What the pages say: their commands are run, what they name exists, and what exists is named."""

import importlib.metadata
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from typer.main import get_command

from evaluator.tables import read_table
from review_app import accounts
from review_app.cli import app
from review_app.comparing import rules_from
from review_app.desk import ExpertDesk, Office, Viewer
from review_app.domain.content import Verdict
from review_app.settings import Settings

pytestmark = pytest.mark.xdist_group("docs")

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ALL_PAGES = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
PASSWORD = "correct horse battery"
NOT_RUN = re.compile(r"(^|\s)# not run here: \S")
# Whatever else a page asks for needs a mark that says why it is not run.
RUNNABLE = {"dataspace", "dataspace-evaluate", "python", "export", "mkdir", "cp"}


def blocks(page: Path, kind: str) -> list[list[str]]:
    """The lines of the page's fenced blocks of a kind."""
    text = page.read_text(encoding="utf-8")
    return [body.splitlines() for body in re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)]


def commands(page: Path) -> list[str]:
    """The commands of the page's `sh` blocks that are to be run, in order."""
    found = []
    for block in blocks(page, "sh"):
        if not NOT_RUN.search(block[0]) or not block[0].startswith("#"):
            lines = [line.removeprefix("$ ") for line in block if line.strip() and not line.startswith("#")]
            found += [line for line in lines if not NOT_RUN.search(line)]
    return found


@dataclass
class Reader:
    """Somebody who types what a page says, in a folder of their own."""

    folder: Path
    dataspace: subprocess.Popen
    environment: dict[str, str] = field(default_factory=dict)

    def follow(self, page: Path) -> None:
        self.environment = {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.folder),
            "DATASPACE_VAR": str(self.folder / "var"),
        }
        for block in blocks(page, "python"):
            name = block[0].removeprefix("# ")
            if name.endswith(".py"):
                (self.folder / name).write_text("\n".join(block) + "\n", encoding="utf-8")
        for line in commands(page):
            self._do(page, line)

    def _do(self, page: Path, line: str) -> None:
        words = shlex.split(line, comments=True)
        assert words[0] in RUNNABLE, f"{page.name}: `{line}` is neither run nor marked `# not run here: reason`"
        if words[0] == "export":
            self.environment.update([words[1].split("=", 1)])
            return
        if words[:2] == ["dataspace", "release"] and words[2] != "diff":
            review(self.folder / self.environment["DATASPACE_VAR"], self.folder)
        if words[0] == "dataspace" and not set(words) & {"|", "<", ">"}:
            code, said = self._dataspace(words[1:])
        else:
            code, said = self._shell(line)
        assert code == 0, f"{page.name}: `{line}`\n{said}"

    def _dataspace(self, arguments: list[str]) -> tuple[int, str]:
        output = self.folder / "said.txt"
        asked = {
            "arguments": arguments,
            "folder": str(self.folder),
            "environment": self.environment,
            "typed": f"{PASSWORD}\n{PASSWORD}\n",
            "output": str(output),
        }
        self.dataspace.stdin.write(json.dumps(asked) + "\n")
        self.dataspace.stdin.flush()
        return int(self.dataspace.stdout.readline()), output.read_text()

    def _shell(self, line: str) -> tuple[int, str]:
        done = subprocess.run(
            ["bash", "-c", line], capture_output=True, text=True, cwd=self.folder, env=self.environment, timeout=60
        )
        return done.returncode, done.stdout + done.stderr


def review(var: Path, folder: Path) -> None:
    """What ann and bob do in the browser: each solves a task, finds the gold right, and accepts it."""
    office = Office.at(Settings(var=var))
    for login in ("ann", "bob"):
        with office.write() as session:
            token = accounts.sign_in(session, login, True, office.clock(), 1)
        desk = ExpertDesk(office, Viewer(accounts.hash_token(token)))
        task_id = desk.next_task()
        desk.seal(task_id, read_table(next(folder.glob(f"**/{task_id}/private/gold.csv"))))
        desk.submit_review(task_id, Verdict.ACCEPT, (), rules_from(desk.view(task_id).revealed.rules))
    office.engine.dispose()


@pytest.fixture(scope="session")
def dataspace():
    """The command, imported once."""
    script = [sys.executable, str(Path(__file__).with_name("dataspace_once.py"))]
    with subprocess.Popen(script, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as running:
        yield running


@pytest.fixture(scope="session")
def after_the_readme(tmp_path_factory, dataspace):
    """A folder in which the README's whole way was gone: its `try` holds corpus, candidates, var, a release."""
    folder = tmp_path_factory.mktemp("readme")
    Reader(folder, dataspace).follow(ROOT / "README.md")
    return folder / "try"


@pytest.fixture
def folder(after_the_readme, tmp_path):
    """Where the other pages begin: a running review with a release, and what an operator would have beside it."""
    at = tmp_path / "page"
    shutil.copytree(after_the_readme, at)
    corpus = at / "corpora" / "mine"
    shutil.copytree(at / "corpus", corpus)
    questions = (corpus / "questions.jsonl").read_text(encoding="utf-8").split("\n")
    (corpus / "questions.jsonl").write_text("\n".join(questions[:3]) + "\n", encoding="utf-8")
    (at / "password.txt").write_text(PASSWORD + "\n")
    return at


def test_the_commands_of_the_readme_go_the_whole_way(after_the_readme):
    assert (after_the_readme / "releases" / "v1" / "manifest.json").is_file()
    assert '"task_accuracy": 1.0' in (after_the_readme / "summary.json").read_text()


@pytest.mark.parametrize("page", PAGES[1:], ids=lambda page: page.stem)
def test_the_commands_of_a_page_do_what_it_says(page, folder, dataspace):
    Reader(folder, dataspace).follow(page)


@pytest.mark.parametrize("damaged", ["output/task_1/gold.csv", "ledger/task_1.jsonl"])
def test_the_auditors_script_names_a_damaged_file(damaged, folder, dataspace):
    Reader(folder, dataspace).follow(ROOT / "docs" / "auditors.md")
    path = folder / "releases" / "v1" / damaged
    path.write_bytes(path.read_bytes().replace(b"1", b"2", 1))
    script = [sys.executable, "audit.py", "releases/v1"]
    done = subprocess.run(script, cwd=folder, capture_output=True, text=True)
    assert f"{damaged} was changed" in done.stderr


def subcommands() -> list[str]:
    """`dataspace X` and `dataspace X Y`, as its help lists them."""
    found = []
    for name, command in get_command(app).commands.items():
        below = getattr(command, "commands", None)
        found += [f"dataspace {name} {inner}" for inner in below] if below else [f"dataspace {name}"]
    return found


@pytest.mark.parametrize("command", subcommands())
def test_each_subcommand_is_on_some_page(command):
    assert any(command in page.read_text(encoding="utf-8") for page in PAGES), f"document `{command}`"


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda page: page.stem)
def test_what_a_page_links_to_exists(page):
    targets = re.findall(r"\]\(([^)\s#]+)", page.read_text(encoding="utf-8"))
    local = [target for target in targets if "://" not in target]
    missing = [target for target in local if not (page.parent / target).exists()]
    assert missing == []


def test_each_picture_is_shown_and_small():
    shown = {target for page in ALL_PAGES for target in re.findall(r"pictures/([\w-]+\.png)", page.read_text())}
    pictures = {path.name: path.stat().st_size for path in (ROOT / "docs" / "pictures").iterdir()}
    assert set(pictures) == shown
    assert max(pictures.values()) < 200_000


@pytest.mark.parametrize("name", Settings.model_fields)
def test_each_setting_stands_with_its_default_in_the_page_on_running(name):
    setting = Settings.model_fields[name]
    variable = setting.validation_alias or f"DATASPACE_{name.upper()}"
    default = "empty" if setting.default == "" else f"`{str(setting.default).lower()}`"
    assert f"| `{variable}` | {default} |" in (ROOT / "docs" / "running.md").read_text(encoding="utf-8")


def dependencies() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    listed = project["dependencies"] + project["optional-dependencies"]["test"]
    return [re.match(r"[\w.-]+", line).group() for line in listed]


@pytest.mark.parametrize("name", dependencies())
def test_each_dependency_has_a_reason_and_a_licence(name):
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| {re.escape(name)} \| [^|]{{10,}} \| [^|]+ \|$", page, re.MULTILINE)
    assert row, f"CONTRIBUTING.md has no line for {name}"
    assert not re.search(r"\b(A|)GPL", row.group())


@pytest.mark.parametrize("name", dependencies())
def test_no_dependency_is_under_a_licence_that_binds_the_project(name):
    said = importlib.metadata.metadata(name)
    names = [said["License-Expression"], said["License"], *(said.get_all("Classifier") or [])]
    assert not re.search(r"\bA?GPL|Affero|(?<!Lesser )General Public", "\n".join(filter(None, names)))


def test_no_reason_is_left_of_a_dependency_that_is_gone():
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Dependencies")[1]
    rows = re.findall(r"^\| ([\w.-]+) \|", table, re.MULTILINE)
    assert sorted(set(rows) - {"package", "---"}) == sorted(dependencies())
