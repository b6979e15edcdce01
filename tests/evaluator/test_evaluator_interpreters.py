"""The official outcomes on each interpreter of this machine, without site packages."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "tests" / "data" / "vectors"
SHARED = ROOT.parent / "shared" / "vectors"
NAMES = ("public", "crash")
VERSIONS = ("3.11", "3.12", "3.13", "3.14")


def interpreter(version: str) -> str | None:
    """The interpreter on the PATH, or one that pyenv keeps, that really runs."""
    kept = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    for found in (shutil.which(f"python{version}", path=os.defpath), shutil.which(f"python{version}"), *map(str, kept)):
        if found and subprocess.run([found, "-I", "-S", "-c", ""], capture_output=True).returncode == 0:
            return found
    return None


def run(version: str, files: list[Path]) -> dict:
    found = interpreter(version)
    if found is None:
        pytest.skip(f"there is no Python {version} on this machine")
    script = Path(__file__).with_name("vectors_alone.py")
    done = subprocess.run([found, "-I", "-S", script, ROOT, *files], capture_output=True, text=True)
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_sample_has_the_official_outcomes_on_each_interpreter(version):
    said = run(version, [SAMPLE / f"{name}.jsonl" for name in NAMES])
    assert said["version"].startswith(version)
    assert said["cases"] > 100
    assert said["wrong"] == []


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared folder with all vectors is absent")
@pytest.mark.parametrize("version", VERSIONS)
def test_all_vectors_have_the_official_outcomes_on_each_interpreter(version):
    said = run(version, [SHARED / f"vectors_{name}.jsonl" for name in NAMES])
    assert said["cases"] > 8_300
    assert said["wrong"] == []
