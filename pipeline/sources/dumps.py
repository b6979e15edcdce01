"""Dumps of MySQL (mysqldump) and PostgreSQL (pg_dump) as SQLite files: tables, keys and rows; nothing else of them."""

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from pipeline.errors import SourceError
from pipeline.sources.converted import made_once, quoted

DUMP_SUFFIXES = (".sql",)
MOST_BYTES = 128 << 20  # every statement is parsed, which takes some seconds a MiB
_QUOTED = r"\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`|--[^\n]*|/\*.*?\*/|\$(\w*)\$.*?\$\1\$|;"
_PIECES = {
    "mysql": re.compile(rf"'(?:[^'\\]|\\.|'')*'|{_QUOTED}", re.DOTALL),
    "postgres": re.compile(rf"[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|{_QUOTED}", re.DOTALL),
}
_COPY = re.compile(r"COPY (?P<table>.+?) \((?P<columns>.+)\) FROM stdin$", re.DOTALL)
_WANTED = re.compile(r"(CREATE TABLE|CREATE UNLOGGED TABLE|INSERT INTO|ALTER TABLE|COPY)\b", re.IGNORECASE)
_COMMENTS = re.compile(r"\A(?:\s+|--[^\n]*|/\*.*?\*/|\\[^\n]*)+", re.DOTALL)
_TYPE = exp.DataType.Type
_BINARY = (_TYPE.BINARY, _TYPE.VARBINARY, _TYPE.BLOB, _TYPE.TINYBLOB, _TYPE.MEDIUMBLOB, _TYPE.LONGBLOB)
_WHOLE = (*exp.DataType.INTEGER_TYPES, _TYPE.BOOLEAN, _TYPE.SERIAL, _TYPE.BIGSERIAL, _TYPE.SMALLSERIAL, _TYPE.YEAR)
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class _Unreadable(Exception):
    """The dump holds what this reader does not know; the message names it."""


@dataclass
class _Table:
    """A table as it will be made: the SQLite type of each column, what is not null, and its keys as SQL."""

    kinds: dict[str, str]
    not_null: set[str]
    keys: list[str] = field(default_factory=list)


def as_sqlite(path: Path) -> Path:
    """Return a SQLite file with the tables of a dump, made in `.sqlite/` beside it unless it is there.

    Dates and times become ISO texts as they are dumped, decimals REAL, booleans 0 and 1, binary strings BLOB. Primary
    and foreign keys and NOT NULL are kept; indexes, views, defaults and functions are not.

    Raises:
        SourceError: the file is no dump that reads, or nothing can be written beside it.
    """
    if path.stat().st_size > MOST_BYTES:
        raise SourceError(f"{path.name}: over {MOST_BYTES >> 20} MiB; load it into SQLite or DuckDB and name that file")
    return made_once(path, _convert, (_Unreadable, SqlglotError, ValueError, RecursionError))


def _convert(path: Path, made: sqlite3.Connection) -> None:
    text = path.read_text(encoding="utf-8")
    dump = _Dump(_dialect(text))
    for statement, data in _statements(text, dump.dialect):
        dump.read(statement, data)
    for name, table in dump.tables.items():
        columns = [
            f"{quoted(column)} {kind}{' NOT NULL' if column in table.not_null else ''}"
            for column, kind in table.kinds.items()
        ]
        made.execute(f"CREATE TABLE {quoted(name)} ({', '.join([*columns, *table.keys])})")
    for name, into, values in dump.rows:
        marks = ", ".join("?" * len(into))
        made.executemany(f"INSERT INTO {quoted(name)} ({', '.join(map(quoted, into))}) VALUES ({marks})", values)


def _dialect(text: str) -> str:
    head = text[:4096]
    if "PostgreSQL database dump" in head:
        return "postgres"
    if "MySQL dump" in head or "MariaDB dump" in head:
        return "mysql"
    raise _Unreadable("it begins neither as mysqldump's files do nor as pg_dump's")


def _statements(text: str, dialect: str) -> Iterator[tuple[str, str]]:
    """Yield the statements that make tables and rows, each with the lines that follow a COPY."""
    begun = at = 0
    while piece := _PIECES[dialect].search(text, at):
        at = piece.end()
        if piece.group() != ";":
            continue
        statement = _COMMENTS.sub("", text[begun : piece.start()])
        begun = at
        if not _WANTED.match(statement):
            continue
        data = ""
        if _COPY.match(statement):
            ended = text.find("\n\\.\n", at)
            if ended < 0:
                raise _Unreadable("the rows of a COPY have no end")
            data, begun = text[at:ended].removeprefix("\n"), ended + 4
            at = begun
        yield statement, data


