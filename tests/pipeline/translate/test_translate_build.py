import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipeline.artifacts import ArtifactStore, Digests
from pipeline.build import BuildParams, build
from pipeline.content import Instance, Reason, Rejected
from pipeline.database import describe
from pipeline.demo import write_demo_corpus
from pipeline.sources import open_source
from pipeline.stages.execute import Limits
from pipeline.translate.build import Translation
from pipeline.translate.glossary import Entry
from pipeline.translate.model import Direction, Kind, Maps, Parts
from pipeline.translate.parallel import harvest
from pipeline.translate.rebuild import rebuild
from pipeline.translate.rewrite import normal, rewritten
from pipeline.translate.survey import survey
from pipeline.translate.verify import check_way_back
from review_app.cli import app

WORDS = [
    Entry("name", "", "city", "城市"),
    Entry("column", "", "name", "名称"),
    Entry("value", "", "Xi'an", "西安"),
    Entry("value", "", "Bern", "伯尔尼"),
]


@pytest.fixture(scope="module")
def demo(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("demo") / "demo"
    write_demo_corpus(out)
    return out


@pytest.fixture
def translate(tmp_path, sandbox):
    """Return what translates the instances of a source one after another."""

    def make(source, direction=Direction.EN_ZH, parts=Parts.ALL, **more):
        store = ArtifactStore(tmp_path / "artifacts", Digests())
        return Translation(
            source, direction, parts, store=store, sandbox=sandbox, limits=Limits(), max_bytes=1 << 30, **more
        )

    return make


def all_of(source, language):
    return [entry for entry in source.entries() if isinstance(entry, Instance) and entry.language == language]


def inverts(source, translation, old: Instance, new: Instance, record, folder: Path) -> bool:
    """Make the old instance again from the new one and the stored record alone."""
    stored = json.loads(json.dumps(record))
    maps = Maps.from_json(stored["maps"])
    original = describe(source.database(old.db), old.db, 1 << 30)
    translated = describe(translation.database(new.db), new.db, 1 << 30)
    check_way_back(original, translated, maps)
    again = folder / "again.sqlite"
    again.unlink(missing_ok=True)
    rebuild(translated, again, maps.inverse())
    texts = {column: found for column, found in survey(translated).texts.items() if found}
    back = rewritten(new.sql, maps.inverse(), texts)
    return normal(back) == normal(stored["plain_sql"]) and stored["question"]["source"] == old.question


@pytest.mark.parametrize("direction", [Direction.EN_ZH, Direction.ZH_EN])
def test_everything_of_the_demo_corpus_is_translated_and_inverts_exactly(demo, translate, tmp_path, direction):
    source = open_source(demo)
    translation = translate(source, direction)
    pairs = {entry.id.replace("_en-", "_zh-"): entry for entry in all_of(source, "en")}
    differ = []
    for number, old in enumerate(all_of(source, direction.source)):
        new, record = translation.of(old)
        assert all(done == there for done, there in record["coverage"].values()), old.id
        twin = pairs[old.id] if direction is Direction.ZH_EN else None
        assert new.language == direction.target and new.question != old.question
        assert twin is None or new.question == twin.question
        if twin is not None and normal(new.sql) != normal(twin.sql):
            differ.append(old.id)
        if number % 12 == 0:  # the stage itself has checked all of them; this does it again from the record alone
            assert inverts(source, translation, old, new, record, tmp_path), old.id
    # one gold has an alias which is the translation of another: two names stay two
    assert differ == (["demo-health_zh-10"] if direction is Direction.ZH_EN else [])


@pytest.mark.shared
def test_every_archer_instance_is_translated_and_inverts_exactly(corpora, translate, tmp_path):
    source = open_source(corpora / "archer-bilingual")
    translation, done = translate(source), 0
    paired = {entry.id: entry.question for entry in all_of(source, "zh")}
    for old in all_of(source, "en"):
        new, record = translation.of(old)
        coverage = record["coverage"]
        assert coverage["tables"][0] == coverage["tables"][1] and coverage["columns"][0] == coverage["columns"][1]
        assert coverage["values"][0] >= 0.8 * coverage["values"][1], (old.id, coverage)
        assert new.question == paired[old.id.replace("-en-", "-zh-")]
        assert record["question"]["terms_not_in_it"] == []
        done += 1
        if done % 30 == 1:  # the stage itself has checked all of them; this does it again from the record alone
            assert inverts(source, translation, old, new, record, tmp_path), old.id
    assert done == 100


def test_a_build_writes_translated_tasks_with_their_maps_and_the_same_bytes_twice(demo, tmp_path):
    params = BuildParams(translate=Direction.EN_ZH, only=("demo-fund_en-03", "demo-fund_zh-01"))
    build(demo, tmp_path / "one", params)
    report = build(demo, tmp_path / "two", params)
    task = json.loads((tmp_path / "two/task_3/task.json").read_text())
    assert task["language"] == "zh" and "陕西省" in task["question"]
    assert "'陕西省'" in (tmp_path / "two/task_3/private/gold.sql").read_text()
    assert (tmp_path / "two/task_3/private/gold.csv").read_text().startswith("经理姓名,基金代码,公司名称")
    assert "四位公司代码" in (tmp_path / "two/task_3/context/knowledge.md").read_text()
    provenance = json.loads((tmp_path / "two/task_3/private/provenance.json").read_text())
    assert provenance["translation"]["maps"]["values"]["Shaanxi Province"] == "陕西省"
    assert provenance["sibling"] == "demo-fund-03"
    assert [rejection.reason for rejection in report.rejected] == [Reason.NOT_IN_SOURCE_LANGUAGE]
    for name in ("manifest.json", "task_3/private/provenance.json", "task_3/private/sampled.sqlite"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert build(demo, tmp_path / "two", params).up_to_date == 1


def test_the_sealed_database_holds_no_word_of_the_old_language(demo, tmp_path):
    build(demo, tmp_path / "out", BuildParams(translate=Direction.EN_ZH, only=("demo-fund_en-03",)))
    public = [path for path in (tmp_path / "out/task_3/context").rglob("*") if path.is_file()]
    assert public and not any(
        b"Shaanxi" in path.read_bytes() or b"fund_company" in path.read_bytes() for path in public
    )


def test_without_words_an_instance_is_rejected_and_with_some_the_rest_is_listed(corpus, translate):
    corpus.ask("SELECT sales FROM shop")
    corpus.ask("SELECT name FROM city WHERE name = 'Xi''an'")
    source = open_source(corpus.root)
    first, second = source.entries()
    with pytest.raises(Rejected, match="give a glossary") as rejected:
        translate(source, Direction.EN_ZH, Parts.QUESTION).of(first)
    assert rejected.value.reason is Reason.NOTHING_TRANSLATED
    new, record = translate(source, glossary=WORDS).of(second)
    assert normal(new.sql) == normal("SELECT 名称 FROM 城市 WHERE 名称 = '西安'")
    assert (new.question, new.language, record["question"]["origin"]) == (second.question, "en", "kept")
    assert {"word": "Ulm", "kind": "value", "reason": "no source knows it"} in record["kept"]


def test_a_column_whose_text_the_paired_question_writes_stays(corpus, translate):
    sql = "SELECT people FROM city WHERE name = 'Bern'"
    corpus.ask(sql, pair="p")
    corpus.ask(sql, pair="p", language="zh", question="“Bern”有多少人？")
    source = open_source(corpus.root)
    new, record = translate(source, glossary=WORDS).of(source.entries()[0])
    assert "'Bern'" in new.sql and record["maps"]["frozen"]["name"] == "the question writes 'Bern' as it is"


def test_only_the_question_or_only_the_workspace_can_be_translated(corpus, translate):
    sql = "SELECT people FROM city WHERE name = 'Bern'"
    corpus.ask(sql, pair="p")
    corpus.ask(sql, pair="p", language="zh", question="伯尔尼有多少人？")
    source = open_source(corpus.root)
    old = source.entries()[0]
    asked, _ = translate(source, parts=Parts.QUESTION).of(old)
    assert (asked.question, asked.sql, asked.db) == ("伯尔尼有多少人？", old.sql, old.db)
    moved, _ = translate(source, parts=Parts.WORKSPACE, glossary=WORDS).of(old)
    assert moved.question == old.question and "'伯尔尼'" in moved.sql


def test_what_a_gold_orders_by_is_frozen_together_with_what_is_linked(corpus, translate):
    corpus.database(
        "shop",
        "CREATE TABLE a (name TEXT); CREATE TABLE b (title TEXT, other TEXT);"
        "INSERT INTO a VALUES ('Bern'), ('Xi''an'); INSERT INTO b VALUES ('Bern', 'Bern!'), ('Xi''an', 'x');",
    )
    corpus.ask("SELECT name FROM a ORDER BY name")
    source = open_source(corpus.root)
    _, record = translate(source, glossary=[*WORDS, Entry("value", "", "Bern!", "伯！")]).of(source.entries()[0])
    assert record["maps"]["frozen"]["title"] == "linked with name: the gold orders by it"
    assert record["maps"]["values"] == {"Bern!": "伯！"}


def test_a_gold_that_the_translation_breaks_is_rejected_with_both_results(corpus, translate):
    corpus.ask("SELECT 'Bern' = name AS city FROM city WHERE rowid < 3")
    source = open_source(corpus.root)
    new, _ = translate(source, glossary=WORDS).of(source.entries()[0])
    assert "'伯尔尼' = " in new.sql
    corpus.ask("SELECT people FROM city WHERE hex(name) = hex('Bern')")
    broken = open_source(corpus.root).entries()[1]
    _, record = translate(source, glossary=WORDS).of(broken)
    assert "computes with it" in record["maps"]["frozen"]["name"]


def test_a_person_s_glossary_is_part_of_what_makes_a_build(corpus, tmp_path):
    corpus.ask("SELECT people FROM city WHERE name = 'Bern'")
    words = tmp_path / "words.csv"
    words.write_text("kind,database,en,zh\nvalue,,Bern,伯尔尼\n")
    params = BuildParams(translate=Direction.EN_ZH, glossary=words)
    build(corpus.root, tmp_path / "out", params)
    manifest = json.loads((tmp_path / "out/manifest.json").read_text())
    assert len(manifest["params"]["glossary"]) == 64
    words.write_text("kind,database,en,zh\nvalue,,Bern,首都\n")
    assert build(corpus.root, tmp_path / "out", params).up_to_date == 0
    assert "'首都'" in (tmp_path / "out/task_1/private/gold.sql").read_text()


def test_the_words_that_nobody_knew_are_a_glossary_to_fill_in(corpus, tmp_path):
    corpus.ask("SELECT name FROM city WHERE name = 'Bern'")
    words = tmp_path / "words.csv"
    words.write_text("kind,database,en,zh\nname,,city,城市\n")
    params = BuildParams(translate=Direction.EN_ZH, glossary=words)
    build(corpus.root, tmp_path / "out", params)
    unknown = tmp_path / "out/untranslated.csv"
    assert "value,shop,Ulm,\n" in unknown.read_text() and "city,\n" not in unknown.read_text()
    words.write_text(unknown.read_text().replace("Ulm,", "Ulm,乌尔姆"))
    build(corpus.root, tmp_path / "out", params)
    assert "Ulm" not in unknown.read_text()


class Scripted:
    """A translator that knows two words, and asks every question with the terms that it was told."""

    def words(self, direction, asked):
        return {word: f"译{word.word}" for word in asked if word.word in {"Ulm", "shop"}}

    def question(self, direction, text, terms):
        return f"问：{text} {terms}"


def test_a_model_is_asked_only_for_what_nobody_else_knows(corpus, translate):
    corpus.ask("SELECT name FROM city WHERE name <> 'Bern'")
    source = open_source(corpus.root)
    new, record = translate(source, glossary=WORDS, translator=Scripted()).of(source.entries()[0])
    assert record["maps"]["values"] == {"Bern": "伯尔尼", "Ulm": "译Ulm", "Xi'an": "西安"}
    assert (new.question, new.language, record["question"]["origin"]) == (
        "问：Question 0? {'Bern': '伯尔尼'}",
        "zh",
        "the model",
    )


def test_a_build_asks_the_translator_that_it_is_given(corpus, tmp_path):
    corpus.ask("SELECT people FROM city WHERE name = 'Ulm' OR people = 9")
    build(corpus.root, tmp_path / "out", BuildParams(translate=Direction.EN_ZH), translator=Scripted())
    assert json.loads((tmp_path / "out/task_1/task.json").read_text())["question"].startswith("问：")
    assert "'译Ulm'" in (tmp_path / "out/task_1/private/gold.sql").read_text()


class MadeUp:
    """A translator that gives every word another one, which sorts elsewhere and holds an apostrophe."""

    def words(self, direction, asked):
        return {word: f"译{word.word[::-1]}'s" for word in asked}

    def question(self, direction, text, terms):
        return None


@pytest.mark.shared
@pytest.mark.parametrize("corpus", ["spider-dev", "bird-dev-lite", "defog-sqlite"])
def test_real_golds_keep_their_meaning_under_any_words(corpora, translate, corpus):
    source = open_source(corpora / corpus)
    translation, failed = translate(source, parts=Parts.WORKSPACE, translator=MadeUp()), []
    for entry in source.entries()[5::29]:
        try:
            new, record = translation.of(entry)
            assert new.sql != entry.sql and record["coverage"]["columns"][0] == record["coverage"]["columns"][1]
        except Rejected as reason:
            failed.append((entry.id, reason.reason))
    assert failed == []


def test_the_command_translates(demo, tmp_path):
    out = tmp_path / "out"
    options = ["--translate", "zh-en", "--translate-parts", "workspace", "--limit", "13"]
    ran = CliRunner().invoke(app, ["build", "--source", str(demo), "--out", str(out), *options])
    assert ran.exit_code == 0, ran.output
    task = json.loads((out / "task_13/task.json").read_text())
    assert task["language"] == "zh" and "fund_code" in (out / "task_13/private/gold.sql").read_text()


def test_words_are_harvested_only_from_databases_that_say_the_same(tmp_path, demo):
    def fund(language):
        return describe(demo / "db" / f"fund_{language}.sqlite", "fund", 1 << 30)

    words = harvest(fund("en"), fund("zh"), [("SELECT 1 AS total", "SELECT 1 AS 总数"), ("SELECT 1", "SELECT 2, 3")])
    assert words[Kind.TABLE, "fund_company"] == "基金公司" and words[Kind.LABEL, "total"] == "总数"
    assert words[Kind.VALUE, "Shaanxi Province"] == "陕西省"
    other = describe(demo / "db" / "stock_zh.sqlite", "stock", 1 << 30)
    assert harvest(fund("en"), other) == {}
