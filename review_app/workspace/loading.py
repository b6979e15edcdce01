"""Loading a workspace into one DuckDB file, in a child process, once for all who open it."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from review_app.workspace.index import FileInfo, Index, TableInfo

SECONDS = 180
AGAIN = 3600  # seconds until a workspace is tried again: the machine may have been busy
MOST_BROKEN = 3
TOO_MUCH = "the workspace could not be loaded within the limits of time and memory; download its files"
VERSION = "1"  # part of the file's name: another way to load makes another file


class IndexFailed(Exception):
    """The workspace could not be loaded; the message says why. Its files can still be downloaded."""


@dataclass(frozen=True)
class Source:
    """A workspace file: its path below `context/`, its modality, and where it lies (a blob, named by its digest)."""

    name: str
    modality: str
    path: Path


def build(cache: Path, sources: Iterable[Source]) -> Index:
    """Return the loaded workspace, loading it if that was not done before. Two at once load twice; both are right.

    Raises:
        IndexFailed: the child met its limits, or the folder cannot be written.
    """
    found = list(sources)
    said = json.dumps([VERSION, [[source.name, source.modality, source.path.name] for source in found]])
    name = hashlib.sha256(said.encode()).hexdigest()[:32]
    database, contents, failed = (cache / f"{name}{end}" for end in (".duckdb", ".json", ".failed"))
    if failed.exists() and time.time() - failed.stat().st_mtime < AGAIN:
        raise IndexFailed(TOO_MUCH)  # trying again at each click would take minutes, and mostly end the same
    if not (contents.exists() and database.exists()):
        try:
            cache.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=cache) as folder:
                _load(found, Path(folder), database, contents)
        except IndexFailed:
            failed.touch()
            raise
        except OSError as error:
            raise IndexFailed(f"the workspace cannot be loaded: {error.strerror}; tell an admin") from error
    return Index(database, tuple(_file(one) for one in json.loads(contents.read_text(encoding="utf-8"))))


def _load(sources: list[Source], folder: Path, database: Path, contents: Path) -> None:
    """Load all files; one at which the child dies is left out the next time, and the others are there all the same."""
    broken: list[str] = []
    while True:
        fresh = folder / f"fresh{len(broken)}.duckdb"
        whole, said = _child(sources, broken, fresh)
        if whole:
            break
        if len(broken) >= MOST_BROKEN or len(said) >= len(sources):
            raise IndexFailed(TOO_MUCH)
        broken.append(sources[len(said)].name)
    (folder / "contents.json").write_text(json.dumps(said, ensure_ascii=False), encoding="utf-8")
    fresh.replace(database)
    (folder / "contents.json").replace(contents)


def _child(sources: list[Source], broken: list[str], target: Path) -> tuple[bool, list[dict[str, object]]]:
    """Whether the child came to its end, and what it said of each file until then."""
    asked = {
        "target": str(target),
        "sources": [[source.name, source.modality, str(source.path)] for source in sources],
        "broken": broken,
    }
    command = [sys.executable, "-I", "-m", "review_app.workspace.load_child"]
    environment = {"TMPDIR": str(target.parent), "PATH": os.defpath}
    try:
        # our own module; the files' names go by standard input
        done = subprocess.run(  # noqa: S603
            command, input=json.dumps(asked).encode(), capture_output=True, timeout=SECONDS, env=environment
        )
        whole, output = done.returncode == 0, done.stdout
    except subprocess.TimeoutExpired as error:
        whole, output = False, error.stdout or b""
    return whole, [json.loads(line) for line in output.split(b"\n")[:-1]]


def _file(said: dict[str, Any]) -> FileInfo:
    tables = tuple(
        TableInfo(**{**table, "columns": tuple((name, kind) for name, kind in table["columns"])})
        for table in said["tables"]
    )
    return FileInfo(str(said["file"]), tables, int(str(said["pages"])), str(said["problem"]))
