"""One instance after another: what is up to date is kept, the rest is made, and nothing stops the others."""

import errno
import hashlib
import json
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path

from evaluator.rules import to_document
from evaluator.tables import to_csv
from pipeline.artifacts import canonical_json, link_or_copy
from pipeline.checks.lints import lints_of
from pipeline.content import BadEntry, Instance, Reason, Rejected, Rejection, Stage
from pipeline.database import Database, describe
from pipeline.errors import BuildError
from pipeline.judge import PROBE_ROWS, Judged, judge
from pipeline.output import OutputFolder
from pipeline.params import BuildParams
from pipeline.provenance import provenance
from pipeline.sandbox import Answer, QueryFailed, Sandbox
from pipeline.sources.base import Notes, Source
from pipeline.sql.tree import NotParsed
from pipeline.stages.execute import Limits
from pipeline.stages.keep import Portion
from pipeline.stages.knowledge import KNOWLEDGE, knowledge
from pipeline.stages.sample import Rows, Sampling
from pipeline.stopwatch import Stopwatch
from pipeline.translate.build import Translation
from pipeline.workspace import CONTEXT, SAMPLED, Description, make_workspace, places

BUILDER_VERSION = "5"
_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}


@dataclass(frozen=True)
class Outcome:
    """What became of one instance: the files of its candidate by their digests, or a rejection."""

    task_id: str
    instance: str
    files: dict[str, str]
    rejection: Rejection | None
    up_to_date: bool = False


