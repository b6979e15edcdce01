"""How much the samples of one database have in common: each task should look at other rows."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

from pipeline.database import LONGEST_READING, quoted, reading, stop_after
from pipeline.sources.base import file_digest


@dataclass(frozen=True)
class SampledTask:
    """A task whose rows were chosen: its database and, for each table, the rows kept and the rows that there were."""

    path: Path
    rows: Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class Overlap:
    """What neighbouring samples of one database share: of the rows of the smaller one, over tables not kept whole.

    `pairs` are compared, each task with the next one that has another sample; `mean` and `most` are shares from 0 to 1.
    """

    tasks: int
    pairs: int
    mean: float
    most: float

    def to_json(self) -> dict[str, object]:
        """Return the fields as a JSON object."""
        return asdict(self)


def overlap(tasks: Sequence[SampledTask]) -> Overlap | None:
    """Return the overlap of the samples of one database, in the order of its tasks; None if no two can be compared.

    Tasks with the same gold share one sample, which counts once.
    """
    distinct = list({file_digest(task.path): task for task in tasks}.values())
    shares = [_share(one, other) for one, other in pairwise(distinct)]
    known = [share for share in shares if share is not None]
    if not known:
        return None
    return Overlap(len(tasks), len(known), round(sum(known) / len(known), 4), round(max(known), 4))


def _share(one: SampledTask, other: SampledTask) -> float | None:
    names = [name for name in one.rows if _partly(one.rows[name]) and _partly(other.rows.get(name, (0, 0)))]
    both = fewer = 0
    with reading(one.path) as connection, closing(sqlite3.connect("file::memory:", uri=True)) as joined:
        numbers = {name: _number(connection, name) for name in names}
        stop_after(joined, LONGEST_READING)
        for schema, task in (("one", one), ("other", other)):
            joined.execute(f"ATTACH ? AS {schema}", (f"file:{quote(str(task.path.resolve()))}?mode=ro&immutable=1",))
        for name, number in numbers.items():
            inner = f"SELECT {number} FROM other.{quoted(name)}"
            query = f"SELECT count(*) FROM one.{quoted(name)} WHERE {number} IN ({inner})"
            both += joined.execute(query).fetchone()[0]
            fewer += min(one.rows[name][0], other.rows[name][0])
    return both / fewer if fewer else None


def _partly(counts: tuple[int, int]) -> bool:
    kept, there = counts
    return 0 < kept < there


def _number(connection: sqlite3.Connection, name: str) -> str:
    columns = [row[1].lower() for row in connection.execute(f"PRAGMA table_xinfo({quoted(name)})")]
    return next(number for number in ("rowid", "_rowid_", "oid") if number not in columns)
