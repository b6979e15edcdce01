import json

import pytest

from pipeline.content import BadEntry, Instance, Reason
from pipeline.errors import SourceError
from pipeline.sources import open_source


def entries(corpus):
    return open_source(corpus.root).entries()


def test_a_line_becomes_an_instance(corpus):
    corpus.ask("SELECT 1", language="zh", evidence="One.", instructions="Two.", domain="fund", pair="p", tags=["x"])
    assert entries(corpus) == [
        Instance("q0", "little", "shop", "Question 0?", "zh", "SELECT 1", "One.\n\nTwo.", "fund", "p", ("x",))
    ]


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "7",
        '"text"',
        "{}",
        '{"id": 1}',
        '{"id": "a", "db": "shop", "question": "?", "language": "en"}',
        '{"id": "a", "db": "shop", "question": "", "language": "en", "sql": "SELECT 1"}',
        '{"id": "a", "db": "shop", "question": "?", "language": "en", "sql": "SELECT 1", "tags": "x"}',
        '{"id": "a", "db": "shop", "question": "?", "language": "en", "sql": "SELECT 1", "pair": 7}',
        '{"id": "a", "db": "shop", "question": "\\ud800", "language": "en", "sql": "SELECT 1"}',
        "[" * 100_000,
        '{"id": ' + "9" * 5000 + "}",
    ],
)
def test_a_bad_line_is_named_and_the_others_are_read(corpus, line):
    corpus.ask("SELECT 1")
    corpus.line(line)
    corpus.ask("SELECT 2")
    first, bad, last = entries(corpus)
    assert isinstance(bad, BadEntry) and bad.reason is Reason.UNREADABLE_LINE
    assert "questions.jsonl, line 2" in bad.message
    assert isinstance(first, Instance) and isinstance(last, Instance)


def test_a_line_in_another_encoding_is_named(corpus):
    with (corpus.root / "questions.jsonl").open("ab") as stream:
        stream.write('{"id": "价格"}\n'.encode("gb18030"))
    (bad,) = entries(corpus)
    assert isinstance(bad, BadEntry) and "line 1" in bad.message


def test_a_mark_at_the_start_and_blank_lines_do_no_harm(corpus):
    path = corpus.root / "questions.jsonl"
    corpus.ask("SELECT 1")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n") + b"\r\n\r\n")
    assert [entry.id for entry in entries(corpus)] == ["q0"]


@pytest.mark.parametrize("name", ["../x", "a/b", "..", "a\\b", "a\0"])
def test_a_database_name_that_is_a_path_is_refused(corpus, name):
    corpus.ask("SELECT 1", db=name)
    (bad,) = entries(corpus)
    assert isinstance(bad, BadEntry) and bad.reason is Reason.UNSAFE_NAME


def download(root, name, content, *folders):
    root.mkdir(exist_ok=True)
    (root / name).write_text(json.dumps(content), encoding="utf-8")
    for folder in folders:
        (root / folder).mkdir(parents=True)
        (root / folder / f"{folder.rpartition('/')[2]}.sqlite").touch()
    return root


def test_a_spider_download_is_read(tmp_path):
    question = {"db_id": "shop", "question": "How many?", "query": "SELECT 1", "sql": {"select": []}}
    root = download(tmp_path / "spider", "dev.json", [question], "database/shop")
    source = open_source(root)
    assert source.layout == "spider" and source.database("shop") == root / "database/shop/shop.sqlite"
    assert source.entries() == [Instance("spider-dev-0", "spider", "shop", "How many?", "en", "SELECT 1")]


def test_a_bird_download_is_read_with_evidence_and_descriptions(tmp_path):
    question = {"question_id": 7, "db_id": "shop", "question": "多少？", "evidence": "e", "SQL": "SELECT 1"}
    root = download(tmp_path / "bird", "dev.json", [{**question, "difficulty": "simple"}], "dev_databases/shop")
    notes = root / "dev_databases/shop/database_description"
    notes.mkdir()
    head = "original_column_name,column_name,column_description,data_format,value_description\n"
    (notes / "city.csv").write_bytes(("\ufeff" + head + "id,,the number,,\n").encode())
    (notes / "shop.csv").write_bytes((head + "code,,店铺 – 代码,text,\n").encode("gb18030"))
    source = open_source(root)
    assert source.layout == "bird"
    (instance,) = source.entries()
    assert instance == Instance("bird-dev-7", "bird", "shop", "多少？", "zh", "SELECT 1", "e", tags=("simple",))
    found = source.notes("shop")
    assert found["city"][0].meaning == "the number" and found["shop"][0].meaning == "店铺 – 代码"


def test_one_file_of_a_download_can_be_named(tmp_path):
    root = download(tmp_path / "s", "dev.json", [])
    download(root, "train_spider.json", [{"db_id": "a", "question": "?", "query": "SELECT 1"}])
    assert [entry.id for entry in open_source(root / "train_spider.json").entries()] == ["s-train_spider-0"]


def test_a_bad_entry_of_a_download_is_named(tmp_path):
    root = download(
        tmp_path / "s", "dev.json", [{"db_id": "a", "question": "?", "query": "SELECT 1"}, 7, {"db_id": "a"}]
    )
    good, first, second = open_source(root).entries()
    assert isinstance(good, Instance)
    assert [bad.message.partition(":")[0] for bad in (first, second)] == ["dev.json, entry 1", "dev.json, entry 2"]


@pytest.mark.parametrize("content", ["{", "{}", "7"])
def test_a_file_that_is_no_list_of_questions_stops_with_its_name(tmp_path, content):
    (tmp_path / "dev.json").write_text(content)
    with pytest.raises(SourceError, match=r"dev\.json"):
        open_source(tmp_path)


def test_a_folder_without_questions_says_what_is_looked_for(tmp_path):
    with pytest.raises(SourceError, match=r"questions\.jsonl"):
        open_source(tmp_path)
    with pytest.raises(SourceError, match="no such folder"):
        open_source(tmp_path / "nowhere")
