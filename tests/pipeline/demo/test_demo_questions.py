"""What the gold SQL of the demo corpus promises."""

import re
from collections import Counter

import pytest
import sqlglot
from sqlglot import exp

from pipeline.demo import write_demo_corpus
from pipeline.demo.corpus import DOMAINS, draw
from pipeline.demo.glossary import Glossary
from pipeline.demo.model import Language, Tag, Words


def parse(line):
    return sqlglot.parse_one(line["sql"], read="sqlite")


@pytest.fixture(scope="session")
def trees(questions):
    return {line["id"]: parse(line) for line in questions}


def test_every_gold_query_has_an_answer(answers):
    for name, rows in answers.items():
        assert {cell for row in rows for cell in row} - {None, 0}, name


def test_answers_have_1_to_5000_rows(answers):
    sizes = sorted(map(len, answers.values()))
    assert (sizes[0], sizes[-1]) == (1, 5000)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_other_seeds_have_answers_too(seed, tmp_path, read_questions, ask_corpus):
    folder = tmp_path / "demo"
    write_demo_corpus(folder, seed)
    for line in read_questions(folder):
        rows = ask_corpus(folder, line["db"], line["sql"])
        assert {cell for row in rows for cell in row} - {None, 0}, line["id"]


def test_a_pair_has_the_same_answer_up_to_its_words(questions, answers):
    by_pair = {(line["pair"], line["language"]): line for line in questions}
    for domain in DOMAINS:
        values = Glossary.of(domain.tables, draw(domain, 7)).values
        for number in range(1, 13):
            en, zh = (by_pair[f"demo-{domain.prefix}-{number:02d}", language] for language in Language)
            values = values | dict(spoken_only_in_answers(domain.questions[number - 1].sql))
            translated = [tuple(spoken(cell, values) for cell in row) for row in answers[en["id"]]]
            arrange = list if "ORDER BY" in en["sql"] else Counter
            assert arrange(translated) == arrange(answers[zh["id"]]), en["id"]


def spoken_only_in_answers(sql):
    return ((en, Words(en, zh)) for en, zh in re.findall(r"\{([^|}]+)\|([^}]+)\}", sql))


def spoken(cell, values):
    return values[cell].zh if cell in values else cell


def test_no_row_that_a_limit_cuts_ties_with_the_last_one(questions, trees, ask):
    for line in questions:
        tree = trees[line["id"]]
        assert not [node for node in tree.find_all(exp.Limit) if node.parent is not tree], line["id"]
        if tree.args.get("limit"):
            count = int(tree.args["limit"].expression.this)
            last = order_keys(tree, line, ask)[count - 1 : count + 1]
            assert len(last) == len(set(last)), line["id"]


def test_a_stated_order_leaves_no_choice(questions, trees, ask):
    for line in questions:
        if trees[line["id"]].args.get("order"):
            keys = order_keys(trees[line["id"]], line, ask)
            assert len(keys) == len(set(keys)), line["id"]


def order_keys(tree, line, ask):
    """The values of ORDER BY, row by row, without the LIMIT."""
    keys = [ordered.this for ordered in tree.args["order"].expressions]
    wider = tree.copy().select(*(key.copy() for key in keys))
    wider.set("limit", None)
    return [row[-len(keys) :] for row in ask(line["db"], wider.sql("sqlite"))]


def test_every_bare_column_stands_in_group_by(trees):
    for name, tree in trees.items():
        for select in tree.find_all(exp.Select):
            keys = select.args["group"].expressions if select.args.get("group") else []
            if keys or any(node.find(exp.AggFunc) and not node.find(exp.Window) for node in select.expressions):
                assert [bare for node in select.expressions for bare in bare_columns(node, keys)] == [], name


def bare_columns(node, keys):
    if node in keys or isinstance(node, (exp.AggFunc, exp.Window, exp.Subquery)):
        return
    if isinstance(node, exp.Column):
        yield node.sql()
    for child in node.iter_expressions():
        yield from bare_columns(child, keys)


