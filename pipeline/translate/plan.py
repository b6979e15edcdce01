"""What one gold's translation is: which columns are frozen, and the one-to-one maps of everything else."""

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.database import Database
from pipeline.sql.tree import parse
from pipeline.translate.flow import Flow, flow_of
from pipeline.translate.freeze import frozen_columns, spread, untranslatable
from pipeline.translate.injective import one_to_one
from pipeline.translate.model import UNKNOWN, Collision, Kept, Kind, Maps
from pipeline.translate.patterns import translated_pattern
from pipeline.translate.rewrite import OwnNames, own_names
from pipeline.translate.survey import Survey, grouped
from pipeline.translate.words import Unknown, Words


@dataclass(frozen=True)
class Plan:
    """The maps for one gold and its database, what stays as it is, and what collided.

    `texts` are the texts of all columns that are not frozen, and `database_maps` the part that other golds share.
    """

    maps: Maps
    database_maps: Maps
    kept: tuple[Kept, ...]
    collisions: tuple[Collision, ...]
    texts: frozenset[str]

    @property
    def covered(self) -> int:
        """How many of `texts` are translated."""
        return sum(text in self.maps.values for text in self.texts)


class Planner:
    """Makes the plans of all golds of one database. What they have in common is worked out once."""

    def __init__(self, name: str, database: Database, found: Survey, words: Words) -> None:
        self._name = name
        self._database = database
        self._words = words
        self._texts = {column: texts for column, texts in found.texts.items() if texts}
        self._groups = found.groups
        self._frozen = frozen_columns(database, found, words.kept_columns(name))
        self._names, self._name_notes = self._translated_names()
        self._values: dict[frozenset[str], tuple[dict[str, str], list[Collision], frozenset[str], list[Kept]]] = {}

    @property
    def texts(self) -> Mapping[str, object]:
        """The columns that hold texts, by their names in lower case."""
        return self._texts

    def plan(self, sql: str, question: str | None = None) -> Plan:
        """Return the plan for a gold. Raises NotParsed.

        `question` is in the target language: what it writes as it stands in the gold, stays as it is in the database.
        """
        tree = parse(sql)
        flow = flow_of(tree, self._texts)
        frozen, patterns = self._settled(flow, self._quoted_in(question, flow))
        values, collisions, texts, kept = self._values_beside(frozenset(frozen))
        shared = Maps(*self._names, values, frozen=frozen)
        own = own_names(tree, self._lower_columns(), {table.name.lower() for table in self._database.tables})  # type: ignore[arg-type]
        labels, more = self._labels(own)
        extra, late = self._gold_texts(flow, frozen, values, texts)
        notes = [*self._name_notes[0], *kept, *more[0], *late[0]]
        found = [*self._name_notes[1], *collisions, *more[1], *late[1]]
        return Plan(shared.with_gold(labels, patterns, extra), shared, tuple(notes), tuple(found), texts)

    def _quoted_in(self, question: str | None, flow: Flow) -> dict[str, str]:
        """Return the columns of which the question in the target language writes a text in the old one."""
        found: dict[str, str] = {}
        asked = question or ""
        for literal, columns in [*flow.texts, *flow.patterns]:
            text = literal.name.strip("%")
            if not text or text not in asked or untranslatable(text, self._words.direction.source):
                continue
            if (self._word(text) or text) not in asked:
                found |= dict.fromkeys(columns, f"the question writes {text!r} as it is")
        return found

    def _settled(self, flow: Flow, quoted: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        """Freeze what the gold's use asks for, until every pattern of LIKE is translated or its columns are frozen."""
        groups = grouped(self._groups, [*self._known_links(), *flow.linked])
        reasons = {**quoted, **flow.spelled, **self._frozen}
        while True:
            frozen = spread(reasons, groups, self._texts)
            values = self._values_beside(frozenset(frozen))[0]
            patterns: dict[str, str] = {}
            failed = None
            for literal, columns in flow.patterns:
                if columns & frozen.keys():
                    continue
                texts = frozenset().union(*(self._texts.get(column, frozenset()) for column in columns))
                new = translated_pattern(literal.name, texts, values, self._word)
                if new is None or patterns.get(literal.name, new) != new:
                    failed = (literal.name, columns)
                    break
                patterns[literal.name] = new
            if failed is None:
                return frozen, {pattern: new for pattern, new in patterns.items() if pattern != new}
            reasons |= dict.fromkeys(failed[1], f"LIKE '{failed[0]}' finds other rows among the translations")

    def _known_links(self) -> list[tuple[str, str]]:
        return [(name, other) for name, group in self._groups.items() for other in group if name < other]

    def _word(self, text: str) -> str | None:
        asked = Unknown(Kind.VALUE, self._name, text)
        return self._words.all_of([asked]).get(asked)

    def _lower_columns(self) -> set[str]:
        return {column.name.lower() for table in self._database.tables for column in table.columns}

    def _translated_names(
        self,
    ) -> tuple[tuple[dict[str, str], dict[str, Mapping[str, str]]], tuple[list[Kept], list[Collision]]]:
        tables = [table.name for table in self._database.tables]
        spelled: dict[str, str] = {}
        for table in self._database.tables:
            for column in table.columns:
                spelled.setdefault(column.name.lower(), column.name)
        table_map, one = self._name_map(Kind.TABLE, tables)
        column_map, two = self._name_map(Kind.COLUMN, list(spelled.values()))
        by_lower = {name.lower(): target for name, target in column_map.items()}
        columns: dict[str, Mapping[str, str]] = {
            table.name: {c.name: by_lower[c.name.lower()] for c in table.columns if c.name.lower() in by_lower}
            for table in self._database.tables
        }
        kept = [Kept(Kind.TABLE, name, UNKNOWN) for name in tables if name not in table_map]
        kept += [Kept(Kind.COLUMN, n, UNKNOWN) for n in sorted(spelled.values()) if n not in column_map]
        full = {name: table_map.get(name, name) for name in tables}
        return (full, columns), (kept, [*one, *two])

    def _name_map(self, kind: Kind, names: list[str]) -> tuple[dict[str, str], list[Collision]]:
        asked = [Unknown(kind, self._name, name) for name in names]
        wanted = {word.word: text for word, text in self._words.all_of(asked).items()}
        return one_to_one(kind, names, wanted, fold=str.lower)

    def _values_beside(
        self, frozen: frozenset[str]
    ) -> tuple[dict[str, str], list[Collision], frozenset[str], list[Kept]]:
        """Return the map of the texts of all columns but the frozen ones, what collided, all texts, what is kept."""
        if frozen not in self._values:
            texts = {text for column, found in self._texts.items() if column not in frozen for text in found}
            reasons = {text: untranslatable(text, self._words.direction.source) for text in texts}
            free = sorted(text for text in texts if reasons[text] is None)
            asked = [Unknown(Kind.VALUE, self._name, text) for text in free]
            wanted = {word.word: text for word, text in self._words.all_of(asked).items()}
            values, collisions = one_to_one(Kind.VALUE, texts, wanted)
            kept = [Kept(Kind.VALUE, t, reasons[t] or UNKNOWN) for t in sorted(texts) if t not in values]
            self._values[frozen] = values, collisions, frozenset(free), kept
        return self._values[frozen]

    def _labels(self, own: OwnNames) -> tuple[dict[str, str], tuple[list[Kept], list[Collision]]]:
        names = sorted(own.columns | own.tables)
        asked = [Unknown(Kind.LABEL, self._name, name) for name in names]
        wanted = {word.word: text for word, text in self._words.all_of(asked).items()}
        taken = self._lower_columns() | {t.name for t in self._database.tables} | {*self._names[0].values()}
        taken |= {target for columns in self._names[1].values() for target in columns.values()}
        labels, collisions = one_to_one(Kind.LABEL, names, wanted, taken, str.lower)
        kept = [Kept(Kind.LABEL, name, UNKNOWN) for name in sorted(own.columns) if name not in labels]
        return labels, (kept, collisions)

    def _gold_texts(
        self, flow: Flow, frozen: Mapping[str, str], values: Mapping[str, str], texts: frozenset[str]
    ) -> tuple[dict[str, str], tuple[list[Kept], list[Collision]]]:
        """Return a map of the texts that only the gold has, and what is kept or collided."""
        named = {literal.name for literal, columns in flow.texts if not columns & frozen.keys()}
        reasons = {text: untranslatable(text, self._words.direction.source) for text in named - texts}
        free = sorted(text for text, reason in reasons.items() if reason is None)
        asked = [Unknown(Kind.VALUE, self._name, text) for text in free]
        wanted = {word.word: text for word, text in self._words.all_of(asked).items()}
        taken = {*values.values(), *(texts - values.keys())}
        extra, collisions = one_to_one(Kind.VALUE, free, wanted, taken)
        kept = [Kept(Kind.VALUE, text, UNKNOWN) for text in free if text not in extra]
        return extra, (kept, collisions)
