"""Small databases and corpora, made in the test that needs them."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pipeline.database import Database, describe
from pipeline.sandbox import Sandbox

SHOP = """
CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, people INTEGER);
INSERT INTO city VALUES (1, 'Xi''an', 9), (2, 'Bern', 1), (3, 'Ulm', 1);
CREATE TABLE shop (code TEXT PRIMARY KEY, city INTEGER REFERENCES city (id), sales REAL, opened TEXT);
INSERT INTO shop VALUES ('007', 1, 2.5, '2020-01-31'), ('008', 1, 0.25, '2021-02-28'),
                        ('009', 2, NULL, '2020-01-31'), ('010', 3, 4, '2022-12-01');
"""


def make_database(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    return path


class Corpus:
    """A folder in the corpora layout that grows line by line."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True)
        (root / "questions.jsonl").touch()

    def database(self, name: str, script: str = SHOP) -> Path:
        return make_database(self.root / "db" / f"{name}.sqlite", script)

    def ask(self, sql: str, db: str = "shop", **more: object) -> str:
        number = len((self.root / "questions.jsonl").read_text().splitlines())
        fields = {"id": f"q{number}", "db": db, "question": f"Question {number}?", "language": "en", "sql": sql}
        self.line(json.dumps({**fields, **more}))
        return str({**fields, **more}["id"])

    def line(self, text: str) -> None:
        with (self.root / "questions.jsonl").open("a") as stream:
            stream.write(text + "\n")


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    made = Corpus(tmp_path / "little")
    made.database("shop")
    return made


@pytest.fixture
def shop(tmp_path: Path) -> Database:
    path = make_database(tmp_path / "shop.sqlite", SHOP)
    return describe(path, "shop", 1 << 30)


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


@pytest.fixture
def database(tmp_path: Path) -> Callable[[str], Database]:
    def make(script: str) -> Database:
        return describe(make_database(tmp_path / "made.sqlite", script), "made", 1 << 30)

    return make


def shared_corpora() -> Path:
    """Return the folder of real corpora beside the project; skip the test, saying so, if it is absent."""
    folder = Path(__file__).parents[2].parent / "shared" / "corpora"
    if not folder.is_dir():
        pytest.skip(f"the shared folder is absent: {folder.parent} (real corpora lie there)")
    return folder


@pytest.fixture(scope="session")
def corpora() -> Path:
    return shared_corpora()
