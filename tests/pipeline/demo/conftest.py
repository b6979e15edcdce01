"""The demo corpus, written once for all tests of this folder, and its answers."""

import json
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from pipeline.demo import write_demo_corpus


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora") / "demo"
    write_demo_corpus(folder)
    return folder


@pytest.fixture(scope="session")
def questions(corpus):
    return read_questions(corpus)


@pytest.fixture(scope="session")
def ask(corpus):
    """A function from database and SQL to rows."""
    return partial(run, corpus)


@pytest.fixture(scope="session")
def answers(ask, questions):
    return {line["id"]: ask(line["db"], line["sql"]) for line in questions}


def read_questions(corpus: Path) -> list[dict]:
    return [json.loads(line) for line in (corpus / "questions.jsonl").read_text(encoding="utf-8").splitlines()]


def run(corpus: Path, database: str, sql: str) -> list[tuple]:
    uri = (corpus / "db" / f"{database}.sqlite").as_uri() + "?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        return connection.execute(sql).fetchall()


@pytest.fixture
def ask_seed(tmp_path):
    """A function from a seed to the lines of its corpus, each with its answer."""

    def answered(seed):
        write_demo_corpus(tmp_path / "demo", seed)
        return [(line, run(tmp_path / "demo", line["db"], line["sql"])) for line in read_questions(tmp_path / "demo")]

    return answered
