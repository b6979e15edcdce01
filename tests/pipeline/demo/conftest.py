"""The demo corpus, written once for all tests of this folder, and its answers."""

import json
import sqlite3
from contextlib import closing
from functools import partial

import pytest

from pipeline.demo import write_demo_corpus


@pytest.fixture(scope="session")
def read_questions():
    """A function from a corpus folder to its lines."""
    return lambda folder: [json.loads(line) for line in (folder / "questions.jsonl").open(encoding="utf-8")]


@pytest.fixture(scope="session")
def ask_corpus():
    """A function from corpus folder, database and SQL to rows."""

    def run(folder, database, sql):
        uri = (folder / "db" / f"{database}.sqlite").as_uri() + "?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            return connection.execute(sql).fetchall()

    return run


@pytest.fixture(scope="session")
def contents():
    """A function from a folder to its files and their bytes."""
    return lambda folder: {
        str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora") / "demo"
    write_demo_corpus(folder)
    return folder


@pytest.fixture(scope="session")
def questions(corpus, read_questions):
    return read_questions(corpus)


@pytest.fixture(scope="session")
def ask(corpus, ask_corpus):
    """A function from a database of the demo corpus and SQL to rows."""
    return partial(ask_corpus, corpus)


@pytest.fixture(scope="session")
def answers(ask, questions):
    return {line["id"]: ask(line["db"], line["sql"]) for line in questions}
