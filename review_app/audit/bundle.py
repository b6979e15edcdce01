"""A release's folder as it lies there: manifest, chains, tables. Nothing of it is believed yet."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from review_app.domain.errors import CorruptHistory
from review_app.domain.events import Event, from_payload

MANIFEST, SUMS = "manifest.json", "SHA256SUMS"


class AuditError(Exception):
    """There is no release to audit; the message names the folder and what is missing."""


@dataclass(frozen=True)
class Bundle:
    """A release's folder, with its private part if the auditor has it.

    Every reader below raises ValueError or OSError for what does not read.
    """

    root: Path
    manifest: Mapping[str, Any]
    private: "Bundle | None" = None

    @cached_property
    def tasks(self) -> dict[str, str]:
        """The released tasks with the digests of their revisions, by number."""
        found = {str(task_id): str(digest) for task_id, digest in self.manifest["tasks"].items()}
        return dict(sorted(found.items(), key=lambda pair: int(pair[0].removeprefix("task_"))))

    @cached_property
    def heads(self) -> dict[str, str]:
        """The last hash of each chain."""
        return {str(task_id): str(head) for task_id, head in self.manifest["chain_heads"].items()}

    @cached_property
    def withheld(self) -> tuple[str, ...]:
        """The tasks whose golds are in the private part."""
        return tuple(self.manifest.get("withheld", ()))

    def home(self, task_id: str) -> Path:
        """Return the folder in which the task's gold lies: the private part's for a withheld task."""
        inside = self.private is not None and task_id in self.private.tasks
        return self.private.root if inside and self.private else self.root

    def blob(self, digest: str) -> bytes:
        """Return a sealed answer, gold or SQL by its digest."""
        paths = [part.root / "blobs" / digest for part in (self, self.private) if part is not None]
        data = next((path for path in paths if path.is_file()), paths[0]).read_bytes()
        if hashlib.sha256(data).hexdigest() != digest:
            raise ValueError(f"blobs/{digest} holds something else than its name says")
        return data

    def chain(self, task_id: str) -> list[dict[str, Any]]:
        """Return the entries of a task: whole, if the private part has them, else as they are published."""
        if self.private is not None and task_id in self.private.heads:
            return self.private.published(task_id)
        return self.published(task_id)

    def published(self, task_id: str) -> list[dict[str, Any]]:
        """Return the entries of a task, as written in this folder."""
        text = (self.root / "ledger" / f"{task_id}.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.split("\n") if line]

    def events(self, task_id: str) -> list[Event]:
        """Return the events of a task's chain.

        Raises:
            CorruptHistory: an entry is no event.
        """
        try:
            return [
                from_payload(entry["kind"], entry["actor"], datetime.fromisoformat(entry["at"]), entry["payload"])
                for entry in self.chain(task_id)
            ]
        except (KeyError, TypeError, ValueError) as error:
            raise CorruptHistory(f"{task_id}: an entry of the chain does not read: {error}") from error


def read_bundle(root: Path, private: Path | None = None) -> Bundle:
    """Return the release in a folder, with its private part in another.

    Raises:
        AuditError: there is no readable manifest.
    """
    try:
        manifest = json.loads((root / MANIFEST).read_text(encoding="utf-8"))
        bundle = Bundle(root, manifest, read_bundle(private) if private is not None else None)
        _ = bundle.tasks, bundle.heads, dict(manifest["files"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise AuditError(f"{root / MANIFEST} is no manifest of a release ({error}); name a release's folder") from error
    return bundle


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
