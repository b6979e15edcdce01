"""The worker: does what a page asked for and takes long, as durable workflows that go on after a kill."""

import json
import signal
import threading
from pathlib import Path

from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer

from pipeline.build import BuildParams, build
from review_app import accounts
from review_app.candidates import import_candidates
from review_app.desk.office import Office
from review_app.domain.errors import NotPossible
from review_app.domain.people import Person
from review_app.release import existing, make_release, settle_all
from review_app.requests import APPLICATION, PROGRESS, QUEUE, Work
from review_app.settings import Settings

REPORT_EVERY = 20


def run(settings: Settings) -> None:
    """Work until SIGTERM or SIGINT."""
    office = Office.at(settings)
    for made in settle_all(office, settings.releases):
        print(f"worker: completed the interrupted release {made.name}", flush=True)
    register(office)
    config: DBOSConfig = {
        "name": APPLICATION,
        "system_database_url": settings.worker_database,
        "executor_id": settings.worker,
        "application_version": "1",
        "serializer": DBOSPortableJSONSerializer(),
        "log_level": "WARNING",
    }
    DBOS(config=config)
    DBOS.launch()
    DBOS.register_queue(QUEUE, worker_concurrency=1, polling_interval_sec=0.5)
    print("worker: waiting for requests", flush=True)
    stop = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stop.set())
    stop.wait()
    DBOS.destroy()


def register(office: Office) -> None:
    """Name the workflows. Each is idempotent: run again, it goes on with what is missing."""

    @DBOS.workflow(name=Work.BUILD.value)
    def build_and_import(corpus: str, actor: str) -> str:
        source = _inside(office.settings.corpora, corpus)
        out = office.settings.candidates / corpus
        report = build(source, out, BuildParams(), _progress)
        return f"{report.candidates} of {report.total} became candidates; import them next"

    @DBOS.workflow(name=Work.IMPORT.value)
    def import_(folder: str, actor: str) -> str:
        report = import_candidates(office, _inside(office.settings.candidates, folder), actor, _progress)
        imported, there, refused = len(report.imported), len(report.already_there), len(report.refused)
        if not refused:
            return f"{imported} imported, {there} were there"
        reasons = json.dumps(report.refused, ensure_ascii=False)
        return f"{imported} imported, {there} were there, {refused} refused: {reasons}"

    @DBOS.workflow(name=Work.RELEASE.value)
    def release(name: str, actor: str) -> str:
        # Resumed after a kill, it may find that its release was completed at the start.
        out = office.settings.releases
        made = existing(office, name, out) or make_release(office, name, out, _person(office, actor), _progress)
        return f"tasks released: {len(made.tasks)}; folder: {made.folder}"


def _person(office: Office, actor: str) -> Person:
    with office.read() as session:
        return accounts.by_id(session, actor).person


def _inside(parent: Path, name: str) -> Path:
    path = parent / name
    if Path(name).name != name or name in (".", "..") or not path.is_dir():
        raise NotPossible(f"there is no folder {name!r} in {parent}")
    return path


def _progress(done: int, total: int, name: str) -> None:
    if done % REPORT_EVERY == 0 or done == total:
        DBOS.set_event(PROGRESS, f"{done} / {total}")  # shown in every language