class Runner:
    """Makes the outcome of each instance of a source in an output folder; `repeated` tasks have an id used before."""

    def __init__(
        self,
        source: Source,
        folder: OutputFolder,
        sandbox: Sandbox,
        params: BuildParams,
        translation: Translation | None = None,
        repeated: frozenset[str] = frozenset(),
    ) -> None:
        self.watch = Stopwatch()
        self._source = source
        self._translation = translation
        self._translated: dict[str, dict[str, object]] = {}
        self._folder = folder
        self._sandbox = sandbox
        self._params = params
        self._limits = Limits(params.time_limit_seconds, params.row_limit)
        self._databases: dict[str, Database | Rejected] = {}
        self._notes: dict[str, Notes] = {}
        self._workspaces: dict[str, tuple[Path, Description] | Rejected] = {}
        self._repeated = repeated

    def outcome(self, task_id: str, entry: Instance | BadEntry) -> Outcome:
        """Return the outcome of one entry. Raises BuildError only if nothing can be written any more."""
        if isinstance(entry, BadEntry):
            rejection = Rejection(entry.id, Stage.SOURCE, entry.reason, entry.message, entry.evidence)
            return Outcome(task_id, entry.id, {}, rejection)
        try:
            return self._finished_or_made(task_id, entry)
        except Rejected as rejected:
            return Outcome(task_id, entry.id, {}, rejected.of(entry.id))
        except Exception as error:  # one bad instance never stops the others; the reason says whose fault it is
            if isinstance(error, OSError) and error.errno in _DISK:
                message = f"{self._folder.root}: {error.strerror}; make room and build again, finished tasks are kept"
                raise BuildError(message) from error
            return Outcome(task_id, entry.id, {}, self._builder_error(entry, error))

    def _finished_or_made(self, task_id: str, instance: Instance) -> Outcome:
        self._refuse_duplicate(task_id, instance)
        if self._translation is not None:
            with self.watch.part("translate"):
                instance, self._translated[instance.id] = self._translation.of(instance)
        with self.watch.part("database"):
            database = self._database(instance.db)
        fingerprint = self._fingerprint(task_id, instance, database)
        with self.watch.part("up to date"):
            finished = self._folder.finished(task_id, fingerprint)
        if finished is not None:
            return Outcome(task_id, instance.id, *finished, up_to_date=True)
        try:
            files = self._make(task_id, instance, database, fingerprint)
        except Rejected as rejected:
            self._folder.note_rejection(task_id, fingerprint, rejected.of(instance.id))
            raise
        return Outcome(task_id, instance.id, files, None)

    def _refuse_duplicate(self, task_id: str, instance: Instance) -> None:
        if task_id in self._repeated:
            message = f"the id {instance.id} occurs twice in the source; give each instance its own"
            raise Rejected(Stage.SOURCE, Reason.DUPLICATE_ID, message, instance.id)

    def _database(self, name: str) -> Database:
        if name not in self._databases:
            try:
                translated = self._translation.database(name) if self._translation is not None else None
                path = translated or self._source.database(name)
                self._databases[name] = describe(path, name, self._params.max_database_bytes)
                notes_of = self._translation if self._translation is not None and translated else self._source
                self._notes[name] = notes_of.notes(name)
            except Rejected as rejected:
                self._databases[name] = rejected
        known = self._databases[name]
        if isinstance(known, Rejected):
            raise known
        return known

    def _fingerprint(self, task_id: str, instance: Instance, database: Database) -> str:
        params = self._params
        notes = {table: [asdict(note) for note in found] for table, found in self._notes[instance.db].items()}
        decisive = {
            "builder": BUILDER_VERSION,
            "task": task_id,
            "instance": instance.to_json(),
            "database": database.digest,
            "notes": notes,
            "params": [params.seed, params.domain, *asdict(self._limits).values(), params.max_tables],
            "sampling": [params.sampling, params.copied_up_to_bytes, params.noise_rows, params.whole_table_rows],
            "sizes": [params.task_rows, params.table_rows],
        }
        if instance.id in self._translated:
            decisive["translation"] = self._translated[instance.id]
        return hashlib.sha256(canonical_json(decisive)).hexdigest()

    def _make(self, task_id: str, instance: Instance, database: Database, fingerprint: str) -> dict[str, str]:
        def sampled(sampling: Sampling) -> Path:
            with self.watch.part("sample and workspace"):
                return self._workspace(instance.db, database, sampling)[0] / SAMPLED

        with self.watch.part("gold"):
            judged = judge(task_id, instance, database, sampled, self._sandbox, self._limits, params=self._params)
        shared, description = self._workspace(instance.db, database, judged.sampling)
        folder = self._folder.new_folder(task_id)
        for path in sorted((shared / CONTEXT).rglob("*")):
            if path.is_file():
                link_or_copy(path, folder / CONTEXT / path.relative_to(shared / CONTEXT))
        link_or_copy(shared / SAMPLED, folder / "private" / SAMPLED)
        with self.watch.part("lints"):
            lints = self._lints(judged, database, shared / SAMPLED)
        for name, data in self._own_files(task_id, instance, database, judged, description, lints).items():
            (folder / name).write_bytes(data)
        return self._folder.keep(task_id, fingerprint, folder)

    def _workspace(self, name: str, database: Database, sampling: Sampling) -> tuple[Path, Description]:
        made_from = [BUILDER_VERSION, name, database.digest, list(sampling.kept), self._params.seed]
        if sampling.rows is not None:
            made_from += [asdict(sampling.rows), asdict(self._portion(sampling.rows))]
        key = hashlib.sha256(json.dumps(made_from).encode()).hexdigest()
        if key not in self._workspaces:

            def make(folder: Path) -> dict[str, object]:
                portion = self._portion(sampling.rows) if sampling.rows is not None else None
                return make_workspace(folder, database, name, sampling, self._params.seed, portion).to_json()

            try:
                folder, description = self._folder.artifacts.folder(key, make)
                self._workspaces[key] = folder, Description.from_json(description)
            except Rejected as rejected:
                self._workspaces[key] = rejected
        known = self._workspaces[key]
        if isinstance(known, Rejected):
            raise known
        return known

    def _portion(self, rows: Rows) -> Portion:
        params = self._params
        return Portion(
            witnesses=rows.witnesses,
            noise_rows=params.noise_rows,
            whole_rows=params.whole_table_rows,
            seed=params.seed,
            seconds=params.time_limit_seconds,
            misses=rows.misses,
            task_rows=params.task_rows,
            table_rows=params.table_rows,
        )

    def _lints(self, judged: Judged, database: Database, path: Path) -> list[dict[str, str]]:
        """Return what to look at in the gold on its sampled database; a lone problem if nothing can be said."""

        def run(sql: str) -> Answer:
            return self._sandbox.run(path, sql, seconds=self._limits.time_limit_seconds, rows=PROBE_ROWS)

        try:
            return [one.to_json() for one in lints_of(judged.sql, database, run(judged.sql), run, judged.determined)]
        except (NotParsed, QueryFailed) as error:
            return [{"problem": str(error)}]

    def _own_files(
        self,
        task_id: str,
        instance: Instance,
        database: Database,
        judged: Judged,
        description: Description,
        lints: list[dict[str, str]],
    ) -> dict[str, bytes]:
        kept = [table for table in database.tables if table.name in judged.sampling.kept]
        page = knowledge(
            instance.language, instance.evidence, self._notes[instance.db], kept, places(description.workspace)
        )
        domain = instance.domain or self._params.domain or "general"
        files = {
            "task.json": canonical_json(
                {"task_id": task_id, "question": instance.question, "language": instance.language, "domain": domain}
            ),
            "private/gold.csv": to_csv(judged.gold),
            "private/gold.sql": f"{judged.sql}\n".encode(),
            "private/rules.json": canonical_json(to_document(judged.inferred.rules)),
            "private/provenance.json": canonical_json(
                provenance(instance, judged, description, page is not None, lints, self._translated.get(instance.id))
            ),
        }
        return files if page is None else {**files, f"{CONTEXT}/{KNOWLEDGE}": page}

    def _builder_error(self, instance: Instance, error: Exception) -> Rejection:
        last = traceback.format_exception_only(error)[-1].strip()
        for path in (self._folder.root.resolve(), self._folder.root):
            last = last.replace(str(path), "OUT")
        place = traceback.extract_tb(error.__traceback__)[-1]
        message = f"the builder failed in {place.name} ({Path(place.filename).name}, line {place.lineno}); report it"
        return Rejected(Stage.BUILDER, Reason.BUILDER_ERROR, message, last).of(instance.id)
