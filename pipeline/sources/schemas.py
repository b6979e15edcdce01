"""Schemas that come with a download as `tables.json`, for databases that do not come with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from pipeline.errors import SourceError
from pipeline.sources.fields import read_list


@dataclass(frozen=True)
class PlannedTable:
    """A table as a schema file names it: columns with their declared types, and a primary key of one column."""

    name: str
    columns: tuple[tuple[str, str], ...]
    key: str | None


Schemas = dict[str, tuple[PlannedTable, ...]]
"""The tables of each database by its name."""


@runtime_checkable
class WithSchemas(Protocol):
    """A source that tells the tables of its databases, so that they can be made when they are missing."""

    def schemas(self) -> Schemas:
        """Return the tables of every database that a schema file names. Raises SourceError."""


def read_schemas(places: Sequence[Path]) -> Schemas:
    """Return what the first of these files that exists says. Raises SourceError if none does or it is no schema.

    Foreign keys are left out: those of several downloads are wrong. A primary key of several columns is none.
    """
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise SourceError(f"{places[0]}: there is no such file; take tables.json from the download")
    try:
        return {str(entry["db_id"]): _tables(entry) for entry in read_list(path)}
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise SourceError(f"{path.name}: is no schema file ({error!r}); download it again") from error


def _tables(entry: dict[str, Any]) -> tuple[PlannedTable, ...]:
    columns = list(zip(entry["column_names_original"], entry["column_types"], strict=False))
    single = {key for key in entry["primary_keys"] if isinstance(key, int)}
    tables = []
    for number, name in enumerate(entry["table_names_original"]):
        own = [(at, str(column), str(kind)) for at, ((table, column), kind) in enumerate(columns) if table == number]
        keys = [column for at, column, _ in own if at in single]
        tables.append(PlannedTable(name, tuple((c, k) for _, c, k in own), keys[0] if len(keys) == 1 else None))
    return tuple(tables)
