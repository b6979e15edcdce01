"""What pages ask of the worker: builds, imports, releases. Kept as durable workflows, not in a queue of our own."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from dbos import DBOSClient, DBOSPortableJSONSerializer, EnqueueOptions, run_dbos_database_migrations

from review_app.settings import Settings

QUEUE = "long"
PROGRESS = "progress"
APPLICATION = "dataspace-review"


class Work(StrEnum):
    """What can be asked for; the names of the worker's workflows."""

    BUILD = "build"
    IMPORT = "import"
    RELEASE = "release"


@dataclass(frozen=True)
class Request:
    """One request and what became of it. `status` is the workflow's: ENQUEUED, PENDING, SUCCESS, ERROR ..."""

    id: str
    work: str
    about: str
    status: str
    asked_at: datetime
    progress: str
    outcome: str


def prepare(settings: Settings) -> None:
    """Create or migrate the tables that the workflows are kept in."""
    if not settings.database_url:
        settings.var.mkdir(parents=True, exist_ok=True)
    run_dbos_database_migrations(system_database_url=settings.worker_database)


class Requests:
    """The pages' side of the worker."""

    def __init__(self, settings: Settings) -> None:
        self._client = DBOSClient(
            system_database_url=settings.worker_database,
            serializer=DBOSPortableJSONSerializer(),
            application_name=APPLICATION,
        )

    def ask(self, work: Work, about: str, actor: str) -> str:
        """Ask for work on something (a folder's name, a release's name); return the request's id."""
        options: EnqueueOptions = {"queue_name": QUEUE, "workflow_name": work.value}
        handle: Any = self._client.enqueue(options, about, actor)
        return str(handle.workflow_id)

    def recent(self, limit: int = 10) -> list[Request]:
        """Return the newest requests, newest first."""
        found = self._client.list_workflows(limit=limit, sort_desc=True)
        return [self._request(status) for status in found]

    def _request(self, status: Any) -> Request:
        arguments = status.input["args"] if status.input else ("?",)
        progress = self._client.get_event(status.workflow_id, PROGRESS, timeout_seconds=0)
        return Request(
            id=status.workflow_id,
            work=status.name,
            about=str(arguments[0]),
            status=status.status,
            asked_at=datetime.fromtimestamp(status.created_at / 1000, UTC),
            progress=str(progress or ""),
            outcome=str(status.error or status.output or ""),
        )
