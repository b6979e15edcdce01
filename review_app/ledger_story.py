"""A task's life as text for people: who did what when, with which values, and what a repair changed."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from typing import Any

from db.ledger import Entry, canonical, commitment
from review_app.ledger_files import blind_fields

LONGEST = 200  # characters of a value; the export has it whole


def story(entries: Sequence[Entry], hidden: bool) -> str:
    """Return a paragraph an entry: version, UTC time, kind, actor, then its fields; a revision by what it changed.

    `hidden` closes the fields that would break blindness: their commitment stands in their place.
    """
    lines: list[str] = []
    revisions: dict[str, Mapping[str, Any]] = {}
    for entry in entries:
        at = f"{entry.at.astimezone(UTC):%Y-%m-%d %H:%M:%S}"
        lines.append(f"{entry.version:>3}  {at}  {entry.kind}  by {entry.actor}")
        closed = blind_fields(entry) if hidden else frozenset[str]()
        for field, value in entry.payload.items():
            if field in closed:
                lines.append(f"       {field}: withheld, commitment {commitment(entry.salts[field], value)}")
            elif isinstance(value, Mapping) and "gold_sql" in value:
                before = revisions.get(str(entry.payload.get("before")), {})
                lines += [f"       {field}.{line}" for line in _changes(before, value)]
                revisions[hashlib.sha256(canonical(value).encode()).hexdigest()] = value
            elif value not in ("", [], None):
                lines.append(f"       {field}: {short(value)}")
        lines.append(f"       hash {entry.hash}")
    return "\n".join(lines) + "\n"


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """What differs from the revision that was changed; a file of the workspace by its path and digest."""
    for part, value in after.items():
        old = before.get(part)
        if part == "workspace":
            yield from _files(old or (), value)
        elif old is None:
            yield f"{part}: {short(value)}"
        elif value != old:
            yield f"{part}: {short(old)} -> {short(value)}"


def _files(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    old = {file["path"]: file["sha256"] for file in before}
    new = {file["path"]: file["sha256"] for file in after}
    for path in sorted({*old, *new}):
        if old.get(path) != new.get(path):
            yield f"workspace {path}: {old.get(path, 'not there')} -> {new.get(path, 'taken away')}"


def short(value: Any) -> str:
    """Return a value as canonical JSON, cut where it is long."""
    return cut(canonical(value))


def cut(text: str) -> str:
    """Return the beginning of a text, and how long it is if that is not all."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text)} characters)"
