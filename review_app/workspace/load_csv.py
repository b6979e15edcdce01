"""Reading a CSV file into the table that holds its cells as they stand, and telling what types its columns have."""

import codecs
from pathlib import Path

import duckdb

from review_app.workspace.index import quoted

HEAD_CHARACTERS = 50_000
# Read as the first of these that every filled cell is. A leading zero is part of a code and keeps a column text.
PATTERNS = {
    "BIGINT": r"-?(0|[1-9]\d{0,17})",
    "DOUBLE": r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?",
    "DATE": r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])",
    "TIMESTAMP": r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?",
}
HEAD_ROWS = 2_000
MOST_CHARACTERS = 500  # of a column's name


def read_csv(engine: duckdb.DuckDBPyConnection, table: str, path: str) -> None:
    """Read strictly; a file with rows of unequal length is read once more, slowly, and short rows are filled up."""
    with Path(path).open(encoding="utf-8-sig") as file:
        head = file.readline(HEAD_CHARACTERS)
    delimiter = max(",;\t|", key=head.count)
    # no cell equals the text for NULL, so that empty cells stay empty texts
    options = f"delim='{delimiter}', quote='\"', header=true, all_varchar=true, nullstr=chr(0), max_line_size=20000000"
    create = f"CREATE TABLE raw.{quoted(table)} AS SELECT * FROM read_csv(?, {options}"
    try:
        engine.execute(f"{create})", [path])
    except duckdb.Error:
        engine.execute(f"{create}, null_padding=true, strict_mode=false, parallel=false)", [path])


def encoding_of(path: str) -> str:
    """Return the encoding that the whole file reads in.

    Raises:
        ValueError: it reads in none that we know.
    """
    with Path(path).open("rb") as file:
        if file.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return "utf-16"
    for encoding in ("utf-8", "gb18030"):
        try:
            with Path(path).open(encoding=encoding, newline="") as stream:
                while stream.read(1 << 20):
                    pass
        except UnicodeDecodeError:
            continue
        return encoding
    raise ValueError("the file is neither UTF-8 nor UTF-16 nor GB18030")


def _columns(engine: duckdb.DuckDBPyConnection, table: str) -> list[str]:
    query = (
        "SELECT column_name FROM information_schema.columns "
        "WHERE table_schema = 'raw' AND table_name = ? ORDER BY ordinal_position"
    )
    return [column for (column,) in engine.execute(query, [table]).fetchall()]


def types_of(engine: duckdb.DuckDBPyConnection, table: str) -> dict[str, str]:
    """Return, by column, the first type that every filled cell has; text where there is none, or no filled cell.

    The first rows rule out most types, so that the whole table is looked at for few.

    Raises:
        ValueError: a column's name is too long to be shown.
    """
    columns = _columns(engine, table)
    longest = max(map(len, columns))
    if longest > MOST_CHARACTERS:
        raise ValueError(f"a column's name has {longest:,} characters, too many to be shown")
    left = [(column, kind) for column in columns for kind in PATTERNS]
    left = _passing(engine, f"(SELECT * FROM raw.{quoted(table)} LIMIT {HEAD_ROWS})", left, "bool_and({fits})")
    left = _passing(engine, f"raw.{quoted(table)}", left, "bool_and({fits}) AND bool_or({column} <> '')")
    return dict.fromkeys(columns, "VARCHAR") | dict(reversed(left))


def _passing(
    engine: duckdb.DuckDBPyConnection, source: str, tests: list[tuple[str, str]], condition: str
) -> list[tuple[str, str]]:
    """Those of the columns and types that the rows of a source agree with, by one scan."""
    if not tests:
        return []
    conditions = [condition.format(fits=_fits(quoted(column), kind), column=quoted(column)) for column, kind in tests]
    found = engine.execute(f"SELECT {', '.join(conditions)} FROM {source}").fetchall()[0]
    return [test for test, passed in zip(tests, found, strict=True) if passed]


def _fits(column: str, kind: str) -> str:
    """The 31st of February looks like a date, and is none."""
    looks = f"regexp_full_match({column}, '{PATTERNS[kind]}')"
    return f"({column} = '' OR ({looks} AND TRY_CAST({column} AS {kind}) IS NOT NULL))"
