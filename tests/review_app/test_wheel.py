"""The wheel as others install it: all five packages, their data files, and an evaluator that runs alone."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DATA = (
    "review_app/.streamlit/config.toml",
    "review_app/web/sign_in.html",
    "evaluator/rules.schema.json",
    "db/migrations/env.py",
    "db/migrations/versions/0001_create_the_review.py",
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(out.glob("*.whl"))


def test_the_wheel_holds_the_five_packages_and_their_data(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {"review_app", "pipeline", "evaluator", "agents", "db"}
    assert set(DATA) <= set(names)
    shipped = {".js", ".css", ".html"}
    parts = [path for path in (ROOT / "review_app/ui/components").glob("*/*") if path.suffix in shipped]
    assert {path.relative_to(ROOT).as_posix() for path in parts if path.suffix in (".js", ".css", ".html")} <= set(
        names
    )


def test_the_wheels_evaluator_runs_in_an_empty_environment(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    script = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r}); from evaluator.cli import main; main(['--help'])"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "--prediction-root" in done.stdout


@pytest.mark.parametrize("name", ["review_app", "pipeline", "evaluator", "agents", "db"])
def test_each_name_comes_from_this_project_in_any_folder(name, tmp_path):
    script = f"import {name}; print({name}.__file__)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path)
    assert Path(done.stdout.strip()).parent == ROOT / name
