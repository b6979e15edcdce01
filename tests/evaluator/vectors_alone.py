"""Run vectors on whatever interpreter runs this file: `python -I -S vectors_alone.py REPOSITORY FILE...`.

Standard library only. Prints the version, the cases and the ids of those with another outcome; exit 1 if there are any.
"""

import base64
import json
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])

from evaluator import compare, parse_rules, parse_table
from evaluator.tables import TableError


def holds(case: dict) -> bool:
    expected = case.get("expected") or case["defensible"]
    data = base64.b64decode(case["prediction_b64"]) if "prediction_b64" in case else case["prediction_csv"].encode()
    try:
        prediction = parse_table(data)
    except TableError:
        return not expected["passed"] and expected["error_code"] == "invalid_prediction_csv"
    found = compare(parse_table(case["gold_csv"].encode()), prediction, parse_rules(case["config"]))
    mapping = None if found.column_mapping is None else list(found.column_mapping)
    return (found.passed, found.error_code, mapping) == (
        expected["passed"],
        expected["error_code"],
        expected["column_mapping"],
    )


def main() -> int:
    cases = [json.loads(line) for path in sys.argv[2:] for line in Path(path).read_text("utf-8").split("\n") if line]
    read = [case for case in cases if case.get("prediction_csv") is not None or "prediction_b64" in case]
    wrong = [case["id"] for case in read if not holds(case)]
    print(json.dumps({"version": sys.version.split()[0], "cases": len(read), "wrong": wrong}))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
