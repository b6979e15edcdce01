"""Translation inside a build: the words of each database, the translated databases, and the paired questions."""

import hashlib
import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pipeline.artifacts import ArtifactStore, canonical_json
from pipeline.content import BadEntry, Instance, Reason, Rejected, Stage
from pipeline.database import Database, describe
from pipeline.names import sibling_key
from pipeline.sandbox import Sandbox
from pipeline.sources.base import ColumnNote, Notes, Source
from pipeline.stages.execute import Limits
from pipeline.stages.translate import Asked, Work, plan_for, translated, with_question, with_workspace
from pipeline.translate.glossary import Entry, Glossary, shipped
from pipeline.translate.model import UNKNOWN, Direction, Kept, Kind, Maps, Parts
from pipeline.translate.parallel import harvest
from pipeline.translate.plan import Plan, Planner
from pipeline.translate.rebuild import rebuild
from pipeline.translate.rewrite import texts_in
from pipeline.translate.survey import survey
from pipeline.translate.verify import check_databases, check_way_back, does_not_hold
from pipeline.translate.words import Translator, Words

FORMAT = "1"


class Translation:
    """Translates the instances of a source, one after another; what they share is made once."""

    def __init__(
        self,
        source: Source,
        direction: Direction,
        parts: Parts,
        *,
        store: ArtifactStore,
        sandbox: Sandbox,
        limits: Limits,
        max_bytes: int,
        glossary: Sequence[Entry] = (),
        translator: Translator | None = None,
    ) -> None:
        self._source = source
        self._direction = direction
        self._parts = parts
        self._store = store
        self._sandbox = sandbox
        self._limits = limits
        self._max_bytes = max_bytes
        self._own = Glossary(glossary)
        self._shipped = Glossary(shipped())
        self._translator = translator
        self._databases: dict[str, Database] = {}
        self._planners: dict[str, Planner] = {}
        self._made: dict[str, tuple[Path, str, Maps]] = {}
        self._paired = _pairs(source.entries(), direction)
        self._unknown: set[Entry] = set()

    def of(self, instance: Instance) -> tuple[Instance, dict[str, object]]:
        """Return an instance in the other language with the record of its translation. Raises Rejected."""
        if instance.language != self._direction.source:
            message = f"the question is in {instance.language}; {self._direction} translates {self._direction.source}"
            raise Rejected(Stage.TRANSLATE, Reason.NOT_IN_SOURCE_LANGUAGE, message, instance.question)
        work = Work(
            self._direction,
            self._parts,
            self._database(instance.db),
            self._planner(instance.db),
            self._asked(instance),
        )
        if work.asked is None and self._translator is not None and self._parts is not Parts.WORKSPACE:
            work = replace(work, asked=self._by_model(instance, work, self._translator))
        new, plan, plain = with_question(instance, work), None, None
        if self._parts is not Parts.QUESTION:
            plain, plan = plan_for(instance, work, self._sandbox, self._limits)
            self._unknown |= {self._blank(instance.db, kept) for kept in plan.kept if kept.reason == UNKNOWN}
            name, target = self._target(instance.db, work.source, plan)
            new = with_workspace(new, plain, plan, work, target, self._sandbox, self._limits)
            new = replace(new, db=name)
        return translated(instance, new, work, plan, plain)

    def unknown_words(self) -> list[Entry]:
        """Return the words that nobody knows, sorted, as lines of a glossary whose other side is blank."""
        return sorted(self._unknown, key=lambda entry: (entry.database, entry.kind, entry.en, entry.zh))

    def _blank(self, database: str, kept: Kept) -> Entry:
        english = self._direction.source == "en"
        return Entry(kept.kind, database, kept.word if english else "", "" if english else kept.word)

    def database(self, name: str) -> Path | None:
        """Return where a translated database lies, by the name that it has in the translated instance."""
        return self._made[name][0] if name in self._made else None

    def notes(self, name: str) -> Notes:
        """Return what the source says about the columns of a translated database, under their new names.

        In the words of the parallel database if there is one; else in the old language, since whole sentences are
        in no glossary.
        """
        _, db, maps = self._made[name]
        names = maps.names()
        others = [known for pair in self._paired_databases(db) for known in self._source.notes(pair).items()]
        said = {(table, note.column): note for table, notes in others for note in notes}

        def renamed(table: str, note: ColumnNote) -> ColumnNote:
            column = names.get(note.column.lower(), note.column)
            return said.get((table, column)) or replace(note, column=column)

        new = {table: maps.tables.get(table, table) for table in self._source.notes(db)}
        return {
            new[table]: tuple(renamed(new[table], note) for note in notes)
            for table, notes in self._source.notes(db).items()
        }

    def _paired_databases(self, name: str) -> list[str]:
        return sorted({pair.db for _, pair in self._pairs_of(name)} - {name})

    def _pairs_of(self, name: str) -> list[tuple[Instance, Instance]]:
        entries = [entry for entry in self._source.entries() if isinstance(entry, Instance) and entry.db == name]
        return [(entry, pair) for entry in entries if (pair := self._paired.get(entry.id))]

    def _asked(self, instance: Instance) -> Asked | None:
        pair = self._paired.get(instance.id)
        return Asked(pair.question, pair.evidence, f"the paired question {pair.id}") if pair is not None else None

    def _by_model(self, instance: Instance, work: Work, translator: Translator) -> Asked | None:
        """Return the model's question. It is told what the texts of the gold become, if the database changes too."""
        terms: dict[str, str] = {}
        if self._parts is Parts.ALL:
            plain, plan = plan_for(instance, work, self._sandbox, self._limits)
            terms = {text: plan.maps.values.get(text, text) for text in sorted(texts_in(plain))}
        question = translator.question(self._direction, instance.question, terms)
        return None if question is None else Asked(question, instance.evidence, "the model")

    def _database(self, name: str) -> Database:
        if name not in self._databases:
            self._databases[name] = describe(self._source.database(name), name, self._max_bytes)
        return self._databases[name]

    def _planner(self, name: str) -> Planner:
        if name not in self._planners:
            database = self._database(name)
            words = Words(self._direction, self._own, self._shipped, self._harvested(name), self._translator)
            self._planners[name] = Planner(name, database, survey(database), words)
        return self._planners[name]

    def _harvested(self, name: str) -> Mapping[tuple[Kind, str], str]:
        """Return the words that the paired database shows, if the pairs of this one have another."""
        others = self._paired_databases(name)
        if len(others) != 1:
            return {}
        try:
            other = self._database(others[0])
        except Rejected:
            return {}
        return harvest(self._database(name), other, [(one.sql, two.sql) for one, two in self._pairs_of(name)])

    def _target(self, name: str, source: Database, plan: Plan) -> tuple[str, Database]:
        maps = plan.database_maps
        by_gold = {**maps.to_json(), "frozen": sorted(maps.frozen)}
        key = hashlib.sha256(canonical_json([FORMAT, source.digest, by_gold])).hexdigest()

        def make(folder: Path) -> dict[str, object]:
            path = folder / "translated.sqlite"
            try:
                rebuild(source, path, maps)
                target = describe(path, name, self._max_bytes)
                counts = check_databases(source, target, maps)
                check_way_back(source, target, maps)
            except sqlite3.Error as error:
                raise does_not_hold(f"SQLite cannot write the translated database: {error}", str(error)) from error
            return {"rows": counts}

        folder, _ = self._store.folder(key, make)
        new = f"{name}_{self._direction.target}_{key[:6]}"
        self._made[new] = folder / "translated.sqlite", name, maps
        if new not in self._databases:
            self._databases[new] = describe(self._made[new][0], new, self._max_bytes)
        return new, self._databases[new]


def _pairs(entries: Sequence[Instance | BadEntry], direction: Direction) -> dict[str, Instance]:
    """Return for each instance of the source language its sibling in the target language.

    Where several have one key, such as paraphrases of a question, the first belongs to the first and so on.
    """
    found: dict[tuple[str, str], list[Instance]] = defaultdict(list)
    for entry in entries:
        if isinstance(entry, Instance):
            found[sibling_key(entry.pair, entry.db, entry.sql), entry.language].append(entry)
    return {
        one.id: other
        for (key, language), ones in found.items()
        if language == direction.source
        for one, other in zip(ones, found.get((key, direction.target), []), strict=False)
    }
