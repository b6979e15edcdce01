"""The shipped JSON Schema against the loader, and the rules proposed from a table alone."""

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaluator
from evaluator.compare import check_gold
from evaluator.errors import RulesError
from evaluator.infer import infer_from_table
from evaluator.rules import parse_rules, to_document
from evaluator.tables import Table

SCHEMA = json.loads((Path(evaluator.__file__).parent / "rules.schema.json").read_text("utf-8"))
CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "vectors" / "config.jsonl").read_text("utf-8").split("\n")
    if line
]
JSON_CASES = [case for case in CASES if case["schema_valid"] is not None and case["config_text"]]


def is_valid(document: object) -> bool:
    return jsonschema.Draft202012Validator(SCHEMA).is_valid(document)


@pytest.mark.parametrize("case", JSON_CASES, ids=lambda case: case["id"])
def test_the_schema_accepts_what_the_official_one_accepts(case):
    assert is_valid(json.loads(case["config_text"])) is case["schema_valid"]


def test_the_schema_only_lets_through_what_the_loader_reads_but_for_three_known_gaps():
    gaps = set()
    for case in JSON_CASES:
        document = json.loads(case["config_text"])
        try:
            parse_rules(document)
        except RulesError as error:
            if is_valid(document):
                gaps.add(str(error).split(" ")[0].split(".")[-1])
    assert gaps == {"gold_index", "digits", "task_id"}


CELLS = st.sampled_from(
    ["", "0", "1", "2.5", "0.12345", "1e400", "007", "5%", "2024-01-01", "2024-01-01T08:00", "yes", "x"]
)


@given(st.integers(1, 3).flatmap(lambda width: st.lists(st.tuples(*[CELLS] * width), min_size=1, max_size=5)))
def test_proposed_rules_always_read_their_table_and_are_a_valid_config(rows):
    gold = Table(("h",) * len(rows[0]), tuple(rows))
    proposal = infer_from_table(gold, "task_1")
    check_gold(gold, proposal.rules)
    assert is_valid(to_document(proposal.rules))
    assert len(proposal.reasons) == len(gold.header) + 1


@pytest.mark.parametrize(
    ("cells", "kind", "reason"),
    [
        (["1", "20", ""], "number", "whole numbers"),
        (["1.5", "2"], "number", "2 decimal places"),
        (["1.5", "2.123"], "number", "3 decimal places"),
        (["0.123456"], "number", "12 significant digits"),
        (["5%", "7.5%"], "number", "percent signs occur"),
        (["0", "1"], "number", "whole numbers"),
        (["yes", "No"], "boolean", "words for true and false"),
        (["007", "12"], "text", "codes"),
        (["2024-01-01", "null"], "date", "ISO 8601 dates"),
        (["2024-01-01", "2024-01-01T08:00"], "datetime", "ISO 8601 datetimes"),
        (["Ann", "3"], "text", "neither"),
        (["", "nan"], "text", "no cell has a value"),
    ],
)
def test_each_column_gets_the_most_specific_type_with_its_reason(cells, kind, reason):
    proposal = infer_from_table(Table(("h",), tuple((cell,) for cell in cells)), "task_1")
    assert proposal.rules.columns[0].type == kind
    assert reason in proposal.reasons[0]
