"""The files of a workspace: sampled database, rendered tables, each read back and compared."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.checks.reread import reread, reread_sqlite
from pipeline.content import Reason, Rejected, Stage
from pipeline.database import Database, TableSchema, broken, describe, read_rows, reading
from pipeline.errors import CheckError
from pipeline.names import file_stems, slug
from pipeline.render import csv, json, markdown
from pipeline.sampling.broken_keys import newly_broken
from pipeline.stages.keep import Portion, keep_rows
from pipeline.stages.route import Modality, Route, route
from pipeline.stages.sample import Sampling, copy_tables
from pipeline.stages.shape import shape_of

SAMPLED = "sampled.sqlite"
CONTEXT = "context"
_PLACES = {Modality.CSV: ("csv", "csv"), Modality.JSON: ("json", "json"), Modality.MARKDOWN: ("doc", "md")}


@dataclass(frozen=True)
class WorkspaceFile:
    """A file of the workspace with the tables in it; `path` is relative to `context/`."""

    path: str
    modality: Modality
    tables: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """Return the fields as a JSON object."""
        return {"path": self.path, "modality": str(self.modality), "tables": list(self.tables)}


@dataclass(frozen=True)
class Description:
    """What a workspace holds: its files, why each table lies where it does, how many cells were read back.

    `rows` gives for each table the rows of the sample and of the source, if rows were chosen; else it is empty.
    """

    workspace: tuple[WorkspaceFile, ...]
    routing: tuple[Route, ...]
    cells: int
    rows: dict[str, tuple[int, int]]

    def to_json(self) -> dict[str, Any]:
        """Return the fields as a JSON object."""
        return {
            "workspace": [file.to_json() for file in self.workspace],
            "routing": [decision.to_json() for decision in self.routing],
            "cells": self.cells,
            "rows": {name: list(counts) for name, counts in sorted(self.rows.items())},
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> "Description":
        """Return the description that `to_json` wrote."""
        files = tuple(
            WorkspaceFile(f["path"], Modality(f["modality"]), tuple(f["tables"])) for f in fields["workspace"]
        )
        routes = tuple(Route(r["table"], Modality(r["modality"]), r["reason"]) for r in fields["routing"])
        rows = {name: (kept, of) for name, (kept, of) in fields["rows"].items()}
        return cls(files, routes, fields["cells"], rows)


def places(files: Sequence[WorkspaceFile]) -> dict[str, str]:
    """Return the workspace file of each table."""
    return {table: file.path for file in files for table in file.tables}


def make_workspace(
    folder: Path, database: Database, name: str, sampling: Sampling, seed: int, portion: Portion | None
) -> Description:
    """Write the sampled database and its workspace into an empty folder and return their description.

    Raises Rejected if the source cannot be copied, a sample breaks a foreign key, or a file reads differently from its
    table, and QueryFailed if choosing rows meets a limit.
    """
    try:
        rows = _sample(folder / SAMPLED, database, sampling, portion)
        sampled = describe(folder / SAMPLED, name, 1 << 62)
        with reading(sampled.path) as connection:
            shapes = {t.name: shape_of(read_rows(connection, t), len(t.columns)) for t in sampled.tables}
    except sqlite3.Error as error:
        raise broken(database.path.name, str(error)) from error
    routes = route(shapes, _links(sampled), seed)
    try:
        files = _write(folder / CONTEXT, sampled, name, routes)
    except CheckError as error:
        message = f"a workspace file reads differently from its table: {error}"
        raise Rejected(Stage.RENDER, Reason.RENDER_MISMATCH, message, str(error)) from error
    cells = sum(shape.rows * shape.columns for shape in shapes.values())
    return Description(tuple(files), tuple(routes), cells, rows)


def _sample(
    target: Path, database: Database, sampling: Sampling, portion: Portion | None
) -> dict[str, tuple[int, int]]:
    """Write the sampled database and return how many rows of each table it has, and the source had, if they differ."""
    if sampling.rows is None or portion is None:
        copy_tables(database, target, sampling.kept)
        return {}
    scratch = target.with_name("scratch")
    try:
        kept = keep_rows(database, sampling.kept, sampling.rows.sql, portion, scratch)
        copy_tables(database, target, sampling.kept, kept)
    finally:
        scratch.unlink(missing_ok=True)
    if broken_now := newly_broken(database.path, target, sampling.kept):
        message = f"{broken_now.total()} rows of the sample refer to rows that it has not, though the source has them"
        raise Rejected(Stage.SAMPLE, Reason.SAMPLE_BREAKS_KEY, message, repr(list(broken_now)[:5]))
    return dict(kept.counts)


def _links(database: Database) -> dict[str, int]:
    counts: dict[str, int] = {table.name: len(table.foreign_keys) for table in database.tables}
    for table in database.tables:
        for key in table.foreign_keys:
            parent = database.table(key.parent)
            if parent is not None:
                counts[parent.name] += 1
    return counts


def _write(context: Path, sampled: Database, name: str, routes: Sequence[Route]) -> list[WorkspaceFile]:
    stems = file_stems(decision.table for decision in routes)
    files = []
    for decision in routes:
        table = sampled.table(decision.table)
        if decision.modality is Modality.SQLITE or table is None:
            continue
        folder, suffix = _PLACES[decision.modality]
        path = f"{folder}/{stems[table.name]}.{suffix}"
        _write_table(context / path, decision.modality, sampled, table)
        files.append(WorkspaceFile(path, decision.modality, (table.name,)))
    together = tuple(decision.table for decision in routes if decision.modality is Modality.SQLITE)
    if together:
        path = f"db/{slug(name)}.sqlite"
        (context / path).parent.mkdir(parents=True, exist_ok=True)
        copy_tables(sampled, context / path, together)
        reread_sqlite(context / path, sampled, together)
        files.append(WorkspaceFile(path, Modality.SQLITE, together))
    return sorted(files, key=lambda file: file.path)


def _write_table(path: Path, modality: Modality, sampled: Database, table: TableSchema) -> None:
    header = [column.name for column in table.columns]
    with reading(sampled.path) as connection:
        rows = list(read_rows(connection, table))
    path.parent.mkdir(parents=True, exist_ok=True)
    if modality is Modality.CSV:
        data = csv.write(header, rows)
    elif modality is Modality.JSON:
        data = json.write(header, rows)
    else:
        data = markdown.write(table.name, header, rows)
    path.write_bytes(data)
    reread(path, modality, table.name, header, rows)
