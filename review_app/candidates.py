"""Take candidates from the builder's folder under review. One bad candidate never stops the others."""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from db.blobs import BlobError
from db.ledger import LedgerConflict
from evaluator.errors import EvaluatorError
from evaluator.rules import parse_rules
from evaluator.tables import parse_table
from review_app import comparing, store
from review_app.desk.office import Office
from review_app.domain.content import Revision, WorkspaceFile
from review_app.domain.errors import CorruptHistory, ReviewError, StorageFailed
from review_app.domain.events import TaskImported, from_payload, to_payload

FORMAT, FORMAT_VERSION = "dataspace-candidates", 1
BUILDER_ACTOR = "builder"  # the actor of imports from the command line; imports asked for on a page name the lead

_TASK_ID = re.compile(r"task_[1-9][0-9]{0,8}")
_LENGTHS = {"language": 8, "domain": 80, "sibling": 80}  # as wide as the status row's columns


class CandidatesError(ReviewError):
    """The folder is no candidates folder, or cannot be read; the message names the file and the remedy."""


class BrokenCandidate(ReviewError):
    """One candidate cannot be taken; the others are not touched."""


@dataclass
class ImportReport:
    """What became of each candidate: task ids, and sentences for those that were refused."""

    imported: list[str] = field(default_factory=list)
    already_there: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON values."""
        return {"imported": self.imported, "already_there": self.already_there, "refused": self.refused}


def import_candidates(
    office: Office,
    folder: Path,
    actor: str = BUILDER_ACTOR,
    progress: Callable[[int, int, str], None] = lambda done, total, name: None,
) -> ImportReport:
    """Import every candidate of the folder's manifest, each in a transaction of its own.

    A candidate that is there already, with the same content, is passed over; under the same id with other content
    it is refused, and so is one that is damaged. A second run after an interruption goes on where the first ended.

    Raises:
        CandidatesError: no manifest, or one that does not read.
        StorageFailed: the disk or database refused; candidates before that are imported.
    """
    manifest = _manifest(folder)
    report = ImportReport()
    entries = manifest["tasks"]
    for place, entry in enumerate(entries, start=1):
        name = str(entry.get("task_id", f"entry {place}")) if isinstance(entry, dict) else f"entry {place}"
        try:
            fresh = _import_one(office, folder, entry, actor)
            (report.imported if fresh else report.already_there).append(name)
        except BrokenCandidate as error:
            report.refused[name] = str(error)
        progress(place, len(entries), name)
    return report


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / "manifest.json"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CandidatesError(
            f"{path}: cannot be read ({error.strerror}); name a folder that `dataspace build` wrote"
        ) from error
    except (ValueError, RecursionError) as error:
        raise CandidatesError(f"{path}: does not read as JSON ({error}); build the candidates again") from error
    if (
        not isinstance(manifest, dict)
        or manifest.get("format") != FORMAT
        or not isinstance(manifest.get("tasks"), list)
    ):
        raise CandidatesError(f"{path}: this is no manifest of candidates; name a folder that `dataspace build` wrote")
    version = manifest.get("format_version")
    if version != FORMAT_VERSION:
        raise CandidatesError(f"{path}: format version {version} is not {FORMAT_VERSION}; build them again")
    return manifest


def _import_one(office: Office, folder: Path, entry: Any, actor: str) -> bool:
    try:
        event, files = _read(office, folder, entry, actor)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, CorruptHistory) as error:
        raise BrokenCandidate(f"the candidate does not read: {error!r}; build it again") from error
    except OSError as error:
        raise BrokenCandidate(f"{error.filename}: cannot be read ({error.strerror}); build it again") from error
    with office.read() as session:
        if _known(session, event):
            return False
    _store(office, files)  # before the transaction: copying must not keep other writers waiting
    with office.write() as session:
        if _known(session, event):
            return False
        try:
            store.record(session, None, event)
        except (LedgerConflict, IntegrityError) as error:
            raise BrokenCandidate(f"{event.task_id} is being imported elsewhere; run the import again") from error
    return True


def _known(session: Session, event: TaskImported) -> bool:
    known = store.imported_digest(session, event.task_id)
    if known is not None and known != event.revision.digest:
        raise BrokenCandidate(
            f"{event.task_id} is already under review with other content; give the changed candidate "
            "a new id (build with another --first-id)"
        )
    return known is not None


def _read(office: Office, folder: Path, entry: dict[str, Any], actor: str) -> tuple[TaskImported, dict[str, Path]]:
    """The event, and the files of its revision by digest. Nothing is stored yet."""
    task_id = entry["task_id"]
    if not _TASK_ID.fullmatch(task_id):
        raise BrokenCandidate(f"{task_id!r} is no task id; ids are task_1, task_2, ...")
    digests: dict[str, str] = entry["files"]
    home = folder.resolve() / task_id
    files = {path: _checked_file(home, path, digest) for path, digest in digests.items()}
    task = json.loads(files["task.json"].read_text(encoding="utf-8"))
    provenance = json.loads(files["private/provenance.json"].read_text(encoding="utf-8"))
    gold_bytes = files["private/gold.csv"].read_bytes()
    rules = _rules(files["private/rules.json"], gold_bytes, task_id)
    gold = parse_table(gold_bytes)
    revision = Revision(
        question=task["question"],
        workspace=tuple(_workspace_file(file, files, digests) for file in provenance["workspace"]),
        gold=digests["private/gold.csv"],
        gold_columns=gold.header,
        gold_rows=len(gold.rows),
        gold_sql=digests["private/gold.sql"],
        sampled_db=digests["private/sampled.sqlite"],
        provenance=digests["private/provenance.json"],
        rules=rules,
    )
    listed = {f"context/{file.path}" for file in revision.workspace}
    stray = {path for path in digests if path.startswith("context/")} ^ listed
    if stray:
        raise BrokenCandidate(f"the workspace and its manifest differ: {', '.join(sorted(stray))}; build it again")
    event = TaskImported(
        actor=actor,
        at=office.clock(),
        task_id=task_id,
        revision=revision,
        language=task["language"],
        domain=task["domain"],
        sibling=provenance["sibling"],
        instance=entry["instance"],
        max_rechecks=office.settings.max_rechecks,
    )
    _sound(event)
    kept = ("private/gold.csv", "private/gold.sql", "private/sampled.sqlite", "private/provenance.json", *listed)
    return event, {digests[path]: files[path] for path in kept}


def _sound(event: TaskImported) -> None:
    """Refuse what could be written but never be read back, or only by one of the databases."""
    payload = to_payload(event)
    from_payload("TaskImported", event.actor, event.at, payload)
    json.dumps(payload, ensure_ascii=False).encode()
    for name, length in _LENGTHS.items():
        if not 0 < len(payload[name]) <= length:
            raise BrokenCandidate(f"its {name} {payload[name]!r} must have 1 to {length} characters; build it again")
    if not event.revision.question.strip():
        raise BrokenCandidate("its question is empty; build it again")
    if "\0" in f"{event.revision.question}{event.language}{event.domain}{event.sibling}":
        raise BrokenCandidate("its question, language, domain or sibling holds a NUL; build it again")


def _rules(path: Path, gold: bytes, task_id: str) -> str:
    try:
        rules = parse_rules(json.loads(path.read_text(encoding="utf-8")), task_id=task_id)
        problem = comparing.misfit(parse_table(gold), rules)
    except EvaluatorError as error:
        raise BrokenCandidate(f"gold or rules do not read: {error}; build it again") from error
    if problem:
        raise BrokenCandidate(problem)
    return comparing.rules_text(rules)


def _checked_file(home: Path, path: str, digest: str) -> Path:
    parts = PurePosixPath(path).parts
    if PurePosixPath(path).is_absolute() or ".." in parts or not parts:
        raise BrokenCandidate(f"the file name {path!r} leads out of the candidate's folder; build it again")
    found = home.joinpath(*parts)
    if not found.is_file():
        raise BrokenCandidate(f"{found}: there is no such file; build it again")
    if found.resolve() != found:
        raise BrokenCandidate(f"{found}: a symbolic link leads to it; put the file itself there, or build it again")
    with found.open("rb") as stream:
        if hashlib.file_digest(stream, "sha256").hexdigest() != digest:
            raise BrokenCandidate(f"{found}: its content is not what the manifest says; build it again")
    return found


def _workspace_file(file: dict[str, Any], files: dict[str, Path], digests: dict[str, str]) -> WorkspaceFile:
    path = f"context/{file['path']}"
    size = files[path].stat().st_size
    return WorkspaceFile(file["path"], file["modality"], digests[path], size, tuple(file["tables"]))


def _store(office: Office, files: dict[str, Path]) -> None:
    for digest, path in files.items():
        if office.blobs.path_if_there(digest):
            continue
        try:
            stored = office.blobs.put_file(path)
        except BlobError as error:
            raise StorageFailed(f"{error}; candidates before this one are imported, run the import again") from error
        if stored != digest:
            raise BrokenCandidate(f"{path}: it changed while it was read; run the import again")
