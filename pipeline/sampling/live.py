"""Does every part of a gold matter? A part is live on a database if the gold without it gives another result there."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

from sqlglot import exp

from pipeline.database import Database
from pipeline.sandbox import Answer, QueryFailed
from pipeline.sql.mutations import Mutation, mutations
from pipeline.sql.qualified import known_schema, qualified
from pipeline.sql.tree import NotParsed, parse, render
from pipeline.stages.determine import bag

LINK_STEPS = 4_000_000  # of SQLite's machine: without a link, all pairs of rows are made
PART_STEPS = 100_000_000

Ask = Callable[[str, int, int], Answer]
"""Runs a query for at most so many rows and steps of SQLite's machine. Raises QueryFailed."""


@dataclass(frozen=True)
class Liveness:
    """Whether a part of a gold is live on the sample and, where it is not, on the source. None: it cannot be told.

    `part` is what kind of part it is, `what` its SQL. On a copy both are the same.
    """

    part: str
    what: str
    sample: bool | None
    source: bool | None

    def to_json(self) -> dict[str, object]:
        """Return the fields as a JSON object."""
        return asdict(self)


class Parts:
    """The parts of one gold, which may be asked for on several samples; what the source says is asked once."""

    def __init__(self, sql: str, database: Database, ask_source: Ask, on_source: Answer) -> None:
        self._trees = list(_trees(sql, database))
        self._ask_source = ask_source
        self._on_source = on_source
        self._in_source: dict[str, bool | None] = {}

    def on(self, ask: Ask, answer: Answer, *, is_copy: bool) -> tuple[Liveness, ...]:
        """Return whether each part is live on a database on which the gold gives this answer.

        Nothing is returned for a gold that the SQL library reads in another way than SQLite.
        """
        tree = next((tree for tree in self._trees if _reads_the_same(tree, ask, answer)), None)
        found = mutations(tree) if tree is not None else []
        return tuple(self._liveness(mutation, _is_live(mutation, ask, answer), is_copy) for mutation in found)

    def _liveness(self, mutation: Mutation, sample: bool | None, is_copy: bool) -> Liveness:
        source = sample
        if not is_copy and sample is not True:
            if mutation.sql not in self._in_source:
                self._in_source[mutation.sql] = _is_live(mutation, self._ask_source, self._on_source)
            source = self._in_source[mutation.sql]
        return Liveness(str(mutation.part), mutation.what, sample, source)


def lost(parts: Sequence[Liveness]) -> list[Liveness]:
    """Return the parts that the source can make live and the sample does not."""
    return [part for part in parts if part.source is True and part.sample is False]


def shares(parts: Sequence[Mapping[str, object]]) -> dict[str, int]:
    """Return how many parts are live, not live in the source either, or cannot be told; as `to_json` gives them."""
    live = sum(part["sample"] is True for part in parts)
    dead = sum(part["sample"] is False for part in parts)
    return {"live": live, "not live in the source": dead, "cannot be told": len(parts) - live - dead}


def _trees(sql: str, database: Database) -> Iterator[exp.Query]:
    """Yield the ways to read a gold, the one that finds most parts first."""
    with suppress(NotParsed, RecursionError):
        yield qualified(sql, known_schema(database.columns))
    with suppress(NotParsed, RecursionError):
        yield parse(sql)


def _reads_the_same(tree: exp.Query, ask: Ask, answer: Answer) -> bool:
    return _differs(render(tree), ask, answer, PART_STEPS) is False


def _is_live(mutation: Mutation, ask: Ask, answer: Answer) -> bool | None:
    return _differs(mutation.sql, ask, answer, LINK_STEPS if mutation.links else PART_STEPS)


def _differs(sql: str, ask: Ask, answer: Answer, steps: int) -> bool | None:
    """Return whether a query gives another multiset of rows; one row more than the answer has is enough to see it."""
    try:
        other = ask(sql, len(answer.rows), steps)
    except QueryFailed:
        return None
    return other.more or bag(other.rows) != bag(answer.rows)
