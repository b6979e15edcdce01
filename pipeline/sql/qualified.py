"""A query in which every column says its table and no star is left: what the analysis and the lints work on."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.qualify import qualify
from sqlglot.schema import MappingSchema

from pipeline.sql.tree import NotParsed, parse

Tables = Mapping[str, Sequence[str]]
"""The columns of each table and view of a database."""


def schema_of(tables: Tables) -> MappingSchema:
    """Return the library's form of a schema; make it once a database, since it takes longer than a query."""
    schema = MappingSchema(dialect="sqlite")
    for table, columns in tables.items():
        named: dict[str, str] = {f'"{column.replace(chr(34), chr(34) * 2)}"': "TEXT" for column in columns}
        schema.add_table(exp.Table(this=exp.to_identifier(table, quoted=True)), named, dialect="sqlite")
    return schema


@lru_cache(maxsize=32)  # of a wide database it takes longer than all that is done with one gold
def known_schema(tables: tuple[tuple[str, tuple[str, ...]], ...]) -> MappingSchema:
    """Return the library's form of a schema, the same one for the same tables and columns."""
    return schema_of(dict(tables))


def qualified(sql: str, schema: MappingSchema) -> exp.Query:
    """Return the tree of a query with names resolved. Raises NotParsed; texts must stand in single quotes."""
    tree = parse(sql)
    try:
        found = qualify(tree, schema=schema, dialect="sqlite", validate_qualify_columns=True)
    except (SqlglotError, RecursionError, KeyError, ValueError) as error:
        raise NotParsed(f"names cannot be resolved: {str(error).splitlines()[0]}") from error
    assert isinstance(found, exp.Query)
    return found