@dataclass
class _Dump:
    """What was read of a dump so far: tables, and rows as (table, columns, values)."""

    dialect: str
    tables: dict[str, _Table] = field(default_factory=dict)
    rows: list[tuple[str, list[str], list[list[object]]]] = field(default_factory=list)

    def read(self, statement: str, data: str) -> None:
        """Take a statement in, with the lines that follow it if it is a COPY."""
        if copy := _COPY.match(statement):
            self._copy(f"INSERT INTO {copy['table']} ({copy['columns']}) SELECT 1", data)
            return
        tree = sqlglot.parse_one(statement, dialect=self.dialect)
        if isinstance(tree, exp.Create) and tree.kind == "TABLE" and isinstance(tree.this, exp.Schema):
            self.tables[tree.this.this.name] = _created(tree.this)
        elif isinstance(tree, exp.Insert) and isinstance(tree.expression, exp.Values):
            name, columns = self._target(tree)
            kinds = [self._table(name).kinds[column] for column in columns]
            values = [_valued(row.expressions, kinds) for row in tree.expression.expressions]
            self.rows.append((name, columns, values))
        elif isinstance(tree, exp.Alter):
            self._table(tree.this.name).keys.extend(_keys(tree))

    def _copy(self, insert: str, data: str) -> None:
        name, columns = self._target(sqlglot.parse_one(insert, dialect=self.dialect))
        kinds = [self._table(name).kinds[column] for column in columns]
        values = [[_copied(cell, kind) for cell, kind in _cells(line, kinds)] for line in data.split("\n") if data]
        self.rows.append((name, columns, values))

    def _target(self, insert: exp.Expr) -> tuple[str, list[str]]:
        into = insert.this
        if isinstance(into, exp.Schema):
            return into.this.name, [one.name for one in into.expressions]
        return into.name, list(self._table(into.name).kinds)

    def _table(self, name: str) -> _Table:
        if name not in self.tables:
            raise _Unreadable(f"rows or keys of {name!r}, which is not made before")
        return self.tables[name]


def _created(schema: exp.Schema) -> _Table:
    columns = [one for one in schema.expressions if isinstance(one, exp.ColumnDef)]
    table = _Table({column.name: _kind(column.kind) for column in columns}, set())
    for column in columns:
        for constraint in (one.kind for one in column.constraints):
            if isinstance(constraint, exp.NotNullColumnConstraint) and not constraint.args.get("allow_null"):
                table.not_null.add(column.name)
            elif isinstance(constraint, exp.PrimaryKeyColumnConstraint):
                table.keys.append(f"PRIMARY KEY ({quoted(column.name)})")
    others = [one for one in schema.expressions if not isinstance(one, exp.ColumnDef)]
    table.keys += [key for one in others for key in _keys(one)]
    return table


def _kind(kind: exp.DataType | None) -> str:
    if kind is None:
        return ""
    if kind.is_type(*_WHOLE):
        return "INTEGER"
    if kind.is_type(*exp.DataType.REAL_TYPES):
        return "REAL"
    return "BLOB" if kind.is_type(*_BINARY) else "TEXT"


def _keys(tree: exp.Expression) -> list[str]:
    """The primary and foreign keys below a node, as SQLite declares them."""
    primary = [f"PRIMARY KEY ({_names(key.expressions)})" for key in tree.find_all(exp.PrimaryKey)]
    return [*primary, *(_foreign(key) for key in tree.find_all(exp.ForeignKey))]


def _foreign(key: exp.ForeignKey) -> str:
    parent = key.args["reference"].this
    own = f"FOREIGN KEY ({_names(key.expressions)}) REFERENCES"
    if isinstance(parent, exp.Schema):
        return f"{own} {quoted(parent.this.name)} ({_names(parent.expressions)})"
    return f"{own} {quoted(parent.name)}"


def _names(columns: list[exp.Expression]) -> str:
    return ", ".join(quoted(_bare(column)) for column in columns)


def _bare(column: exp.Expression) -> str:
    """The name of a column of a key, without its order or the length of a prefix."""
    found = column if isinstance(column, exp.Identifier) else column.find(exp.Identifier)
    if found is None:
        raise _Unreadable(f"a key over {column.sql()}")
    return str(found.this)


def _valued(cells: list[exp.Expression], kinds: list[str]) -> list[object]:
    _as_many(len(cells), len(kinds))
    values = [_value(cell) for cell in cells]
    return [
        _bytes(value) if kind == "BLOB" and isinstance(value, str) else value
        for value, kind in zip(values, kinds, strict=True)
    ]


def _bytes(text: str) -> bytes:
    r"""What a text in a binary column stands for: PostgreSQL writes \x and digits, MySQL the bytes themselves."""
    return bytes.fromhex(text[2:]) if text.startswith("\\x") else text.encode()


def _as_many(values: int, columns: int) -> None:
    if values != columns:
        raise _Unreadable(f"a row of {values} values for {columns} columns")


def _value(cell: exp.Expression) -> object:
    match cell:
        case exp.Null():
            return None
        case exp.Boolean():
            return int(cell.this)
        case exp.Neg():
            return -_number(cell.this.name)
        case exp.Literal():
            return cell.name if cell.is_string else _number(cell.name)
        case exp.HexString():
            return bytes.fromhex(cell.name.zfill(len(cell.name) + len(cell.name) % 2))
        case exp.BitString():
            return int(cell.name, 2)
        case exp.Cast() | exp.Introducer() | exp.Paren():
            return _value(cell.expression if isinstance(cell, exp.Introducer) else cell.this)
    raise _Unreadable(f"the value {cell.sql()[:60]}")


def _number(text: str) -> Any:
    return int(text) if text.isdigit() else float(text)


def _cells(line: str, kinds: list[str]) -> Iterator[tuple[str | None, str]]:
    cells = line.split("\t")
    _as_many(len(cells), len(kinds))
    for cell, kind in zip(cells, kinds, strict=True):
        yield None if cell == "\\N" else re.sub(r"\\(.)", lambda m: _ESCAPED.get(m[1], m[1]), cell), kind


def _copied(cell: str | None, kind: str) -> object:
    """A value of a COPY in the type of its column."""
    if cell is None or kind == "TEXT":
        return cell
    if kind == "INTEGER":
        return int({"t": "1", "f": "0"}.get(cell, cell))
    return _bytes(cell) if kind == "BLOB" else float(cell)
