"""What a gold's SQL says about its rules, without running it."""

from dataclasses import dataclass

from sqlglot import exp

from pipeline.errors import CheckError
from pipeline.sql.outputs import Output, outputs
from pipeline.sql.tree import NotParsed, parse


@dataclass(frozen=True)
class Hints:
    """One Output a column of the result, and whether the outermost query orders its rows."""

    columns: tuple[Output, ...]
    ordered: bool


def count_joins(sql: str) -> int:
    """Return how many joins the SQL makes, those in subqueries and by comma included.

    Raises:
        CheckError: the SQL does not parse as one query.
    """
    try:
        return sum(1 for _ in parse(sql).find_all(exp.Join))
    except NotParsed as error:
        raise CheckError(f"the SQL does not parse: {error}") from error


def sql_hints(sql: str, width: int) -> Hints:
    """Return what the SQL shows for a result of `width` columns; an unknown Output where it cannot be told.

    Raises:
        CheckError: the SQL does not parse as one query.
    """
    try:
        tree = parse(sql)
    except NotParsed as error:
        raise CheckError(f"the SQL does not parse: {error}") from error
    return Hints(tuple(outputs(tree, width)), tree.args.get("order") is not None)
