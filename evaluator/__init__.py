"""Compare a table with gold under rules, score a suite, explain differences. Standard library only.

>>> from evaluator import compare, parse_rules, parse_table
>>> rules = parse_rules({"schema_version": "1.0", "task_id": "task_1", "order_sensitive": False,
...                      "columns": [{"gold_index": 0, "gold_name": "n", "type": "text"}]})
>>> compare(parse_table(b"n\\na\\nb\\n"), parse_table(b"x\\nb\\na\\n"), rules).passed
True
"""

from evaluator.compare import Comparison, ErrorCode, check_gold, compare, compare_answers
from evaluator.diff import (
    CellDifference,
    Diff,
    Difference,
    explain,
    explain_answers,
    explain_bytes,
    explain_file,
    explain_html,
    explain_text,
)
from evaluator.errors import EvaluatorError, GoldError, RulesError, SuiteError
from evaluator.rules import ColumnRule, ColumnType, NumberMode, Rules, Unit, load_rules, parse_rules
from evaluator.suite import Summary, score_suite
from evaluator.tables import Table, TableError, parse_table, read_table, to_csv

__all__ = [
    "CellDifference",
    "ColumnRule",
    "ColumnType",
    "Comparison",
    "Diff",
    "Difference",
    "ErrorCode",
    "EvaluatorError",
    "GoldError",
    "NumberMode",
    "Rules",
    "RulesError",
    "SuiteError",
    "Summary",
    "Table",
    "TableError",
    "Unit",
    "check_gold",
    "compare",
    "compare_answers",
    "explain",
    "explain_answers",
    "explain_bytes",
    "explain_file",
    "explain_html",
    "explain_text",
    "load_rules",
    "parse_rules",
    "parse_table",
    "read_table",
    "score_suite",
    "to_csv",
]
