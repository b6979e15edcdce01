"""What the blocks of a gold see, and what each of their conditions alone turns away."""

from collections.abc import Sequence

from sqlglot import exp

from pipeline.database import Database
from pipeline.sampling.scratch import MOST_BLOCK_TABLES, Scratch
from pipeline.sql.lineage import Lineage, lineage_of, lineages
from pipeline.sql.mutations import Miss, Mutation
from pipeline.sql.qualified import known_schema, qualified
from pipeline.sql.tree import NotParsed, parse

_MOST_JOINED = 2_000_000  # joined rows that are written down once, instead of asked for once a table
_BELOW = 2  # rows behind those that LIMIT takes: the next one, and one that may be tied with it


def resolved(sql: str, database: Database) -> exp.Query:
    """Return the tree of a gold, qualified where its names can be resolved. Raises NotParsed."""
    try:
        return qualified(sql, known_schema(database.columns))
    except NotParsed:
        return parse(sql)


def keep_seen(scratch: Scratch, sql: str, most: int | None) -> None:
    """Keep what every block of a gold sees, or `most` joined rows of each; all rows where that cannot be told.

    Of a block that takes the first rows of an order, those and the next are among the `most`: ties and NULL in the sort
    keys would otherwise be lost. Raises QueryFailed.
    """
    try:
        found = lineages(parse(sql), scratch.number_of)
    except (NotParsed, RecursionError):
        for name in scratch.places:
            scratch.keep_all(name)
        return
    for block in found:
        if not _seen_by(scratch, block, most):
            for name in block.tables:
                scratch.keep_all(scratch.spelled(name))


def keep_missed(scratch: Scratch, parts: Sequence[Mutation], most: int) -> None:
    """Keep of the rows that each part of a gold alone turns away `most` joined rows, those at its edge first."""
    for miss in (miss for mutation in parts for miss in mutation.misses):
        block = lineage_of(miss.select, scratch.number_of)
        if block is not None and len(block.tables) <= MOST_BLOCK_TABLES:
            _keep_near(scratch, block, miss, most)


def _keep_near(scratch: Scratch, block: Lineage, miss: Miss, most: int) -> None:
    for query in block.select(_columns(block)):
        order = f" ORDER BY {miss.order + ', ' if miss.order else ''}{_drawn(scratch, block)} LIMIT {most}"
        if scratch.accepts(f"{query}{order}"):
            scratch.run("DELETE FROM keep.block")
            if scratch.tries(f"{_into_block(block)} {query}{order}"):
                _keep_block(scratch, block)
            return


def _seen_by(scratch: Scratch, block: Lineage, most: int | None) -> bool:
    """Keep what a block sees, or as many joined rows of it as asked for; return False if that cannot be told."""
    if len(block.tables) > MOST_BLOCK_TABLES:
        return False
    for query in block.select(_columns(block)):
        if scratch.accepts(query):
            if most is None:
                _keep_joined(scratch, block, query)
            else:
                _keep_some(scratch, block, query, most)
            return True
    return False


def _keep_joined(scratch: Scratch, block: Lineage, query: str) -> None:
    """Keep the rows of each table among joined rows; joins of very many rows are gone through once a table."""
    scratch.run("DELETE FROM keep.block")
    if len(block.tables) > 1:
        scratch.run(f"{_into_block(block)} {query} LIMIT {_MOST_JOINED + 1}")
        if 0 < scratch.count("SELECT count(*) FROM keep.block") <= _MOST_JOINED:
            _keep_block(scratch, block)
            return
    for at, name in enumerate(block.tables):
        _keep_from(scratch, name, f"SELECT n{at} FROM ({query}) WHERE n{at} IS NOT NULL")


def _keep_some(scratch: Scratch, block: Lineage, query: str, most: int) -> None:
    scratch.run("DELETE FROM keep.block")
    if block.order:
        scratch.tries(f"{_into_block(block)} {query} ORDER BY {block.order} LIMIT {min(block.first, most) + _BELOW}")
    scratch.run(f"{_into_block(block)} {query} ORDER BY {_drawn(scratch, block)} LIMIT {most}")
    _keep_block(scratch, block)


def _keep_block(scratch: Scratch, block: Lineage) -> None:
    for at, name in enumerate(block.tables):
        _keep_from(scratch, name, f"SELECT c{at} FROM keep.block WHERE c{at} IS NOT NULL")


def _keep_from(scratch: Scratch, name: str, numbers: str) -> None:
    scratch.run(f"INSERT OR IGNORE INTO keep.{scratch.places[scratch.spelled(name)]} {numbers}")


def _columns(block: Lineage) -> str:
    return ", ".join(f"{number} AS n{at}" for at, number in enumerate(block.numbers))


def _into_block(block: Lineage) -> str:
    return f"INSERT INTO keep.block ({', '.join(f'c{at}' for at in range(len(block.tables)))})"


def _drawn(scratch: Scratch, block: Lineage) -> str:
    hashed = " + ".join(scratch.hashed(f"coalesce({number}, 0)") for number in block.numbers)
    return f"{hashed}, {', '.join(block.numbers)}"