def test_no_query_reads_the_clock_or_chance(questions):
    clock = re.compile(r"\b(now|current_\w+|localtime|random)\b", re.IGNORECASE)
    assert [line["id"] for line in questions if clock.search(line["sql"])] == []


def test_values_in_the_sql_stand_in_the_question_word_for_word(questions, trees):
    for line in questions:
        said = line["question"] + line.get("evidence", "")
        for text in trees[line["id"]].find_all(exp.Literal):
            if text.is_string and "%" not in text.this and not re.fullmatch(r"[\d-]{4,10}", text.this):
                assert text.this in said, (line["id"], text.this)


def joins(tree):
    return sum(1 for _ in tree.find_all(exp.Join))


def joins_one_table_twice(tree):
    return any(
        max(Counter(source.name for source in sources(select)).values(), default=0) > 1
        for select in tree.find_all(exp.Select)
    )


def sources(select):
    from_ = [select.args["from_"].this] if select.args.get("from_") else []
    return [
        node for node in from_ + [join.this for join in select.args.get("joins", [])] if isinstance(node, exp.Table)
    ]


def cells_of(rows):
    return [str(cell) for row in rows for cell in row]


SHOWN = {
    Tag.JOIN3: lambda sql, tree, rows: joins(tree) >= 2,
    Tag.SELF_JOIN: lambda sql, tree, rows: joins_one_table_twice(tree),
    Tag.GROUP: lambda sql, tree, rows: tree.find(exp.Group),
    Tag.HAVING: lambda sql, tree, rows: tree.find(exp.Having),
    Tag.ORDER_LIMIT: lambda sql, tree, rows: tree.args.get("order") and tree.args.get("limit"),
    Tag.SUBQUERY: lambda sql, tree, rows: any(
        node.parent_select for node in tree.find_all(exp.Subquery, exp.Exists, exp.In)
    ),
    Tag.CTE: lambda sql, tree, rows: tree.find(exp.With),
    Tag.RECURSIVE: lambda sql, tree, rows: tree.find(exp.With).recursive,
    Tag.WINDOW: lambda sql, tree, rows: tree.find(exp.Window),
    Tag.SET_OPERATION: lambda sql, tree, rows: tree.find(exp.SetOperation),
    Tag.CASE: lambda sql, tree, rows: tree.find(exp.Case),
    Tag.DATE: lambda sql, tree, rows: re.search(r"'\d{4}-\d\d-\d\d|strftime|julianday", sql),
    Tag.PERCENT: lambda sql, tree, rows: "100.0 *" in sql,
    Tag.NULL: lambda sql, tree, rows: re.search(r"IS (NOT )?NULL|COALESCE", sql) or any(None in row for row in rows),
    Tag.LEADING_ZERO: lambda sql, tree, rows: any(
        re.match(r"0\d", cell) for cell in [*cells_of(rows), *re.findall(r"'(\d+)'", sql)]
    ),
    Tag.WIDE_CHARACTERS: lambda sql, tree, rows: re.search(
        r"[０-９Ａ-ｚ㐂䶮\U00020000-\U0002ffff]", sql + "".join(cells_of(rows))
    ),
    Tag.DUPLICATES: lambda sql, tree, rows: len(set(rows)) < len(rows),
    Tag.LARGE: lambda sql, tree, rows: len(rows) >= 1000,
}


def test_tags_say_what_the_chinese_query_and_answer_show(questions, trees, answers):
    for line in questions:
        if line["language"] == "zh":
            for tag in line["tags"]:
                assert SHOWN[Tag(tag)](line["sql"], trees[line["id"]], answers[line["id"]]), (line["id"], tag)


def test_a_question_that_shows_a_main_feature_has_its_tag(questions, trees):
    main = [Tag.JOIN3, Tag.GROUP, Tag.HAVING, Tag.ORDER_LIMIT, Tag.CTE, Tag.WINDOW, Tag.SET_OPERATION, Tag.CASE]
    for line in questions:
        shown = {tag.value for tag in main if SHOWN[tag](line["sql"], trees[line["id"]], [])}
        assert shown <= set(line["tags"]), line["id"]


def test_every_tag_occurs(questions):
    assert {tag for line in questions for tag in line["tags"]} == set(Tag)
