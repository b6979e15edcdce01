"""What the folder of the demo corpus promises."""

import csv
import sqlite3
from collections import Counter
from contextlib import closing

import pytest

from pipeline.demo import write_demo_corpus
from pipeline.demo.corpus import DOMAINS, draw
from pipeline.demo.glossary import Glossary
from pipeline.demo.model import Language, Words
from pipeline.demo.writing import whole_folder

FIELDS = {"id", "db", "question", "language", "sql", "domain", "pair", "tags"}


def test_each_database_has_twelve_questions(questions):
    databases = [domain.database(language) for domain in DOMAINS for language in Language]
    assert Counter(line["db"] for line in questions) == dict.fromkeys(databases, 12)


def test_a_line_has_the_fields_of_the_layout(questions):
    assert all(set(line) - {"evidence"} == FIELDS for line in questions)
    assert len({line["id"] for line in questions}) == len(questions)


def test_a_pair_is_one_question_in_two_languages(questions):
    languages = {}
    for line in questions:
        languages.setdefault(line["pair"], []).append(line["language"])
    assert all(sorted(both) == ["en", "zh"] for both in languages.values())


def test_the_same_seed_gives_the_same_bytes(corpus, tmp_path, contents):
    write_demo_corpus(tmp_path / "again")
    assert contents(tmp_path / "again") == contents(corpus)


def test_another_seed_gives_other_rows_and_the_same_names(corpus, tmp_path, contents):
    write_demo_corpus(tmp_path / "other", seed=8)
    ours, other = contents(corpus), contents(tmp_path / "other")
    assert ours.keys() == other.keys()
    assert all(ours[name] != other[name] for name in ours if name.endswith(".sqlite"))
    assert all(ours[name] == other[name] for name in ours if name.endswith(".csv"))


def test_the_corpus_stays_small(corpus, contents):
    assert sum(map(len, contents(corpus).values())) < 8_000_000


def test_the_corpus_says_where_it_comes_from_and_under_which_licence(corpus):
    assert "Licence: MIT" in (corpus / "SOURCE.md").read_text()


def test_an_existing_folder_is_left_alone(corpus, contents):
    before = contents(corpus)
    with pytest.raises(FileExistsError, match="choose another folder"):
        write_demo_corpus(corpus)
    assert contents(corpus) == before


def test_an_error_while_writing_leaves_nothing_behind(tmp_path):
    with pytest.raises(OSError, match="disk full"), whole_folder(tmp_path / "demo") as folder:
        (folder / "questions.jsonl").write_text("{}")
        raise OSError("disk full")
    assert list(tmp_path.iterdir()) == []


def test_every_database_has_six_tables_with_keys_that_hold(corpus):
    for path in sorted((corpus / "db").iterdir()):
        with closing(sqlite3.connect(path)) as connection:
            tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            links = [table for table in tables if connection.execute(f'PRAGMA foreign_key_list("{table}")').fetchall()]
            assert len(tables) >= 6 and len(links) >= 4, path
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == [], path
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)], path


def test_descriptions_name_every_column_of_every_table(corpus):
    for path in sorted((corpus / "db").iterdir()):
        folder = corpus / "database_description" / path.stem
        assert described_columns(folder) == actual_columns(path)


def described_columns(folder):
    found = {}
    for path in folder.iterdir():
        with path.open(encoding="utf-8", newline="") as file:
            lines = list(csv.DictReader(file))
        assert all(line["column_description"] and line["data_format"] for line in lines)
        found[path.stem] = [line["original_column_name"] for line in lines]
    return found


def actual_columns(path):
    with closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')] for table in tables}


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.prefix)
def test_words_of_a_domain_translate_one_to_one(domain):
    glossary = Glossary.of(domain.tables, draw(domain, 7))
    for words in (glossary.names, glossary.values):
        assert len({word.zh for word in words.values()}) == len(words)


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.prefix)
def test_every_domain_has_the_traps_of_real_data(domain):
    rows = draw(domain, 7)
    cells = [cell for table in rows.values() for row in table for cell in row]
    assert {Words("Shanxi Province", "山西省"), Words("Shaanxi Province", "陕西省"), Words("Xi'an", "西安")} <= set(
        cells
    )
    assert any(table.name.en == column.refers for table in domain.tables for column in table.columns)
    assert any(isinstance(cell, Words) and any(ord(char) > 0xFFFF for char in cell.zh) for cell in cells)
    assert any(isinstance(cell, Words) and set(cell.zh) & set("０１２３４５６７８９") for cell in cells)
    assert any(isinstance(cell, str) and cell.isdigit() and cell.startswith("0") for cell in cells)
    columns = [column for table in rows.values() for column in zip(*table, strict=True)]
    assert any(set(column) == {None} for column in columns)
    assert any(len(table) <= 40 for table in rows.values()) and any(len(table) >= 2000 for table in rows.values())
