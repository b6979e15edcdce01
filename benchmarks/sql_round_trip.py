"""Does the SQL library read real golds as SQLite does? `python -P benchmarks/sql_round_trip.py CORPORA`.

Every gold is executed as it stands, as its tree is written, and as the tree with names resolved is written. Printed
are the counts and every exception with its reason.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sqlglot.schema import MappingSchema

from pipeline.content import Instance
from pipeline.database import Database, describe
from pipeline.judge import prepares_on
from pipeline.sandbox import QueryFailed, Sandbox
from pipeline.sources import open_source
from pipeline.sql.facts import facts
from pipeline.sql.qualified import qualified, schema_of
from pipeline.sql.quotes import with_plain_literals
from pipeline.sql.tree import NotParsed, parse, render
from pipeline.stages.determine import bag
from pipeline.stages.execute import Limits

ROWS = 200_000


def problem(sql: str, database: Database, schema: MappingSchema, sandbox: Sandbox) -> str:
    """Return what is wrong with the round trip of a gold; empty if nothing."""
    sql, _ = with_plain_literals(sql.strip(), prepares_on(database.path, sandbox, Limits()))
    try:
        tree = qualified(sql, schema)
        found = facts(tree)
        answers = [
            sandbox.run(database.path, written, seconds=10, rows=ROWS)
            for written in (sql, render(parse(sql)), render(tree))
        ]
    except (NotParsed, QueryFailed) as error:
        return str(error)
    if set(found.tables) != {table.lower() for table in answers[0].tables}:
        return f"the analysis sees tables {found.tables}, SQLite {answers[0].tables}"
    bags = [bag(answer.rows) for answer in answers]
    return "" if bags[0] == bags[1] == bags[2] else "another multiset after the round trip"


def problems(folder: Path, sandbox: Sandbox) -> Iterator[tuple[str, str]]:
    """Yield the id of every gold of a source with its problem, if any."""
    source = open_source(folder)
    known: dict[str, tuple[Database, MappingSchema]] = {}
    for entry in source.entries():
        if not isinstance(entry, Instance):
            continue
        if entry.db not in known:
            database = describe(source.database(entry.db), entry.db, 1 << 40)
            known[entry.db] = database, schema_of({t.name: [c.name for c in t.columns] for t in database.tables})
        yield entry.id, problem(entry.sql, *known[entry.db], sandbox)


def main(root: Path) -> None:
    """Print a line a corpus and the exceptions."""
    counts: Counter[str] = Counter()
    with Sandbox() as sandbox:
        for folder in sorted(path for path in root.iterdir() if path.is_dir()):
            began = time.perf_counter()
            found = dict(problems(folder, sandbox))
            bad = {name: text for name, text in found.items() if text}
            counts.update(golds=len(found), equal=len(found) - len(bad))
            print(f"{folder.name}: {len(found) - len(bad)} of {len(found)}, {time.perf_counter() - began:.1f} s")
            print("".join(f"  {name}: {text}\n" for name, text in bad.items()), end="")
    print(f"all: {counts['equal']} of {counts['golds']}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
