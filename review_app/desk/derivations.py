"""The SQL that an answer came of: kept beside the answer's draft, and sealed with it.

It counts for exactly the table that the query gave. Whoever changes a cell by hand has another answer, of which the
SQL would say something untrue.
"""

import hashlib
import json

from evaluator.tables import Table, TableError, to_csv

PART = "derivation"


def derivation(sql: str, answer: Table) -> str:
    """Return what is kept: the SQL, and which table it gave."""
    return json.dumps({"sql": sql, "answer": _digest(answer)}, ensure_ascii=False)


def derived_by(kept: str, answer: Table) -> str:
    """Return the SQL that gave this very table, empty if none did. `kept` is what `derivation` made, or empty."""
    said = json.loads(kept) if kept else {}
    return str(said["sql"]) if said and said["answer"] == _digest(answer) else ""


def _digest(answer: Table) -> str:
    try:
        return hashlib.sha256(to_csv(answer)).hexdigest()
    except TableError:  # no valid answer, so nothing came of it
        return ""
