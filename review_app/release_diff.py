"""What changed from one release to the next, and why: read from the two folders alone."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from review_app.audit.bundle import AuditError, Bundle

WITHHELD = "withheld in one of the releases"
NO_CHAIN = "its chain is not in the newer release; ask whoever made it"


@dataclass(frozen=True)
class Because:
    """A decision since the older release that gives a reason: its entry's version and kind, and what was said."""

    version: int
    kind: str
    reason: str


@dataclass(frozen=True)
class Replaced:
    """A task whose revision is another one.

    Attributes:
        parts: what differs: question, gold, rules, SQL, sampled database, and files of the workspace by their paths.
        because: the decisions since, oldest first.
    """

    task_id: str
    parts: tuple[str, ...]
    because: tuple[Because, ...]


@dataclass(frozen=True)
class Dropped:
    """A task that the newer release has not. `note` says why no decision can be shown, and is empty where it can."""

    task_id: str
    because: tuple[Because, ...]
    note: str


@dataclass(frozen=True)
class ReleaseDiff:
    """The difference of two releases; `same` counts the tasks whose revision is the same."""

    before: str
    after: str
    added: tuple[str, ...]
    dropped: tuple[Dropped, ...]
    replaced: tuple[Replaced, ...]
    same: int

    def to_json(self) -> dict[str, Any]:
        """Return the difference as JSON values."""
        return asdict(self)


def release_diff(before: Bundle, after: Bundle) -> ReleaseDiff:
    """Return what was added, dropped and replaced from one release to the next.

    Raises:
        AuditError: a chain of the newer release does not read, or does not go on from that of the older one.
    """
    both = [task_id for task_id in before.tasks if task_id in after.tasks]
    other = [task_id for task_id in both if before.tasks[task_id] != after.tasks[task_id]]
    return ReleaseDiff(
        before=str(before.manifest.get("name", before.root.name)),
        after=str(after.manifest.get("name", after.root.name)),
        added=tuple(task_id for task_id in after.tasks if task_id not in before.tasks),
        dropped=tuple(_dropped(before, after, task_id) for task_id in before.tasks if task_id not in after.tasks),
        replaced=tuple(Replaced(one, _parts(before, after, one), _because(before, after, one)) for one in other),
        same=len(both) - len(other),
    )


def _dropped(before: Bundle, after: Bundle, task_id: str) -> Dropped:
    if task_id not in after.heads:
        return Dropped(task_id, (), NO_CHAIN)
    return Dropped(task_id, _because(before, after, task_id), "")


def _because(before: Bundle, after: Bundle, task_id: str) -> tuple[Because, ...]:
    try:
        older, newer = before.published(task_id), after.published(task_id)
        if [entry["hash"] for entry in newer[: len(older)]] != [entry["hash"] for entry in older]:
            raise AuditError(f"{task_id}: the chain of {after.root} does not go on from that of {before.root}")
        since = [entry for entry in newer[len(older) :] if "reason" in entry["commitments"]]
        return tuple(
            Because(int(entry["version"]), str(entry["kind"]), str(entry["payload"].get("reason", WITHHELD)))
            for entry in since
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise AuditError(f"{task_id}: its chain does not read ({error}); run `dataspace audit` on both") from error


def _parts(before: Bundle, after: Bundle, task_id: str) -> tuple[str, ...]:
    older, newer = _files(before.manifest["files"], task_id), _files(after.manifest["files"], task_id)
    shown = {
        f"input/{task_id}/task.json": "question",
        f"output/{task_id}/gold.csv": "gold",
        f"evaluation/configs/{task_id}.json": "rules",
        f"audit/{task_id}/gold.sql": "SQL",
        f"audit/{task_id}/sampled.sqlite": "sampled database",
    }
    parts = [part for path, part in shown.items() if older.get(path) != newer.get(path)]
    context = f"input/{task_id}/context/"
    files = sorted(path for path in older.keys() | newer.keys() if path.startswith(context))
    parts += [path.removeprefix(context) for path in files if older.get(path) != newer.get(path)]
    if task_id in {*before.withheld, *after.withheld}:
        parts.append(WITHHELD)
    return tuple(parts)


def _files(files: Mapping[str, Any], task_id: str) -> dict[str, Any]:
    return {
        path: digest for path, digest in files.items() if f"/{task_id}/" in path or path.endswith(f"/{task_id}.json")
    }
